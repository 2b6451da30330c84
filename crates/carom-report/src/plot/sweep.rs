//! `mu=0:1:0.01`: a problem again and again, one of its numbers taking value after value.

use super::{Request, answer, predicting};
use carom::system::After;
use carom::{ImpactError, Law};
use carom_io::failure::Failure;
use carom_io::format::{Node, Place, Problem};
use carom_io::progress::{Monitor, ProgressSink};
use carom_io::resolution::Resolution;
use carom_plot::{Family, Track, Velocities};

/// No sweep takes more values \[1\].
const MOST: f64 = 2000.0;
/// A last step may miss the end by this part of a step, which is rounding \[1\].
const SLACK: f64 = 1e-9;

/// A number of the problem, and the values it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    place: Place,
    values: Vec<f64>,
}

impl Sweep {
    /// Reads `NAME=FROM:TO:STEP`.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let usage = |what: String| Failure::Usage(format!("sweep {text}: {what}"));
        let form = || usage("write it as NAME=FROM:TO:STEP, as in mu=0:1:0.01".to_owned());
        let (name, range) = text.split_once('=').ok_or_else(form)?;
        let numbers: Vec<&str> = range.split(':').collect();
        let [from, to, step] = numbers[..] else { return Err(form()) };
        let number = |text: &str| {
            let parsed = text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
            parsed.ok_or_else(|| usage(format!("`{text}` must be a finite number")))
        };
        let [from, to, step] = [number(from)?, number(to)?, number(step)?];
        let count = (to - from) / step;
        if count.is_nan() || count < 0.0 {
            return Err(usage(format!("steps of {step} do not lead from {from} to {to}")));
        }
        if count > MOST {
            return Err(usage(format!("that is more than {MOST} values")));
        }
        let last = (count + SLACK) as usize;
        let values = (0..=last).map(|k| from + k as f64 * step).collect();
        let place = Place::parse(name).map_err(told)?;
        Ok(Self { place, values })
    }

    /// What laws say to each value.
    pub fn family(
        &self,
        file: &Node,
        problem: &Problem,
        request: &Request,
        progress: &dyn ProgressSink,
    ) -> Result<Family, Failure> {
        let problems = self.problems(file)?;
        let mut tracks = Vec::new();
        for law in laws(problem, request)? {
            let answers = each(&problems, request, progress, |p| answer(p, law, progress))?;
            if answers.iter().any(Option::is_some) {
                tracks.push(Track { law: law.id().to_owned(), answers });
            }
        }
        Ok(Family { parameter: self.place.name().to_owned(), values: self.values.clone(), tracks })
    }

    /// What velocities laws say to each value.
    pub fn velocities(
        &self,
        file: &Node,
        problem: &Problem,
        request: &Request,
        progress: &dyn ProgressSink,
    ) -> Result<Velocities, Failure> {
        let problems = self.problems(file)?;
        let mut names: Vec<String> = Vec::new();
        let mut found = Vec::new();
        for law in laws(problem, request)? {
            let mut one = |p: &Problem| {
                let resolution = Resolution::of(&p.system, law, &mut Monitor::new(progress))?;
                let named = velocities(p, &resolution.outcome.velocity, &resolution.after);
                if names.is_empty() {
                    names = named.iter().map(|(name, _)| name.clone()).collect();
                }
                Ok(named.into_iter().map(|(_, v)| v).collect())
            };
            found.push((law.id().to_owned(), each(&problems, request, progress, &mut one)?));
        }
        let (parameter, values) = (self.place.name().to_owned(), self.values.clone());
        Ok(Velocities { parameter, values, names, laws: found })
    }

    /// The problem with each value in its place.
    fn problems(&self, file: &Node) -> Result<Vec<Problem>, Failure> {
        self.values
            .iter()
            .map(|&value| {
                let mut changed = file.clone();
                self.place.put(&mut changed, value).map_err(told)?;
                Problem::read(&changed).map_err(|error| {
                    Failure::Usage(format!("sweep: {} = {value}: {error}", self.place.name()))
                })
            })
            .collect()
    }
}

/// The same failure, with the word that people know.
fn told(failure: Failure) -> Failure {
    Failure::Usage(format!("sweep: {failure}"))
}

/// The laws asked for, or all that predict.
fn laws(problem: &Problem, request: &Request) -> Result<Vec<Law>, ImpactError> {
    if !request.laws.is_empty() {
        return Ok(request.laws.clone());
    }
    predicting(problem.system.problem()).map(|row| problem.law_with_id(row.id).build()).collect()
}

/// What a law says to each problem, nothing where it has no answer. One that was asked for must have some.
fn each<T>(
    problems: &[Problem],
    request: &Request,
    progress: &dyn ProgressSink,
    mut one: impl FnMut(&Problem) -> Result<T, ImpactError>,
) -> Result<Vec<Option<T>>, Failure> {
    let mut failure = None;
    let mut answers = Vec::with_capacity(problems.len());
    for problem in problems {
        if progress.interrupted() {
            break;
        }
        match one(problem) {
            Ok(answer) => answers.push(Some(answer)),
            Err(error) => {
                failure.get_or_insert(error);
                answers.push(None);
            }
        }
    }
    match failure {
        Some(error) if !request.laws.is_empty() && answers.iter().all(Option::is_none) => {
            Err(error.into())
        }
        _ => Ok(answers),
    }
}

/// Velocities after the impact by their names: of what is behind the contacts, or of the contacts where that is unknown.
fn velocities(problem: &Problem, contact_velocity: &[f64], after: &After) -> Vec<(String, f64)> {
    let contacts = problem.system.problem();
    if let Some(velocity) = &after.velocity {
        return velocity.iter().enumerate().map(|(i, v)| (format!("v_{{{i}}}"), *v)).collect();
    }
    let normal = |k: usize| contact_velocity[contacts.row_range(k).start];
    let name = |k: usize| match contacts.len() {
        1 => "u_n".to_owned(),
        _ => format!("u_n of contact {k}"),
    };
    (0..contacts.len()).map(|k| (name(k), normal(k))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_reaches_its_end() {
        let sweep = Sweep::parse("mu=0:1:0.1").unwrap();
        assert_eq!(sweep.values.len(), 11);
        assert_eq!(sweep.values[10], 1.0);
        assert_eq!(Sweep::parse("e=1:0:-0.5").unwrap().values, [1.0, 0.5, 0.0]);
        for wrong in ["mu", "mu=0:1", "mu=0:x:1", "mu=0:1:0", "mu=0:1:-1", "mu=0:1:1e-9"] {
            let message = Sweep::parse(wrong).unwrap_err().to_string();
            assert!(message.contains(wrong), "{message}");
        }
    }
}
