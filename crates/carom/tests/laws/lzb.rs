//! `LiuZhaoBrogliato2008`: anchors, closed forms and the energy balance.

use crate::support::*;
use carom::outcome::Unobserved;

/// The anchors are printed with seven digits.
const PRINTED: f64 = 6e-8;
/// What the law's own integration leaves.
const EXACT: f64 = 1e-11;

fn lzb(exponent: f64) -> Law {
    law("lzb", [number("exponent", exponent)])
}

fn cradle(law: &Law, n: usize, e: f64) -> Vec<f64> {
    let mut velocity = vec![0.0; n];
    velocity[0] = 1.0;
    chain(law, &vec![1.0; n], &velocity, &vec![e; n - 1]).velocity
}

#[test]
fn anchors() {
    let (linear, hertz) = (lzb(1.0), lzb(1.5));
    let three = [-0.1302617, 0.1502296, 0.9800321];
    assert_close(&cradle(&linear, 3, 1.0), &three, PRINTED);
    assert_close(&cradle(&hertz, 3, 1.0), &[-0.0709524, 0.0764030, 0.9945493], PRINTED);
    assert_close(&cradle(&linear, 3, 0.5), &[0.1827349, 0.2339842, 0.5832810], PRINTED);
    assert_close(&cradle(&hertz, 3, 0.5), &[0.2092355, 0.2187794, 0.5719851], PRINTED);
    let five = [-0.0710850, -0.0302738, -0.0144636, 0.1270450, 0.9887774];
    assert_close(&cradle(&hertz, 5, 1.0), &five, PRINTED);
    let five = [-0.1322795, -0.0753292, -0.0310108, 0.2962178, 0.9424017];
    assert_close(&cradle(&linear, 5, 1.0), &five, PRINTED);
}

/// Three equal balls with linear springs, closed form: `d₁″ = −2 d₁ + d₂`, `d₂″ = d₁ − 2 d₂` from `d′ = (1, 0)`. The modes
/// `d₁ ± d₂` swing with ω² = 1 and 3, so `d₁ = ½(sin t + sin(√3 t)/√3)` and `d₂ = ½(sin t − sin(√3 t)/√3)`. The first
/// contact opens at the first zero t₁ of d₁; from then on `d₂″ = −2 d₂` swings out: `u₂⁺ = √(2 d₂² + d₂′²)`.
#[test]
fn three_balls_with_linear_springs() {
    let root = 3_f64.sqrt();
    let d1 = |t: f64| 0.5 * (t.sin() + (root * t).sin() / root);
    let (mut low, mut high) = (1.5, 3.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if d1(middle) > 0.0 { low = middle } else { high = middle }
    }
    let t = high;
    let u1 = -0.5 * (t.cos() + (root * t).cos());
    let d2 = 0.5 * (t.sin() - (root * t).sin() / root);
    let rate = 0.5 * (t.cos() - (root * t).cos());
    let u2 = (2.0 * d2 * d2 + rate * rate).sqrt();
    // Momentum 1; the first ball is free from t₁ on: v₁ = v₂(t₁) − u₁ and 3 v₁ + 2 u₁ + u₂(t₁) = 1, u₂(t₁) = −rate.
    let v1 = (1.0 - 2.0 * u1 + rate) / 3.0;
    let v2 = 0.5 * (1.0 - v1 - u2);
    assert_close(&cradle(&lzb(1.0), 3, 1.0), &[v1, v2, v2 + u2], EXACT);
}

/// One contact rebounds with `e`, whatever the exponent and the mass; contacts that share a body and a velocity share
/// the impulse by stiffness.
#[test]
fn one_contact_and_copies() -> Result<(), ImpactError> {
    for exponent in [1.0, 1.25, 1.5, 3.0] {
        for e in [0.0, 1e-3, 0.5, 1.0] {
            let seen = chain(&lzb(exponent), &[1.0, 3.0], &[1.0, 0.0], &[e]);
            assert_close(&seen.outcome.velocity, &[e], EXACT);
        }
        let mut two = materials(&[0.5, 0.5]);
        two[1].stiffness = 3.0;
        let seen = graph(&lzb(exponent), &[1.0], &[&[1.0], &[1.0]], &[-1.0], &two)?;
        assert_close(&seen.outcome.impulse, &[1.5 / 4.0, 4.5 / 4.0], EXACT);
    }
    Ok(())
}

/// Ratios of stiffness lead from a sequence of collisions to a rigid pair.
#[test]
fn stiffness_ratios_lead_to_both_ends() -> Result<(), ImpactError> {
    let rows: [&[f64]; 2] = [&[-1.0, 1.0, 0.0], &[0.0, -1.0, 1.0]];
    let with = |stiffness: [f64; 2]| -> Result<Vec<f64>, ImpactError> {
        let mut two = materials(&[1.0, 1.0]);
        (two[0].stiffness, two[1].stiffness) = (stiffness[0], stiffness[1]);
        Ok(graph(&lzb(1.0), &[1.0; 3], &rows, &[1.0, 0.0, 0.0], &two)?.velocity)
    };
    assert_close(&with([10.0, 1.0])?, &[-0.0118, 0.0120, 0.9999], 1e-4);
    assert_close(&with([1e8, 1.0])?, &[0.0, 0.0, 1.0], 1e-6);
    assert_close(&with([1.0, 1e8])?, &[-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0], 1e-3);
    // Only ratios matter, to the last bits.
    assert_close(&with([3.0, 6.0])?, &with([1.0, 2.0])?, EXACT);
    Ok(())
}

/// `T⁻ − T⁺ = Σ (1 − e_i²) W_i`, where contact `i` took the work `W_i` and gave back `e_i² W_i`, for each contact by
/// itself. Work from the points of the trace by the trapezoidal rule, which is good to a percent.
#[test]
fn energy_is_lost_as_the_coefficients_say() {
    let (mass, velocity, e) = ([1.0, 0.3, 2.0, 0.7], [1.0, 0.2, 0.0, -1.0], [0.3, 0.8, 0.6]);
    for exponent in [1.0, 1.5] {
        let seen = chain(&lzb(exponent), &mass, &velocity, &e);
        let points: Vec<_> = seen
            .steps
            .iter()
            .map(|step| match step {
                StepRecord::Point { impulse, velocity } => (impulse, velocity),
                other => panic!("{other:?}"),
            })
            .collect();
        let (mut taken, mut given) = ([0.0; 3], [0.0; 3]);
        for pair in points.windows(2) {
            for i in 0..3 {
                let mean = 0.5 * (pair[0].1[i] + pair[1].1[i]);
                let work = mean * (pair[1].0[i] - pair[0].0[i]);
                if work < 0.0 { taken[i] -= work } else { given[i] += work }
            }
        }
        let lost = energy(&mass, &velocity) * (1.0 - seen.ratio);
        let said: f64 = (0..3).map(|i| (1.0 - e[i] * e[i]) * taken[i]).sum();
        assert!((lost - said).abs() < 0.01 * lost, "{exponent}: {lost} {said}");
        for i in 0..3 {
            let back = given[i] / taken[i];
            assert!((back - e[i] * e[i]).abs() < 0.02, "{exponent}, contact {i}: {back}");
        }
        let kept = chain(&lzb(exponent), &mass, &velocity, &[1.0; 3]).ratio;
        assert!((kept - 1.0).abs() < EXACT, "{kept}");
    }
}

/// The trace ends where the outcome does.
#[test]
fn the_path_leads_to_the_outcome() {
    let seen = chain(&lzb(1.5), &[1.0; 4], &[1.0, 0.0, 0.0, 0.0], &[0.9; 3]);
    let Some(StepRecord::Point { impulse, velocity }) = seen.steps.last() else {
        panic!("no points");
    };
    assert_close(impulse, &seen.outcome.impulse, EXACT);
    assert_close(velocity, &seen.outcome.velocity, EXACT);
}

/// A wave through a thousand balls: only those that it reaches are followed.
#[test]
fn a_long_row() -> Result<(), ImpactError> {
    let n = 1000;
    let mut velocity = vec![0.0; n];
    velocity[0] = 1.0;
    let row = Chain::new(vec![1.0; n], velocity, vec![1.0; n - 1])?;
    let outcome = lzb(1.5).resolve(row.problem(), &Tolerances::NOMINAL, &mut Unobserved)?;
    let after = row.after(&outcome.impulse)?;
    assert!(after.kinetic_energy_change.abs() < 1e-9, "{}", after.kinetic_energy_change);
    // The wave settles to one shape: its last ball leaves as that of fifty does.
    let fifty = cradle(&lzb(1.5), 50, 1.0);
    assert_close(&after.velocity[n - 1..], &fifty[49..], 1e-6);
    assert!(outcome.velocity.iter().all(|u| *u > -1e-11));
    Ok(())
}

/// Gaps and damping: what is remembered or damped differs where it must and nowhere else.
#[test]
fn gaps_and_damping() -> Result<(), ImpactError> {
    let remember = law("lzb", [("gaps", SettingValue::Text("remember".into()))]);
    // No contact opens and closes again.
    assert_close(&cradle(&remember, 5, 1.0), &cradle(&lzb(1.5), 5, 1.0), EXACT);
    // A light ball between heavy ones goes to and fro.
    let (mass, velocity) = ([1.0, 0.1, 1.0, 1.0], [1.0, 0.0, 0.0, 0.0]);
    let forgot = chain(&lzb(1.5), &mass, &velocity, &[0.8; 3]);
    let kept = chain(&remember, &mass, &velocity, &[0.8; 3]);
    let apart = forgot.velocity.iter().zip(&kept.velocity).map(|(a, b)| (a - b).abs());
    assert!(apart.fold(0.0, f64::max) > 1e-4);
    assert!(kept.ratio < 1.0 && kept.outcome.velocity.iter().all(|u| *u > -1e-11));
    // Hunt and Crossley without damping is elastic, with it the less the faster.
    let damped = |c: f64, v: f64| {
        let law = law("lzb", [number("hunt_crossley", c)]);
        chain(&law, &[1.0, 1.0], &[v, 0.0], &[0.3]).outcome.velocity[0] / v
    };
    assert!((damped(0.0, 1.0) - 1.0).abs() < EXACT);
    assert!((damped(0.2, 2.0) - damped(0.4, 1.0)).abs() < EXACT);
    assert!(damped(0.4, 1.0) < damped(0.1, 1.0));
    // d u/dd = −k W d^η (1 − c̃u)/(−u), c̃ = 3c/2, separates: u and −e u⁻ have the same u/c̃ + ln(1 − c̃u)/c̃².
    let (c, v) = (0.6, 1.0);
    let level = |u: f64| u / c + (1.0 - c * u).ln() / (c * c);
    let e = damped(0.4, 1.0);
    assert!((level(-v) - level(e * v)).abs() < EXACT, "{e}");
    Ok(())
}

/// A body between two walls, pressed from a side by two contacts more: rows 1 and 2 oppose each other. They swing until
/// their losses bring them to rest, and the others leave by what that does; values by an independent integration with
/// smoothed forces, six digits. Without losses they would swing for ever, and hold instead.
#[test]
fn a_body_between_walls_comes_to_rest() -> Result<(), ImpactError> {
    const SMOOTHED: f64 = 1e-6;
    let third = 5.0 / 3.0;
    let w = [third, -0.5, 1.0, third, -0.5, 0.25, -0.5, -0.5, 1.0, -0.5, 1.0, 1.0];
    let w: Vec<f64> = w.into_iter().chain([third, -0.5, 1.0, third]).collect();
    let mut contacts = materials(&[
        0.060940686097675445,
        0.4606311748944514,
        0.67974281811275,
        0.2270635166895656,
    ]);
    let stiffness = [1.955550949842661, 0.8704990180694241, 2.7467670642342323, 2.4153556382483283];
    contacts.iter_mut().zip(stiffness).for_each(|(contact, k)| contact.stiffness = k);
    let after = |law: &Law, contacts: &[Material]| -> Result<Vec<f64>, ImpactError> {
        let specs: Vec<ContactSpec> = contacts.iter().map(|&m| ContactSpec::new(1, m)).collect();
        let problem = ContactProblem::new(&w, &[-4.0, 0.0, 0.0, -4.0], &specs)?;
        Ok(watched(law, &problem).0.velocity)
    };
    let remember = law("lzb", [("gaps", SettingValue::Text("remember".into()))]);
    for (law, u) in [(lzb(1.5), 0.787246), (remember, 0.788994)] {
        assert_close(&after(&law, &contacts)?, &[u, 0.0, 0.0, u], SMOOTHED);
    }
    // Held, what is left is one contact with two springs, each of which gives back e² of its share of the energy.
    let e = [contacts[0], contacts[3]].map(|contact| contact.restitution.at(4.0));
    contacts[1..3].copy_from_slice(&materials(&[1.0, 1.0]));
    let (soft, hard) = (stiffness[0], stiffness[3]);
    let kept = (soft * e[0] * e[0] + hard * e[1] * e[1]) / (soft + hard);
    let u = 4.0 * kept.sqrt();
    assert_close(&after(&lzb(1.5), &contacts)?, &[u, 0.0, 0.0, u], EXACT);
    Ok(())
}

#[test]
fn settings_are_refused_in_words() {
    let refuse = |name: &str, value: SettingValue| {
        let settings = Settings::from([(name.to_string(), value)]);
        Law::with_settings("lzb", &settings).err().map(|e| e.to_string()).unwrap_or_default()
    };
    assert!(
        refuse("gaps", SettingValue::Text("keep".into())).contains("\"forget\" or \"remember\"")
    );
    assert!(refuse("exponent", SettingValue::Number(0.5)).contains("between 1 and 3"));
    assert!(refuse("hunt_crossley", SettingValue::Number(-1.0)).contains("between 0"));
}
