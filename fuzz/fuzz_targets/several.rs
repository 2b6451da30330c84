//! Every law for several contacts on arbitrary finite mechanisms: no panic, no endless work, no number that is none.

#![no_main]

use arbitrary::{Arbitrary, Result, Unstructured};
use carom::outcome::{Observer, Progress};
use carom::system::{Generalized, MassMatrix};
use carom::{ContactKind, ContactSpec, Material, Tolerances};
use carom_testkit::laws::every_multi_law;
use libfuzzer_sys::fuzz_target;
use std::ops::ControlFlow;

/// Reports of progress after which a law is asked to stop.
const REPORTS: u32 = 100;

/// A number: mostly of everyday size, sometimes zero, sometimes any at all.
#[derive(Clone, Copy, Debug)]
struct Number(f64);

impl Arbitrary<'_> for Number {
    fn arbitrary(u: &mut Unstructured) -> Result<Self> {
        Ok(Self(match u8::arbitrary(u)? {
            0..=31 => 0.0,
            32..=47 => Some(f64::arbitrary(u)?).filter(|x| x.is_finite()).unwrap_or(1.0),
            48..=63 => f64::from(i16::arbitrary(u)?) * f64::from(i8::arbitrary(u)?).exp2(),
            _ => f64::from(i8::arbitrary(u)?) / 16.0,
        }))
    }
}

#[derive(Arbitrary, Debug)]
struct Contact {
    rows: u8,
    bilateral: bool,
    mu: Number,
    e: u8,
}

impl Contact {
    fn spec(&self) -> Option<ContactSpec> {
        let material = Material::new(self.mu.0.abs(), f64::from(self.e) / 255.0).ok()?;
        let kind = match self.bilateral {
            true => ContactKind::Bilateral,
            false => ContactKind::Unilateral,
        };
        Some(ContactSpec { kind, ..ContactSpec::new(1 + usize::from(self.rows % 3), material) })
    }
}

#[derive(Arbitrary, Debug)]
struct Input {
    masses: [Number; 4],
    velocity: [Number; 4],
    /// Rows of the Jacobian; as many as the contacts own are taken.
    rows: Vec<[Number; 4]>,
    bilateral: Option<[Number; 4]>,
    contacts: Vec<Contact>,
    restitution: u8,
}

impl Input {
    fn system(&self) -> Option<Generalized> {
        let contacts: Vec<ContactSpec> =
            self.contacts.iter().take(8).map(Contact::spec).collect::<Option<_>>()?;
        let rows: usize = contacts.iter().map(|c| c.rows).sum();
        let numbers = |row: &[Number; 4]| row.map(|x| x.0);
        let jacobian: Vec<f64> = self.rows.iter().take(rows).flat_map(numbers).collect();
        let masses = self.masses.map(|m| m.0.abs()).to_vec();
        let velocity = numbers(&self.velocity).to_vec();
        let system =
            Generalized::new(MassMatrix::Diagonal(masses), velocity, jacobian, contacts).ok()?;
        match &self.bilateral {
            Some(row) => system.with_bilateral(numbers(row).to_vec()).ok(),
            None => Some(system),
        }
    }
}

/// Asks a law to stop after so many reports.
struct Reports(u32);

impl Observer for Reports {
    fn progress(&mut self, _: Progress) -> ControlFlow<()> {
        self.0 += 1;
        if self.0 > REPORTS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fuzz_target!(|input: Input| {
    let Some(system) = input.system() else {
        return;
    };
    let problem = system.problem();
    for (row, law) in every_multi_law(f64::from(input.restitution) / 255.0) {
        if let Ok(outcome) = law.resolve(problem, &Tolerances::NOMINAL, &mut Reports(0)) {
            let finite = outcome.impulse.iter().chain(&outcome.velocity).all(|x| x.is_finite());
            assert!(finite, "{}: {outcome:?}; {problem:?}", row.id);
        }
    }
});
