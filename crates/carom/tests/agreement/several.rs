//! Theorems about laws for several contacts: where they agree, what they dissipate, which impulse they choose.

use carom::outcome::{Effort, Note, ProblemOutcome};
use carom::{ContactProblem, ContactSpec, Law, Material};
use carom_testkit::generate::several::{Kind, several, several_of};
use carom_testkit::judge::speed_scale;
use carom_testkit::laws::{every_multi_law, law, resolve_several};
use carom_testkit::{Mechanism, Rng};
use nalgebra::{DMatrix, DVector};

const SEED: u64 = 0xa9e3;

/// Systems per theorem.
const SYSTEMS: u64 = 3000;

/// How far two ways to the same velocity may lead apart, relative to the terms that make it up: rounding, times the
/// condition of systems whose masses span decades.
const SAME: f64 = 1e-9;

fn law_with_e(id: &str, restitution: f64) -> Law {
    let laws = every_multi_law(restitution);
    let found = laws.into_iter().find(|(row, _)| row.id == id);
    found.map_or_else(|| law(id), |(_, law)| law)
}

fn assert_same_velocities(
    what: &str,
    problem: &ContactProblem,
    one: &ProblemOutcome,
    two: &ProblemOutcome,
) {
    let off = one.velocity.iter().zip(&two.velocity).map(|(x, y)| (x - y).abs());
    let off = off.fold(0.0, f64::max);
    let scale = speed_scale(problem, &one.impulse);
    assert!(
        off <= SAME * scale,
        "{what}: {:?} {:?}, {off:e} of {scale:e}; {problem:?}",
        one.velocity,
        two.velocity
    );
}

fn work(problem: &ContactProblem, outcome: &ProblemOutcome) -> f64 {
    let rows = 0..problem.rows();
    rows.map(|i| 0.5 * outcome.impulse[i] * (problem.velocity()[i] + outcome.velocity[i])).sum()
}

/// The sizes of the terms of the work, what cancels included.
fn work_scale(problem: &ContactProblem, outcome: &ProblemOutcome) -> f64 {
    outcome.impulse.iter().map(|p| p.abs()).sum::<f64>() * speed_scale(problem, &outcome.impulse)
}

#[test]
fn equal_restitution_makes_newton_poisson_and_moreau_agree() {
    for i in 0..SYSTEMS {
        let sample = several(&mut Rng::for_item(SEED, i));
        let e = sample.restitution;
        let problem = sample.mechanism.with_e(|_| e).problem();
        let newton = resolve_several(&law("newton"), &problem);
        for id in ["poisson", "moreau"] {
            let other = resolve_several(&law(id), &problem);
            assert_same_velocities(&format!("{id}, system {i}"), &problem, &newton, &other);
        }
    }
}

/// If contacts that `W` couples have the same `e`, Newton's law and Poisson's are one, whatever else differs.
#[test]
fn newton_is_poisson_where_coupled_contacts_have_equal_restitution() {
    for i in 0..SYSTEMS {
        let mut rng = Rng::for_item(SEED ^ 1, i);
        let (one, two) = (several(&mut rng), several(&mut rng));
        let (e, f) = (rng.unit(), rng.unit());
        let both = one.mechanism.with_e(|_| e).beside(&two.mechanism.with_e(|_| f));
        // Mixed, so that no order gives the parts away.
        let count = both.contacts.len();
        let order: Vec<usize> =
            (0..count).map(|k| if k % 2 == 0 { k / 2 } else { count - 1 - k / 2 }).collect();
        let problem = both.reordered(&order).problem();
        let newton = resolve_several(&law("newton"), &problem);
        let poisson = resolve_several(&law("poisson"), &problem);
        assert_same_velocities(&format!("system {i}"), &problem, &newton, &poisson);
    }
}

/// The other direction. Where compression brings every contact to rest, `u⁻ = −W p^C`, Newton's law asks for
/// `W p = (1 + E) W p^C` and Poisson's for `p = (1 + E) p^C`: they differ by `(E W − W E) p^C`, which does not vanish
/// for all `p^C` unless `W_ij (e_i − e_j) = 0`. On chains every approach can be brought to rest so: `W⁻¹` has no negative
/// entry.
#[test]
fn newton_is_not_poisson_where_coupled_contacts_have_unequal_restitution() {
    for i in 0..SYSTEMS {
        let mut rng = Rng::for_item(SEED ^ 2, i);
        let alternating = |k: usize| 0.5 * (k % 2) as f64;
        let mechanism = several_of(Kind::Chain, &mut rng).mechanism.with_e(alternating);
        // Beside masses of other decades what couples contacts is hardly there.
        let (light, heavy) = (0..mechanism.size())
            .map(|k| mechanism.mass[k * mechanism.size() + k])
            .fold((f64::INFINITY, 0.0_f64), |(low, high), m| (low.min(m), high.max(m)));
        if mechanism.contacts.len() < 2 || heavy > 100.0 * light {
            continue;
        }
        let differs = (0..20).any(|_| {
            let mut moving = mechanism.clone();
            let mut v = 0.0;
            moving.velocity.iter_mut().for_each(|x| {
                *x = v;
                v -= rng.unit();
            });
            let problem = moving.problem();
            let newton = resolve_several(&law("newton"), &problem);
            let poisson = resolve_several(&law("poisson"), &problem);
            let off = newton.velocity.iter().zip(&poisson.velocity).map(|(x, y)| (x - y).abs());
            // Unit approach speeds: far beyond rounding.
            off.fold(0.0, f64::max) > 1e-6
        });
        assert!(differs, "system {i}: {mechanism:?}");
    }
}

/// If no two contacts help each other (`W_ij ≤ 0`), `W⁻¹` has no negative entry and nobody pulls.
#[test]
fn newton_s_equations_need_no_inequalities_on_chains() {
    for i in 0..SYSTEMS {
        let problem = several_of(Kind::Chain, &mut Rng::for_item(SEED ^ 3, i)).problem();
        let equations = resolve_several(&law("newton-equality"), &problem);
        let inequalities = resolve_several(&law("newton"), &problem);
        assert_same_velocities(&format!("system {i}"), &problem, &equations, &inequalities);
    }
}

#[test]
fn newton_loses_what_its_restitution_says() {
    for i in 0..SYSTEMS {
        let sample = several(&mut Rng::for_item(SEED ^ 4, i));
        let problem = sample.problem();
        let outcome = resolve_several(&law("newton"), &problem);
        // ΔE = ½ Σ (1 − e_i) u_i⁻ p_i, because u_i⁺ = −e_i u_i⁻ wherever p_i > 0.
        let expected: f64 = (0..problem.len())
            .map(|k| {
                let row = problem.row_range(k).start;
                let e = problem.contacts()[k].material.restitution.at(0.0);
                0.5 * (1.0 - e) * problem.velocity()[row] * outcome.impulse[row]
            })
            .sum();
        let off = (work(&problem, &outcome) - expected).abs();
        assert!(
            off <= 1e-11 * work_scale(&problem, &outcome),
            "system {i}: off by {off}; {sample:?}"
        );
    }
}

#[test]
fn moreau_keeps_the_square_of_its_index() {
    for i in 0..SYSTEMS {
        let sample = several(&mut Rng::for_item(SEED ^ 5, i));
        let problem = sample.problem();
        let e = sample.restitution;
        let least = resolve_several(&law("max-dissipation"), &problem);
        let outcome = resolve_several(&law_with_e("moreau", e), &problem);
        // T⁺ = T_I + e² (T⁻ − T_I): of what maximum dissipation loses, 1 − e² is lost.
        let expected = (1.0 - e * e) * work(&problem, &least);
        let off = (work(&problem, &outcome) - expected).abs();
        assert!(
            off <= 1e-11 * work_scale(&problem, &outcome),
            "system {i}: off by {off}; {sample:?}"
        );
    }
}

/// Laws whose `e = 0` is maximum dissipation, by their equations.
const PLASTIC: [&str; 4] = ["newton", "poisson", "moreau", "generalized-reflections"];

#[test]
fn without_restitution_dissipation_is_greatest() {
    for i in 0..SYSTEMS {
        let sample = several(&mut Rng::for_item(SEED ^ 6, i));
        let problem = sample.mechanism.with_e(|_| 0.0).problem();
        let least = resolve_several(&law("max-dissipation"), &problem);
        for id in PLASTIC {
            let other = resolve_several(&law_with_e(id, 0.0), &problem);
            assert_same_velocities(&format!("{id}, system {i}"), &problem, &least, &other);
        }
    }
}

/// Laws that let all contacts act at once, and so choose among impulses that do the same.
const SIMULTANEOUS: [&str; 4] = ["newton", "poisson", "moreau", "max-dissipation"];

#[test]
fn a_contact_there_twice_shares_its_impulse() {
    for i in 0..SYSTEMS {
        let mut rng = Rng::for_item(SEED ^ 7, i);
        let sample = several_of(Kind::Chain, &mut rng);
        let once = sample.mechanism;
        let k = rng.index(once.jacobian.len() as u64) as usize;
        let mut twice = once.clone();
        twice.jacobian.push(once.jacobian[k].clone());
        twice.contacts.push(once.contacts[k]);
        twice.drive.push(once.drive[k]);
        let (one, two) = (once.problem(), twice.problem());
        for id in SIMULTANEOUS {
            let law = law_with_e(id, sample.restitution);
            let (a, b) = (resolve_several(&law, &one), resolve_several(&law, &two));
            let largest = a.impulse.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
            let last = b.impulse.len() - 1;
            for (j, p) in a.impulse.iter().enumerate() {
                let together = if j == k { b.impulse[j] + b.impulse[last] } else { b.impulse[j] };
                assert!((p - together).abs() <= SAME * largest, "{id}, system {i}: {a:?} {b:?}");
            }
            let apart = (b.impulse[k] - b.impulse[last]).abs();
            assert!(apart <= SAME * largest, "{id}, system {i}: {:?}; {twice:?}", b.impulse);
        }
    }
}

fn spec(e: f64) -> ContactSpec {
    ContactSpec::new(1, Material::new(0.0, e).unwrap_or_else(|error| panic!("{error}")))
}

/// A block with unit half sizes on four corners.
fn block(e: [f64; 4]) -> Mechanism {
    let corners = [[1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];
    let rows = corners.iter().map(|[x, y]| vec![1.0, *x, *y]).collect();
    let contacts = e.into_iter().map(spec).collect();
    Mechanism::new(&[1.0, 2.0 / 3.0, 2.0 / 3.0], vec![-1.0, 0.0, 0.0], rows, contacts)
}

#[test]
fn a_block_dropped_flat_loads_its_corners_equally() {
    for e in [0.0, 0.5, 1.0] {
        let problem = block([e; 4]).problem();
        for id in SIMULTANEOUS {
            let outcome = resolve_several(&law_with_e(id, e), &problem);
            let expected = if id == "max-dissipation" { 0.25 } else { 0.25 * (1.0 + e) };
            for p in &outcome.impulse {
                assert!((p - expected).abs() < 1e-14, "{id}, e = {e}: {:?}", outcome.impulse);
            }
            assert!(outcome.notes.contains(Note::ImpulseNotUnique), "{id}");
            let Effort::Solver(effort) = outcome.effort else { panic!("{id}") };
            assert_eq!(effort.impulse_unique, Some(false), "{id}");
        }
    }
}

/// Compression leaves a quarter at each corner if its norm is least, and v⁺ = 1/2 follows; (1/2, 0, 1/2, 0) would stop the
/// block as well, and v⁺ = 1 follow from it.
#[test]
fn poisson_says_that_its_velocities_depend_on_a_choice() {
    let block = block([1.0, 0.0, 1.0, 0.0]);
    let system = block.system();
    let outcome = resolve_several(&law("poisson"), system.problem());
    let after = system.after(&outcome.impulse).unwrap_or_else(|e| panic!("{e}"));
    for (v, expected) in after.velocity.iter().zip([0.5, 0.0, 0.0]) {
        assert!((v - expected).abs() < 1e-14, "{:?}", after.velocity);
    }
    assert!(outcome.notes.contains(Note::VelocityNotUnique));
    let equal = resolve_several(&law("poisson"), &self::block([0.5; 4]).problem());
    assert!(!equal.notes.contains(Note::VelocityNotUnique));
}

/// The least `Σ W_ii z_i²` of all `z ≥ 0` with `W z = W p`, by trying every support.
fn least_of_all(problem: &ContactProblem, p: &[f64]) -> f64 {
    let n = p.len();
    let root = |i: usize| problem.delassus_at(i, i).sqrt();
    let w = DMatrix::from_fn(n, n, |i, j| problem.delassus_at(i, j) / (root(i) * root(j)));
    let x = DVector::from_fn(n, |i, _| p[i] * root(i));
    let target = &w * &x;
    let mut least = f64::INFINITY;
    for support in 0_u32..1 << n {
        let rows: Vec<usize> = (0..n).filter(|i| support >> i & 1 == 1).collect();
        if rows.is_empty() {
            continue;
        }
        let columns = w.select_columns(&rows);
        let Ok(inverse) = columns.clone().pseudo_inverse(1e-9) else { continue };
        let share = inverse * &target;
        let fits = (&columns * &share - &target).amax() <= 1e-9 * x.amax();
        if fits && share.min() >= -1e-9 * x.amax() {
            least = least.min(share.norm_squared());
        }
    }
    least
}

#[test]
fn impulses_are_the_least_that_do_the_same() {
    let mut redundant = 0;
    for i in 0..SYSTEMS {
        let mut rng = Rng::for_item(SEED ^ 8, i);
        let kind = [Kind::Graph, Kind::Duplicated, Kind::SelfStressed][rng.index(3) as usize];
        let sample = several_of(kind, &mut rng);
        let problem = sample.problem();
        let outcome = resolve_several(&law("max-dissipation"), &problem);
        if !outcome.notes.contains(Note::ImpulseNotUnique) || problem.rows() > 8 {
            continue;
        }
        redundant += 1;
        let norm: f64 = (0..problem.rows())
            .map(|i| problem.delassus_at(i, i) * outcome.impulse[i] * outcome.impulse[i])
            .sum();
        let least = least_of_all(&problem, &outcome.impulse);
        assert!(
            norm <= least * (1.0 + 1e-9),
            "system {i}: {norm} where {least} is enough: {:?}; {sample:?}",
            outcome.impulse
        );
    }
    assert!(redundant > SYSTEMS / 10, "only {redundant} systems were redundant");
}
