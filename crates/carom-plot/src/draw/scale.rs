//! From numbers to places on the page.

use super::panel::Axis;

/// How numbers are spread along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    /// Evenly.
    #[default]
    Linear,
    /// By their logarithm.
    Logarithmic,
}

/// One axis: which numbers stand where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    spread: Spread,
    /// The numbers at both ends, as spread.
    ends: [f64; 2],
    /// Where they stand \[px\].
    places: [f64; 2],
    /// Whether only whole numbers have ticks.
    whole: bool,
}

impl Scale {
    /// An axis from `range` to `places`.
    pub(crate) fn new(spread: Spread, range: [f64; 2], places: [f64; 2]) -> Self {
        Self { spread, ends: range.map(|x| spread.of(x)), places, whole: false }
    }

    /// The axis as a panel asks for it.
    pub(crate) fn of(axis: &Axis, range: [f64; 2], places: [f64; 2]) -> Self {
        Self { whole: axis.whole, ..Self::new(axis.spread, range, places) }
    }

    /// Where a number stands \[px\].
    pub(crate) fn place(&self, x: f64) -> f64 {
        let [a, b] = self.ends;
        let [from, to] = self.places;
        from + (self.spread.of(x) - a) / (b - a) * (to - from)
    }

    /// Numbers worth a tick, about as many as asked for, and how they are written.
    pub(crate) fn ticks(&self, wanted: usize) -> Vec<(f64, String)> {
        let [low, high] = [self.ends[0].min(self.ends[1]), self.ends[0].max(self.ends[1])];
        match self.spread {
            // What is counted begins at zero.
            Spread::Linear if self.whole => linear_ticks(low.max(0.0), high, wanted, true),
            Spread::Linear => linear_ticks(low, high, wanted, false),
            Spread::Logarithmic => decades(low, high, wanted),
        }
    }
}

impl Spread {
    pub(crate) fn of(self, x: f64) -> f64 {
        match self {
            Self::Linear => x,
            Self::Logarithmic => libm::log10(x),
        }
    }
}

/// Multiples of 1, 2 or 5 times a power of ten.
fn linear_ticks(low: f64, high: f64, wanted: usize, whole: bool) -> Vec<(f64, String)> {
    let rough = (high - low) / wanted.max(1) as f64;
    let exponent = libm::floor(libm::log10(rough));
    let power = libm::pow(10.0, exponent);
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().find(|m| m * power >= rough).unwrap_or(10.0) * power;
    let step = if whole { step.max(1.0) } else { step };
    let digits = libm::fmax(0.0, -libm::floor(libm::log10(step) + 1e-9)) as usize;
    let (first, last) =
        (libm::ceil(low / step - 1e-9) as i64, libm::floor(high / step + 1e-9) as i64);
    let far = low.abs().max(high.abs());
    (first..=last)
        .map(|k| {
            let x = k as f64 * step;
            (x, written(x, digits, far))
        })
        .collect()
}

/// A number on an axis: plain where that is short, by powers of ten otherwise.
fn written(x: f64, digits: usize, far: f64) -> String {
    let plain = far < 1e5 && digits <= 4;
    let text = match format!("{x:.1e}").split_once('e') {
        Some((mantissa, power)) if !plain && x != 0.0 => {
            format!("{}·10^{{{power}}}", mantissa.trim_end_matches(".0"))
        }
        _ if plain => format!("{x:.digits$}"),
        _ => "0".to_owned(),
    };
    text.replace('-', "−")
}

fn decades(low: f64, high: f64, wanted: usize) -> Vec<(f64, String)> {
    let (first, last) = (libm::ceil(low - 1e-9) as i32, libm::floor(high + 1e-9) as i32);
    let stride = ((last - first) as usize / wanted.max(1) + 1) as i32;
    (first..=last)
        .filter(|k| (k - first) % stride == 0)
        .map(|k| {
            (libm::pow(10.0, f64::from(k)), format!("10^{{{}}}", k.to_string().replace('-', "−")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_inside_the_range() {
        let scale = Scale::new(Spread::Linear, [-0.13, 1.07], [0.0, 100.0]);
        let ticks: Vec<String> = scale.ticks(5).into_iter().map(|(_, text)| text).collect();
        assert_eq!(ticks, ["0.0", "0.5", "1.0"]);
        let scale = Scale::new(Spread::Linear, [0.0, 1.2e5], [0.0, 100.0]);
        let ticks: Vec<String> = scale.ticks(3).into_iter().map(|(_, text)| text).collect();
        assert_eq!(ticks, ["0", "5·10^{4}", "1·10^{5}"]);
        let scale = Scale::new(Spread::Logarithmic, [1e-3, 1e2], [0.0, 100.0]);
        let ticks: Vec<String> = scale.ticks(6).into_iter().map(|(_, text)| text).collect();
        assert_eq!(ticks, ["10^{−3}", "10^{−2}", "10^{−1}", "10^{0}", "10^{1}", "10^{2}"]);
        assert!((scale.place(1e-3)).abs() < 1e-12 && (scale.place(1e2) - 100.0).abs() < 1e-12);
    }
}
