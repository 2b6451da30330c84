//! The spring–damper chain: Mosterman's Table 1 as it is and as it was printed, balances, limits.

mod support;

use carom::ImpactError;
use carom_sim::spring_chain::{SpringChain, SpringChainOutcome, SpringContact};
use carom_testkit::assert_close;
use carom_testkit::rng::Rng;
use support::{golden, number, numbers, rows};

const STIFFNESS: f64 = 10.0;

fn table_outcome(m3: f64, damping: [f64; 2]) -> SpringChainOutcome {
    let contacts = damping.map(|damping| SpringContact { stiffness: STIFFNESS, damping });
    collided(SpringChain::new(vec![1.0, 1.0, m3], vec![1.0, 0.0, 0.0], contacts.to_vec()))
}

fn collided(chain: Result<SpringChain, ImpactError>) -> SpringChainOutcome {
    chain.and_then(|chain| chain.collide()).expect("an outcome")
}

fn undamped(mass: &[f64], stiffness: &[f64]) -> SpringChainOutcome {
    let contacts =
        stiffness.iter().map(|&stiffness| SpringContact { stiffness, damping: 0.0 }).collect();
    let mut velocity = vec![0.0; mass.len()];
    velocity[0] = 1.0;
    collided(SpringChain::new(mass.to_vec(), velocity, contacts))
}

#[test]
fn table_1_as_the_model_has_it() {
    let table = golden("mosterman_table1.json");
    let tolerance = number(&table["tolerance"]["true"]);
    for row in rows(&table) {
        let outcome = table_outcome(number(&row["m3"]), numbers(&row["damping"]));
        for (v, expected) in outcome.velocity.iter().zip(numbers::<3>(&row["true"])) {
            assert_close!(*v, expected, tol = tolerance, scale = 1.0, "{row}");
        }
        assert_eq!(outcome.contacts.iter().map(|c| c.phases).collect::<Vec<_>>(), [1, 1], "{row}");
    }
}

/// The course of the velocities begins and ends where the collision does, forwards in time, and keeps momentum.
#[test]
fn the_history_leads_to_the_outcome() -> Result<(), ImpactError> {
    let contacts = [0.05, 5.0].map(|damping| SpringContact { stiffness: STIFFNESS, damping });
    let mass = [1.0, 2.0, 0.5];
    let chain = SpringChain::new(mass.to_vec(), vec![1.0, 0.0, 0.0], contacts.to_vec())?;
    let (outcome, history) = (chain.collide()?, chain.history(10)?);
    assert_eq!(history[0], (0.0, vec![1.0, 0.0, 0.0]));
    assert!(history.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    for (_, v) in &history {
        let momentum: f64 = mass.iter().zip(v).map(|(m, v)| m * v).sum();
        assert_close!(momentum, 1.0, tol = 1e-12, scale = 1.0);
    }
    let (_, last) = &history[history.len() - 1];
    for (v, expected) in last.iter().zip(&outcome.velocity) {
        assert_close!(*v, *expected, tol = 1e-14, scale = 1.0);
    }
    assert_eq!(chain.history(0)?.len() as u64, outcome.steps + 1);
    Ok(())
}

/// Explicit Euler, the way the table was made: forces and velocities of the step's begin.
fn euler(m3: f64, damping: [f64; 2], step: f64) -> [f64; 3] {
    let mass = [1.0, 1.0, m3];
    let (mut v, mut x) = ([1.0, 0.0, 0.0], [0.0, 0.0]);
    for _ in 0..100_000 {
        let rate = [v[0] - v[1], v[1] - v[2]];
        let force = [0, 1].map(|i| {
            let force: f64 = STIFFNESS * x[i] + damping[i] * rate[i];
            if x[i] >= 0.0 { force.max(0.0) } else { 0.0 }
        });
        if force == [0.0, 0.0] && rate[0] <= 0.0 && rate[1] <= 0.0 && x != [0.0, 0.0] {
            return v;
        }
        x = [x[0] + step * rate[0], x[1] + step * rate[1]];
        let sum = [-force[0], force[0] - force[1], force[1]];
        v = [0, 1, 2].map(|i| v[i] + step * sum[i] / mass[i]);
    }
    panic!("no end");
}

/// The printed table is what Euler's steps give, all entries but one; that one breaks the balance of momentum, and
/// what the balance demands in its place is what Euler's steps give.
#[test]
fn table_1_as_it_was_printed() {
    let table = golden("mosterman_table1.json");
    let (step, tolerance) = (number(&table["step"]), number(&table["tolerance"]["printed"]));
    let erratum = &table["errata"][0];
    let mut reproduced = 0;
    for (k, row) in rows(&table).iter().enumerate() {
        let m3 = number(&row["m3"]);
        let (v, mut printed) =
            (euler(m3, numbers(&row["damping"]), step), numbers::<3>(&row["printed"]));
        let momentum = |v: [f64; 3]| v[0] + v[1] + m3 * v[2];
        assert_close!(momentum(v), 1.0, tol = 1e-12);
        if erratum["row"] == k {
            let demanded = number(&erratum["momentum_demands"]);
            assert!((momentum(printed) - 1.0).abs() > 3e-3, "{row}");
            assert!((v[0] - printed[0]).abs() > 3e-3, "{row}");
            printed[0] = demanded;
            assert_close!(momentum(printed), 1.0, tol = 1e-7);
            assert_close!(v[0], demanded, tol = tolerance, scale = 1.0);
            reproduced -= 1;
        }
        for (v, printed) in v.iter().zip(printed) {
            assert_close!(*v, printed, tol = tolerance, scale = 1.0, "{row}");
            reproduced += 1;
        }
    }
    assert_eq!(reproduced, 17);
}

/// Euler's anti-damping `h k` equals `R = 0.05`: the printed row of a weakly damped chain is the undamped one.
#[test]
fn weakly_damped_rows_were_printed_undamped() {
    let table = golden("mosterman_table1.json");
    let printed = numbers::<3>(&rows(&table)[3]["printed"]);
    let outcome = undamped(&[1.0; 3], &[STIFFNESS; 2]);
    for (v, printed) in outcome.velocity.iter().zip(printed) {
        assert_close!(*v, printed, tol = 8e-5, scale = 1.0);
    }
}

/// Euler's error falls with the step, towards the values of the exact motion: two independent ways to one answer.
#[test]
fn small_euler_steps_tend_to_the_exact_motion() {
    let (m3, damping) = (1.0, [0.05, 50.0]);
    let exact = table_outcome(m3, damping).velocity;
    let error = |step: f64| {
        let v = euler(m3, damping, step);
        v.iter().zip(&exact).fold(0.0, |worst: f64, (v, e)| worst.max((v - e).abs()))
    };
    let (coarse, fine) = (error(1e-3), error(1e-4));
    assert!(fine < 5e-4 && (8.0..12.0).contains(&(coarse / fine)), "{coarse:e} {fine:e}");
}

/// Two masses: x = (e^{−at} sin ωt)/ω·u with a = R/2μ, ω² = k/μ − a²; F = 0 where tan ωt = 2aω/(a² − ω²).
/// For k = 10, R = 2, μ = ½: a = 2, ω = 4, tan ωt = −4/3, ωt = π − atan(4/3); then
/// ẋ/u = e^{−at}(cos ωt − (a/ω) sin ωt) = e^{−at}(−3/5 − ½·4/5) = −e^{−at}.
#[test]
fn two_masses_in_closed_form() {
    let contact = SpringContact { stiffness: 10.0, damping: 2.0 };
    let outcome = collided(SpringChain::uniform(vec![1.0, 1.0], vec![1.0, 0.0], contact));
    let time = (std::f64::consts::PI - (4.0_f64 / 3.0).atan()) / 4.0;
    let e = (-2.0 * time).exp();
    let rounding = 8.0 * f64::EPSILON;
    assert_close!(outcome.duration, time, tol = rounding);
    assert_close!(
        outcome.velocity[..],
        [0.5 * (1.0 - e), 0.5 * (1.0 + e)][..],
        tol = rounding,
        scale = 1.0
    );
    assert_close!(outcome.contacts[0].impulse, 0.5 * (1.0 + e), tol = rounding);
    assert_close!(outcome.dissipated, 0.25 * (1.0 - e * e), tol = rounding);
}

/// Undamped chains known from the linear bi-stiffness law at e = 1, seven digits.
#[test]
fn undamped_chain_of_three() {
    let outcome = undamped(&[1.0; 3], &[1.0; 2]);
    let known = [-0.1302617, 0.1502296, 0.9800321];
    assert_close!(outcome.velocity[..], known[..], tol = 1e-7, scale = 1.0);
}

/// A light mass rattles between two heavy ones on a stiff and a soft spring: many phases, no loss.
#[test]
fn contacts_close_again() {
    let outcome = undamped(&[10.0, 0.1, 10.0], &[1000.0, 10.0]);
    assert!(outcome.contacts[0].phases > 10, "{outcome:?}");
    assert_eq!(outcome.contacts[1].phases, 1);
    assert!(outcome.dissipated.abs() <= 1e-13 * 5.0, "{outcome:?}");
}

/// Momentum from the forces' integrals, energy from the contacts' work, non-penetration, on random chains; and the
/// same motion in a moving frame.
#[test]
fn balances_hold_on_random_chains() {
    let seed = 20_031_215;
    println!("seed {seed}");
    let mut rng = Rng::new(seed);
    let mut reclosed = 0;
    for case in 0..400 {
        let n = 2 + case % 7;
        let mass: Vec<f64> = (0..n).map(|_| rng.log_uniform(0.1, 10.0)).collect();
        let contacts: Vec<SpringContact> = (1..n)
            .map(|i| SpringContact {
                stiffness: rng.log_uniform(1.0, 100.0),
                damping: if (case + i) % 3 == 0 { 0.0 } else { rng.log_uniform(0.01, 10.0) },
            })
            .collect();
        let velocity: Vec<f64> = (0..n).map(|_| rng.uniform(-1.0, 1.0)).collect();
        let chain = |velocity: Vec<f64>| {
            collided(SpringChain::new(mass.clone(), velocity, contacts.clone()))
        };
        let outcome = chain(velocity.clone());
        let scale = mass.iter().sum::<f64>();
        let mut left = 0.0;
        for i in 0..n {
            let right = outcome.contacts.get(i).map_or(0.0, |c| c.impulse);
            assert!(right >= 0.0, "case {case}: contact {i} pulls");
            let change = mass[i] * (outcome.velocity[i] - velocity[i]);
            assert_close!(change, left - right, tol = 1e-13, scale = scale, "case {case}");
            left = right;
        }
        let absorbed: f64 = outcome.contacts.iter().map(|c| c.dissipated).sum();
        assert_close!(absorbed, outcome.dissipated, tol = 1e-13, scale = scale, "case {case}");
        assert!(outcome.dissipated >= -1e-13 * scale, "case {case}");
        for pair in outcome.velocity.windows(2) {
            assert!(pair[1] - pair[0] >= -2e-12, "case {case}: {:?} approach", outcome.velocity);
        }
        reclosed += usize::from(outcome.contacts.iter().any(|c| c.phases > 1));

        let moving = chain(velocity.iter().map(|v| v + 3.0).collect());
        for (a, b) in outcome.velocity.iter().zip(&moving.velocity) {
            assert_close!(b - 3.0, *a, tol = 1e-10, scale = 1.0, "case {case} in a moving frame");
        }
    }
    assert!(reclosed > 20, "only {reclosed} chains with contacts that close again");
}

#[test]
fn nothing_happens_to_masses_that_do_not_approach() {
    let contact = SpringContact { stiffness: 1.0, damping: 1.0 };
    for velocity in [vec![0.0, 0.0, 0.0], vec![-1.0, 0.0, 0.0], vec![0.1, 0.1, 0.2]] {
        let outcome = collided(SpringChain::uniform(vec![1.0; 3], velocity.clone(), contact));
        assert_eq!(outcome.velocity, velocity);
        assert_eq!((outcome.duration, outcome.dissipated, outcome.steps), (0.0, 0.0, 0));
    }
}

#[test]
fn bad_input_is_refused_with_field_and_value() {
    let message = |mass: &[f64], velocity: &[f64], contacts: &[[f64; 2]]| {
        let contacts = contacts
            .iter()
            .map(|&[stiffness, damping]| SpringContact { stiffness, damping })
            .collect();
        let chain = SpringChain::new(mass.to_vec(), velocity.to_vec(), contacts);
        chain.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let starts = |message: String, start: &str| assert!(message.starts_with(start), "{message}");
    starts(message(&[1.0], &[0.0], &[]), "mass = 1 numbers:");
    starts(message(&[1.0, 0.0], &[0.0, 0.0], &[[1.0, 0.0]]), "mass[1] = 0:");
    starts(message(&[1.0, f64::NAN], &[0.0, 0.0], &[[1.0, 0.0]]), "mass[1] = NaN:");
    starts(message(&[1.0, 1.0], &[0.0], &[[1.0, 0.0]]), "velocity = 1 numbers:");
    starts(message(&[1.0, 1.0], &[0.0, f64::INFINITY], &[[1.0, 0.0]]), "velocity[1] = inf:");
    starts(message(&[1.0, 1.0], &[0.0, 0.0], &[]), "contacts = 0 numbers:");
    starts(message(&[1.0, 1.0], &[0.0, 0.0], &[[0.0, 0.0]]), "contacts[0].stiffness = 0:");
    starts(message(&[1.0, 1.0], &[0.0, 0.0], &[[1.0, -1.0]]), "contacts[0].damping = -1:");
    let many = vec![1.0; SpringChain::MAX_MASSES + 1];
    starts(message(&many, &many, &[]), "mass = 100001 numbers:");
}

#[test]
fn endless_runs_and_overflow_are_errors() {
    // A light mass rattles through 21 phases; a hundred steps do not reach so far.
    let contacts = [1000.0, 10.0].map(|stiffness| SpringContact { stiffness, damping: 0.0 });
    let chain = SpringChain::new(vec![10.0, 0.1, 10.0], vec![1.0, 0.0, 0.0], contacts.to_vec());
    let error = chain.expect("a chain").with_max_steps(100).collide().expect_err("a limit");
    assert!(matches!(error, ImpactError::Limit(_)), "{error}");

    let contact = SpringContact { stiffness: 1.0, damping: 0.0 };
    let chain = SpringChain::uniform(vec![1.0; 2], vec![1e200, -1e200], contact);
    let error = chain.expect("a chain").collide().expect_err("an overflow");
    assert!(matches!(error, ImpactError::Limit(_)), "{error}");
}
