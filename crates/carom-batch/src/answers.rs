//! What comes out: columns that the caller owns.

use crate::Shape;
use carom::{Certificate, ImpactError, Verdict};
use std::mem::take;

/// The verdict on an answer, as one byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Judgement {
    /// Every condition holds with room to spare.
    Permissible = 0,
    /// Every condition holds, some of them with equality.
    Boundary = 1,
    /// Some conditions fail.
    Violates = 2,
    /// There is no answer to judge.
    #[default]
    Unanswered = 3,
}

impl Judgement {
    /// The verdict in one word, as in answers; nothing where there is no answer.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Permissible => Some("permissible"),
            Self::Boundary => Some("boundary"),
            Self::Violates => Some("violates"),
            Self::Unanswered => None,
        }
    }
}

impl From<&Verdict> for Judgement {
    fn from(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Permissible => Self::Permissible,
            Verdict::Boundary => Self::Boundary,
            Verdict::Violates(_) => Self::Violates,
        }
    }
}

/// Columns to write the answers to. A row without an answer is NaN throughout, and so is a number that does not exist,
/// such as the observed restitution of a contact that did not approach. What impulses do, velocities and energies, is left
/// out where the column is empty.
#[derive(Debug, Default)]
pub struct Answers<'a> {
    /// `p`, R numbers per impact, contact by contact, normal first [N·s].
    pub impulse: Vectors<'a>,
    /// `u⁺`, R numbers per impact [m/s].
    pub contact_velocity: Vectors<'a>,
    /// `v⁺`, f numbers per impact; empty in contact space [m/s or rad/s].
    pub velocity: &'a mut [f64],
    /// `½ p·(u⁻ + u⁺)`, one per impact; with certificates theirs, which is good to its last bit \[J\].
    pub energy_change: &'a mut [f64],
    /// The judgement, if it is wanted.
    pub certificate: Option<CertificateColumns<'a>>,
}

/// A column of vectors, R numbers per impact. Answers are quickest where they stand as [`Columns`](crate::Columns) do.
#[derive(Debug)]
pub enum Vectors<'a> {
    /// Impact by impact.
    Rows(&'a mut [f64]),
    /// Component by component, for one contact in space each: a slice for each, one number per impact.
    Components([&'a mut [f64]; 3]),
}

impl Default for Vectors<'_> {
    fn default() -> Self {
        Self::Rows(&mut [])
    }
}

impl Vectors<'_> {
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many numbers there is room for.
    fn len(&self) -> usize {
        match self {
            Self::Rows(column) => column.len(),
            Self::Components(columns) => columns.iter().map(|column| column.len()).sum(),
        }
    }

    /// Their lengths and what those should be.
    fn lengths(&self, shape: &Shape) -> Vec<(usize, usize)> {
        let whole = (self.len(), shape.count * shape.rows);
        let each = match self {
            Self::Rows(_) => &[][..],
            Self::Components(columns) => columns,
        };
        each.iter().map(|column| (column.len(), shape.count)).chain([whole]).collect()
    }

    /// How many impacts they are for.
    fn count(&self, rows: usize) -> usize {
        match self {
            Self::Rows(column) => column.len() / rows.max(1),
            Self::Components([column, ..]) => column.len(),
        }
    }

    /// Cuts the first `count` impacts off.
    fn take(&mut self, count: usize, rows: usize) -> Self {
        match self {
            Self::Rows(column) => Self::Rows(cut(column, count * rows)),
            Self::Components(columns) => {
                Self::Components(columns.each_mut().map(|column| cut(column, count)))
            }
        }
    }

    /// Writes that of impact `i`.
    fn put(&mut self, i: usize, values: &[f64]) {
        match self {
            Self::Rows(column) => place(column, i, values.len(), values),
            Self::Components(columns) => {
                columns.iter_mut().zip(values).for_each(|(column, x)| place(column, i, 1, &[*x]));
            }
        }
    }

    /// Vectors of three, one after another; none if they stand otherwise.
    pub(crate) fn rows(&mut self) -> Option<&mut [[f64; 3]]> {
        match self {
            Self::Rows(column) => Some(column.as_chunks_mut().0),
            Self::Components(_) => None,
        }
    }

    /// Components of three; none if they stand otherwise.
    pub(crate) fn components(&mut self) -> Option<[&mut [f64]; 3]> {
        match self {
            Self::Rows([]) => Some(Default::default()),
            Self::Rows(_) => None,
            Self::Components(columns) => Some(columns.each_mut().map(|column| &mut **column)),
        }
    }
}

/// Columns for the judgement.
#[derive(Debug, Default)]
pub struct CertificateColumns<'a> {
    /// `½ u⁻ᵀ W⁺ u⁻`, one per impact \[J\].
    pub energy_available: &'a mut [f64],
    /// The smallest `μ p_n − |p_t|`, one per impact [N·s].
    pub cone_margin: &'a mut [f64],
    /// The smallest `u_n⁺`, one per impact [m/s].
    pub separation_margin: &'a mut [f64],
    /// `−u_n⁺/u_n⁻`, one per contact of each impact \[1\].
    pub e_kinematic: &'a mut [f64],
    /// One per impact.
    pub verdict: &'a mut [Judgement],
}

/// One row's answer, on its way into columns.
pub(crate) struct Answer<'a> {
    pub impulse: &'a [f64],
    pub contact_velocity: &'a [f64],
    pub velocity: &'a [f64],
    pub energy_change: f64,
    pub certificate: Option<&'a Certificate>,
}

impl Answers<'_> {
    /// Refuses columns that are not as long as the shape says.
    pub(crate) fn check(&self, shape: &Shape) -> Result<(), ImpactError> {
        let (n, k) = (shape.count, shape.contacts.len());
        let mut wanted = Vec::new();
        let mut vectors = |name, column: &Vectors| {
            wanted
                .extend(column.lengths(shape).into_iter().map(|(had, wanted)| (name, had, wanted)));
        };
        vectors("impulse", &self.impulse);
        if !self.contact_velocity.is_empty() {
            vectors("contact_velocity", &self.contact_velocity);
        }
        let optional = [
            ("velocity", self.velocity.len(), n * shape.coordinates.unwrap_or(0)),
            ("energy_change", self.energy_change.len(), n),
        ];
        wanted.extend(optional.into_iter().filter(|(_, length, _)| *length > 0));
        if let Some(columns) = &self.certificate {
            wanted.extend([
                ("energy_available", columns.energy_available.len(), n),
                ("cone_margin", columns.cone_margin.len(), n),
                ("separation_margin", columns.separation_margin.len(), n),
                ("e_kinematic", columns.e_kinematic.len(), n * k),
                ("verdict", columns.verdict.len(), n),
            ]);
        }
        match wanted.into_iter().find(|(_, length, wanted)| length != wanted) {
            None => Ok(()),
            Some((name, length, wanted)) => {
                let reason = format!("the column for answers must have room for {wanted}");
                Err(ImpactError::bad_problem(name, format!("{length} numbers"), reason))
            }
        }
    }

    /// How many impacts they are for.
    pub(crate) fn count(&self, shape: &Shape) -> usize {
        self.impulse.count(shape.rows)
    }

    /// Cuts the first `count` impacts off.
    pub(crate) fn take(&mut self, count: usize, shape: &Shape) -> Self {
        let contacts = shape.contacts.len();
        Self {
            impulse: self.impulse.take(count, shape.rows),
            contact_velocity: self.contact_velocity.take(count, shape.rows),
            velocity: cut(&mut self.velocity, count * shape.coordinates.unwrap_or(0)),
            energy_change: cut(&mut self.energy_change, count),
            certificate: self.certificate.as_mut().map(|columns| CertificateColumns {
                energy_available: cut(&mut columns.energy_available, count),
                cone_margin: cut(&mut columns.cone_margin, count),
                separation_margin: cut(&mut columns.separation_margin, count),
                e_kinematic: cut(&mut columns.e_kinematic, count * contacts),
                verdict: cut(&mut columns.verdict, count),
            }),
        }
    }

    /// Writes the answer of impact `i`.
    pub(crate) fn put(&mut self, i: usize, shape: &Shape, answer: &Answer) {
        self.impulse.put(i, answer.impulse);
        self.contact_velocity.put(i, answer.contact_velocity);
        place(self.velocity, i, shape.coordinates.unwrap_or(0), answer.velocity);
        place(self.energy_change, i, 1, &[answer.energy_change]);
        if let (Some(columns), Some(certificate)) = (&mut self.certificate, answer.certificate) {
            columns.put(i, certificate);
        }
    }

    /// Marks impact `i` as unanswered.
    pub(crate) fn clear(&mut self, i: usize, shape: &Shape) {
        let blank = |column: &mut [f64], size: usize| {
            if !column.is_empty() {
                column[i * size..][..size].fill(f64::NAN);
            }
        };
        let unknown = vec![f64::NAN; shape.rows];
        self.impulse.put(i, &unknown);
        self.contact_velocity.put(i, &unknown);
        blank(self.velocity, shape.coordinates.unwrap_or(0));
        blank(self.energy_change, 1);
        if let Some(columns) = &mut self.certificate {
            blank(columns.energy_available, 1);
            blank(columns.cone_margin, 1);
            blank(columns.separation_margin, 1);
            blank(columns.e_kinematic, shape.contacts.len());
            columns.verdict[i] = Judgement::Unanswered;
        }
    }
}

impl CertificateColumns<'_> {
    fn put(&mut self, i: usize, certificate: &Certificate) {
        self.energy_available[i] = certificate.energy_available.unwrap_or(f64::NAN);
        self.cone_margin[i] = certificate.cone_margin;
        self.separation_margin[i] = certificate.separation_margin;
        let e = &certificate.e_kinematic;
        for (place, e) in self.e_kinematic[i * e.len()..].iter_mut().zip(e) {
            *place = e.unwrap_or(f64::NAN);
        }
        self.verdict[i] = Judgement::from(&certificate.verdict);
    }
}

fn cut<'a, T>(column: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    // Empty columns stay so.
    let count = count.min(column.len());
    let (first, rest) = take(column).split_at_mut(count);
    *column = rest;
    first
}

fn place(column: &mut [f64], i: usize, size: usize, values: &[f64]) {
    if !column.is_empty() {
        column[i * size..][..size].copy_from_slice(values);
    }
}

/// The same columns, with memory of their own.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the fields are those of Answers")]
pub struct OwnedAnswers {
    pub impulse: Vec<f64>,
    pub contact_velocity: Vec<f64>,
    pub velocity: Vec<f64>,
    pub energy_change: Vec<f64>,
    pub certificate: Option<OwnedCertificates>,
}

/// The columns of judgement, with memory of their own.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the fields are those of CertificateColumns")]
pub struct OwnedCertificates {
    pub energy_available: Vec<f64>,
    pub cone_margin: Vec<f64>,
    pub separation_margin: Vec<f64>,
    pub e_kinematic: Vec<f64>,
    pub verdict: Vec<Judgement>,
}

impl OwnedAnswers {
    /// Room for the answers to impacts of this shape.
    pub fn of(shape: &Shape, certify: bool) -> Self {
        let (n, k) = (shape.count, shape.contacts.len());
        let room = |count: usize| vec![0.0; count];
        Self {
            impulse: room(n * shape.rows),
            contact_velocity: room(n * shape.rows),
            velocity: room(n * shape.coordinates.unwrap_or(0)),
            energy_change: room(n),
            certificate: certify.then(|| OwnedCertificates {
                energy_available: room(n),
                cone_margin: room(n),
                separation_margin: room(n),
                e_kinematic: room(n * k),
                verdict: vec![Judgement::Unanswered; n],
            }),
        }
    }

    /// The columns, to be written to.
    pub fn borrow(&mut self) -> Answers<'_> {
        Answers {
            impulse: Vectors::Rows(&mut self.impulse),
            contact_velocity: Vectors::Rows(&mut self.contact_velocity),
            velocity: &mut self.velocity,
            energy_change: &mut self.energy_change,
            certificate: self.certificate.as_mut().map(|columns| CertificateColumns {
                energy_available: &mut columns.energy_available,
                cone_margin: &mut columns.cone_margin,
                separation_margin: &mut columns.separation_margin,
                e_kinematic: &mut columns.e_kinematic,
                verdict: &mut columns.verdict,
            }),
        }
    }
}
