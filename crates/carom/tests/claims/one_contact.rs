//! Claims × catalogue: what each law's row promises, checked on random impacts of every kind.
//!
//! `CAROM_CLAIMS` sets the number of impacts per law and dimension (100 000 if absent), `CAROM_LAWS` names the laws,
//! separated by commas (all if absent). Impact `i` depends on the seed and on `i` alone, so a failure is reproduced by
//! what its message prints.

use carom::catalog::LawInfo;
use carom::{
    Contact, ContactVec, Delassus, ImpactError, Law, Material, Outcome, Tolerances, Unobserved,
};
use carom_testkit::Rng;
use carom_testkit::cases::{PLANAR, kane_pendulum};
use carom_testkit::generate::{Sample, claims_contact};
use carom_testkit::judge::judge;
use carom_testkit::laws::{every_law, law, resolve};
use carom_testkit::transform::{Turn, scaled, with_material};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

const SEED: u64 = 0x00ca_401d;

/// What a claim may be off by, relative to the size of the terms that were added up.
const TOLERANCE: f64 = 1e-12;

/// `u⁺ = u⁻ + W p` is three products and sums: each is rounded once.
const MOMENTUM_TOLERANCE: f64 = 8.0 * f64::EPSILON;

/// Threads per test.
const WORKERS: usize = 2;

/// No impact takes longer, even on a machine busy with other things.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often a long run says how far it is.
const TELL_EVERY: Duration = Duration::from_secs(30);

/// What became of one law's impacts.
#[derive(Clone, Debug, Default)]
struct Tally {
    answered: u64,
    no_solution: u64,
    not_applicable: u64,
    failures: u64,
    /// The first few failures in words.
    reports: Vec<String>,
}

impl Tally {
    fn merge(&mut self, other: Self) {
        self.answered += other.answered;
        self.no_solution += other.no_solution;
        self.not_applicable += other.not_applicable;
        self.failures += other.failures;
        self.reports.extend(other.reports);
        self.reports.truncate(3);
    }

    fn check<const D: usize>(&mut self, row: &LawInfo, law: &Law, sample: &Sample<D>, index: u64) {
        let answer = catch_unwind(AssertUnwindSafe(|| {
            law.resolve_contact(&sample.contact, &Tolerances::NOMINAL, &mut Unobserved)
        }));
        let broken = match answer {
            Err(_) => Some("panicked".into()),
            Ok(Err(error)) => self.unexpected(row, sample, &error),
            Ok(Ok(outcome)) => {
                self.answered += 1;
                broken_claim(row, sample, &outcome)
            }
        };
        if let Some(symptom) = broken {
            self.failures += 1;
            if self.reports.len() < 3 {
                let (id, contact) = (row.id, &sample.contact);
                self.reports.push(format!(
                    "{id}, D = {D}, seed {SEED:#x}, impact {index} ({:?}): {symptom}\n    {contact:?}",
                    sample.class
                ));
            }
        }
    }

    /// Counts the errors that valid input may have; any other is told.
    fn unexpected<const D: usize>(
        &mut self,
        row: &LawInfo,
        sample: &Sample<D>,
        error: &ImpactError,
    ) -> Option<String> {
        match error {
            // Brach's ratios may ask for an impulse that does not exist, and a mechanism that locks cannot reach the rebound
            // that Newton's restitution with Coulomb's friction demands.
            ImpactError::NoSolution { .. } if !row.claims.total => self.no_solution += 1,
            _ if outside_class(row.id, &sample.contact) => self.not_applicable += 1,
            _ => return Some(format!("refused valid input: {error}")),
        }
        None
    }
}

/// Whether the contact lies outside the class for which the law is defined, judged without the law.
fn outside_class<const D: usize>(law: &str, contact: &Contact<D>) -> bool {
    let (w, u) = (contact.delassus(), contact.velocity());
    match law {
        // The bilinear law needs a normal that is not coupled to the tangents, and slip along a principal axis.
        "bilinear" => {
            let coupled = (1..D).any(|i| w.at(0, i) != 0.0);
            let along = w.apply(&ContactVec::from_parts(0.0, u.tangent())).padded();
            let [_, x, y] = u.padded();
            coupled || along[1] * y != along[2] * x
        }
        "pfeiffer-glocker" => contact.material().e_t < 0.0,
        _ => false,
    }
}

/// The first claim that the outcome breaks, in words.
fn broken_claim<const D: usize>(
    row: &LawInfo,
    sample: &Sample<D>,
    outcome: &Outcome<D>,
) -> Option<String> {
    let Outcome { impulse, velocity, .. } = outcome;
    if !impulse.is_finite() || !velocity.is_finite() {
        return Some(format!("not finite: p = {impulse:?}, u = {velocity:?}"));
    }
    let v = judge(&sample.contact, sample.energy, impulse, velocity);
    let claims = &row.claims;
    [
        ("momentum", true, v.momentum, MOMENTUM_TOLERANCE),
        ("energy", claims.energy, v.energy, TOLERANCE),
        ("separation", claims.separation, v.separation, TOLERANCE),
        ("normal impulse", claims.cone, v.normal, TOLERANCE),
        ("cone", claims.cone, v.cone, TOLERANCE),
        ("restitution", claims.restitution, v.restitution, TOLERANCE),
    ]
    .into_iter()
    // A NaN counts as broken.
    .find(|(_, claimed, violation, tolerance)| {
        *claimed && (violation.is_nan() || violation > tolerance)
    })
    .map(|(name, _, violation, _)| {
        let effort = outcome.effort;
        format!("{name} broken by {violation:e}: p = {impulse:?}, u = {velocity:?}, {effort:?}")
    })
}

fn impacts_per_law() -> u64 {
    match std::env::var("CAROM_CLAIMS") {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("CAROM_CLAIMS = {text}: must be a number of impacts")),
        Err(_) => 100_000,
    }
}

/// The laws to test.
fn chosen_laws<const D: usize>() -> Vec<(&'static LawInfo, Law)> {
    let mut laws = every_law::<D>();
    if let Ok(names) = std::env::var("CAROM_LAWS") {
        laws.retain(|(row, _)| names.split(',').any(|name| name == row.id));
    }
    laws
}

fn sample<const D: usize>(index: u64) -> Sample<D> {
    claims_contact::<D>(&mut Rng::for_item(SEED, index))
}

/// Every law on the impacts `first, first + WORKERS, …`; `progress` counts resolutions begun.
fn run<const D: usize>(
    laws: &[(&LawInfo, Law)],
    first: u64,
    impacts: u64,
    progress: &AtomicU64,
) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); laws.len()];
    for index in (first..impacts).step_by(WORKERS) {
        let sample = sample::<D>(index);
        for ((row, law), tally) in laws.iter().zip(&mut tallies) {
            progress.fetch_add(1, Ordering::Relaxed);
            tally.check(row, law, &sample, index);
        }
    }
    tallies
}

/// Waits for a worker; one that stands still for [`PATIENCE`] is in an endless loop, which only the end of the
/// process can stop.
fn watch<const D: usize>(
    worker: &ScopedJoinHandle<'_, Vec<Tally>>,
    laws: &[(&LawInfo, Law)],
    first: u64,
    impacts: u64,
    progress: &AtomicU64,
) {
    let (mut seen, mut since) = (0, Instant::now());
    let mut told = Instant::now();
    while !worker.is_finished() {
        std::thread::sleep(Duration::from_millis(5));
        let now = progress.load(Ordering::Relaxed);
        if told.elapsed() > TELL_EVERY {
            told = Instant::now();
            let done = now * WORKERS as u64 / laws.len().max(1) as u64;
            let _ = writeln!(std::io::stderr(), "{D} rows: {done} of {impacts} impacts per law");
        }
        if now != seen {
            (seen, since) = (now, Instant::now());
        } else if since.elapsed() > PATIENCE && now > 0 {
            let count = laws.len() as u64;
            let index = first + (now - 1) / count * WORKERS as u64;
            let (row, _) = laws[((now - 1) % count) as usize];
            let contact = sample::<D>(index).contact;
            // Past the capture of test output, which an exit would swallow.
            let _ = writeln!(
                std::io::stderr(),
                "{}, D = {D}, seed {SEED:#x}, impact {index}: does not end\n    {contact:?}",
                row.id
            );
            std::process::exit(101);
        }
    }
}

fn claims_hold<const D: usize>() {
    let laws = &chosen_laws::<D>();
    let impacts = impacts_per_law();
    let mut tallies = vec![Tally::default(); laws.len()];
    let progress: [AtomicU64; WORKERS] = Default::default();
    std::thread::scope(|scope| {
        let workers: [_; WORKERS] = std::array::from_fn(|w| {
            let progress = &progress[w];
            scope.spawn(move || run::<D>(laws, w as u64, impacts, progress))
        });
        for (w, worker) in workers.into_iter().enumerate() {
            watch::<D>(&worker, laws, w as u64, impacts, &progress[w]);
            let half = worker.join().unwrap_or_else(|_| panic!("the runner itself panicked"));
            for (tally, other) in tallies.iter_mut().zip(half) {
                tally.merge(other);
            }
        }
    });
    println!("{impacts} impacts of {D} rows per law, seed {SEED:#x}");
    println!("law  answered  no-solution  not-applicable  failures");
    let mut reports = Vec::new();
    for ((row, _), tally) in laws.iter().zip(&tallies) {
        let Tally { answered, no_solution, not_applicable, failures, .. } = tally;
        println!("{}  {answered}  {no_solution}  {not_applicable}  {failures}", row.id);
        if *failures > 0 {
            reports.push(format!("{}: {failures} failures, the first:", row.id));
            reports.extend(tally.reports.iter().cloned());
        } else if answered * 20 < impacts {
            // A law that refuses nearly everything has shown nothing.
            reports.push(format!("{}: only {answered} of {impacts} impacts answered", row.id));
        }
    }
    assert!(reports.is_empty(), "\n{}", reports.join("\n"));
}

#[test]
fn claims_hold_for_normal_contacts() {
    claims_hold::<1>();
}

#[test]
fn claims_hold_in_the_plane() {
    claims_hold::<2>();
}

#[test]
fn claims_hold_in_space() {
    claims_hold::<3>();
}

/// What a law gains on a contact, relative to the energy available.
fn relative_gain(id: &str, contact: &Contact<2>, energy: f64) -> f64 {
    contact.energy_change(&resolve(&law(id), contact).impulse) / energy
}

#[test]
fn whittaker_creates_energy_in_kane_s_pendulum() {
    let (contact, energy) = kane_pendulum(0.5);
    let gain = relative_gain("whittaker", &contact, energy);
    assert!((gain - 0.5875).abs() < 5e-5, "{gain}");
}

#[test]
fn routh_newton_creates_energy_in_the_pendulum_of_fig_8() {
    // Chatterjee and Ruina's Fig. 8 with mass ratio 1000: E⁺/E0 = 356.502.
    let case = PLANAR
        .iter()
        .find(|case| case.name == "fig8 pendulum 1e3")
        .unwrap_or_else(|| panic!("the case is in the testkit"));
    let contact = case.contact();
    let [[k, c], [_, t]] = contact.delassus().rows();
    let [un, ut] = contact.velocity().components();
    let energy = (t * un * un - 2.0 * c * un * ut + k * ut * ut) / (2.0 * (k * t - c * c));
    let gain = relative_gain("routh-newton", &contact, energy);
    assert!((gain - 355.502).abs() < 5e-4, "{gain}");
}

#[test]
fn brach_creates_energy_if_its_ratio_pushes_along_the_slip() {
    // A unit point mass slides at 1 m/s and lands at 1 m/s, e = 1: m = ½ pushes it on.
    // p_n = 2, p_t = 1, u⁺ = (1, 2): the energy grows from 1 to 2.5.
    let contact = Contact::new(
        Delassus::new([[1.0, 0.0], [0.0, 1.0]]).unwrap_or_else(|e| panic!("{e}")),
        ContactVec::new([-1.0, 1.0]),
        Material {
            impulse_ratio: Some([0.5, 0.0]),
            ..Material::new(0.5, 1.0).unwrap_or_else(|e| panic!("{e}"))
        },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(relative_gain("brach", &contact, 1.0), 1.5);
}

/// `W = [1 1; 1 1]`: normal and tangent are one coordinate. It sticks, so it stands, and cannot leave with −e u_n⁻ > 0; almost
/// locked, `W = [1 1; 1 1 + δ]`, it leaves as asked, by an impulse of (1 + e)/δ.
#[test]
fn laws_of_newton_s_restitution_have_no_answer_where_a_contact_locks() {
    let contact = |tangent: f64| {
        let w = Delassus::new([[1.0, 1.0], [1.0, tangent]]).unwrap_or_else(|e| panic!("{e}"));
        let material = Material::new(10.0, 0.5).unwrap_or_else(|e| panic!("{e}"));
        Contact::new(w, ContactVec::new([-1.0, -1.0]), material).unwrap_or_else(|e| panic!("{e}"))
    };
    for id in ["whittaker", "routh-newton"] {
        let law = law(id);
        let solve = |contact: &Contact<2>| {
            law.resolve_contact(contact, &Tolerances::NOMINAL, &mut Unobserved)
        };
        let refused = solve(&contact(1.0));
        assert!(matches!(refused, Err(ImpactError::NoSolution { .. })), "{id}: {refused:?}");
        let [near, nearer] = [1e-4, 1e-6].map(|delta| {
            let outcome = solve(&contact(1.0 + delta)).unwrap_or_else(|e| panic!("{id}: {e}"));
            assert!((outcome.velocity.normal() - 0.5).abs() < 1e-9, "{id}: {outcome:?}");
            outcome.impulse.normal()
        });
        assert!(nearer > 50.0 * near, "{id}: {near} {nearer}");
    }
}

/// Claims and whether an outcome breaks them; the last two compare outcomes of transformed contacts.
fn breaks(claim: &str, law: &Law, sample: &Sample<2>) -> bool {
    let solve =
        |contact: &Contact<2>| law.resolve_contact(contact, &Tolerances::NOMINAL, &mut Unobserved);
    let Ok(outcome) = solve(&sample.contact) else {
        return claim == "total" && !outside_class(law.id(), &sample.contact);
    };
    let Outcome { impulse, velocity, .. } = outcome;
    let v = judge(&sample.contact, sample.energy, &impulse, &velocity);
    // Far beyond any rounding.
    let off = |other: Result<Outcome<2>, ImpactError>, expected: ContactVec<2>| {
        other.is_ok_and(|o| (o.impulse - expected).norm() > 1e-3 * expected.norm())
    };
    match claim {
        "energy" => v.energy > 1e-3,
        "separation" => v.separation > 1e-3,
        "cone" => v.cone.max(v.normal) > 1e-3,
        "restitution" => v.restitution > 1e-3,
        "scale" => off(solve(&scaled(&sample.contact, 2.0, 4.0)), impulse * 2.0),
        "frame" => {
            let mirror = Turn::mirror();
            off(solve(&mirror.contact(&sample.contact)), mirror.apply(&impulse))
        }
        _ => false,
    }
}

/// A claim is withheld only where an input breaks it.
#[test]
fn every_withheld_claim_has_a_counterexample() {
    for (row, law) in every_law::<2>() {
        let claims = row.claims;
        let withheld = [
            ("energy", claims.energy),
            ("separation", claims.separation),
            ("cone", claims.cone),
            ("restitution", claims.restitution),
            ("scale", claims.scale),
            ("frame", claims.frame),
            ("total", claims.total),
        ]
        .into_iter()
        .filter(|(_, claimed)| !claimed);
        for (claim, _) in withheld {
            let found = (0..20_000).find(|index| {
                let mut sample = sample::<2>(*index);
                // Ratios outside the cone are a setting like any other.
                sample.contact = with_material(&sample.contact, |m| {
                    m.impulse_ratio = m.impulse_ratio.map(|r| r.map(|x| 3.0 * x));
                });
                breaks(claim, &law, &sample)
            });
            assert!(found.is_some(), "{} withholds `{claim}`, but nothing breaks it", row.id);
        }
    }
}
