//! How much memory there is, so that what does not fit is refused before it is asked for.

use carom::ImpactError;

/// Refuses to need so many bytes for something, if the system says that it has not got them.
pub fn check(bytes: u128, what: &str) -> Result<(), ImpactError> {
    match available() {
        Some(available) if bytes > available.into() => Err(ImpactError::Limit(format!(
            "{} MiB of memory for {what}; {} MiB are free",
            bytes >> 20,
            available >> 20
        ))),
        _ => Ok(()),
    }
}

/// What Linux says is free, with what it can free \[bytes\]; nothing elsewhere.
fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_is_is_refused() {
        assert!(check(1, "a byte").is_ok());
        if available().is_some() {
            let refused = check(1 << 80, "a matrix").expect_err("nobody has as much");
            assert!(refused.to_string().contains("a matrix"), "{refused}");
        }
    }
}
