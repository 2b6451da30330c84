//! Units in which a problem's numbers are near one.

/// The power of two at or below `x`; 1 for zero. Dividing by it is exact.
pub(crate) fn power_of_two_near(x: f64) -> f64 {
    if x == 0.0 {
        return 1.0;
    }
    let (_, exponent) = libm::frexp(x);
    // Kept away from the ends of the exponent range, where the reciprocal would overflow.
    libm::ldexp(1.0, exponent.clamp(-1000, 1000))
}
