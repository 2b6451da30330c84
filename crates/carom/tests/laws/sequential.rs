//! Sequences of collisions on random mechanisms: what they share with the pairwise law, and what they never do.

use carom::catalog::{SettingValue, Settings};
use carom::laws::{JointImpacts, Sequential, Ties};
use carom::outcome::{
    Effort, Ending, Note, Observer, ProblemOutcome, Recorder, SolverEffort, Step, StepRecord,
};
use carom::system::{
    Bodies, Body, BodyContact, Chain, Inertia, Joint, JointKind, Motion, Orientation,
};
use carom::{
    Contact, ContactKind, ContactProblem, ContactSpec, Law, Material, Restitution, Tolerances,
    Unobserved,
};
use carom_testkit::Rng;
use carom_testkit::generate::claims_contact;
use carom_testkit::laws::every_law;

const TOLERANCES: Tolerances = Tolerances::NOMINAL;

/// Rounding of sums over a few hundred collisions, against the size of their terms.
const CLOSE: f64 = 1e-12;

fn with_pairwise(law: Law) -> Sequential {
    Sequential::default().pairwise(law.single())
}

fn resolve(law: Sequential, problem: &ContactProblem) -> ProblemOutcome {
    Law::from(law)
        .resolve(problem, &TOLERANCES, &mut Unobserved)
        .unwrap_or_else(|error| panic!("{error}; {law:?} {problem:?}"))
}

fn effort(outcome: &ProblemOutcome) -> SolverEffort {
    match outcome.effort {
        Effort::Solver(effort) => effort,
        _ => panic!("{outcome:?}"),
    }
}

fn alone<const D: usize>(contact: &Contact<D>) -> ContactProblem {
    let w: Vec<f64> = contact.delassus().rows().as_flattened().to_vec();
    let spec = ContactSpec::new(D, *contact.material());
    ContactProblem::new(&w, contact.velocity().as_slice(), &[spec]).unwrap()
}

fn one_contact_is_the_law<const D: usize>() {
    for (row, law) in every_law::<D>() {
        let mut answered = 0;
        for index in 0..1000 {
            let contact = claims_contact::<D>(&mut Rng::for_item(31, index)).contact;
            let sequence = Law::from(with_pairwise(law));
            let sequence = sequence.resolve(&alone(&contact), &TOLERANCES, &mut Unobserved);
            match (law.resolve_contact(&contact, &TOLERANCES, &mut Unobserved), sequence) {
                (Ok(single), Ok(sequence)) => {
                    assert_eq!(
                        single.impulse.as_slice(),
                        sequence.impulse,
                        "{}: {contact:?}",
                        row.id
                    );
                    answered += 1;
                }
                (Err(single), Err(sequence)) => assert_eq!(single.kind(), sequence.kind()),
                other => panic!("{}: {contact:?} {other:?}", row.id),
            }
        }
        assert!(answered > 100, "{}: only {answered} impacts answered", row.id);
    }
}

#[test]
fn one_contact_is_the_law_to_the_last_bit() {
    one_contact_is_the_law::<1>();
    one_contact_is_the_law::<2>();
    one_contact_is_the_law::<3>();
}

/// A few bodies above the ground, neighbours joined or in contact, each with contacts below it; all fall and turn.
struct Scene {
    dimension: usize,
    joints: bool,
    mu: fn(&mut Rng) -> f64,
}

impl Scene {
    fn random(&self, rng: &mut Rng) -> Bodies {
        let d = self.dimension;
        let count = 2 + rng.index(2) as usize;
        let vector = |rng: &mut Rng, n: usize| -> Vec<f64> {
            (0..n).map(|_| rng.uniform(-1.0, 1.0)).collect()
        };
        let place = |along: f64, height: f64| -> Vec<f64> {
            let mut point = vec![0.0; d];
            point[0] = along;
            point[d - 1] = height;
            point
        };
        let ground = Body {
            name: "ground".into(),
            motion: Motion::Fixed,
            position: vec![],
            orientation: Orientation::Identity,
            velocity: vec![],
            angular_velocity: vec![],
        };
        let mut bodies = vec![ground.clone()];
        // All fall as one rigid body would, so that joints are at rest against each other.
        let (fall, spin) = (vector(rng, d), vector(rng, if d == 2 { 1 } else { 3 }));
        for k in 0..count {
            let mass = rng.uniform(0.3, 3.0);
            let moments = [rng.uniform(1.0, 1.9), rng.uniform(1.0, 1.9), 1.0];
            let position = place(k as f64, 0.5);
            let turning: Vec<f64> = match d {
                2 => vec![-spin[0] * position[1], spin[0] * position[0]],
                _ => vec![
                    spin[1] * position[2] - spin[2] * position[1],
                    spin[2] * position[0] - spin[0] * position[2],
                    spin[0] * position[1] - spin[1] * position[0],
                ],
            };
            let mut velocity: Vec<f64> = fall.iter().zip(&turning).map(|(a, b)| a + b).collect();
            if !self.joints {
                velocity = velocity.iter().map(|v| v + rng.uniform(-0.5, 0.5)).collect();
            }
            velocity[d - 1] -= if self.joints { 0.0 } else { 1.0 };
            bodies.push(Body {
                name: format!("body {k}"),
                motion: Motion::Free {
                    mass,
                    inertia: match d {
                        2 => Inertia::Planar(0.1 * mass * moments[0]),
                        _ => Inertia::Principal(moments.map(|m| 0.05 * mass * m)),
                    },
                },
                position,
                velocity,
                angular_velocity: spin.clone(),
                ..ground.clone()
            });
        }
        let contact = |rng: &mut Rng, a: usize, b: usize, point: Vec<f64>, normal: Vec<f64>| {
            let rows = if rng.chance(0.2) { 1 } else { d };
            let material = Material::new((self.mu)(rng), rng.uniform(0.0, 1.0)).unwrap();
            let spec = ContactSpec::new(rows, material);
            BodyContact { a, b, point, normal, tangent: None, spec }
        };
        let mut contacts = Vec::new();
        let mut joints = Vec::new();
        for k in 0..count {
            for side in [-0.3, 0.3] {
                let mut point = place(k as f64 + side * rng.uniform(0.5, 1.0), 0.0);
                if d == 3 {
                    point[1] = rng.uniform(-0.3, 0.3);
                }
                contacts.push(contact(rng, 0, k + 1, point, place(0.0, 1.0)));
            }
            let between = place(k as f64 + 0.5, rng.uniform(0.3, 0.7));
            if k + 1 < count && self.joints {
                let kind = if d == 3 { JointKind::Ball } else { JointKind::Hinge };
                joints.push(Joint { kind, a: k + 1, b: k + 2, point: between, axis: None });
            } else if k + 1 < count {
                contacts.push(contact(rng, k + 1, k + 2, between, place(1.0, 0.0)));
            }
        }
        Bodies::new(bodies, joints, contacts).unwrap()
    }
}

fn rough(rng: &mut Rng) -> f64 {
    if rng.chance(0.1) { 0.0 } else { rng.uniform(0.0, 1.0) }
}

/// Follows the energy: it may not grow at any collision.
struct EnergyMeter<'a> {
    problem: &'a ContactProblem,
    velocity: Vec<f64>,
    impulse: Vec<f64>,
}

impl Observer for EnergyMeter<'_> {
    fn wants_steps(&self) -> bool {
        true
    }
    fn step(&mut self, step: Step<'_>) {
        let Step::Collision { contact, impulse } = step else { panic!("{step:?}") };
        let rows = self.problem.row_range(contact);
        let mut work = 0.0;
        let mut size = 0.0;
        for (i, p) in rows.clone().zip(impulse) {
            self.impulse[i] += p;
            work += p * self.velocity[i];
            size += (p * self.velocity[i]).abs();
        }
        for i in 0..self.velocity.len() {
            let change: f64 =
                rows.clone().zip(impulse).map(|(j, p)| self.problem.delassus_at(i, j) * p).sum();
            if rows.contains(&i) {
                work += 0.5 * impulse[i - rows.start] * change;
            }
            self.velocity[i] += change;
        }
        assert!(work <= 64.0 * f64::EPSILON * size, "{work:e} J at contact {contact}, {size:e}");
    }
}

/// Every pairwise law that promises to keep energy and is defined without settings of its own.
fn dissipative() -> Vec<Law> {
    let ids = [
        "frictionless",
        "chatterjee-ruina",
        "smith",
        "anitescu-potra",
        "routh-poisson",
        "routh-stronge",
        "composite",
    ];
    ids.iter().map(|id| Law::from_id(id).unwrap()).collect()
}

fn assert_in_cones(problem: &ContactProblem, impulse: &[f64]) {
    let size = impulse.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
    for (k, contact) in problem.contacts().iter().enumerate() {
        let p = &impulse[problem.row_range(k)];
        let friction = p[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!(p[0] >= 0.0 && friction <= contact.material.mu * p[0] + CLOSE * size, "{p:?}");
    }
}

#[test]
fn energy_never_grows_and_impulses_stay_in_their_cones() {
    for (dimension, draws) in [(2, 40), (3, 25)] {
        for index in 0..draws {
            let rng = &mut Rng::for_item(32, index);
            let scene = Scene { dimension, joints: index % 2 == 0, mu: rough };
            let bodies = scene.random(rng);
            let problem = bodies.problem();
            for law in dissipative() {
                let mut meter = EnergyMeter {
                    problem,
                    velocity: problem.velocity().to_vec(),
                    impulse: vec![0.0; problem.rows()],
                };
                let sequence = Law::from(with_pairwise(law));
                let outcome = sequence.resolve(problem, &TOLERANCES, &mut meter).unwrap();
                assert_in_cones(problem, &outcome.impulse);
                assert_eq!(meter.impulse.len(), outcome.impulse.len());
                let speed = problem.velocity().iter().fold(0.0, |m: f64, u| m.max(u.abs()));
                for k in 0..problem.len() {
                    let after = outcome.velocity[problem.row_range(k).start];
                    assert!(after >= -4.0 * CLOSE * speed, "{after:e} {}", law.id());
                }
                assert!(!outcome.notes.contains(Note::NoGuarantee));
            }
        }
    }
}

#[test]
fn joints_hold_in_the_end_whether_they_fold_or_collide() {
    for dimension in [2, 3] {
        for index in 0..40 {
            let rng = &mut Rng::for_item(33, index);
            let bodies = Scene { dimension, joints: true, mu: rough }.random(rng);
            let problem = bodies.problem();
            for hinges in [JointImpacts::Fold, JointImpacts::Impact] {
                let law = Sequential::default().hinges(hinges);
                let outcome = resolve(law, problem);
                assert_in_cones(problem, &outcome.impulse);
                let after = bodies.after(&outcome.impulse).unwrap();
                assert!(after.bilateral_residual < CLOSE, "{after:?}");
                assert!(after.kinetic_energy_change <= CLOSE, "{after:?}");
                for k in 0..problem.len() {
                    // What is left of an endless sequence, seen through the joints.
                    assert!(outcome.velocity[problem.row_range(k).start] >= -12.0 * CLOSE);
                }
            }
        }
    }
}

#[test]
fn joints_make_a_difference_only_if_there_are_any() {
    let rng = &mut Rng::new(34);
    let bodies = Scene { dimension: 3, joints: false, mu: rough }.random(rng);
    let fold = resolve(Sequential::default(), bodies.problem());
    let law = Sequential::default().hinges(JointImpacts::Impact);
    assert_eq!(resolve(law, bodies.problem()), fold);
    let bodies = Scene { dimension: 3, joints: true, mu: rough }.random(rng);
    assert_ne!(
        resolve(law, bodies.problem()).impulse,
        resolve(Sequential::default(), bodies.problem()).impulse
    );
}

#[test]
fn without_friction_all_laws_are_the_frictionless_one() {
    for index in 0..40 {
        let rng = &mut Rng::for_item(35, index);
        let bodies =
            Scene { dimension: 2 + index as usize % 2, joints: false, mu: |_| 0.0 }.random(rng);
        let default = resolve(Sequential::default(), bodies.problem());
        for law in dissipative() {
            let outcome = resolve(with_pairwise(law), bodies.problem());
            let size = default.impulse.iter().fold(0.0, |m: f64, p| m.max(*p));
            for (x, y) in outcome.impulse.iter().zip(&default.impulse) {
                assert!((x - y).abs() <= CLOSE * size, "{}: {x} {y}", law.id());
            }
        }
    }
}

/// A contact that holds both ways beside others: it ends at rest.
#[test]
fn bilateral_contacts_are_brought_to_rest() {
    let unilateral = ContactSpec::new(1, Material::new(0.0, 0.5).unwrap());
    let bilateral = ContactSpec { kind: ContactKind::Bilateral, ..unilateral };
    let w = [2.0, -1.0, 0.5, -1.0, 2.0, 0.25, 0.5, 0.25, 1.0];
    let specs = [unilateral, bilateral, unilateral];
    let problem = ContactProblem::new(&w, &[-1.0, 0.5, -0.25], &specs).unwrap();
    let outcome = resolve(Sequential::default(), &problem);
    assert!(outcome.velocity[1].abs() < CLOSE);
    assert!(outcome.velocity[0] > -CLOSE && outcome.velocity[2] > -CLOSE);
    assert!(outcome.impulse[0] >= 0.0 && outcome.impulse[2] >= 0.0);
}

fn symmetric_chain() -> Chain {
    Chain::new(vec![1.0, 4.0, 1.0, 4.0, 1.0], vec![1.0, 0.0, 0.0, 0.0, -1.0], vec![0.5; 4]).unwrap()
}

#[test]
fn ties_are_broken_as_asked_and_the_same_way_every_time() {
    let chain = symmetric_chain();
    let steps = |ties: Ties, seed: u64| {
        let mut recorder = Recorder::new(1000);
        let law = Law::from(Sequential::default().ties(ties).seed(seed));
        let outcome = law.resolve(chain.problem(), &TOLERANCES, &mut recorder).unwrap();
        assert!(outcome.notes.contains(Note::Ties) && effort(&outcome).ties > 0);
        let first = match recorder.steps[0] {
            StepRecord::Collision { contact, .. } => contact,
            _ => panic!("{:?}", recorder.steps[0]),
        };
        (first, recorder.steps)
    };
    assert_eq!(steps(Ties::Index, 0).0, 0);
    // frac(3 φ) = 0.854 beats frac(0) = 0.
    assert_eq!(steps(Ties::Perturb, 0).0, 3);
    let firsts: Vec<usize> = (0..20).map(|seed| steps(Ties::Random, seed).0).collect();
    assert!(firsts.contains(&0) && firsts.contains(&3), "{firsts:?}");
    for ties in [Ties::Index, Ties::Perturb, Ties::Random] {
        assert_eq!(steps(ties, 5), steps(ties, 5));
    }
}

/// An unrelated impact changes no bit, whatever the ties and however fast it is.
#[test]
fn unrelated_contacts_do_not_matter() {
    let chain = symmetric_chain();
    let problem = chain.problem();
    let n = problem.rows();
    let mut w = vec![0.0; (n + 1) * (n + 1)];
    for i in 0..n {
        for j in 0..n {
            w[i * (n + 1) + j] = problem.delassus_at(i, j);
        }
    }
    w[(n + 1) * (n + 1) - 1] = 3.0;
    let mut velocity = problem.velocity().to_vec();
    velocity.push(-1e6);
    let mut specs = problem.contacts().to_vec();
    specs.push(ContactSpec::new(1, Material::new(0.0, 1.0).unwrap()));
    let larger = ContactProblem::new(&w, &velocity, &specs).unwrap();
    for ties in [Ties::Index, Ties::Perturb, Ties::Random] {
        let law = Sequential::default().ties(ties).seed(5);
        let (alone, together) = (resolve(law, problem), resolve(law, &larger));
        assert_eq!(alone.impulse, together.impulse[..n]);
    }
}

/// e falls from 1 to ½ between 0 and 2 m/s. The first collision is at 1 m/s, with e = ¾: (1/8, 7/8, 0). The second is
/// at 7/8 m/s, with e = 25/32: 57/64 of 7/8 changes hands. Then the first pair again, at 1/8 − 49/512 = 15/512 m/s.
#[test]
fn a_curve_of_restitution_is_read_at_every_collision() {
    let curve = Restitution::Curve { minimum: 0.5, capture_speed: 0.0, plastic_speed: 2.0 };
    let material = Material { restitution: curve, ..Material::new(0.0, 0.0).unwrap() };
    let spec = ContactSpec::new(1, material);
    let w = [2.0, -1.0, -1.0, 2.0];
    let problem = ContactProblem::new(&w, &[-1.0, 0.0], &[spec, spec]).unwrap();
    let outcome = resolve(Sequential::default(), &problem);
    let e = |speed: f64| 1.0 - 0.25 * speed;
    let [first, second, third] = [1.0, 7.0 / 8.0, 15.0 / 512.0].map(|s| 0.5 * (1.0 + e(s)) * s);
    assert_eq!(effort(&outcome).collisions, 3);
    assert!((outcome.impulse[0] - (first + third)).abs() < 1e-15);
    assert!((outcome.impulse[1] - second).abs() < 1e-15);
}

/// Unlike balls at e = 0 stay together, and the projection on their limit says how far it was.
#[test]
fn endless_sequences_say_how_they_were_ended() {
    let chain = Chain::new(vec![1.0, 2.0, 3.0], vec![1.0, 0.0, 0.0], vec![0.0, 0.0]).unwrap();
    let outcome = resolve(Sequential::default(), chain.problem());
    let smooth = effort(&outcome);
    assert_eq!(smooth.ending, Ending::Projected);
    assert!(smooth.truncation > 0.0 && smooth.truncation < 1e-11);
    for v in chain.after(&outcome.impulse).unwrap().velocity {
        assert!((v - 1.0 / 6.0).abs() < 1e-15);
    }
    // With friction there is no such limit: a planar block on two rough contacts.
    let spec = ContactSpec::new(2, Material::new(0.3, 0.0).unwrap());
    let w = rows_of_a_block();
    let problem = ContactProblem::new(&w, &[-1.0, 0.5, -1.5, 0.5], &[spec, spec]).unwrap();
    let rough = effort(&resolve(Sequential::default(), &problem));
    assert_eq!(rough.ending, Ending::Tolerance);
    assert!(rough.truncation > 0.0 && rough.truncation <= 12.0 * TOLERANCES.approach * 1.6);
}

/// `J M⁻¹ Jᵀ` of a block of mass 1 and moment ½ with contacts at (±1, −½), normals up.
fn rows_of_a_block() -> Vec<f64> {
    let rows = [[0.0, 1.0, -1.0], [-1.0, 0.0, -0.5], [0.0, 1.0, 1.0], [-1.0, 0.0, -0.5]];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + 2.0 * a[2] * b[2];
    rows.iter().flat_map(|a| rows.iter().map(|b| dot(*a, *b))).collect()
}

#[test]
fn laws_that_may_gain_energy_are_marked() {
    let chain = symmetric_chain();
    for (id, marked) in [("whittaker", true), ("routh-newton", true), ("smith", false)] {
        let outcome = resolve(with_pairwise(Law::from_id(id).unwrap()), chain.problem());
        assert_eq!(outcome.notes.contains(Note::NoGuarantee), marked, "{id}");
    }
}

#[test]
fn settings_are_read_and_told_in_full() {
    let text = |word: &str| SettingValue::Text(word.into());
    let settings = Settings::from([
        ("pairwise".into(), text("routh-stronge")),
        ("ties".into(), text("random")),
        ("seed".into(), SettingValue::Number(7.0)),
        ("hinges".into(), text("impact")),
        ("max_collisions".into(), SettingValue::Number(1000.0)),
    ]);
    let law = Law::with_settings("sequential", &settings).unwrap();
    let told = law.settings(None);
    assert_eq!(Law::with_settings("sequential", &told).unwrap(), law);
    let Some(SettingValue::Table(pairwise)) = told.get("pairwise") else { panic!("{told:?}") };
    assert_eq!(pairwise.get("id"), Some(&text("routh-stronge")));
    assert!(pairwise.contains_key("phases"));

    let default = Law::from_id("sequential").unwrap();
    let chain = symmetric_chain();
    let Some(SettingValue::Table(pairwise)) =
        default.settings(Some(chain.problem())).remove("pairwise")
    else {
        panic!("no pairwise law")
    };
    assert_eq!(pairwise.get("id"), Some(&text("frictionless")));

    for (name, value) in [
        ("pairwise", SettingValue::Number(1.0)),
        ("pairwise", text("newton")),
        ("ties", text("size")),
        ("seed", SettingValue::Number(0.5)),
        ("max_collisions", SettingValue::Number(0.0)),
        ("hinge", text("fold")),
    ] {
        let settings = Settings::from([(name.into(), value)]);
        assert!(Law::with_settings("sequential", &settings).is_err(), "{name}");
    }
}

/// Newton's cradle of a hundred thousand: one collision per contact.
#[test]
fn a_long_cradle_is_quick() {
    let n = 100_000;
    let mut velocity = vec![0.0; n];
    velocity[0] = 1.0;
    let chain = Chain::new(vec![1.0; n], velocity, vec![1.0; n - 1]).unwrap();
    let outcome = resolve(Sequential::default(), chain.problem());
    assert_eq!(effort(&outcome).collisions, n as u64 - 1);
    let after = chain.after(&outcome.impulse).unwrap().velocity;
    assert!(after[..n - 1].iter().all(|v| *v == 0.0) && after[n - 1] == 1.0);
}
