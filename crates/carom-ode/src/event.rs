//! Where in a step something happens.

/// A point between two at which a function has opposite signs, where it is at most `tolerance` from zero: the Illinois
/// variant of regula falsi, bisection where that is slow. Each end is a point and the value
/// there; the first is before the event.
///
/// If the function passes zero faster than points can be told apart, the answer is the last point of the bracket,
/// beyond the event. The last call of `f` is at the answer, so that what it has computed there can be kept.
pub fn locate(
    [(mut low, mut f_low), (mut high, mut f_high)]: [(f64, f64); 2],
    tolerance: f64,
    mut f: impl FnMut(f64) -> f64,
) -> f64 {
    let least = f64::EPSILON * (high - low).abs();
    let before = f_low > 0.0;
    // The end that moved last: an end that stays twice counts half.
    let mut moved = None;
    // Where the function is far from straight: bisection, unless three points have halved the bracket.
    let (mut points, mut width) = (0, (high - low).abs());
    while (high - low).abs() > least {
        let falsi = high - f_high * (high - low) / (f_high - f_low);
        let inside = |x: f64| (x > low && x < high) || (x < low && x > high);
        let mut middle = falsi;
        points += 1;
        if points == 4 {
            let narrow = (high - low).abs() <= 0.5 * width;
            (points, width) = (0, (high - low).abs());
            middle = if narrow { falsi } else { 0.5 * (low + high) };
        }
        if !inside(middle) {
            middle = 0.5 * (low + high);
        }
        if !inside(middle) {
            break;
        }
        let value = f(middle);
        if value.abs() <= tolerance {
            return middle;
        }
        let end_moves = (value > 0.0) != before;
        if end_moves {
            (high, f_high) = (middle, value);
            f_low *= if moved == Some(end_moves) { 0.5 } else { 1.0 };
        } else {
            (low, f_low) = (middle, value);
            f_high *= if moved == Some(end_moves) { 0.5 } else { 1.0 };
        }
        moved = Some(end_moves);
    }
    f(high);
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_roots_in_few_calls() {
        type Case = (fn(f64) -> f64, usize);
        let functions: [Case; 4] = [
            (|x| x * x - 0.5, 8),
            (|x| 0.3 - x, 2),
            (|x| libm::exp(30.0 * (x - 0.9)) - 1.0, 20),
            (|x| if x < 0.7 { -1e-9 } else { x - 0.7 + 1e-9 }, 200),
        ];
        for (f, most) in functions {
            let mut calls = 0;
            let root = locate([(0.0, f(0.0)), (1.0, f(1.0))], 1e-14, |x| {
                calls += 1;
                f(x)
            });
            let (before, after) = (f(root - 1e-12), f(root + 1e-12));
            assert!((before > 0.0) != (after > 0.0), "{root}: {before:e} {after:e}");
            assert!(calls <= most, "{calls}");
        }
    }

    /// The last call is at the answer, and where there is a jump the answer lies beyond it.
    #[test]
    fn a_jump_is_passed() {
        let mut last = f64::NAN;
        let root = locate([(0.0, 1.0), (1.0, -1.0)], 1e-14, |x| {
            last = x;
            if x < 0.123 { 1.0 } else { -1.0 }
        });
        assert_eq!(root, last);
        assert!((0.123..0.123 + 1e-15).contains(&root), "{root}");
    }

    #[test]
    fn brackets_may_run_backwards() {
        let root = locate([(1.0, 0.5), (0.0, -0.5)], 1e-15, |x| x - 0.5);
        assert_eq!(root, 0.5);
    }
}
