use super::*;

/// Kaps's problem: `e^{−2t}`, `e^{−t}`, the first bound to the square of the second by a rate `stiffness`.
struct Kaps {
    stiffness: f64,
}

impl Kaps {
    fn slope(&self, y: &[f64], out: &mut [f64]) {
        out[0] = -(self.stiffness + 2.0) * y[0] + self.stiffness * y[1] * y[1];
        out[1] = y[0] - y[1] - y[1] * y[1];
    }

    fn linearise(&self, y: &[f64], slope: &mut [f64], jacobian: &mut [f64]) {
        self.slope(y, slope);
        jacobian.copy_from_slice(&[
            -(self.stiffness + 2.0),
            2.0 * self.stiffness * y[1],
            1.0,
            -1.0 - 2.0 * y[1],
        ]);
    }

    fn exact(t: f64) -> [f64; 2] {
        [libm::exp(-2.0 * t), libm::exp(-t)]
    }

    fn started(&self) -> Rodas5p {
        let mut method = Rodas5p::default();
        method.resize(2);
        method.start.copy_from_slice(&Self::exact(0.0));
        method.begin(|y, f, j| self.linearise(y, f, j));
        method
    }

    /// The larger error of both unknowns at `t = 1`.
    fn error(&self, steps: usize) -> f64 {
        let mut method = self.started();
        for _ in 0..steps {
            method.step(1.0 / steps as f64, |y, f| self.slope(y, f)).expect("regular");
            method.accept();
            method.begin(|y, f, j| self.linearise(y, f, j));
        }
        distance(&method.start, &Self::exact(1.0))
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn order(coarse: f64, fine: f64) -> f64 {
    libm::log2(coarse / fine)
}

/// The error falls with the fifth power of the step, and so it does where one unknown is bound to the others. Between
/// the two, where a step lasts some times as long as the decay, no Rosenbrock method keeps its order.
#[test]
fn the_method_is_of_order_five() {
    for stiffness in [1.0, 1e8, 1e12] {
        let kaps = Kaps { stiffness };
        let (coarse, fine) = (kaps.error(10), kaps.error(20));
        let order = order(coarse, fine);
        assert!((4.5..6.5).contains(&order), "{stiffness:e}: {coarse:e} {fine:e}");
        assert!(fine < 1e-7, "{stiffness:e}: {fine:e}");
    }
}

/// The pendulum, whose slope has derivatives of every order: against the method of order eight.
#[test]
fn the_pendulum_is_of_order_five() {
    let swing = |y: &[f64], f: &mut [f64]| (f[0], f[1]) = (y[1], -libm::sin(y[0]));
    let mut exact = crate::Dop853::default();
    exact.resize(2);
    exact.start[0] = 2.0;
    exact.begin(swing);
    for _ in 0..100 {
        exact.step(0.03, swing);
        exact.accept();
    }
    let error = |steps: usize| {
        let mut method = Rodas5p::default();
        method.resize(2);
        method.start[0] = 2.0;
        for _ in 0..steps {
            method.begin(|y, f, j| {
                swing(y, f);
                j.copy_from_slice(&[0.0, 1.0, -libm::cos(y[0]), 0.0]);
            });
            method.step(3.0 / steps as f64, swing).expect("regular");
            method.accept();
        }
        distance(&method.start, &exact.start)
    };
    let (coarse, fine) = (error(20), error(40));
    assert!((4.5..6.5).contains(&order(coarse, fine)), "{coarse:e} {fine:e}");
}

#[test]
fn continuous_output_is_of_order_four() {
    let worst = |stiffness: f64, h: f64| {
        let kaps = Kaps { stiffness };
        let mut method = kaps.started();
        method.step(h, |y, f| kaps.slope(y, f)).expect("regular");
        let mut out = [0.0; 2];
        method.interpolate(0.0, &mut out);
        assert_eq!(out.as_slice(), method.start);
        method.interpolate(1.0, &mut out);
        assert_eq!(out.as_slice(), method.end);
        (1..20).fold(0.0, |worst: f64, i| {
            let theta = f64::from(i) / 20.0;
            method.interpolate(theta, &mut out);
            worst.max(distance(&out, &Kaps::exact(theta * h)))
        })
    };
    // One order less for what is bound.
    for (stiffness, least) in [(1.0, 4.5), (1e8, 3.5)] {
        let (coarse, fine) = (worst(stiffness, 0.2), worst(stiffness, 0.1));
        let order = order(coarse, fine);
        assert!(order > least && fine < 1e-6, "{stiffness:e}: {coarse:e} {fine:e}");
    }
}

/// Prothero and Robinson's problem `y' = −λ (y − sin t) + cos t`, time as an unknown: explicit time is exact, and where
/// `λ h` is large the error is of the third order and divided by `λ`.
#[test]
fn stiff_forcing_is_followed() {
    let error = |lambda: f64, steps: usize| {
        let slope = move |y: &[f64], out: &mut [f64]| {
            out[0] = -lambda * (y[0] - libm::sin(y[1])) + libm::cos(y[1]);
            out[1] = 1.0;
        };
        let mut method = Rodas5p::default();
        method.resize(2);
        for _ in 0..steps {
            method.begin(|y, f, j| {
                slope(y, f);
                j.copy_from_slice(&[-lambda, lambda * libm::cos(y[1]) - libm::sin(y[1]), 0.0, 0.0]);
            });
            method.step(2.0 / steps as f64, slope).expect("regular");
            method.accept();
        }
        assert!((method.start[1] - 2.0).abs() < 1e-14);
        (method.start[0] - libm::sin(2.0)).abs()
    };
    for (lambda, least, most) in [(1.0, 4.5, 1e-7), (1e6, 2.5, 1e-11)] {
        let (coarse, fine) = (error(lambda, 10), error(lambda, 20));
        assert!(order(coarse, fine) > least, "{lambda:e}: {coarse:e} {fine:e}");
        assert!(fine < most, "{lambda:e}: {fine:e}");
    }
}

/// L-stability: what decays beyond all measure is gone after one step; what decays at any rate never grows.
#[test]
fn what_decays_is_damped() {
    let after = |rate: f64| {
        let mut method = Rodas5p::default();
        method.resize(1);
        method.start[0] = 1.0;
        method.begin(|y, f, j| (f[0], j[0]) = (-rate * y[0], -rate));
        method.step(1.0, |y, f| f[0] = -rate * y[0]).expect("regular");
        method.end[0].abs()
    };
    assert!(after(1e12) < 1e-8, "{:e}", after(1e12));
    for power in -20..60 {
        let rate = libm::exp2(0.5 * f64::from(power));
        assert!(after(rate) < 1.0, "{rate}");
    }
}

/// A-stability: no oscillation grows either.
#[test]
fn what_turns_does_not_grow() {
    for power in -20..60 {
        let rate = libm::exp2(0.5 * f64::from(power));
        let mut method = Rodas5p::default();
        method.resize(2);
        method.start[0] = 1.0;
        let turning = |y: &[f64], f: &mut [f64]| (f[0], f[1]) = (rate * y[1], -rate * y[0]);
        method.begin(|y, f, j| {
            turning(y, f);
            j.copy_from_slice(&[0.0, rate, -rate, 0.0]);
        });
        method.step(1.0, turning).expect("regular");
        let size = libm::hypot(method.end[0], method.end[1]);
        assert!(size <= 1.0 + 1e-14, "{rate}: {size}");
    }
}

#[test]
fn the_estimate_bounds_the_error() {
    let kaps = Kaps { stiffness: 1e4 };
    let mut method = kaps.started();
    for h in [0.2, 0.1, 0.05] {
        method.step(h, |y, f| kaps.slope(y, f)).expect("regular");
        let error = distance(&method.end, &Kaps::exact(h));
        let estimate = method.error(&[1.0, 1.0]);
        assert!(error <= estimate && estimate < 1e-4, "{h}: {error:e} {estimate:e}");
    }
}

/// A system that grows at the rate `1/(γ h)` has no such step, and what is not finite has none at all.
#[test]
fn a_step_without_solution_is_refused() {
    for rate in [1.0 / GAMMA, f64::NAN, f64::INFINITY] {
        let mut method = Rodas5p::default();
        method.resize(1);
        method.start[0] = 1.0;
        method.begin(|y, f, j| (f[0], j[0]) = (rate * y[0], rate));
        assert_eq!(method.step(1.0, |y, f| f[0] = rate * y[0]), Err(SingularStep));
    }
}

/// An integral beside the unknowns is what it is as one of them, at the end of a step and within it.
#[test]
fn integrals_are_those_of_unknowns() {
    let kaps = Kaps { stiffness: 1e3 };
    let integrand = |y: &[f64]| y[0] * y[1] - y[1];
    let mut beside = Rodas5p::default();
    beside.resize_with_integrals(2, 1);
    let mut among = Rodas5p::default();
    among.resize(3);
    for method in [&mut beside, &mut among] {
        method.start.copy_from_slice(&[1.0, 1.0, 0.5]);
    }
    let slope = |y: &[f64], f: &mut [f64]| {
        kaps.slope(y, f);
        f[2] = integrand(y);
    };
    beside.begin(|y, f, j| {
        kaps.linearise(y, f, &mut j[..4]);
        f[2] = integrand(y);
        j[4..].copy_from_slice(&[y[1], y[0] - 1.0]);
    });
    among.begin(|y, f, j| {
        let mut own = [0.0; 4];
        kaps.linearise(y, f, &mut own);
        f[2] = integrand(y);
        j.copy_from_slice(&[own[0], own[1], 0.0, own[2], own[3], 0.0, y[1], y[0] - 1.0, 0.0]);
    });
    for method in [&mut beside, &mut among] {
        method.step(0.1, slope).expect("regular");
        method.prepare();
    }
    assert!(distance(&beside.end, &among.end) < 1e-14, "{:?} {:?}", beside.end, among.end);
    for theta in [0.3, 0.7] {
        let [a, b] = [&beside, &among].map(|method| method.component(2, theta));
        assert!((a - b).abs() < 1e-14, "{a} {b}");
    }
}
