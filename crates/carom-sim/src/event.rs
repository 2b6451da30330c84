//! When does a smooth function fall below zero?

/// A function and its derivative at one instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) time: f64,
    pub(crate) value: f64,
    pub(crate) slope: f64,
}

/// Halvings of an interval: after these the two ends are neighbouring numbers.
const HALVINGS: usize = 100;

/// The first instant between two samples after which `f` is negative, if `f` falls below `−tolerance` there. A dip whose two
/// ends are positive is found by its minimum; `f` may have one extremum between the samples, not more.
///
/// Values between `−tolerance` and 0 are rounding and no event, so that a contact which just closed does not open
/// again for the last digit of a zero.
pub(crate) fn first_below(
    f: impl Fn(f64) -> Sample,
    left: Sample,
    right: Sample,
    tolerance: f64,
) -> Option<f64> {
    let bottom = if right.value < -tolerance {
        right.time
    } else if left.slope < 0.0 && right.slope > 0.0 {
        let bottom = boundary(left.time, right.time, |t| f(t).slope > 0.0);
        if f(bottom).value >= -tolerance {
            return None;
        }
        bottom
    } else {
        return None;
    };
    if left.value < 0.0 {
        return Some(left.time);
    }
    Some(boundary(left.time, bottom, |t| f(t).value < 0.0))
}

/// The end of an interval's first part, where `after` is false; it is true at `right`.
fn boundary(mut left: f64, mut right: f64, after: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (left + right);
        if middle <= left || middle >= right {
            break;
        }
        if after(middle) {
            right = middle;
        } else {
            left = middle;
        }
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parabola(t: f64) -> Sample {
        Sample { time: t, value: (t - 0.25) * (t - 0.75), slope: 2.0 * t - 1.0 }
    }

    #[test]
    fn a_dip_between_positive_ends_is_found() {
        let at = first_below(parabola, parabola(0.0), parabola(1.0), 0.0);
        assert!(at.is_some_and(|t| (t - 0.25).abs() <= f64::EPSILON), "{at:?}");
        assert_eq!(first_below(parabola, parabola(0.0), parabola(1.0), 0.07), None);
        assert_eq!(first_below(parabola, parabola(0.0), parabola(0.2), 0.0), None);
    }

    #[test]
    fn a_negative_start_is_the_event_only_if_it_grows() {
        let line = |t: f64| Sample { time: t, value: -1e-17 - t, slope: -1.0 };
        assert_eq!(first_below(line, line(0.0), line(1.0), 1e-12), Some(0.0));
        let still = |t: f64| Sample { time: t, value: -1e-17, slope: 0.0 };
        assert_eq!(first_below(still, still(0.0), still(1.0), 1e-12), None);
    }
}
