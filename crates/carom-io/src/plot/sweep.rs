//! `mu=0:1:0.01`: a problem again and again, one of its numbers taking value after value.

use super::{Request, answer, own_law, predicting};
use crate::failure::Failure;
use crate::format::{After, Node, Problem};
use crate::resolution::Resolution;
use crate::spectator::{Monitor, Spectator};
use carom::{AnyLaw, ImpactError};
use carom_plot::{Family, Track, Velocities};

/// No sweep takes more values \[1\].
const MOST: f64 = 2000.0;
/// A last step may miss the end by this part of a step, which is rounding \[1\].
const SLACK: f64 = 1e-9;
/// Numbers of contacts that a name alone stands for.
const OF_CONTACTS: [&str; 6] = ["mu", "e", "e_t", "stiffness", "coupling", "gap"];

/// A number of the problem, and the values it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    name: String,
    values: Vec<f64>,
}

/// A step on the way to a value of a file.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Key(String),
    Index(usize),
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
        Ok(Self { name: name.trim().to_owned(), values })
    }

    /// What laws say to each value.
    pub fn family(
        &self,
        file: &Node,
        problem: &Problem,
        request: &Request,
        spectator: &dyn Spectator,
    ) -> Result<Family, Failure> {
        let problems = self.problems(file)?;
        let mut tracks = Vec::new();
        for law in laws(problem, request)? {
            let answers = each(&problems, request, spectator, |p| answer(p, law, spectator))?;
            if answers.iter().any(Option::is_some) {
                tracks.push(Track { law: law.id().to_owned(), answers });
            }
        }
        Ok(Family { parameter: self.name.clone(), values: self.values.clone(), tracks })
    }

    /// What velocities laws say to each value.
    pub fn velocities(
        &self,
        file: &Node,
        problem: &Problem,
        request: &Request,
        spectator: &dyn Spectator,
    ) -> Result<Velocities, Failure> {
        let problems = self.problems(file)?;
        let mut names: Vec<String> = Vec::new();
        let mut found = Vec::new();
        for law in laws(problem, request)? {
            let mut one = |p: &Problem| {
                let resolution =
                    Resolution::of(&p.system, law, None, &mut Monitor::new(spectator))?;
                let named = velocities(p, &resolution.outcome.velocity, &resolution.after);
                if names.is_empty() {
                    names = named.iter().map(|(name, _)| name.clone()).collect();
                }
                Ok(named.into_iter().map(|(_, v)| v).collect())
            };
            found.push((law.id().to_owned(), each(&problems, request, spectator, &mut one)?));
        }
        let (parameter, values) = (self.name.clone(), self.values.clone());
        Ok(Velocities { parameter, values, names, laws: found })
    }

    /// The problem with each value in its place.
    fn problems(&self, file: &Node) -> Result<Vec<Problem>, Failure> {
        self.values
            .iter()
            .map(|&value| {
                let mut changed = file.clone();
                self.put(&mut changed, value)?;
                Problem::read(&changed).map_err(|error| {
                    Failure::Usage(format!("sweep: {} = {value}: {error}", self.name))
                })
            })
            .collect()
    }

    fn put(&self, file: &mut Node, value: f64) -> Result<(), Failure> {
        let name = self.name.as_str();
        let place = path(name);
        let done = match place.as_deref() {
            Some([Step::Key(key)]) if OF_CONTACTS.contains(&key.as_str()) => {
                put_in_contacts(file, key, value)
            }
            Some(steps) => put_at(file, steps, value),
            None => false,
        };
        match done {
            true => Ok(()),
            false => Err(Failure::Usage(format!(
                "sweep: the problem has no number `{name}`; contacts have {}, other numbers have a place, as in \
                 velocity[1] or bodies[0].mass",
                OF_CONTACTS.join(", ")
            ))),
        }
    }
}

/// The laws asked for, or all that predict.
fn laws(problem: &Problem, request: &Request) -> Result<Vec<AnyLaw>, ImpactError> {
    if !request.laws.is_empty() {
        return Ok(request.laws.clone());
    }
    predicting(problem.system.problem()).map(|row| own_law(problem, row.id())).collect()
}

/// What a law says to each problem, nothing where it has no answer. One that was asked for must have some.
fn each<T>(
    problems: &[Problem],
    request: &Request,
    spectator: &dyn Spectator,
    mut one: impl FnMut(&Problem) -> Result<T, ImpactError>,
) -> Result<Vec<Option<T>>, Failure> {
    let mut failure = None;
    let mut answers = Vec::with_capacity(problems.len());
    for problem in problems {
        if spectator.interrupted() {
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

/// Reads `contacts[0].mu`.
fn path(name: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for part in name.split('.') {
        let (key, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
        if key.is_empty() {
            return None;
        }
        steps.push(Step::Key(key.to_owned()));
        while let Some(inside) = rest.strip_prefix('[') {
            let (index, after) = inside.split_once(']')?;
            steps.push(Step::Index(index.parse().ok()?));
            rest = after;
        }
        if !rest.is_empty() {
            return None;
        }
    }
    Some(steps)
}

/// Puts a number in the place of another. False where there is none.
fn put_at(node: &mut Node, steps: &[Step], value: f64) -> bool {
    let Some((step, rest)) = steps.split_first() else {
        let number = matches!(node, Node::Number(_));
        if number {
            *node = Node::Number(value);
        }
        return number;
    };
    match (node, step) {
        (Node::Table(entries), Step::Key(key)) => {
            let found = entries.iter_mut().find(|(k, _)| k == key);
            found.is_some_and(|(_, inner)| put_at(inner, rest, value))
        }
        (Node::List(items), Step::Index(i)) => {
            items.get_mut(*i).is_some_and(|inner| put_at(inner, rest, value))
        }
        (Node::Numbers(items), Step::Index(i)) if rest.is_empty() => {
            items.get_mut(*i).is_some_and(|x| {
                *x = value;
                true
            })
        }
        _ => false,
    }
}

/// Gives every contact, or the chain that has them, this number. False where there are none.
fn put_in_contacts(file: &mut Node, key: &str, value: f64) -> bool {
    let Node::Table(entries) = file else { return false };
    let mut done = false;
    for (name, node) in entries {
        match (name.as_str(), node) {
            ("contacts", Node::List(contacts)) => {
                for contact in contacts {
                    done |= put_key(contact, key, value);
                }
            }
            ("chain", chain) => done |= put_key(chain, key, value),
            _ => {}
        }
    }
    done
}

fn put_key(table: &mut Node, key: &str, value: f64) -> bool {
    let Node::Table(entries) = table else { return false };
    match entries.iter_mut().find(|(k, _)| k == key) {
        Some((_, node)) => *node = Node::Number(value),
        None => entries.push((key.to_owned(), Node::Number(value))),
    }
    true
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

    #[test]
    fn places_are_read() {
        let key = |k: &str| Step::Key(k.to_owned());
        let expected = vec![key("contacts"), Step::Index(0), key("mu")];
        assert_eq!(path("contacts[0].mu"), Some(expected));
        assert_eq!(path("jacobian[1][2]").map(|p| p.len()), Some(3));
        assert_eq!([path("a..b"), path("a[x]"), path("a[0]b")], [None, None, None]);
    }
}
