//! How far the outcome of an impact is the law's choice.

use crate::comparison::Comparison;
use crate::words;
use carom::certify::PermissibleSet;
use carom::outcome::Progress;
use carom::region::several::{PermissibleOutcome, random_stiffness};
use carom::system::After;
use carom::{Certificate, ContactProblem, ImpactError, Tolerances};
use carom_io::format::{AnySystem, Problem};
use carom_io::progress::{InterruptOnly, Monitor, ProgressSink};
use carom_io::rounding::{self, denoised};

/// What to draw.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// Permissible outcomes \[1\].
    pub samples: u64,
    /// Random orders of collisions \[1\].
    pub orders: u64,
    /// Draws of stiffnesses \[1\].
    pub stiffnesses: u64,
    /// Over how many powers of ten stiffnesses spread \[1\].
    pub decades: f64,
    /// Where chance begins.
    pub seed: u64,
}

/// Everything that may happen, and what the laws say.
pub struct Outcomes {
    /// `½ u⁻ᵀ W⁺ u⁻`, where it is known \[J\].
    pub energy_available: Option<f64>,
    /// What is known of the permissible set.
    pub set: Option<SetFacts>,
    /// Outcomes by where they come from.
    pub families: Vec<Family>,
    /// Every law's answer.
    pub laws: Comparison,
}

/// How large the permissible set is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SetFacts {
    /// The longest distance found between two outcomes, in the kinetic metric, relative to the speed before; absent
    /// where the set is flat \[1\].
    pub diameter: Option<f64>,
    /// Whether no push loosens another contact: then plastic impacts do not depend on the order.
    pub stieltjes: bool,
}

/// Outcomes that come from one kind of ignorance.
pub struct Family {
    /// Its name in tables and answers.
    pub id: &'static str,
    /// How its outcomes were found.
    pub about: String,
    /// Its outcomes, or why there are none.
    pub drawn: Result<Drawn, ImpactError>,
}

/// What was drawn.
pub struct Drawn {
    /// The outcomes.
    pub samples: Vec<Sample>,
    /// How many draws came to no end \[1\].
    pub unfinished: u64,
}

/// One outcome.
#[derive(Clone, Debug)]
pub struct Sample {
    /// One number per row [N·s].
    pub impulse: Vec<f64>,
    /// `u⁺`, one number per row [m/s].
    pub velocity: Vec<f64>,
    /// `½ p·(u⁻ + u⁺)` \[J\].
    pub energy_change: f64,
    /// What it does to the system behind the contacts.
    pub after: After,
}

/// Where values lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantiles {
    /// The smallest.
    pub min: f64,
    /// One in twenty is smaller.
    pub low: f64,
    /// Half are smaller.
    pub median: f64,
    /// One in twenty is larger.
    pub high: f64,
    /// The largest.
    pub max: f64,
}

impl Outcomes {
    /// Draws what was asked for. Nothing if Ctrl-C stopped it.
    pub fn of(
        problem: &Problem,
        request: &Request,
        progress: &dyn ProgressSink,
    ) -> Result<Option<Self>, ImpactError> {
        let contacts = problem.system.problem();
        let tolerances = Tolerances::default();
        let zero = vec![0.0; contacts.rows()];
        let energy_available = Certificate::of(contacts, &zero, &tolerances)?.energy_available;
        let set = PermissibleSet::of(contacts, &tolerances);
        let draws = Draws { problem, set: set.as_ref(), request, progress };
        let mut families = vec![draws.permissible(), draws.orders(), draws.stiffnesses()];
        // A family of which nothing was to be drawn is not one that failed.
        families.retain(|family| !matches!(&family.drawn, Ok(d) if d.is_empty()));
        let facts = set.as_ref().ok().map(|set| SetFacts::of(set, request.seed));
        let laws = Comparison::with_progress(problem, progress);
        Ok((!progress.interrupted()).then_some(Self {
            energy_available,
            set: facts,
            families,
            laws,
        }))
    }

    /// `E⁺/E0`, absent where there is no energy to take or it is not known how much.
    pub fn energy_ratio(&self, energy_change: f64) -> Option<f64> {
        rounding::energy_ratio(self.energy_available, energy_change)
    }

    /// What is told of every outcome, by the names of its columns in tables: energy, normal velocities, velocities
    /// behind the contacts.
    pub fn quantities(
        &self,
        problem: &ContactProblem,
        velocity: &[f64],
        energy_change: f64,
        after: &After,
    ) -> Vec<(String, f64)> {
        let ratio = self.energy_ratio(energy_change);
        let mut all: Vec<(String, f64)> =
            ratio.map(|r| ("energy_ratio".into(), r)).into_iter().collect();
        let largest = |values: &[f64]| values.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
        let speed = largest(problem.velocity()).max(largest(velocity));
        let behind = after.columns();
        let names = words::row_names(problem);
        let normals = (0..problem.len()).map(|k| {
            let row = problem.row_range(k).start;
            (format!("contact_velocity_{}", names[row]), velocity[row])
        });
        all.extend(normals.chain(behind).map(|(name, x)| (name, denoised(x, speed))));
        all
    }

    /// Where every quantity lies, in the order of [`Outcomes::quantities`].
    pub fn spread(&self, problem: &ContactProblem, samples: &[Sample]) -> Vec<(String, Quantiles)> {
        let mut columns: Vec<(String, Vec<f64>)> = Vec::new();
        for sample in samples {
            let Sample { velocity, energy_change, after, .. } = sample;
            let quantities = self.quantities(problem, velocity, *energy_change, after);
            for (i, (name, x)) in quantities.into_iter().enumerate() {
                if columns.len() == i {
                    columns.push((name, Vec::with_capacity(samples.len())));
                }
                columns[i].1.push(x);
            }
        }
        let told = |(name, values)| Some((name, Quantiles::of(values)?));
        columns.into_iter().filter_map(told).collect()
    }
}

impl SetFacts {
    /// Chords through so many outcomes tell how far apart they are \[1\].
    const CHORDS: usize = 50;

    fn of(set: &PermissibleSet, seed: u64) -> Self {
        let speed = set.level(1.0).radius;
        let relative = |d: f64| if d > 0.0 { d / speed } else { 0.0 };
        Self {
            diameter: set.diameter(Self::CHORDS, seed).ok().map(relative),
            stieltjes: set.is_stieltjes(),
        }
    }
}

impl Drawn {
    fn is_empty(&self) -> bool {
        self.samples.is_empty() && self.unfinished == 0
    }
}

impl Sample {
    fn of(system: &AnySystem, outcome: PermissibleOutcome) -> Result<Self, ImpactError> {
        let PermissibleOutcome { impulse, velocity, energy_change } = outcome;
        let after = system.after(&impulse)?;
        Ok(Self { impulse, velocity, energy_change, after })
    }
}

impl Quantiles {
    /// Of some values; nothing of none.
    pub fn of(values: Vec<f64>) -> Option<Self> {
        let [min, low, median, high, max] = carom_plot::quantiles(values)?;
        Some(Self { min, low, median, high, max })
    }
}

/// What families are drawn from.
struct Draws<'a> {
    problem: &'a Problem,
    set: Result<&'a PermissibleSet<'a>, &'a ImpactError>,
    request: &'a Request,
    progress: &'a dyn ProgressSink,
}

impl Draws<'_> {
    /// Draws until there are enough or Ctrl-C is pressed. A draw without outcome has no end.
    fn draw(
        &self,
        what: &'static str,
        count: u64,
        mut one: impl FnMut(u64) -> Result<Option<Sample>, ImpactError>,
    ) -> Result<Drawn, ImpactError> {
        self.progress.begin(what);
        let mut drawn = Drawn { samples: Vec::new(), unfinished: 0 };
        for k in 0..count {
            if self.progress.interrupted() {
                break;
            }
            self.progress.update(Progress { what: "drawn", done: k, of: Some(count) });
            match one(k)? {
                Some(sample) => drawn.samples.push(sample),
                None => drawn.unfinished += 1,
            }
        }
        Ok(drawn)
    }

    fn permissible(&self) -> Family {
        let drawn = self.set.map_err(ImpactError::clone).and_then(|set| {
            let mut sampler = set.sampler(self.request.seed)?;
            self.draw("admissible", self.request.samples, |_| {
                Sample::of(&self.problem.system, sampler.draw()).map(Some)
            })
        });
        let about = "drawn evenly from all that mechanics and energy allow".into();
        Family { id: "admissible", about, drawn }
    }

    fn orders(&self) -> Family {
        let drawn = self.set.map_err(ImpactError::clone).and_then(|set| {
            self.draw("orders", self.request.orders, |k| {
                let outcome = set.random_order(self.request.seed.wrapping_add(k));
                outcome.map(|outcome| Sample::of(&self.problem.system, outcome)).transpose()
            })
        });
        let about = "random orders of frictionless collisions, one at a time".into();
        Family { id: "orders", about, drawn }
    }

    fn stiffnesses(&self) -> Family {
        const LAW: &str = "lzb";
        let request = self.request;
        let contacts = self.problem.system.problem();
        let drawn = self.problem.law_with_id(LAW).build().and_then(|law| {
            let interrupt = InterruptOnly(self.progress);
            self.draw("stiffness", request.stiffnesses, |k| {
                let seed = request.seed.wrapping_add(k);
                let stiffness = random_stiffness(contacts.len(), request.decades, seed);
                let varied = contacts.clone().with_stiffness(&stiffness)?;
                let watch = &mut Monitor::new(&interrupt);
                let outcome = law.resolve(&varied, &Tolerances::default(), watch);
                let impulse = match outcome {
                    Ok(outcome) => outcome.impulse,
                    Err(ImpactError::NotConverged { .. } | ImpactError::Limit(_)) => {
                        return Ok(None);
                    }
                    Err(error) => return Err(error),
                };
                let energy_change =
                    Certificate::of(contacts, &impulse, &Tolerances::default())?.energy_change;
                let velocity = contacts.velocity_after(&impulse);
                let outcome = PermissibleOutcome { impulse, velocity, energy_change };
                Sample::of(&self.problem.system, outcome).map(Some)
            })
        });
        let about = format!("{LAW} with stiffnesses over {} powers of ten", request.decades);
        Family { id: "stiffness", about, drawn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_their_neighbours() {
        let q = Quantiles::of((0..=20).rev().map(f64::from).collect()).expect("there are values");
        let found = [q.min, q.low, q.median, q.high, q.max];
        for (x, expected) in found.iter().zip([0.0, 1.0, 10.0, 19.0, 20.0]) {
            assert!((x - expected).abs() < 1e-13, "{q:?}");
        }
        assert_eq!(Quantiles::of(vec![3.0]).map(|q| (q.min, q.max)), Some((3.0, 3.0)));
        assert_eq!(Quantiles::of(Vec::new()), None);
    }
}
