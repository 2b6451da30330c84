//! One answer as JSON: the one place that says which key stands where.
//!
//! Infinity is the text `"inf"`; there is no NaN.

mod trace;

pub use trace::Path;

use crate::failure::Failure;
use crate::resolution::Resolution;
use carom::catalog::{SettingValue, Settings};
use carom::certify::{ContactMargins, Place};
use carom::outcome::{Effort, PathTotals};
use carom::system::After;
use carom::{Certificate, Law, Verdict};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::json;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// A number, infinity included.
#[derive(Clone, Copy)]
pub struct Number(pub f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            f64::INFINITY => serializer.serialize_str("inf"),
            f64::NEG_INFINITY => serializer.serialize_str("-inf"),
            x => serializer.serialize_f64(x),
        }
    }
}

/// A list of numbers, infinity included.
pub struct Numbers<'a>(pub &'a [f64]);

impl Serialize for Numbers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|x| Number(*x)))
    }
}

/// The answer of a law. `id` is the caller's and comes back as it came.
pub struct ResolutionAnswer<'a> {
    /// The caller's name for the problem.
    pub id: Option<&'a RawValue>,
    /// What was found.
    pub resolution: &'a Resolution,
    /// The path, if it was asked for.
    pub trace: Option<Path<'a>>,
}

impl Serialize for ResolutionAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Resolution { law, settings, outcome, after, certificate } = self.resolution;
        let mut map = serializer.serialize_map(None)?;
        if let Some(id) = self.id {
            map.serialize_entry("id", id)?;
        }
        map.serialize_entry("law", &LawAnswer(law, settings))?;
        map.serialize_entry("impulse", &Numbers(&outcome.impulse))?;
        map.serialize_entry("contact_velocity", &Numbers(&outcome.velocity))?;
        serialize_after(&mut map, after)?;
        map.serialize_entry("energy_change", &Number(certificate.energy_change))?;
        if let Some(inertial) = &after.inertial {
            map.serialize_entry("kinetic_energy_change", &Number(inertial.kinetic_energy_change))?;
        }
        map.serialize_entry("certificate", &CertificateAnswer(certificate))?;
        map.serialize_entry("effort", &EffortAnswer(&outcome.effort))?;
        let notes: Vec<&str> = outcome.notes.iter().map(|note| note.text()).collect();
        map.serialize_entry("notes", &notes)?;
        if let Some(trace) = self.trace {
            match law.info().takes_several() {
                false => map.serialize_entry("trace", &trace.events(outcome.impulse.len()))?,
                true => map.serialize_entry("trace", &trace.steps())?,
            }
        }
        map.end()
    }
}

/// The judgement on a foreign impulse.
pub struct JudgementAnswer<'a> {
    /// The caller's name for the problem.
    pub id: Option<&'a RawValue>,
    /// The judgement.
    pub certificate: &'a Certificate,
    /// `u⁺` [m/s].
    pub contact_velocity: &'a [f64],
    /// What the impulse does to the system behind the contacts.
    pub after: &'a After,
    /// What a check in rational numbers says, if it was asked for.
    pub exact: Option<serde_json::Value>,
}

impl Serialize for JudgementAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(id) = self.id {
            map.serialize_entry("id", id)?;
        }
        map.serialize_entry("contact_velocity", &Numbers(self.contact_velocity))?;
        serialize_after(&mut map, self.after)?;
        if let Some(inertial) = &self.after.inertial {
            map.serialize_entry("kinetic_energy_change", &Number(inertial.kinetic_energy_change))?;
        }
        map.serialize_entry("certificate", &CertificateAnswer(self.certificate))?;
        let notes: Vec<&str> = self.certificate.notes.iter().map(|note| note.text()).collect();
        map.serialize_entry("notes", &notes)?;
        if let Some(exact) = &self.exact {
            map.serialize_entry("exact", exact)?;
        }
        map.end()
    }
}

/// Why there is no answer.
pub struct FailureAnswer<'a> {
    /// The caller's name for the problem; `Some(None)` is an id that could not be read.
    pub id: Option<Option<&'a RawValue>>,
    /// What went wrong.
    pub failure: &'a Failure,
}

impl Serialize for FailureAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Error<'a>(&'a Failure);
        impl Serialize for Error<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("kind", self.0.kind())?;
                map.serialize_entry("message", &self.0.to_string())?;
                map.end()
            }
        }
        let mut map = serializer.serialize_map(None)?;
        if let Some(id) = self.id {
            map.serialize_entry("id", &id)?;
        }
        map.serialize_entry("error", &Error(self.failure))?;
        map.end()
    }
}

/// Writes the velocities and impulses of the system behind the contacts into an answer.
pub fn serialize_after<M: SerializeMap>(map: &mut M, after: &After) -> Result<(), M::Error> {
    struct Bodies<'a>(&'a [carom::system::BodyAfter]);
    impl Serialize for Bodies<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.0.iter().map(|body| (&body.name, BodyMotion(body))))
        }
    }
    struct BodyMotion<'a>(&'a carom::system::BodyAfter);
    impl Serialize for BodyMotion<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(Some(2))?;
            map.serialize_entry("velocity", &Numbers(&self.0.velocity))?;
            // In the plane it is one number, in files as in answers.
            match self.0.angular_velocity[..] {
                [spin] => map.serialize_entry("angular_velocity", &Number(spin))?,
                ref spin => map.serialize_entry("angular_velocity", &Numbers(spin))?,
            }
            map.end()
        }
    }
    if let Some(velocity) = &after.velocity {
        map.serialize_entry("velocity", &Numbers(velocity))?;
    }
    if let Some(bodies) = &after.bodies {
        map.serialize_entry("bodies", &Bodies(bodies))?;
    }
    match &after.inertial {
        Some(inertial) if !inertial.bilateral_impulse.is_empty() => {
            map.serialize_entry("bilateral_impulse", &Numbers(&inertial.bilateral_impulse))
        }
        _ => Ok(()),
    }
}

/// A law as files name it, with every setting.
pub struct LawAnswer<'a>(pub &'a Law, pub &'a Settings);

impl Serialize for LawAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", self.0.id())?;
        for (name, value) in self.1.iter().filter(|(name, _)| *name != "id") {
            map.serialize_entry(name, &SettingAnswer(value))?;
        }
        map.end()
    }
}

/// A law's setting.
pub struct SettingAnswer<'a>(pub &'a SettingValue);

impl Serialize for SettingAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            SettingValue::Number(x) => Number(*x).serialize(serializer),
            SettingValue::Text(text) => serializer.serialize_str(text),
            SettingValue::Switch(x) => serializer.serialize_bool(*x),
            SettingValue::List(items) => serializer.collect_seq(items.iter().map(SettingAnswer)),
            SettingValue::Table(settings) => serializer
                .collect_map(settings.iter().map(|(name, value)| (name, SettingAnswer(value)))),
        }
    }
}

/// A judgement.
pub struct CertificateAnswer<'a>(pub &'a Certificate);

impl Serialize for CertificateAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let c = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("energy_change", &Number(c.energy_change))?;
        map.serialize_entry("energy_available", &c.energy_available.map(Number))?;
        for (name, x) in [
            ("cone_margin", c.cone_margin),
            ("normal_margin", c.normal_margin),
            ("separation_margin", c.separation_margin),
            ("momentum_residual", c.momentum_residual),
            ("bilateral_residual", c.bilateral_residual),
        ] {
            map.serialize_entry(name, &Number(x))?;
        }
        let e_kinematic: Vec<Option<Number>> =
            c.e_kinematic.iter().map(|e| e.map(Number)).collect();
        map.serialize_entry("e_kinematic", &e_kinematic)?;
        map.serialize_entry("rounding", &Rounding(c))?;
        map.serialize_entry("verdict", &VerdictAnswer(&c.verdict))?;
        map.serialize_entry(
            "coulomb",
            &json!({
                "normal_residual": Number(c.coulomb.normal),
                "tangential_residual": Number(c.coulomb.tangential),
                "dissipation_margin": c.coulomb.dissipation_margin.map(Number),
            }),
        )?;
        if c.e_kinematic.len() > 1 {
            serialize_several(&mut map, c)?;
        }
        if !c.violations.is_empty() {
            let violations = c.violations.iter().map(|violation| {
                let (kind, index) = match violation.place {
                    Place::Contact(index) => ("contact", index),
                    Place::Island(index) => ("island", index),
                };
                json!({
                    "inequality": violation.inequality.name(),
                    kind: index,
                    "margin": Number(violation.margin),
                    "scale": Number(violation.scale),
                })
            });
            map.serialize_entry("violations", &violations.collect::<Vec<_>>())?;
        }
        if let Some(path) = &c.path {
            serialize_path(&mut map, path, c.energy_change)?;
        }
        map.end()
    }
}

fn serialize_several<M: SerializeMap>(map: &mut M, c: &Certificate) -> Result<(), M::Error> {
    let complementarity = c.complementarity;
    map.serialize_entry(
        "complementarity",
        &json!({ "residual": Number(complementarity.residual), "gap": Number(complementarity.gap) }),
    )?;
    map.serialize_entry("impulse_unique", &c.impulse_unique)?;
    map.serialize_entry("velocity_unique", &c.velocity_unique)?;
    let permissible = c.permissible_set.map(|margins| {
        json!({
            "inside": margins.inside,
            "energy_margin": Number(margins.energy_margin),
            "separation_margin": Number(margins.separation_margin),
            "impulse_margin": Number(margins.impulse_margin),
        })
    });
    map.serialize_entry("admissible", &permissible)?;
    let weakest = c.weakest;
    map.serialize_entry(
        "weakest",
        &json!({
            "separation": weakest.separation,
            "normal_impulse": weakest.normal_impulse,
            "cone": weakest.cone,
        }),
    )?;
    let each = |value: fn(&ContactMargins) -> f64| -> Vec<Number> {
        c.contacts.iter().map(|margins| Number(value(margins))).collect()
    };
    map.serialize_entry(
        "contacts",
        &json!({
            "cone_margin": each(|c| c.cone.value),
            "normal_margin": each(|c| c.normal.value),
            "separation_margin": each(|c| c.separation.value),
        }),
    )?;
    if c.islands.len() > 1 {
        let islands = c.islands.iter().map(|island| {
            json!({
                "contacts": island.contacts,
                "energy_change": Number(island.change),
                "energy_available": island.available.map(Number),
            })
        });
        map.serialize_entry("islands", &islands.collect::<Vec<_>>())?;
    }
    Ok(())
}

fn serialize_path<M: SerializeMap>(
    map: &mut M,
    path: &PathTotals,
    energy_change: f64,
) -> Result<(), M::Error> {
    let normal_work = path.normal_work();
    map.serialize_entry("normal_work", &Number(normal_work))?;
    map.serialize_entry("tangential_work", &Number(energy_change - normal_work))?;
    map.serialize_entry("e_kinetic", &path.e_kinetic().map(Number))?;
    map.serialize_entry("e_energetic", &path.e_energetic().map(Number))
}

struct Rounding<'a>(&'a Certificate);

impl Serialize for Rounding<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bounds = &self.0.rounding;
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("energy_change", &Number(bounds.energy_change))?;
        map.serialize_entry("cone_margin", &Number(bounds.cone_margin))?;
        map.serialize_entry("separation_margin", &Number(bounds.separation_margin))?;
        map.end()
    }
}

/// A verdict, with the conditions that are violated.
pub struct VerdictAnswer<'a>(pub &'a Verdict);

impl Serialize for VerdictAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = verdict_name(self.0);
        match self.0 {
            Verdict::Permissible | Verdict::Boundary => serializer.serialize_str(name),
            Verdict::Violates(which) => {
                let which: Vec<&str> = which.iter().map(|i| i.name()).collect();
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry(name, &which)?;
                map.end()
            }
        }
    }
}

/// The verdict in one word.
pub fn verdict_name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Permissible => "permissible",
        Verdict::Boundary => "boundary",
        Verdict::Violates(_) => "violates",
    }
}

struct EffortAnswer<'a>(&'a Effort);

impl Serialize for EffortAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.0 {
            Effort::Contact(effort) => {
                map.serialize_entry("steps", &effort.steps)?;
                map.serialize_entry("compressions", &effort.compressions)?;
                map.serialize_entry("final_mode", effort.final_mode.name())?;
                map.serialize_entry("solutions", &effort.solutions)?;
            }
            Effort::Solver(effort) => {
                map.serialize_entry("iterations", &effort.iterations)?;
                map.serialize_entry("collisions", &effort.collisions)?;
                map.serialize_entry("ties", &effort.ties)?;
                map.serialize_entry("truncation", &Number(effort.truncation))?;
                map.serialize_entry("ending", effort.ending.name())?;
                map.serialize_entry("impulse_unique", &effort.impulse_unique)?;
                map.serialize_entry("velocity_unique", &effort.velocity_unique)?;
                map.serialize_entry("residual", &Number(effort.residual))?;
            }
            Effort::Rounds(effort) => {
                map.serialize_entry("rounds", &effort.rounds)?;
                map.serialize_entry("intervals", &effort.intervals)?;
                map.serialize_entry("intervals_per_round", &effort.intervals_per_round)?;
                map.serialize_entry("fallbacks", &effort.fallbacks)?;
                let remedies: BTreeMap<_, _> = effort.remedies.named().into_iter().collect();
                map.serialize_entry("remedies", &remedies)?;
                map.serialize_entry("truncated", &effort.truncated)?;
                map.serialize_entry("impulse_unique", &effort.impulse_unique)?;
                map.serialize_entry("residual", &Number(effort.residual))?;
            }
            Effort::Springs(effort) => {
                map.serialize_entry("steps", &effort.steps)?;
                map.serialize_entry("stiff_steps", &effort.stiff_steps)?;
                map.serialize_entry("rejected", &effort.rejected)?;
                map.serialize_entry("events", &effort.events)?;
                map.serialize_entry("smoothed", &effort.smoothed)?;
                map.serialize_entry("late", &effort.late)?;
                map.serialize_entry("impulse_unique", &effort.impulse_unique)?;
            }
        }
        map.end()
    }
}
