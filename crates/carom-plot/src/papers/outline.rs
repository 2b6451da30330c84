//! Round outlines.

/// Points of a circle that look round \[1\].
const POINTS: usize = 96;

/// Points on an arc, from one angle to another \[rad\], both included.
pub(super) fn arc(
    [x, y]: [f64; 2],
    radius: f64,
    [from, to]: [f64; 2],
    pieces: usize,
) -> Vec<[f64; 2]> {
    let angle = |k: usize| from + (to - from) * k as f64 / pieces as f64;
    let point = |k: usize| [x + radius * libm::cos(angle(k)), y + radius * libm::sin(angle(k))];
    (0..=pieces).map(point).collect()
}

/// Points on a circle, the first once more at the end.
pub(super) fn circle(centre: [f64; 2], radius: f64) -> Vec<[f64; 2]> {
    arc(centre, radius, [0.0, 2.0 * std::f64::consts::PI], POINTS)
}
