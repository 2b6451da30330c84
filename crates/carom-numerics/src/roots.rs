//! Small equations: one unit vector, one bracketed root, the zeros of a trigonometric polynomial of degree two.

use nalgebra::Vector2;

/// The `r ≥ 0` and the unit vector `s` with `(r I + diag(d)) s = a`, where `d ≥ 0` and `|diag(d)⁻¹ a| ≥ 1`.
///
/// `|s(r)|` falls with `r`, and `1/|s(r)| − 1` is concave: Newton's method from below rises to the root without
/// overshooting (the secular equation of trust-region methods). It starts where one component alone would be 1.
pub fn unit_resolvent(a: Vector2<f64>, d: Vector2<f64>) -> (f64, Vector2<f64>) {
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
pub fn bracketed_root(
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

/// The zeros, ascending in `0..2π`, of `p₁ sin θ + q₁ cos θ + p₂ sin 2θ + q₂ cos 2θ`: two or four.
///
/// In the axes in which the second harmonic is a pure sine, this is `c₂ cos θ − c₁ sin θ − ½δ sin 2θ`, and after
/// reflections `c₁, c₂, δ ≥ 0`. Then one zero lies in the first quadrant, one in the third, none in the fourth, and
/// the second has either none or one on each side of `tan θ = −(c₂/c₁)^⅓`.
pub fn stationary_angles([p1, q1]: [f64; 2], [p2, q2]: [f64; 2]) -> ([f64; 4], usize) {
    use std::f64::consts::{FRAC_PI_2, PI, TAU};
    let delta = 2.0 * libm::hypot(p2, q2);
    // p₂ sin 2θ + q₂ cos 2θ = −½δ sin 2(θ − axis)
    let axis = if delta > 0.0 { 0.5 * libm::atan2(q2, -p2) } else { 0.0 };
    let (sin, cos) = libm::sincos(axis);
    // With θ = axis + φ: first harmonic q₁ cos θ + p₁ sin θ = c₂ cos φ − c₁ sin φ.
    let c2 = q1 * cos + p1 * sin;
    let c1 = q1 * sin - p1 * cos;
    let (flip1, flip2) = (c1 < 0.0, c2 < 0.0);
    let (c1, c2) = (c1.abs(), c2.abs());
    let mut found = [0.0; 4];
    let mut count = 0;
    let f = |phi: f64| {
        let (sin, cos) = libm::sincos(phi);
        let value = c2 * cos - c1 * sin - delta * sin * cos;
        let slope = -c2 * sin - c1 * cos - delta * (cos * cos - sin * sin);
        (value, slope)
    };
    let mut push = |phi: f64| {
        // Undoes the reflections: φ → π − φ turns c₁ around, φ → −φ turns c₂, a half turn both.
        let mirrored = match (flip1, flip2) {
            (false, false) => phi,
            (true, false) => PI - phi,
            (false, true) => -phi,
            (true, true) => PI + phi,
        };
        let theta = (axis + mirrored).rem_euclid(TAU);
        found[count] = theta;
        count += 1;
    };
    if c1 == 0.0 || c2 == 0.0 {
        // cos φ (c₂ − δ sin φ) or −sin φ (c₁ + δ cos φ): the factors have their zeros in closed form.
        if c1 == 0.0 {
            push(FRAC_PI_2);
            push(FRAC_PI_2 + PI);
        } else {
            push(0.0);
            push(PI);
        }
        if c1.max(c2) < delta {
            if c1 == 0.0 {
                let phi = libm::asin(c2 / delta);
                push(phi);
                push(PI - phi);
            } else {
                let phi = libm::acos(-c1 / delta);
                push(phi);
                push(-phi);
            }
        }
    } else {
        push(bracketed_root([(0.0, c2), (FRAC_PI_2, -c1)], f));
        push(bracketed_root([(PI, -c2), (1.5 * PI, c1)], f));
        let peak = PI - libm::atan(libm::cbrt(c2 / c1));
        let highest = f(peak).0;
        if highest > 0.0 {
            push(bracketed_root([(FRAC_PI_2, -c1), (peak, highest)], f));
            push(bracketed_root([(peak, highest), (PI, -c2)], f));
        }
    }
    found[..count].sort_by(f64::total_cmp);
    (found, count)
}
