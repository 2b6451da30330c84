//! A compliant run as JSON.

use super::{ProblemAnswer, no_answer};
use crate::compliance::{CompliantRun, LawBeside};
use carom_io::answer::{Number, Numbers, ResolutionAnswer, serialize_after};
use carom_io::format::Problem;
use carom_sim::compliant::{ContactMoment, Spring};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

/// A compliant run, and laws beside it.
pub struct CompliantAnswer<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// What happened.
    pub run: &'a CompliantRun,
    /// Laws to compare with.
    pub laws: &'a [LawBeside],
}

impl Serialize for CompliantAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("title", &self.problem.title)?;
        map.serialize_entry("problem", &ProblemAnswer(self.problem.system.problem()))?;
        RunEntries(self.problem, self.run).serialize_into(&mut map)?;
        let laws: Vec<Value> = self.laws.iter().map(beside).collect();
        map.serialize_entry("laws", &laws)?;
        map.end()
    }
}

fn beside(law: &LawBeside) -> Value {
    match &law.answer {
        Ok((resolution, distance)) => {
            let answer = ResolutionAnswer { id: None, resolution, trace: None };
            json!({ "distance": distance, "answer": answer })
        }
        Err(error) => no_answer(law.id, error),
    }
}

/// A compliant run inside another answer.
pub struct RunAnswer<'a>(pub &'a Problem, pub &'a CompliantRun);

impl Serialize for RunAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        RunEntries(self.0, self.1).serialize_into(&mut map)?;
        map.end()
    }
}

struct RunEntries<'a>(&'a Problem, &'a CompliantRun);

impl RunEntries<'_> {
    fn serialize_into<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Self(problem, run) = self;
        let c = &run.compliance;
        let modulus = match c.spring {
            Spring::Hertz { modulus } => Some(modulus),
            Spring::Power { .. } => None,
        };
        map.serialize_entry(
            "model",
            &json!({
                "exponent": c.exponent().value(),
                "modulus": modulus,
                "radius": c.radius,
                "stiffness": c.stiffness(),
                "dissipation": c.dissipation,
                "transition_speed": run.transition_speed,
                "static_ratio": c.static_ratio,
                "viscous": c.viscous,
                "gravity": c.gravity,
                "frozen": run.frozen,
            }),
        )?;
        let outcome = &run.outcome;
        map.serialize_entry("impulse", &Numbers(&outcome.impulse))?;
        map.serialize_entry("contact_velocity", &Numbers(&outcome.contact_velocity))?;
        serialize_after(map, &run.after)?;
        map.serialize_entry("first_touch", &Number(outcome.first_touch))?;
        map.serialize_entry("duration", &Number(outcome.duration))?;
        let contacts: Vec<Value> = outcome
            .contacts
            .iter()
            .map(|k| {
                json!({
                    "peak_penetration": k.peak_penetration,
                    "peak_force": k.peak_force,
                    "closures": k.closures,
                    "reclosures": k.reclosures(),
                    "compression_impulse": k.compression_impulse,
                    "expansion_impulse": k.expansion_impulse,
                    "compression_work": k.compression_work,
                    "expansion_work": k.expansion_work,
                    "damping_loss": k.damping_loss,
                    "friction_loss": k.friction_loss,
                    "e_kinetic": k.kinetic_restitution(),
                    "e_energetic": k.energetic_restitution(),
                })
            })
            .collect();
        map.serialize_entry("contacts", &contacts)?;
        let e = &outcome.energy;
        map.serialize_entry(
            "energy",
            &json!({
                "kinetic_start": e.kinetic_start,
                "kinetic_end": e.kinetic_end,
                "weight_work": e.weight_work,
                "supplied": e.supplied,
                "stored_start": e.stored_start,
                "stored": e.stored,
                "damping_loss": e.damping_loss,
                "friction_loss": e.friction_loss,
                "residual": e.residual(),
                "relative_residual": e.relative_residual(),
            }),
        )?;
        let effort = &outcome.effort;
        map.serialize_entry(
            "effort",
            &json!({
                "explicit_steps": effort.explicit_steps,
                "implicit_steps": effort.implicit_steps,
                "rejected": effort.rejected,
                "events": effort.events,
                "evaluations": effort.evaluations,
            }),
        )?;
        if !outcome.history.is_empty() {
            let rows: Vec<usize> =
                problem.system.problem().contacts().iter().map(|contact| contact.rows).collect();
            let moments: Vec<Value> = outcome
                .history
                .iter()
                .map(|moment| {
                    let contacts: Vec<Value> = moment
                        .contacts
                        .iter()
                        .zip(&rows)
                        .map(|(contact, rows)| contact_moment(contact, *rows))
                        .collect();
                    json!({ "time": moment.time, "kinetic": moment.kinetic, "contacts": contacts })
                })
                .collect();
            map.serialize_entry("history", &moments)?;
        }
        Ok(())
    }
}

fn contact_moment(contact: &ContactMoment, rows: usize) -> Value {
    json!({
        "penetration": contact.penetration,
        "velocity": contact.velocity[..rows],
        "force": contact.force[..rows],
        "impulse": contact.impulse[..rows],
    })
}
