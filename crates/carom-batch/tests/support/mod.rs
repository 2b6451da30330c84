//! Columns to try things on.

#![allow(dead_code, reason = "every test file takes what it needs")]

use carom::Contact;
use carom_batch::{Columns, MassColumn, Mechanism, OwnedAnswers, Parameter};
use carom_testkit::Rng;
use carom_testkit::generate::frictional::landing;
use carom_testkit::generate::{claims_contact, generic_set};

/// Contacts as columns.
pub struct Contacts<const D: usize> {
    pub delassus: Vec<f64>,
    pub velocity: Vec<f64>,
    pub mu: Vec<f64>,
    pub e: Vec<f64>,
    pub e_t: Vec<f64>,
}

impl Contacts<3> {
    /// Ordinary contacts.
    pub fn generic(count: usize) -> Self {
        Self::from_set(&generic_set(5, count))
    }
}

impl<const D: usize> Contacts<D> {
    /// Contacts of every kind: singular, separating, frictionless, tiny, huge.
    pub fn arbitrary(count: usize) -> Self {
        let contact = |i: usize| claims_contact::<D>(&mut Rng::for_item(6, i as u64)).contact;
        Self::from_set(&(0..count).map(contact).collect::<Vec<_>>())
    }

    pub fn from_set(set: &[Contact<D>]) -> Self {
        let rows = |contact: &Contact<D>| contact.delassus().rows();
        Self {
            delassus: set.iter().flat_map(|c| rows(c).into_iter().flatten()).collect(),
            velocity: set.iter().flat_map(|c| c.velocity().components()).collect(),
            mu: set.iter().map(|c| c.material().mu).collect(),
            e: set.iter().map(Contact::e).collect(),
            e_t: set.iter().map(|c| c.material().e_t).collect(),
        }
    }

    pub fn columns(&self) -> Columns<'_> {
        let mechanism =
            Mechanism::ContactSpace { delassus: &self.delassus, contact_velocity: &self.velocity };
        Columns::new(self.mu.len(), vec![D], mechanism, self.parameters()).unwrap()
    }

    fn parameters(&self) -> [Parameter<'_>; 3] {
        [
            Parameter::PerImpact(&self.mu),
            Parameter::PerContact(&self.e),
            Parameter::PerImpact(&self.e_t),
        ]
    }
}

/// Rows of K numbers each as K components, one after another.
pub fn transposed(rows: &[f64], k: usize) -> Vec<f64> {
    (0..k).flat_map(|component| rows.iter().skip(component).step_by(k).copied()).collect()
}

/// Contacts in space, component by component.
pub struct Components<'a> {
    contacts: &'a Contacts<3>,
    delassus: Vec<f64>,
    velocity: Vec<f64>,
}

impl<'a> Components<'a> {
    pub fn of(contacts: &'a Contacts<3>) -> Self {
        let delassus = transposed(&contacts.delassus, 9);
        Self { contacts, delassus, velocity: transposed(&contacts.velocity, 3) }
    }

    pub fn columns(&self) -> Columns<'_> {
        let n = self.contacts.mu.len();
        let mechanism = Mechanism::Components {
            delassus: std::array::from_fn(|k| &self.delassus[k * n..][..n]),
            contact_velocity: std::array::from_fn(|k| &self.velocity[k * n..][..n]),
        };
        Columns::new(n, vec![3], mechanism, self.contacts.parameters()).unwrap()
    }
}

/// Blocks that land on several points at once, as columns.
pub struct Mechanisms {
    coordinates: usize,
    contacts: Vec<usize>,
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    velocity: Vec<f64>,
    mu: Vec<f64>,
    e: Vec<f64>,
}

impl Mechanisms {
    pub fn landing(count: usize, contacts: usize) -> Self {
        let set: Vec<_> =
            (0..count).map(|i| landing(&mut Rng::for_item(7, i as u64), contacts)).collect();
        let of = |f: &dyn Fn(&carom_testkit::Mechanism) -> Vec<f64>| {
            set.iter().flat_map(f).collect::<Vec<f64>>()
        };
        Self {
            coordinates: set[0].velocity.len(),
            contacts: set[0].contacts.iter().map(|contact| contact.rows).collect(),
            mass: of(&|m| m.mass.clone()),
            jacobian: of(&|m| m.jacobian.concat()),
            velocity: of(&|m| m.velocity.clone()),
            mu: of(&|m| m.contacts.iter().map(|c| c.material.mu).collect()),
            e: of(&|m| m.contacts.iter().map(|c| c.material.restitution.at(1.0)).collect()),
        }
    }

    pub fn columns(&self) -> Columns<'_> {
        let count = self.velocity.len() / self.coordinates;
        let mechanism = Mechanism::Generalized {
            coordinates: self.coordinates,
            mass: MassColumn::Full(&self.mass),
            jacobian: &self.jacobian,
            velocity: &self.velocity,
            bilateral: None,
            drive: None,
        };
        let parameters = [
            Parameter::PerContact(&self.mu),
            Parameter::PerContact(&self.e),
            Parameter::Common(0.0),
        ];
        Columns::new(count, self.contacts.clone(), mechanism, parameters).unwrap()
    }
}

/// Bits compare where NaN does not, and tell −0 from 0.
pub fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

/// Whether two sets of answers are the same to the last bit.
pub fn same_bits(one: &OwnedAnswers, other: &OwnedAnswers) -> bool {
    let columns = |answers: &OwnedAnswers| -> Vec<Vec<u64>> {
        let mut columns = vec![
            &answers.impulse,
            &answers.contact_velocity,
            &answers.velocity,
            &answers.energy_change,
        ];
        if let Some(c) = &answers.certificate {
            columns.extend([
                &c.energy_available,
                &c.cone_margin,
                &c.separation_margin,
                &c.e_kinematic,
            ]);
        }
        columns.into_iter().map(|column| bits(column)).collect()
    };
    let verdicts = |answers: &OwnedAnswers| answers.certificate.as_ref().map(|c| c.verdict.clone());
    columns(one) == columns(other) && verdicts(one) == verdicts(other)
}
