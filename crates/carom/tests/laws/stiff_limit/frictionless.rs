//! Without friction, and with gaps forgotten, it is the bi-stiffness law in its other form.

use super::support::{
    Raw, assert_close, chain, distance, effort, exponent, gaps, material, norm, stiff,
};
use carom::catalog::{SettingValue, Settings};
use carom::{Law, Restitution};
use carom_testkit::Rng;
use carom_testkit::generate::several::{Kind, several_of};
use carom_testkit::laws::{is_cut_off, try_several};

/// What the law promises, relative to the speed \[1\].
const SAME: f64 = 1e-8;

/// Events up to which answers are compared \[1\].
const EVENTS: u64 = 100;

fn lzb(power: f64, remember: bool) -> Law {
    let settings: Settings =
        [exponent(power), gaps(remember)].map(|(name, value)| (name.into(), value)).into();
    Law::with_settings("lzb", &settings).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_bi_stiffness_law() {
    let mut faults = Vec::new();
    let mut compared = 0;
    for i in 0..120 {
        let mut rng = Rng::for_item(0x12b, i);
        let kind = [Kind::Chain, Kind::Graph, Kind::Duplicated, Kind::Planar][i as usize % 4];
        let mut raw = Raw::of(&several_of(kind, &mut rng).problem());
        for spec in &mut raw.specs {
            spec.material.mu = 0.0;
            // Plastic contacts that neighbours press on are another convention there.
            let e = spec.material.restitution.at(1.0).max(0.05);
            spec.material.restitution = Restitution::Constant(e);
            spec.material.stiffness = rng.log_uniform(0.3, 3.0);
        }
        let problem = raw.problem();
        for (power, remember) in [(1.0, false), (1.5, false), (1.5, true)] {
            let law = stiff([exponent(power), gaps(remember)]);
            // A body between walls rings for ever: both laws may refuse.
            let (Ok(got), Ok(wanted)) =
                (try_several(&law, &problem), try_several(&lzb(power, remember), &problem))
            else {
                continue;
            };
            // Paths of very many events multiply the rounding of each; bodies between walls have them.
            if is_cut_off(&wanted) || effort(&got).events > EVENTS {
                continue;
            }
            compared += 1;
            let off = distance(&got.velocity, &wanted.velocity) / norm(&raw.u);
            if off.total_cmp(&SAME).is_gt() {
                faults.push(format!("{kind:?} {i}, exponent {power}, {remember}: {off:.1e}"));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    assert!(compared > 240, "{compared}");
}

/// Five balls, the first of which arrives: velocities to seven digits.
#[test]
fn cradles() {
    for (power, expected) in [
        (1.5, [-0.0710850, -0.0302738, -0.0144636, 0.1270450, 0.9887774]),
        (1.0, [-0.1322795, -0.0753292, -0.0310108, 0.2962178, 0.9424017]),
    ] {
        let arrives = [1.0, 0.0, 0.0, 0.0, 0.0];
        let elastic = [material(0.0, 1.0); 4];
        let got = chain(&stiff([exponent(power)]), &[1.0; 5], &arrives, &elastic);
        assert_close(&got, &expected, 1.5e-7);
    }
}

/// Hunt and Crossley's damping: none is elastic; with the speed it counts as itself times the speed; it only takes.
#[test]
fn hunt_and_crossley() {
    let damped = |c: f64, v: f64| {
        let law = stiff([("hunt_crossley", SettingValue::Number(c))]);
        let materials = [material(0.0, 0.2); 2];
        let after = chain(&law, &[1.0, 2.0, 1.5], &[v, 0.0, 0.0], &materials);
        after.iter().map(|x| x / v).collect::<Vec<_>>()
    };
    let elastic = chain(&stiff([]), &[1.0, 2.0, 1.5], &[1.0, 0.0, 0.0], &[material(0.0, 1.0); 2]);
    assert_close(&damped(0.0, 1.0), &elastic, 1e-9);
    assert_close(&damped(0.2, 2.0), &damped(0.4, 1.0), 1e-9);
    let energy = |v: &[f64]| v[0] * v[0] + 2.0 * v[1] * v[1] + 1.5 * v[2] * v[2];
    let falling: Vec<f64> = [0.0, 0.1, 0.3, 1.0].map(|c| energy(&damped(c, 1.0))).to_vec();
    assert!((falling[0] - 1.0).abs() < 1e-9);
    assert!(falling.windows(2).all(|pair| pair[1] < pair[0] - 1e-3), "{falling:?}");
}
