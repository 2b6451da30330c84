//! The columns of `compare`. A row of [`COLUMNS`] is all that a column needs: tables on a terminal, CSV, JSON, the page
//! and Python read it.

mod velocities;

pub use velocities::{Velocities, velocity_choices};

use crate::comparison::{COMPLIANT_LIMIT, Comparison, Entry};
use crate::numbers::significant;
use crate::words;
use carom::catalog::ReadsE;
use carom::outcome::Effort;
use carom::system::After;
use carom::{Certificate, ContactProblem, Verdict};
use carom_io::answer::verdict_name;
use carom_io::rounding::denoised;

/// A column, or a group of columns with one for each row or contact of the problem.
pub struct Column {
    /// Its name in CSV, JSON and Python.
    pub key: &'static str,
    /// What its names count.
    pub per: Per,
    /// Its heading on a terminal; `{}` stands for the row.
    pub heading: &'static str,
    /// Its heading on a page, where that differs.
    pub page_heading: Option<&'static str>,
    /// The unit of its numbers.
    pub unit: &'static str,
    /// Whether it stands in the table at all.
    pub present: fn(&Table) -> bool,
    /// What programs read, exact; nothing if it is for people only.
    pub data: Option<Data>,
    /// Where JSON has it.
    pub json: Json,
    /// Which tables for people show it.
    pub shown: &'static [Shown],
    /// What people read.
    pub text: Text,
}

/// The values of a column, or of a group of columns.
pub type Data = fn(&Line) -> Vec<Value>;

/// What a column's names count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// One column.
    Answer,
    /// One for each row of the problem.
    Row,
    /// One for each contact.
    Contact,
    /// One for each velocity behind the contacts.
    Coordinate,
}

/// Where JSON has a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Json {
    /// In each law's answer, if at all.
    InAnswers,
    /// Under its key, law by law.
    ByLaw,
    /// Under `distance`, law by law, with the law that it is measured from.
    Distance,
}

/// A table for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The terminal's, of one contact.
    One,
    /// The terminal's, of several contacts.
    Several,
    /// The same, where there is room.
    SeveralWide,
    /// The page's.
    Page,
}

/// A number or a word.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, if there is one.
    Number(Option<f64>),
    /// A word or several.
    Text(String),
}

/// How people read a column.
#[derive(Clone, Copy)]
pub enum Text {
    /// The law's id.
    Law,
    /// The verdict, with its reasons.
    Verdict,
    /// What moves, as far as there is room: one of [`velocity_choices`].
    Velocities,
    /// A word.
    Word(fn(&Line) -> &'static str),
    /// A number by itself; nothing where there is none.
    Number(fn(&Line) -> Option<String>),
    /// Numbers without rounding noise, which share their decimals down the column.
    Aligned(fn(&Line) -> Vec<f64>),
}

/// What most columns have in common.
const COLUMN: Column = Column {
    key: "",
    per: Per::Answer,
    heading: "",
    page_heading: None,
    unit: "1",
    present: |_| true,
    data: None,
    json: Json::InAnswers,
    shown: &[],
    text: Text::Number(|_| None),
};

/// Every column, from left to right.
pub static COLUMNS: &[Column] = &[
    Column {
        key: "law",
        heading: "law",
        data: Some(|line| vec![Value::Text(line.law.to_owned())]),
        shown: &[Shown::One, Shown::Several, Shown::Page],
        text: Text::Law,
        ..COLUMN
    },
    Column {
        key: "reads_e",
        heading: "e of",
        page_heading: Some("e is a ratio of"),
        data: Some(|line| vec![Value::Text(line.reads_e.map_or("", ReadsE::name).to_owned())]),
        shown: &[Shown::One, Shown::SeveralWide, Shown::Page],
        text: Text::Word(|line| line.reads_e.map_or("", words::e_means)),
        ..COLUMN
    },
    Column {
        key: "impulse",
        per: Per::Row,
        heading: "p_{}",
        unit: "N·s",
        data: Some(|line| numbers(line.impulse)),
        shown: &[Shown::One, Shown::Page],
        text: Text::Aligned(|line| clean(line.impulse, size(line.impulse))),
        ..COLUMN
    },
    Column {
        key: "contact_velocity",
        per: Per::Row,
        heading: "u_{}⁺",
        unit: "m/s",
        data: Some(|line| numbers(line.velocity)),
        shown: &[Shown::One, Shown::Page],
        text: Text::Aligned(|line| clean(line.velocity, line.speed())),
        ..COLUMN
    },
    Column { shown: &[Shown::Several], unit: "m/s", text: Text::Velocities, ..COLUMN },
    Column {
        key: "separation_margin",
        heading: "min u_n⁺",
        unit: "m/s",
        shown: &[Shown::Several],
        text: Text::Aligned(|line| clean(&[line.certificate.separation_margin], line.speed())),
        ..COLUMN
    },
    Column {
        key: "largest_impulse",
        heading: "max p_n",
        unit: "N·s",
        shown: &[Shown::Several],
        text: Text::Aligned(|line| {
            let largest = line.normals(line.impulse).fold(f64::NEG_INFINITY, f64::max);
            clean(&[largest], line.speed())
        }),
        ..COLUMN
    },
    Column {
        key: "energy_ratio",
        heading: "E⁺/E0",
        shown: &[Shown::One, Shown::Several, Shown::Page],
        text: Text::Number(|line| words::energy_ratio(line.certificate).map(ratio)),
        ..COLUMN
    },
    Column {
        key: "e_kinematic",
        per: Per::Contact,
        heading: "e seen",
        data: Some(|line| line.certificate.e_kinematic.iter().map(|e| Value::Number(*e)).collect()),
        shown: &[Shown::One],
        text: Text::Number(|line| {
            let seen = line.certificate.e_kinematic.iter().flatten().next();
            seen.map(|e| significant(denoised(*e, 1.0), 4))
        }),
        ..COLUMN
    },
    Column {
        key: "energy_change",
        unit: "J",
        data: Some(|line| vec![Value::Number(Some(line.certificate.energy_change))]),
        ..COLUMN
    },
    Column {
        key: "energy_available",
        unit: "J",
        data: Some(|line| vec![Value::Number(line.certificate.energy_available)]),
        ..COLUMN
    },
    Column {
        key: "verdict",
        data: Some(|line| vec![Value::Text(verdict_name(&line.certificate.verdict).to_owned())]),
        ..COLUMN
    },
    Column {
        key: "violates",
        data: Some(|line| vec![Value::Text(violated(line.certificate))]),
        ..COLUMN
    },
    Column {
        key: "compliant_distance",
        heading: "springs",
        page_heading: Some("to springs"),
        present: |table| table.compliant,
        data: Some(|line| vec![Value::Number(line.compliant_distance)]),
        json: Json::ByLaw,
        shown: &[Shown::One, Shown::Several, Shown::Page],
        text: Text::Number(|line| line.compliant_distance.map(|x| significant(x, 2))),
        ..COLUMN
    },
    Column {
        key: "distance_to_stiff_limit",
        heading: "to stiff",
        page_heading: Some("to stiff limit"),
        present: |table| table.lines.iter().any(|line| line.distance.is_some()),
        data: Some(|line| vec![Value::Number(line.distance)]),
        json: Json::Distance,
        shown: &[Shown::Several, Shown::Page],
        text: Text::Number(|line| line.distance.map(|x| format!("{:.4}", denoised(x, 1.0)))),
        ..COLUMN
    },
    Column {
        per: Per::Coordinate,
        unit: "m/s",
        data: Some(|line| {
            let columns = line.after.columns().into_iter();
            columns.map(|(_, x)| Value::Number(Some(x))).collect()
        }),
        ..COLUMN
    },
    Column {
        heading: "verdict",
        shown: &[Shown::One, Shown::Several, Shown::Page],
        text: Text::Verdict,
        ..COLUMN
    },
];

/// One answer: a law's, or an impulse of other origin.
pub struct Line<'a> {
    /// The problem that was answered.
    pub problem: &'a ContactProblem,
    /// The law's id, or another name.
    pub law: &'a str,
    /// What it multiplies by `e`, if that is known.
    pub reads_e: Option<ReadsE>,
    /// One number per row [N·s].
    pub impulse: &'a [f64],
    /// `u⁺`, one number per row [m/s].
    pub velocity: &'a [f64],
    /// The judgement.
    pub certificate: &'a Certificate,
    /// What the impulse does to the system behind the contacts.
    pub after: &'a After,
    /// How the contact ended, as a verb.
    pub ending: Option<&'static str>,
    /// How far its velocities are from those of compliant contacts, if they were asked for \[1\].
    pub compliant_distance: Option<f64>,
    /// How far they are from those of [`COMPLIANT_LIMIT`] \[1\].
    pub distance: Option<f64>,
}

impl Line<'_> {
    /// The normal components of one number per row.
    fn normals<'b>(&'b self, rows: &'b [f64]) -> impl Iterator<Item = f64> + 'b {
        (0..self.problem.len()).map(|k| rows[self.problem.row_range(k).start])
    }

    /// The largest component of a velocity, before or after [m/s].
    fn speed(&self) -> f64 {
        size(self.velocity).max(size(self.problem.velocity()))
    }
}

/// An impulse of other origin than the catalogue's laws, judged.
pub struct Foreign {
    /// Its name.
    pub law: String,
    /// One number per row [N·s].
    pub impulse: Vec<f64>,
    /// `u⁺`, one number per row [m/s].
    pub velocity: Vec<f64>,
    /// The judgement.
    pub certificate: Certificate,
    /// What the impulse does to the system behind the contacts.
    pub after: After,
}

/// Answers in the order of their lines.
pub struct Table<'a> {
    /// The problem.
    pub problem: &'a ContactProblem,
    /// One line per answer.
    pub lines: Vec<Line<'a>>,
    /// Whether compliant contacts were asked for.
    pub compliant: bool,
}

impl<'a> Table<'a> {
    /// The answers of a comparison.
    pub fn of(comparison: &'a Comparison, problem: &'a ContactProblem) -> Self {
        let line = |entry: &'a Entry| {
            let r = &entry.resolution;
            Line {
                problem,
                law: r.law.id(),
                reads_e: Some(r.law.info().reads_e),
                impulse: &r.outcome.impulse,
                velocity: &r.outcome.velocity,
                certificate: &r.certificate,
                after: &r.after,
                ending: match r.outcome.effort {
                    Effort::Contact(effort) => words::ending(effort.final_mode),
                    _ => None,
                },
                compliant_distance: entry.compliant_distance,
                distance: comparison.distance_to(COMPLIANT_LIMIT, problem, &r.outcome.impulse),
            }
        };
        let lines = comparison.answers.iter().map(line).collect();
        Self { problem, lines, compliant: comparison.compliant.is_some() }
    }

    /// The same with lines for other impulses below.
    pub fn with_foreign(mut self, comparison: &Comparison, foreign: &'a [Foreign]) -> Self {
        let problem = self.problem;
        self.lines.extend(foreign.iter().map(|answer| Line {
            problem,
            law: &answer.law,
            reads_e: None,
            impulse: &answer.impulse,
            velocity: &answer.velocity,
            certificate: &answer.certificate,
            after: &answer.after,
            ending: None,
            compliant_distance: None,
            distance: comparison.distance_to(COMPLIANT_LIMIT, problem, &answer.impulse),
        }));
        self
    }

    /// The columns that are there.
    pub fn columns(&self) -> impl Iterator<Item = &'static Column> {
        COLUMNS.iter().filter(|column| (column.present)(self))
    }

    /// The columns that programs read, with the names of each.
    pub fn data(&self) -> Vec<(Vec<String>, Data)> {
        let named = |column: &'static Column| Some((column.names(self), column.data?));
        self.columns().filter_map(named).collect()
    }

    /// A heading and one row per answer, as comma-separated values.
    pub fn csv(&self) -> String {
        let data = self.data();
        let header: Vec<&str> =
            data.iter().flat_map(|(names, _)| names).map(String::as_str).collect();
        let mut text = header.join(",") + "\n";
        for line in &self.lines {
            let values = data.iter().flat_map(|(_, values)| values(line));
            let fields: Vec<String> = values.map(|value| value.to_string()).collect();
            text.push_str(&(fields.join(",") + "\n"));
        }
        text
    }
}

impl Column {
    /// Its names in CSV and Python.
    fn names(&self, table: &Table) -> Vec<String> {
        let key = self.key;
        match self.per {
            Per::Answer => vec![key.to_owned()],
            Per::Row => {
                words::row_names(table.problem).iter().map(|row| format!("{key}_{row}")).collect()
            }
            Per::Contact if table.problem.len() == 1 => vec![key.to_owned()],
            Per::Contact => (0..table.problem.len()).map(|k| format!("{key}[{k}]")).collect(),
            Per::Coordinate => {
                let first = table.lines.first().map(|line| line.after.columns());
                first.into_iter().flatten().map(|(name, _)| name).collect()
            }
        }
    }

    /// Whether a table for people shows it.
    pub fn shown_in(&self, shown: &[Shown]) -> bool {
        self.shown.iter().any(|place| shown.contains(place))
    }

    /// Its headings on a terminal.
    pub fn headings(&self, problem: &ContactProblem) -> Vec<String> {
        match self.per {
            Per::Row => {
                let rows = words::row_names(problem);
                rows.iter().map(|row| self.heading.replace("{}", row)).collect()
            }
            _ => vec![self.heading.to_owned()],
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Number(None) => Ok(()),
            Self::Number(Some(x)) => write!(f, "{x}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

fn numbers(values: &[f64]) -> Vec<Value> {
    values.iter().map(|x| Value::Number(Some(*x))).collect()
}

fn size(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

fn clean(values: &[f64], size: f64) -> Vec<f64> {
    values.iter().map(|x| denoised(*x, size)).collect()
}

fn ratio(r: f64) -> String {
    match r {
        r if (5e-4..1e3).contains(&r) => format!("{r:.4}"),
        r => significant(r, 3),
    }
}

fn violated(c: &Certificate) -> String {
    match &c.verdict {
        Verdict::Violates(which) => which.iter().map(|i| i.name()).collect::<Vec<_>>().join(" "),
        Verdict::Permissible | Verdict::Boundary => String::new(),
    }
}
