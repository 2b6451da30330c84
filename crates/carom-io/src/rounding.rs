//! Numbers without rounding noise.

/// The number, or the zero that it stands for if it is rounding noise beside numbers of this size.
pub fn denoised(x: f64, size: f64) -> f64 {
    if x.abs() <= 16.0 * f64::EPSILON * size { 0.0 } else { x }
}

/// `E⁺/E0` from the energy there was and its change \[J\]; absent where there is no energy to take, or more than a
/// number can say, or it is not known how much.
pub fn energy_ratio(available: Option<f64>, change: f64) -> Option<f64> {
    let available = available.filter(|e| *e > 0.0 && e.is_finite())?;
    Some(denoised((available + change).max(0.0) / available, 1.0))
}
