//! From the end of the path to an impulse.

use super::island::Island;
use super::run::Run;

impl Run {
    /// Counts what sticking contacts held to the last.
    pub(super) fn finish(&mut self) {
        self.friction.hold(&mut self.field, &mut self.state);
        self.effort.impulse_unique.get_or_insert(true);
    }

    /// The impulse of every row of the island [N·s].
    pub(super) fn impulse(&self, island: &Island) -> Vec<f64> {
        let model = &self.field.model;
        let (n, rank, unit) = (model.len(), model.rank, model.impulse());
        let normals = &self.state[n + rank..2 * n + rank];
        let frictions = &self.state[2 * n + rank..];
        let mut impulse = Vec::new();
        for (k, contact) in island.contacts.iter().enumerate() {
            // Forces push; rounding of a sum of stages may not.
            impulse.push(normals[k].max(0.0) * unit);
            let grip = model.springs[k].grip;
            impulse.extend(
                (0..contact.tangents).map(|c| grip.map_or(0.0, |g| frictions[2 * g + c] * unit)),
            );
        }
        impulse
    }
}
