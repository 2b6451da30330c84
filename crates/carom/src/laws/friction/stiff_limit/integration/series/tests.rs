//! Series against many steps of another method on the same equations.

use super::super::super::StiffLimit;
use super::super::super::dynamics::{FrictionMode, NormalMode};
use super::super::super::island::Island;
use super::super::super::model::Model;
use super::super::super::state::State;
use super::*;
use crate::Tolerances;
use crate::contact::{ContactProblem, ContactSpec, Material};
use crate::system::{Generalized, MassMatrix};
use carom_ode::Dop853;

/// A plate on up to five points, of which five are more than one block.
fn plate(points: usize) -> ContactProblem {
    let all = [[1.0, 0.6], [-1.1, 0.5], [0.9, -0.7], [-0.8, -0.4], [0.1, 0.2]];
    let points = &all[..points];
    // Velocities of the centre, then spins: the points move up by v + ω × x.
    let rows = points.iter().flat_map(|&[x, y]| {
        [[0.0, 0.0, 1.0, y, -x, 0.0], [1.0, 0.0, 0.0, 0.0, -0.2, -y], [0.0, 1.0, 0.0, 0.2, 0.0, x]]
    });
    let rows: Vec<f64> = rows.flatten().collect();
    let mass = MassMatrix::Diagonal(vec![1.0, 1.0, 1.0, 0.3, 0.4, 0.6]);
    let velocity = vec![0.4, -0.2, -1.0, 0.1, -0.05, 0.2];
    let material = Material::new(0.3, 0.7).expect("a material");
    let contacts = vec![ContactSpec::new(3, material); points.len()];
    let system = Generalized::new(mass, velocity, rows, contacts).expect("a system");
    system.problem().clone()
}

/// A state of the plate during its impact, in which one contact may stick.
fn on_the_way(law: StiffLimit, points: usize, sticks: Option<usize>) -> (Dynamics, State) {
    let problem = plate(points);
    let island = Island::new(&problem, &Tolerances::NOMINAL).expect("an island");
    let mut dynamics = Dynamics::new(Model::new(&law, &island));
    let mut state = State::new(dynamics.layout);
    for (k, depth) in state.indentations_mut().iter_mut().enumerate() {
        dynamics.normal_mode[k] = if k == 2 { NormalMode::Unloading } else { NormalMode::Loading };
        *depth = 0.1 + 0.02 * k as f64;
    }
    if let Some(g) = sticks {
        dynamics.friction_mode[g] = FrictionMode::Sticks;
        dynamics.sticking.set(&dynamics.model, &[g], |_| 1.0);
        let slip = dynamics.model.slip(g, state.coordinates());
        dynamics.sticking.least(&slip.map(|v| -v), state.coordinates_mut());
    }
    dynamics.evaluate(&state);
    (dynamics, state)
}

fn with_time(state: &State) -> Vec<f64> {
    [&state[..], &[0.0]].concat()
}

fn agrees(law: StiffLimit, points: usize, sticks: Option<usize>, short: bool) {
    let (mut dynamics, state) = on_the_way(law, points, sticks);
    let mut clock = Clock::default();
    let measured = dynamics.measure_slip_rates();
    clock.choose(&mut dynamics, &measured, state.indentations());
    let mut steps = Dop853::default();
    steps.resize_with_integrals(dynamics.layout.unknowns(), dynamics.layout.integrals() + 1);
    steps.start[..state.len()].copy_from_slice(&state);
    clock.enter(&dynamics, &mut steps.start);
    let mut series = Series::new(&dynamics);
    let tolerances = (&[1e-9; 5][..points], 1e-9);
    let length =
        series.expand(&dynamics, &clock, &steps.start, tolerances, short).expect("a series");
    assert!(length > 0.01 && series.error(length) <= 1.0, "{length}");
    // What is beyond a stop is no motion; all points stop together where the plate turns about one that sticks.
    let length = 0.4 * length;
    steps.begin(|y, out| clock.slope(&mut dynamics, y, out));
    for _ in 0..100 {
        steps.step(0.01 * length, |y, out| clock.slope(&mut dynamics, y, out));
        steps.accept();
    }
    let mut end = vec![0.0; steps.start.len()];
    series.state_at(length, &dynamics, &mut end);
    for (i, (a, b)) in end.iter().zip(&steps.start).enumerate() {
        let case = format!("{law:?} {points} {sticks:?} {short}");
        assert!((a - b).abs() < 1e-10, "{case}: {i} of {end:?}: {a} {b}");
    }
    for quantity in [Quantity::Depth(points - 1), Quantity::Normal(3), Quantity::Slip(1)] {
        let expected = quantity.of(&dynamics, |i| steps.start[i]);
        let value = series.value(quantity, &dynamics, length);
        assert!((value - expected).abs() < 1e-10, "{quantity:?}: {value} {expected}");
    }
    // Forces are told without asking where anything is.
    let known = |dynamics: &Dynamics| -> Vec<f64> {
        let lists = [
            &dynamics.force,
            &dynamics.free,
            dynamics.friction.as_flattened(),
            dynamics.sticking.reactions(),
        ];
        lists.concat()
    };
    dynamics.evaluate_in(&end, true);
    let expected = known(&dynamics);
    assert!(series.forces_at(length, &mut dynamics));
    for (a, b) in known(&dynamics).iter().zip(&expected) {
        assert!((a - b).abs() < 1e-9, "{law:?} {points} {sticks:?}: {a} {b}");
    }
}

#[test]
fn series_end_where_small_steps_do() {
    let hertz = StiffLimit::default();
    let linear = StiffLimit { exponent: 1.0, ..hertz };
    let damped = StiffLimit { hunt_crossley: Some(0.2), ..hertz };
    for law in [hertz, linear, damped] {
        for (points, sticks) in [(4, None), (4, Some(1)), (5, None), (5, Some(1))] {
            agrees(law, points, sticks, false);
            agrees(law, points, sticks, true);
        }
    }
}

/// There is none about a contact that begins to press beside one that is followed by its root, nor for other exponents.
#[test]
fn some_motions_have_no_series() {
    let law = StiffLimit::default();
    for (exponent, depth) in [(1.5, 0.0), (2.0, 0.1)] {
        let (mut dynamics, mut state) = on_the_way(StiffLimit { exponent, ..law }, 5, None);
        state.indentations_mut()[4] = depth;
        dynamics.evaluate(&state);
        let clock = Clock::default();
        let state = with_time(&state);
        let mut series = Series::new(&dynamics);
        assert!(
            series.expand(&dynamics, &clock, &state, (&[1e-9; 5], 1e-9), false).is_none(),
            "{exponent}"
        );
    }
}

/// Whatever instructions the processor has, the bits are the same.
#[test]
fn every_processor_finds_the_same_bits() {
    for points in [4, 5] {
        let (mut dynamics, mut state) = on_the_way(StiffLimit::default(), points, Some(1));
        let mut clock = Clock::default();
        let measured = dynamics.measure_slip_rates();
        clock.choose(&mut dynamics, &measured, state.indentations());
        clock.enter(&dynamics, &mut state);
        let state = with_time(&state);
        let mut series = Series::new(&dynamics);
        let tolerances = (&[1e-9; 5][..points], 1e-9);
        let length = series.expand(&dynamics, &clock, &state, tolerances, false).expect("a series");
        let mut plain = Series::new(&dynamics);
        plain.order = tol::ORDER;
        assert!(plain.begin(&dynamics, &clock, &state));
        plain.all_orders(&dynamics);
        let (mut best, mut end) = (vec![0.0; state.len()], vec![0.0; state.len()]);
        series.state_at(length, &dynamics, &mut best);
        plain.find_state(length, &dynamics, &mut end);
        let bits = |state: Vec<f64>| state.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(best), bits(end));
    }
}

/// A plate on four points asks `W`, one on five goes by way of its six coordinates; forces on four of five do the same.
#[test]
fn both_ways_from_forces_to_velocities_agree() {
    let velocities = |points: usize| -> Vec<f64> {
        let (dynamics, _) = on_the_way(StiffLimit::default(), points, Some(1));
        let mut response = Response::new(&dynamics.model);
        response.set(&dynamics.sticking);
        let mut blocks = vec![Block::default(); points.div_ceil(LANES)];
        let Term { load, pull: [a, b], .. } = &mut blocks[0].terms[0];
        (load.0, a.0, b.0) = ([1.0, 0.5, 0.0, 2.0], [0.2, 0.0, -0.3, 0.1], [0.0, 0.4, 0.1, -0.7]);
        response.apply::<3>(&dynamics.sticking, &mut blocks, 0, 1.0);
        // In the same units: those of four points differ from those of five.
        let unit = dynamics.model.response;
        let Term { approach, across: [a, b], .. } = blocks[0].terms[1];
        [approach, a, b].iter().flat_map(|lanes| lanes.0.map(|u| u * unit)).collect()
    };
    for (four, five) in velocities(4).iter().zip(velocities(5)) {
        assert!((four - five).abs() < 1e-13, "{four} {five}");
    }
}
