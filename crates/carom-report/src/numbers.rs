//! Numbers as people read them.

/// A number with this many significant digits, without needless zeros.
pub fn significant(x: f64, digits: usize) -> String {
    if x == 0.0 {
        return "0".into();
    }
    if !x.is_finite() {
        return if x > 0.0 { "inf" } else { "-inf" }.into();
    }
    let digits = digits.max(1);
    // Rounding to the digits first decides how large the number is: 9.9999 is shown as 10.
    let scientific = format!("{x:.*e}", digits - 1);
    let exponent: i32 = scientific.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    if !(-4..=6).contains(&exponent) {
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        return format!("{}e{exponent}", trim_zeros(mantissa));
    }
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    trim_zeros(&format!("{x:.decimals$}")).to_owned()
}

fn trim_zeros(text: &str) -> &str {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    }
}

/// A column of numbers. They share one number of decimals, so that the largest has this many significant digits;
/// numbers too different for that keep their own.
pub fn column(values: &[f64], digits: usize) -> Vec<String> {
    let sizes = || values.iter().map(|x| x.abs()).filter(|x| *x > 0.0);
    let largest = sizes().fold(0.0, f64::max);
    let smallest = sizes().fold(largest, f64::min);
    let exponent = if largest > 0.0 { largest.log10().floor() } else { 0.0 };
    let alike = smallest >= largest * 10f64.powi(2 - digits as i32);
    let decimals = (digits as i32 - 1 - exponent as i32).max(0) as usize;
    let common = alike && (-3.0..=5.0).contains(&exponent);
    values
        .iter()
        .map(|x| match common && *x != 0.0 {
            true => format!("{x:.decimals$}"),
            false => significant(*x, digits),
        })
        .collect()
}

/// Numbers in parentheses.
pub fn vector(values: &[f64], digits: usize) -> String {
    let items: Vec<String> = values.iter().map(|x| significant(*x, digits)).collect();
    format!("({})", items.join(", "))
}

/// How many of many lines are shown at each end \[1\].
const LINES: usize = 10;
/// How many of many numbers on one line are shown at each end \[1\].
const NUMBERS: usize = 3;

/// Which of `count` lines are shown: the first of them, and from where on the last ones. All of them, if what is left
/// out would be less than it is worth.
pub fn shown(count: usize) -> (usize, usize) {
    both_ends(count, LINES)
}

fn both_ends(count: usize, end: usize) -> (usize, usize) {
    match count <= 5 * end / 2 {
        true => (count, count),
        false => (end, count - end),
    }
}

/// Numbers in parentheses; of many, both ends.
pub fn ends(values: &[f64], digits: usize) -> String {
    let (head, tail) = both_ends(values.len(), NUMBERS);
    if head == tail {
        return vector(values, digits);
    }
    let side = |values: &[f64]| {
        let items: Vec<String> = values.iter().map(|x| significant(*x, digits)).collect();
        items.join(", ")
    };
    let more = thousands(tail - head);
    format!("({}, … {more} more …, {})", side(&values[..head]), side(&values[tail..]))
}

/// A whole number, its digits in threes.
pub fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            // A space that no line break splits.
            text.push('\u{a0}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_significant_digits() {
        for (x, text) in [
            (0.0, "0"),
            (-0.134201, "-0.1342"),
            (1234567.0, "1234567"),
            (0.00012345, "0.0001234"),
            (1.23456e-7, "1.235e-7"),
            (9.99999, "10"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(significant(x, 4), text);
        }
    }

    #[test]
    fn a_column_has_one_number_of_decimals() {
        assert_eq!(column(&[0.568, -0.0090912, 0.0], 4), ["0.5680", "-0.0091", "0"]);
        assert_eq!(column(&[123.456, 0.5], 4), ["123.5", "0.5"]);
        assert_eq!(column(&[123.456, 20.0], 4), ["123.5", "20.0"]);
        assert_eq!(column(&[1e9, 5e8], 4), ["1e9", "5e8"]);
        assert_eq!(column(&[0.0], 4), ["0"]);
    }

    #[test]
    fn of_many_numbers_both_ends_are_shown() {
        let many: Vec<f64> = (0..1_000_000).map(f64::from).collect();
        let text = ends(&many, 6);
        assert_eq!(text, "(0, 1, 2, … 999\u{a0}994 more …, 999997, 999998, 999999)");
        assert_eq!(ends(&many[..7], 6), vector(&many[..7], 6));
        assert_eq!((shown(25), shown(26)), ((25, 25), (10, 16)));
        assert_eq!(thousands(1234567), "1\u{a0}234\u{a0}567");
    }
}
