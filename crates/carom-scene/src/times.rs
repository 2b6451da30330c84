//! Times at which a motion is asked for.

use carom::ImpactError;
use carom_io::format::Cursor;

/// No run has more samples than this \[1\].
const LIMIT: f64 = 1e6;

/// Reads a list of times, none before the scene's beginning or after its end.
pub fn times(list: &Cursor, duration: f64) -> Result<Vec<f64>, ImpactError> {
    let times = list.numbers()?;
    list.each(|_, time| match time.number()? {
        t if (0.0..=duration).contains(&t) => Ok(()),
        _ => Err(time.refuse(format!("must lie between 0 and the duration, {duration} s"))),
    })?;
    Ok(times.to_vec())
}

/// Times from the beginning to the end, the same distance apart; the end is one of them.
pub fn every(step: f64, duration: f64) -> Result<Vec<f64>, ImpactError> {
    if !(step.is_finite() && step > 0.0) {
        return Err(ImpactError::bad_problem("every", step, "must be a finite number above 0"));
    }
    let count = (duration / step).ceil();
    if count > LIMIT {
        return Err(ImpactError::Limit(format!(
            "{duration} s have more than {LIMIT} times {step} s apart"
        )));
    }
    // A multiple that differs from the end by rounding alone is the end.
    let before_end = |t: &f64| *t < duration - 1e-9 * step;
    let mut times: Vec<f64> =
        (0..count as u64).map(|k| k as f64 * step).filter(before_end).collect();
    times.push(duration);
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_always_asked_for() {
        assert_eq!(every(0.5, 1.0).unwrap(), [0.0, 0.5, 1.0]);
        assert_eq!(every(0.4, 1.0).unwrap(), [0.0, 0.4, 0.8, 1.0]);
        assert_eq!(every(0.4, 0.0).unwrap(), [0.0]);
        assert_eq!(every(0.1, 0.8).unwrap().len(), 9);
        assert_eq!(every(0.1, 0.3).unwrap().len(), 4);
        assert!(every(1e-9, 1.0).is_err());
        assert!(every(0.0, 1.0).is_err() && every(f64::NAN, 1.0).is_err());
    }
}
