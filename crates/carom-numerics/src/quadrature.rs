//! Integrals with a bound on their error.

/// An integral.
#[derive(Clone, Copy, Debug, Default)]
pub struct Integral {
    /// What was found.
    pub value: f64,
    /// The sum over all pieces of the distance between two rules, of which the worse one is far worse than the
    /// value's own.
    pub bound: f64,
}

/// Integrates over the pieces between sorted `breaks`, halving the worst piece until the bound is below `relative`
/// of the value or `limit` pieces are made.
pub fn integrate(
    mut f: impl FnMut(f64) -> f64,
    breaks: &[f64],
    relative: f64,
    limit: usize,
) -> Integral {
    let mut pieces: Vec<([f64; 2], Integral)> = breaks
        .windows(2)
        .filter(|ends| ends[1] > ends[0])
        .map(|ends| ([ends[0], ends[1]], kronrod(&mut f, ends[0], ends[1])))
        .collect();
    loop {
        let total = pieces.iter().fold(Integral::default(), |sum, (_, part)| Integral {
            value: sum.value + part.value,
            bound: sum.bound + part.bound,
        });
        let worst =
            (0..pieces.len()).max_by(|&i, &j| pieces[i].1.bound.total_cmp(&pieces[j].1.bound));
        let Some(worst) = worst else {
            return total;
        };
        let [low, high] = pieces[worst].0;
        let middle = 0.5 * (low + high);
        let splits = low < middle && middle < high;
        if total.bound <= relative * total.value.abs() || pieces.len() >= limit || !splits {
            return total;
        }
        pieces[worst] = ([low, middle], kronrod(&mut f, low, middle));
        pieces.push(([middle, high], kronrod(&mut f, middle, high)));
    }
}

/// Kronrod's rule of 15 points over Gauss's rule of 7.
fn kronrod(f: &mut impl FnMut(f64) -> f64, low: f64, high: f64) -> Integral {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    let centre = f(middle);
    let mut fine = KRONROD[7] * centre;
    let mut coarse = GAUSS[3] * centre;
    for (i, node) in NODES.iter().enumerate() {
        let pair = f(middle - half * node) + f(middle + half * node);
        fine += KRONROD[i] * pair;
        if i % 2 == 1 {
            coarse += GAUSS[i / 2] * pair;
        }
    }
    Integral { value: half * fine, bound: (half * (fine - coarse)).abs() }
}

/// Positive nodes; every second one is Gauss's. The middle is the eighth.
const NODES: [f64; 7] = [
    0.991_455_371_120_812_6,
    0.949_107_912_342_758_5,
    0.864_864_423_359_769_1,
    0.741_531_185_599_394_4,
    0.586_087_235_467_691_1,
    0.405_845_151_377_397_2,
    0.207_784_955_007_898_47,
];
const KRONROD: [f64; 8] = [
    0.022_935_322_010_529_224,
    0.063_092_092_629_978_56,
    0.104_790_010_322_250_18,
    0.140_653_259_715_525_92,
    0.169_004_726_639_267_9,
    0.190_350_578_064_785_4,
    0.204_432_940_075_298_89,
    0.209_482_141_084_727_82,
];
const GAUSS: [f64; 4] = [
    0.129_484_966_168_869_7,
    0.279_705_391_489_276_67,
    0.381_830_050_505_118_9,
    0.417_959_183_673_469_4,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Kronrod's rule is exact to degree 22, Gauss's to 13: a wrong digit in a table shows.
    #[test]
    fn powers_are_integrated_exactly() {
        for degree in 0..=22 {
            let exact = 1.0 / f64::from(degree + 1);
            let rule = kronrod(&mut |x| libm::pow(x, f64::from(degree)), 0.0, 1.0);
            assert!((rule.value - exact).abs() < 4.0 * f64::EPSILON, "x^{degree}");
            if degree <= 13 {
                assert!(rule.bound < 4.0 * f64::EPSILON, "x^{degree}");
            }
        }
    }

    #[test]
    fn a_kink_is_found() {
        let integral = integrate(|x| (x - 0.3).abs(), &[0.0, 1.0], 1e-12, 200);
        assert!((integral.value - 0.29).abs() <= integral.bound + f64::EPSILON);
        assert!(integral.bound <= 1e-12 * integral.value);
    }
}
