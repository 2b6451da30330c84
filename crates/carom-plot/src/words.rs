//! Numbers in the words of figures.

/// Digits that readers get.
const DIGITS: i32 = 5;

/// A number with as many digits as a figure needs.
pub(crate) fn short(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".to_owned() } else { format!("{x}").replace("inf", "∞") };
    }
    let power = libm::floor(libm::log10(x.abs())) as i32;
    let text = if (-4..7).contains(&power) {
        let decimals = (DIGITS - 1 - power).max(0) as usize;
        let digits = format!("{x:.decimals$}");
        match digits.contains('.') {
            true => digits.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => digits,
        }
    } else {
        let digits = format!("{x:.3e}");
        let (mantissa, exponent) = digits.split_once('e').unwrap_or((&digits, "0"));
        let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
        match mantissa {
            "1" => format!("10^{{{exponent}}}"),
            _ => format!("{mantissa}·10^{{{exponent}}}"),
        }
    };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let numbers = [0.5, 0.1 + 0.2, 1200.0, -2.25, 1e-9, 2.5e12, f64::INFINITY, 0.0];
        let words = ["0.5", "0.3", "1200", "−2.25", "10^{−9}", "2.5·10^{12}", "∞", "0"];
        assert_eq!(numbers.map(short), words);
    }
}
