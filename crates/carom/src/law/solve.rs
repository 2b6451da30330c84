//! Small equations that several laws share. They know nothing of impacts.

use super::split::Tangent;

/// The `r ≥ 0` and the unit vector `s` with `(r I + diag(d)) s = a`, where `d ≥ 0` and `|diag(d)⁻¹ a| ≥ 1`.
///
/// `|s(r)|` falls with `r`, and `1/|s(r)| − 1` is concave: Newton's method from below rises to the root without
/// overshooting (the secular equation of trust-region methods). It starts where one component alone would be 1.
pub(crate) fn unit_resolvent(a: Tangent, d: Tangent) -> (f64, Tangent) {
    let at = |r: f64| a.zip_map(&d, |a, d| if a == 0.0 { 0.0 } else { a / (r + d) });
    let mut r = (a.x.abs() - d.x).max(a.y.abs() - d.y).max(0.0);
    for _ in 0..64 {
        let s = at(r);
        let norm = s.norm();
        if !norm.is_finite() || norm <= 1.0 {
            break;
        }
        // d(1/|s|)/dr = Σ s_i²/(r + d_i) / |s|³
        let slope: f64 = s
            .zip_map(&d, |s, d| if s == 0.0 { 0.0 } else { s * s / (r + d) })
            .sum();
        let next = r + (norm - 1.0) * norm * norm / slope;
        if !(next > r) {
            break;
        }
        r = next;
    }
    let s = at(r);
    (r, s / s.norm())
}

/// A root of `f` between `low` and `high`, where `f(low) ≤ 0 ≤ f(high)` (or both reversed): Newton's steps, replaced
/// by bisection whenever they leave the bracket or shrink it too slowly. `f` gives value and slope.
pub(crate) fn bracketed_root(
    mut low: f64,
    mut high: f64,
    rising: bool,
    f: impl Fn(f64) -> (f64, f64),
) -> f64 {
    let mut x = 0.5 * (low + high);
    let mut last_step = (high - low).abs();
    for _ in 0..200 {
        let (value, slope) = f(x);
        if value == 0.0 {
            return x;
        }
        if (value < 0.0) == rising {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let middle = 0.5 * (low + high);
        let inside = (newton > low && newton < high) || (newton < low && newton > high);
        let next = if inside && (newton - x).abs() <= 0.5 * last_step {
            newton
        } else {
            middle
        };
        last_step = (next - x).abs();
        if next == x
            || last_step <= f64::EPSILON * 0.25 * x.abs()
            || middle == low
            || middle == high
        {
            return next;
        }
        x = next;
    }
    x
}
