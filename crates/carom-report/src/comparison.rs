//! Every law on one problem.

use crate::compliance::CompliantRun;
use crate::words;
use carom::catalog::ReadsE;
use carom::catalog::{self, LawInfo};
use carom::certify::energy_distance;
use carom::outcome::{Effort, Ending};
use carom::{ContactProblem, ImpactError, Recorder};
use carom_io::format::{LawSpec, Problem};
use carom_io::progress::{Monitor, NoProgress, ProgressSink};
use carom_io::resolution::Resolution;

/// Answers that differ by less are the same answer, in closed form and followed step by step: relative to the largest impulse
/// \[1\].
const ALIKE: f64 = 1e-12;

/// The law that is the limit of ever stiffer contacts: what others are measured by where contacts are several.
pub const COMPLIANT_LIMIT: &str = "stiff-limit";

/// What every law of the catalogue says to one problem.
pub struct Comparison {
    /// Laws with an answer, permissible ones first, otherwise in the catalogue's order.
    pub answers: Vec<Entry>,
    /// Laws without one, and why.
    pub absent: Vec<(&'static LawInfo, ImpactError)>,
    /// The collision of compliant contacts, if it was asked for.
    pub compliant: Option<CompliantRun>,
}

/// One law's answer and its path.
pub struct Entry {
    /// The law's answer.
    pub resolution: Resolution,
    /// Its path, empty if it has none.
    pub recorder: Recorder,
    /// How far its velocities are from those of compliant contacts, if they were asked for \[1\].
    pub compliant_distance: Option<f64>,
}

impl Entry {
    /// Whether the law follows a path that a trace can show.
    pub fn has_path(&self) -> bool {
        matches!(self.resolution.law.info(), row if row.incremental)
    }

    /// Whether the law makes steps that a trace can list.
    pub fn has_steps(&self) -> bool {
        match self.resolution.outcome.effort {
            Effort::Solver(effort) => effort.ending != Ending::Direct,
            Effort::Rounds(_) | Effort::Springs(_) => true,
            Effort::Contact(_) => false,
        }
    }

    /// Whether two laws give the same impulse, up to rounding.
    pub fn is_like(&self, other: &Self) -> bool {
        let (p, q) = (&self.resolution.outcome.impulse, &other.resolution.outcome.impulse);
        let size = p.iter().chain(q).fold(0.0, |m: f64, x| m.max(x.abs()));
        p.iter().zip(q).all(|(p, q)| (p - q).abs() <= ALIKE * size)
    }

    /// Whether the certificate lets it pass.
    pub fn is_permissible(&self) -> bool {
        self.resolution.certificate.verdict.is_permissible()
    }
}

impl Comparison {
    /// The answers of every law. The one that the problem names runs with the problem's settings.
    pub fn of(problem: &Problem) -> Self {
        Self::with_progress(problem, &NoProgress)
    }

    /// The same, with progress. After an interruption the laws left are in neither list.
    pub fn with_progress(problem: &Problem, progress: &dyn ProgressSink) -> Self {
        let law = |row: &'static LawInfo| (row, problem.law_with_id(row.id));
        Self::of_laws(problem, catalog::all().map(law), progress)
    }

    /// The answers of these laws.
    pub fn of_laws(
        problem: &Problem,
        laws: impl IntoIterator<Item = (&'static LawInfo, LawSpec)>,
        progress: &dyn ProgressSink,
    ) -> Self {
        let mut answers = Vec::new();
        let mut absent = Vec::new();
        for (row, law) in laws {
            if progress.interrupted() {
                break;
            }
            progress.begin(row.id);
            let mut recorder = Recorder::default();
            let resolution = law.build().and_then(|law| {
                let mut monitor = Monitor::recording(progress, &mut recorder);
                Resolution::of(&problem.system, law, &mut monitor)
            });
            match resolution {
                Ok(resolution) => {
                    answers.push(Entry { resolution, recorder, compliant_distance: None })
                }
                Err(error) => absent.push((row, error)),
            }
        }
        answers.sort_by_key(|entry| !entry.is_permissible());
        Self { answers, absent, compliant: None }
    }

    /// The same beside a collision of compliant contacts.
    pub fn beside(mut self, run: CompliantRun, problem: &Problem) -> Self {
        for entry in &mut self.answers {
            let impulse = &entry.resolution.outcome.impulse;
            entry.compliant_distance = run.distance(&problem.system, impulse);
        }
        Self { compliant: Some(run), ..self }
    }

    /// The permissible answers.
    pub fn permissible(&self) -> impl Iterator<Item = &Entry> {
        self.answers.iter().filter(|entry| entry.is_permissible())
    }

    /// The answers that are not.
    pub fn violating(&self) -> impl Iterator<Item = &Entry> {
        self.answers.iter().filter(|entry| !entry.is_permissible())
    }

    /// How far permissible answers differ. A law that does not read `e` describes impulses rather than predicts them:
    /// it does not count.
    pub fn spread(&self) -> Option<Spread> {
        let mut spread: Option<Spread> = None;
        let predicts = |entry: &&Entry| entry.resolution.law.info().reads_e != ReadsE::Ignored;
        for entry in self.permissible().filter(predicts) {
            let energy = words::energy_ratio(&entry.resolution.certificate);
            let velocity = &entry.resolution.outcome.velocity;
            let spread = spread.get_or_insert_with(|| Spread {
                laws: 0,
                energy_ratio: energy.map(Range::at),
                velocity: velocity.iter().map(|u| Range::at(*u)).collect(),
            });
            spread.laws += 1;
            if let (Some(range), Some(energy)) = (&mut spread.energy_ratio, energy) {
                range.include(energy);
            }
            for (range, u) in spread.velocity.iter_mut().zip(velocity) {
                range.include(*u);
            }
        }
        spread
    }

    /// How far the velocities after an impulse are from those of this law, in the norm of the kinetic energy, relative to
    /// all that the contacts could take away: `√(½ Δuᵀ W⁺ Δu / E0)`. Nothing if there is one contact only, the law has
    /// no answer, or there is no energy \[1\].
    pub fn distance_to(&self, law: &str, problem: &ContactProblem, impulse: &[f64]) -> Option<f64> {
        let reference = &self.answers.iter().find(|e| e.resolution.law.id() == law)?.resolution;
        let available = reference.certificate.energy_available.filter(|energy| *energy > 0.0)?;
        let distance = || energy_distance(problem, impulse, &reference.outcome.impulse);
        (problem.len() > 1).then(|| distance() / available.sqrt())
    }

    /// The laws that report a path, those with the same one together.
    pub fn paths(&self) -> Vec<(String, Vec<&'static str>)> {
        let mut paths: Vec<(String, Vec<&'static str>)> = Vec::new();
        let incremental = |entry: &&Entry| entry.has_path();
        for entry in self.answers.iter().filter(incremental) {
            let path = words::path(&entry.recorder, entry.resolution.outcome.impulse.len());
            let id = entry.resolution.law.id();
            match paths.iter_mut().find(|(p, _)| *p == path) {
                Some((_, laws)) => laws.push(id),
                None if path.is_empty() => {}
                None => paths.push((path, vec![id])),
            }
        }
        paths
    }
}

/// How far apart answers are.
#[derive(Clone, Debug)]
pub struct Spread {
    /// How many there are \[1\].
    pub laws: usize,
    /// Of `E⁺/E0`; absent where there is no energy to take \[1\].
    pub energy_ratio: Option<Range>,
    /// Of `u⁺`, row by row [m/s].
    pub velocity: Vec<Range>,
}

/// From the smallest to the largest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The smallest.
    pub low: f64,
    /// The largest.
    pub high: f64,
}

impl Range {
    fn at(x: f64) -> Self {
        Self { low: x, high: x }
    }

    /// How far apart the two are.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }

    fn include(&mut self, x: f64) {
        self.low = self.low.min(x);
        self.high = self.high.max(x);
    }
}
