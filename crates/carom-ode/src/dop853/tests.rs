use super::*;

fn turning(y: &[f64], out: &mut [f64]) {
    (out[0], out[1]) = (y[1], -y[0]);
}

fn oscillator() -> Dop853 {
    let mut method = Dop853::default();
    method.resize(2);
    method.start.copy_from_slice(&[1.0, 0.0]);
    method.begin(turning);
    method
}

/// Quadrature conditions: the weights integrate polynomials up to the seventh degree, error estimates take none.
#[test]
fn the_weights_are_those_of_a_method_of_order_eight() {
    let total = |weights: Weights| weights.iter().map(|(_, w)| w).sum::<f64>();
    let mut nodes = vec![0.0];
    nodes.extend(STAGES.iter().map(|weights| total(weights)));
    for power in 0..8 {
        let quadrature: f64 = SOLUTION.iter().map(|(s, w)| w * nodes[*s].powi(power)).sum();
        let exact = 1.0 / f64::from(power + 1);
        assert!((quadrature - exact).abs() < 1e-14, "{power}: {quadrature}");
    }
    assert!(total(ERROR_FIFTH).abs() < 1e-14 && total(ERROR_THIRD).abs() < 1e-14);
}

/// The harmonic oscillator over a third of its period: the error falls with the eighth power of the step.
#[test]
fn the_method_is_of_order_eight() {
    let turn = |steps: usize| {
        let mut method = oscillator();
        for _ in 0..steps {
            method.step(2.0 / steps as f64, turning);
            method.accept();
        }
        (method.start[0] - libm::cos(2.0)).abs()
    };
    let (coarse, fine) = (turn(2), turn(4));
    let order = libm::log2(coarse / fine);
    assert!((7.5..9.5).contains(&order), "{coarse:e} {fine:e}");
}

/// `y' = y²` from 1 is `1/(1 − t)`: within a step the error falls with the eighth power of its length, at the ends it
/// vanishes with that of the method.
#[test]
fn continuous_output_is_of_order_seven() {
    let square = |y: &[f64], out: &mut [f64]| out[0] = y[0] * y[0];
    let worst = |h: f64| {
        let mut method = Dop853::default();
        method.resize(1);
        method.start[0] = 1.0;
        method.begin(square);
        method.step(h, square);
        method.prepare(square);
        let mut out = [0.0];
        method.interpolate(0.0, &mut out);
        assert_eq!(out[0], method.start[0]);
        method.interpolate(1.0, &mut out);
        assert!((out[0] - method.end[0]).abs() <= f64::EPSILON * method.end[0]);
        (1..20).fold(0.0, |worst: f64, i| {
            let theta = f64::from(i) / 20.0;
            worst.max((method.component(0, theta) - 1.0 / (1.0 - theta * h)).abs())
        })
    };
    let (coarse, fine) = (worst(0.2), worst(0.1));
    let order = libm::log2(coarse / fine);
    assert!((7.3..9.5).contains(&order), "{coarse:e} {fine:e}");
    assert!(coarse < 1e-6, "{coarse:e}");
}

/// A step that is cut ends on its own continuous output, integrals as well.
#[test]
fn a_step_may_be_cut() {
    let mut method = Dop853::default();
    method.resize_with_integrals(2, 1);
    method.start.copy_from_slice(&[1.0, 0.0, 0.0]);
    let slope = |y: &[f64], out: &mut [f64]| (out[0], out[1], out[2]) = (y[1], -y[0], y[0]);
    method.begin(slope);
    method.step(0.4, slope);
    method.prepare(slope);
    method.shorten(0.3);
    let exact = [libm::cos(0.12), -libm::sin(0.12), libm::sin(0.12)];
    for (found, exact) in method.end.iter().zip(exact) {
        assert!((found - exact).abs() < 1e-10, "{:?}", method.end);
    }
}

#[test]
fn the_estimate_bounds_the_error() {
    let mut method = oscillator();
    method.step(0.5, turning);
    let error = (method.end[0] - libm::cos(0.5)).abs();
    let estimate = method.error(&[1.0, 1.0]);
    assert!(error <= estimate && estimate < 1e-7, "{error:e} {estimate:e}");
}
