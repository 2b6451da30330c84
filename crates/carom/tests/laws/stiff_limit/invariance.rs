//! What may be changed about a problem without changing its answer.

use super::support::{Raw, assert_close, distance, norm, of, resolve};
use carom::Law;
use carom_testkit::Rng;
use carom_testkit::generate::several::{Mirrored, mirrored};
use carom_testkit::laws::try_several;
use carom_testkit::reference;

/// How far apart answers may be that should be the same, relative to the speed: some hundred times what a step of the law
/// may be off \[1\].
const SAME: f64 = 1e-9;

/// A reference problem of several contacts, its law, and how far apart its answers may be.
struct Case {
    id: String,
    law: Law,
    raw: Raw,
    same: f64,
}

/// Stacks multiply what is off: two methods find their answers to no more than their tolerances.
fn cases() -> Vec<Case> {
    let several = reference::stiff().into_iter().filter(|line| line.problem.len() > 1);
    several
        .map(|line| Case {
            law: of(&line.springs),
            raw: Raw::of(&line.problem),
            same: if line.tolerance > 1e-8 { line.tolerance } else { SAME },
            id: line.id,
        })
        .collect()
}

/// Every problem before and after a change; velocities of both must be the same once the change is undone.
fn check(change: impl Fn(&Raw) -> Raw, undo: impl Fn(&Raw, &[f64]) -> Vec<f64>) {
    let mut faults = Vec::new();
    for Case { id, law, raw, same } in cases() {
        let before = resolve(&law, &raw).velocity;
        let after = undo(&raw, &resolve(&law, &change(&raw)).velocity);
        let off = distance(&before, &after) / norm(&raw.u);
        if off.total_cmp(&same).is_gt() {
            faults.push(format!("{id}: {off:.1e}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn only_ratios_of_stiffness_matter() {
    let stiffer = |raw: &Raw| {
        let mut other = raw.clone();
        other.specs.iter_mut().for_each(|spec| spec.material.stiffness *= 700.0);
        other
    };
    check(stiffer, |_, u| u.to_vec());
}

#[test]
fn velocities_scale() {
    let mut faults = Vec::new();
    for Case { id, law, raw, same } in cases() {
        // Damping by speed has a speed of its own.
        if id.contains("/hc/") {
            continue;
        }
        for factor in [1e-6, 30.0] {
            let before = resolve(&law, &raw).velocity;
            let after = resolve(&law, &raw.scaled(1.0, factor)).velocity;
            let after: Vec<f64> = after.iter().map(|u| u / factor).collect();
            let off = distance(&before, &after) / norm(&raw.u);
            if off.total_cmp(&same).is_gt() {
                faults.push(format!("{id}, {factor}: {off:.1e}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn masses_scale() {
    check(|raw| raw.scaled(1e5, 1.0), |_, u| u.to_vec());
}

/// Rotations and reflections of the tangents, another one for each contact.
#[test]
fn tangents_may_be_turned() {
    let axes = |k: usize, rows: usize| -> Vec<Vec<f64>> {
        let (sin, cos) = (0.7 + 1.3 * k as f64).sin_cos();
        let flip = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
        match rows {
            1 => vec![vec![1.0]],
            2 => vec![vec![1.0, 0.0], vec![0.0, flip]],
            _ => vec![vec![1.0, 0.0, 0.0], vec![0.0, cos, sin], vec![0.0, -flip * sin, flip * cos]],
        }
    };
    let all = |raw: &Raw| -> Vec<Vec<Vec<f64>>> {
        raw.specs.iter().enumerate().map(|(k, spec)| axes(k, spec.rows)).collect()
    };
    let undo = |raw: &Raw, u: &[f64]| -> Vec<f64> {
        let mut back = vec![0.0; u.len()];
        for (first, axes) in raw.first().into_iter().zip(all(raw)) {
            for (i, row) in axes.iter().enumerate() {
                for (j, q) in row.iter().enumerate() {
                    back[first + j] += q * u[first + i];
                }
            }
        }
        back
    };
    check(|raw| raw.turned(&all(raw)), undo);
}

#[test]
fn the_order_of_contacts_does_not_matter() {
    let order = |n: usize| -> Vec<usize> { (0..n).map(|k| (3 * k + 1) % n).collect() };
    // Three has no common divisor with the numbers of contacts here.
    let undo = |raw: &Raw, u: &[f64]| -> Vec<f64> {
        let order = order(raw.specs.len());
        let (here, there) = (raw.first(), raw.pick(&order).first());
        let mut back = vec![0.0; u.len()];
        for (new, &old) in order.iter().enumerate() {
            let rows = raw.specs[old].rows;
            back[here[old]..][..rows].copy_from_slice(&u[there[new]..][..rows]);
        }
        back
    };
    check(|raw| raw.pick(&order(raw.specs.len())), undo);
}

/// A contact in parts whose stiffnesses add up to its own: the parts share its normal impulse by their stiffness.
#[test]
fn a_contact_may_be_split() {
    let parts = [0.2, 0.5, 0.3];
    for Case { id, law, raw, same } in cases() {
        if raw.specs.len() > 4 {
            continue;
        }
        let n = raw.specs.len();
        let mut order: Vec<usize> = (0..n).collect();
        order.extend([0, 0]);
        let mut split = raw.pick(&order);
        for (at, part) in [0, n, n + 1].into_iter().zip(parts) {
            split.specs[at].material.stiffness *= part;
        }
        let (one, three) = (resolve(&law, &raw), resolve(&law, &split));
        let off = distance(&three.velocity[..raw.u.len()], &one.velocity) / norm(&raw.u);
        assert!(off <= same, "{id}: {off:.1e}");
        let first = split.first();
        for (at, part) in [0, n, n + 1].into_iter().zip(parts) {
            let off = (three.impulse[first[at]] - part * one.impulse[0]).abs();
            assert!(off <= SAME * norm(&one.impulse), "{id}: {off:.1e}");
        }
    }
}

/// What is not coupled does not change a bit.
#[test]
fn strangers_change_nothing() {
    let all = cases();
    for Case { id, law, raw, .. } in &all {
        let alone = resolve(law, raw);
        let both = resolve(law, &raw.beside(&all[0].raw));
        assert_eq!(both.impulse[..raw.u.len()], alone.impulse[..], "{id}");
    }
}

/// A system that is its own mirror image has an outcome that is.
#[test]
fn mirror_images_stay_mirror_images() {
    let law = super::support::stiff([]);
    let mut answered = 0;
    for i in 0..100 {
        let Mirrored { mechanism, image, .. } = mirrored(&mut Rng::for_item(0x3177, i));
        let raw = Raw::of(&mechanism.problem());
        // Bodies between walls ring for ever.
        let Ok(outcome) = try_several(&law, &raw.problem()) else { continue };
        answered += 1;
        let other: Vec<f64> = image.iter().map(|&k| outcome.impulse[k]).collect();
        let off = distance(&outcome.impulse, &other);
        assert!(off <= SAME * norm(&other), "{i}: {off:.1e}");
    }
    assert!(answered > 80, "{answered}");
}

/// A brick that lands flat, without spin: all four corners do the same, whatever their number.
#[test]
fn corners_of_a_flat_landing_are_alike() {
    // Mass 2, half extents (0.3, 0.2, 0.1); corners below.
    let (m, i) = (2.0, [0.0333, 0.0667, 0.0867]);
    let corners = [[0.3, 0.2], [-0.3, 0.2], [-0.3, -0.2], [0.3, -0.2]];
    let row = |axis: usize, [x, y]: [f64; 2]| -> Vec<f64> {
        let (r, mut row) = ([x, y, -0.1], vec![0.0; 6]);
        row[axis] = 1.0;
        // (ω × r) along the axis.
        let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
        (row[3 + b], row[3 + c]) = (r[c], -r[b]);
        row
    };
    let rows: Vec<Vec<f64>> =
        corners.iter().flat_map(|&at| [2, 0, 1].map(|axis| row(axis, at))).collect();
    let masses = [m, m, m, i[0], i[1], i[2]];
    let velocity = [0.4, 0.0, -1.0, 0.0, 0.0, 0.0];
    let dot = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).zip(&masses).map(|((a, b), m)| a * b / m).sum()
    };
    let raw = Raw {
        w: rows.iter().map(|a| rows.iter().map(|b| dot(a, b)).collect()).collect(),
        u: rows.iter().map(|a| a.iter().zip(&velocity).map(|(a, v)| a * v).sum()).collect(),
        specs: vec![carom::ContactSpec::new(3, super::support::material(0.5, 0.7)); 4],
    };
    let outcome = resolve(&super::support::stiff([]), &raw);
    let contact = |k: usize| &outcome.impulse[3 * k..3 * k + 3];
    // y → −y exchanges corners 0 and 3, 1 and 2.
    for (a, b) in [(0, 3), (1, 2)] {
        let mirrored = [contact(b)[0], contact(b)[1], -contact(b)[2]];
        assert_close(contact(a), &mirrored, SAME * norm(&outcome.impulse));
    }
}
