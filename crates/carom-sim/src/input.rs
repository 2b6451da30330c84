//! Checks of input numbers: field, value, and what would be right.

use carom::ImpactError;

/// A number above zero.
pub(crate) fn positive(field: &str, value: f64) -> Result<(), ImpactError> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    Err(ImpactError::bad_problem(field, value, "must be a finite number above 0"))
}

/// A number that is not below zero.
pub(crate) fn not_negative(field: &str, value: f64) -> Result<(), ImpactError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(ImpactError::bad_problem(field, value, "must be a finite number, 0 or more"))
}

/// Any number.
pub(crate) fn finite(field: &str, value: f64) -> Result<(), ImpactError> {
    if value.is_finite() {
        return Ok(());
    }
    Err(ImpactError::bad_problem(field, value, "must be a finite number"))
}

/// A count from 1 to `most`.
pub(crate) fn count(field: &str, value: usize, most: usize) -> Result<(), ImpactError> {
    if (1..=most).contains(&value) {
        return Ok(());
    }
    Err(ImpactError::bad_problem(field, value, format!("must be from 1 to {most}")))
}

/// As many numbers as there should be.
pub(crate) fn length(
    field: &str,
    found: usize,
    expected: usize,
    one_per: &str,
) -> Result<(), ImpactError> {
    if found == expected {
        return Ok(());
    }
    let reason = format!("needs {expected}, one per {one_per}");
    Err(ImpactError::bad_problem(field, format!("{found} numbers"), reason))
}

/// A result that overflowed is refused; no infinity and no NaN leaves this crate.
pub(crate) fn representable(numbers: &[f64]) -> Result<(), ImpactError> {
    if numbers.iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(ImpactError::Limit("the numbers of this problem overflow; choose other units".into()))
}

/// The difference of the fastest and the slowest velocity: the scale of an impact, the same in every moving frame.
pub(crate) fn spread(velocity: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = velocity.clone().fold(f64::NEG_INFINITY, f64::max);
    let least = velocity.fold(f64::INFINITY, f64::min);
    most - least
}
