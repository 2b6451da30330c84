//! Problems as plain numbers, laws and distances.

use carom::catalog::{SettingValue, Settings};
use carom::outcome::{Effort, ProblemOutcome, Recorder, SpringEffort, StepRecord};
use carom::{ContactProblem, ContactSpec, Law, Material, Tolerances};
use carom_testkit::laws::resolve_several;
use carom_testkit::oracle::smoothed::Springs;

/// The accuracy at which theorems are checked, relative to the speed \[1\].
pub const FINE: f64 = 1e-11;

/// The law with these settings besides an accuracy of [`FINE`], and whatever work that takes.
pub fn stiff<const N: usize>(settings: [(&str, SettingValue); N]) -> Law {
    let mut all: Settings = settings.map(|(name, value)| (name.into(), value)).into();
    all.entry("accuracy".into()).or_insert(SettingValue::Number(FINE));
    all.insert("budget".into(), SettingValue::Number(f64::INFINITY));
    Law::with_settings("stiff-limit", &all).unwrap_or_else(|error| panic!("{error}"))
}

/// The law for these springs.
pub fn of(springs: &Springs) -> Law {
    let mut settings = vec![exponent(springs.exponent), gaps(springs.remember)];
    settings.extend(springs.hunt_crossley.map(|c| ("hunt_crossley", SettingValue::Number(c))));
    let mut all: Settings = settings.into_iter().map(|(name, x)| (name.into(), x)).collect();
    all.insert("accuracy".into(), SettingValue::Number(FINE));
    all.insert("budget".into(), SettingValue::Number(f64::INFINITY));
    Law::with_settings("stiff-limit", &all).unwrap_or_else(|error| panic!("{error}"))
}

pub fn exponent(x: f64) -> (&'static str, SettingValue) {
    ("exponent", SettingValue::Number(x))
}

pub fn accuracy(x: f64) -> (&'static str, SettingValue) {
    ("accuracy", SettingValue::Number(x))
}

pub fn gaps(remember: bool) -> (&'static str, SettingValue) {
    ("gaps", SettingValue::Text(if remember { "remember" } else { "forget" }.into()))
}

/// `W`, `u⁻` and contacts, to be changed before the law sees them.
#[derive(Clone, Debug)]
pub struct Raw {
    pub w: Vec<Vec<f64>>,
    pub u: Vec<f64>,
    pub specs: Vec<ContactSpec>,
}

impl Raw {
    pub fn of(problem: &ContactProblem) -> Self {
        let all = 0..problem.rows();
        let row = |i: usize| all.clone().map(|j| problem.delassus_at(i, j)).collect();
        Self {
            w: all.clone().map(row).collect(),
            u: problem.velocity().to_vec(),
            specs: problem.contacts().to_vec(),
        }
    }

    /// Masses on a line, neighbours touching.
    pub fn chain(mass: &[f64], velocity: &[f64], materials: &[Material]) -> Self {
        let n = materials.len();
        let entry = |i: usize, j: usize| match i.abs_diff(j) {
            0 => 1.0 / mass[i] + 1.0 / mass[i + 1],
            1 => -1.0 / mass[i.max(j)],
            _ => 0.0,
        };
        Self {
            w: (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect(),
            u: velocity.windows(2).map(|v| v[1] - v[0]).collect(),
            specs: materials.iter().map(|&m| ContactSpec::new(1, m)).collect(),
        }
    }

    pub fn problem(&self) -> ContactProblem {
        ContactProblem::new(&self.w.concat(), &self.u, &self.specs)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// The first row of each contact.
    pub fn first(&self) -> Vec<usize> {
        let next = |next: &mut usize, spec: &ContactSpec| {
            *next += spec.rows;
            Some(*next - spec.rows)
        };
        self.specs.iter().scan(0, next).collect()
    }

    /// The same contacts by these rows, some of them several times.
    pub fn pick(&self, contacts: &[usize]) -> Self {
        let first = self.first();
        let rows: Vec<usize> =
            contacts.iter().flat_map(|&k| first[k]..first[k] + self.specs[k].rows).collect();
        Self {
            w: rows.iter().map(|&i| rows.iter().map(|&j| self.w[i][j]).collect()).collect(),
            u: rows.iter().map(|&i| self.u[i]).collect(),
            specs: contacts.iter().map(|&k| self.specs[k]).collect(),
        }
    }

    /// Rows in other axes, `u → Q u`, one matrix per contact.
    pub fn turned(&self, axes: &[Vec<Vec<f64>>]) -> Self {
        let n = self.u.len();
        let mut q = vec![vec![0.0; n]; n];
        for (first, axes) in self.first().into_iter().zip(axes) {
            for (i, row) in axes.iter().enumerate() {
                q[first + i][first..first + row.len()].copy_from_slice(row);
            }
        }
        let half: Vec<Vec<f64>> = q.iter().map(|row| apply(&self.w, row)).collect();
        let entry = |i: usize, j: usize| 0.5 * (dot(&half[i], &q[j]) + dot(&half[j], &q[i]));
        let w = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        Self { w, u: q.iter().map(|row| dot(row, &self.u)).collect(), ..self.clone() }
    }

    pub fn scaled(&self, matrix: f64, velocity: f64) -> Self {
        let mut other = self.clone();
        other.w.iter_mut().flatten().for_each(|w| *w *= matrix);
        other.u.iter_mut().for_each(|u| *u *= velocity);
        other
    }

    /// The other problem beside it, not coupled.
    pub fn beside(&self, other: &Self) -> Self {
        let (m, n) = (self.u.len(), other.u.len());
        let left = self.w.iter().map(|row| [&row[..], &vec![0.0; n]].concat());
        let right = other.w.iter().map(|row| [&vec![0.0; m], &row[..]].concat());
        Self {
            w: left.chain(right).collect(),
            u: [&self.u[..], &other.u].concat(),
            specs: [&self.specs[..], &other.specs].concat(),
        }
    }

    /// The work of an impulse on the relative motion, `½ p·(u⁻ + u⁺)` \[J\].
    pub fn energy_change(&self, impulse: &[f64]) -> f64 {
        let after = self.after(impulse);
        let mean = self.u.iter().zip(&after).map(|(a, b)| 0.5 * (a + b));
        impulse.iter().zip(mean).map(|(p, u)| p * u).sum()
    }

    pub fn after(&self, impulse: &[f64]) -> Vec<f64> {
        self.u.iter().zip(&self.w).map(|(u, row)| u + dot(row, impulse)).collect()
    }
}

fn apply(w: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    w.iter().map(|row| dot(row, x)).collect()
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    norm(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>())
}

#[track_caller]
pub fn assert_close(got: &[f64], wanted: &[f64], allowed: f64) {
    let off = distance(got, wanted);
    assert!(off <= allowed, "off by {off:.1e}, {allowed:.1e} allowed: {got:?} {wanted:?}");
}

pub fn material(mu: f64, e: f64) -> Material {
    Material::new(mu, e).unwrap_or_else(|error| panic!("{error}"))
}

pub fn resolve(law: &Law, raw: &Raw) -> ProblemOutcome {
    resolve_several(law, &raw.problem())
}

/// The velocities of a row of masses after an impact.
pub fn chain(law: &Law, mass: &[f64], velocity: &[f64], materials: &[Material]) -> Vec<f64> {
    let p = resolve(law, &Raw::chain(mass, velocity, materials)).impulse;
    let pushed = |i: usize| {
        let (left, right) = (if i == 0 { 0.0 } else { p[i - 1] }, p.get(i).unwrap_or(&0.0));
        velocity[i] + (left - right) / mass[i]
    };
    (0..mass.len()).map(pushed).collect()
}

pub fn effort(outcome: &ProblemOutcome) -> SpringEffort {
    match outcome.effort {
        Effort::Springs(effort) => effort,
        ref other => panic!("the law follows springs: {other:?}"),
    }
}

/// The points of the path: impulses and normal velocities, contact by contact.
pub fn path(law: &Law, raw: &Raw) -> (ProblemOutcome, Vec<[Vec<f64>; 2]>) {
    let mut recorder = Recorder::new(1_000_000);
    let outcome = law
        .resolve(&raw.problem(), &Tolerances::NOMINAL, &mut recorder)
        .unwrap_or_else(|error| panic!("{error}"));
    let points = recorder
        .steps
        .into_iter()
        .map(|step| match step {
            StepRecord::Point { impulse, velocity } => [impulse, velocity],
            other => panic!("{other:?}"),
        })
        .collect();
    (outcome, points)
}
