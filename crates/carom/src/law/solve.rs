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
        let slope: f64 = s.zip_map(&d, |s, d| if s == 0.0 { 0.0 } else { s * s / (r + d) }).sum();
        let next = r + (norm - 1.0) * norm * norm / slope;
        if next <= r || next.is_nan() {
            break;
        }
        r = next;
    }
    let s = at(r);
    (r, s / s.norm())
}

/// Once Newton's step is this small a part of the argument, the next would be below rounding.
const CONVERGED: f64 = 1e-9;

/// A root of `f` between two points at which its values have opposite signs. Newton's steps, from where the secant
/// meets zero; bisection wherever they leave the bracket or do not shrink fast enough. `f` gives value and slope.
pub(crate) fn bracketed_root(
    [(mut low, at_low), (mut high, at_high)]: [(f64, f64); 2],
    f: impl Fn(f64) -> (f64, f64),
) -> f64 {
    if at_low == 0.0 {
        return low;
    }
    if at_high == 0.0 {
        return high;
    }
    let rising = at_low < 0.0;
    let secant = low + (high - low) * (at_low / (at_low - at_high));
    let inside = |x: f64, low: f64, high: f64| x > low.min(high) && x < low.max(high);
    let mut x = if inside(secant, low, high) { secant } else { 0.5 * (low + high) };
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
        let step = (newton - x).abs();
        if step <= CONVERGED * x.abs() {
            return if inside(newton, low, high) { newton } else { x };
        }
        let middle = 0.5 * (low + high);
        if !inside(middle, low, high) {
            return x;
        }
        let next =
            if inside(newton, low, high) && step <= 0.5 * last_step { newton } else { middle };
        last_step = (next - x).abs();
        x = next;
    }
    x
}
