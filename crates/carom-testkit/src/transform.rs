//! The same impact seen from elsewhere: other units, other tangents.

use carom::{Contact, ContactVec, Delassus, Material};

fn build<const D: usize>(w: [[f64; D]; D], u: [f64; D], material: Material) -> Contact<D> {
    Delassus::new(w)
        .and_then(|w| Contact::new(w, ContactVec::new(u), material))
        .unwrap_or_else(|error| panic!("a transformed contact is not valid: {error}"))
}

/// The contact with `W` and `u⁻` multiplied by these factors. Powers of two change no bit of a mantissa.
pub fn scaled<const D: usize>(contact: &Contact<D>, matrix: f64, velocity: f64) -> Contact<D> {
    build(
        contact.delassus().rows().map(|row| row.map(|x| x * matrix)),
        contact.velocity().components().map(|x| x * velocity),
        *contact.material(),
    )
}

/// An orthogonal map of contact space that leaves the normal alone.
#[derive(Clone, Copy, Debug)]
pub struct Turn<const D: usize>([[f64; D]; D]);

impl<const D: usize> Turn<D> {
    /// Tangents mirrored: the last one points the other way.
    pub fn mirror() -> Self {
        Self(std::array::from_fn(|i| {
            std::array::from_fn(|j| match (i == j, D > 1 && i == D - 1) {
                (true, true) => -1.0,
                (true, false) => 1.0,
                _ => 0.0,
            })
        }))
    }

    /// The map applied to a vector.
    pub fn apply(&self, v: &ContactVec<D>) -> ContactVec<D> {
        ContactVec::new(std::array::from_fn(|i| (0..D).map(|j| self.0[i][j] * v[j]).sum()))
    }

    /// `R W Rᵀ`, `R u⁻`.
    pub fn contact(&self, contact: &Contact<D>) -> Contact<D> {
        let w = contact.delassus();
        let mut turned = [[0.0; D]; D];
        for i in 0..D {
            for j in 0..=i {
                turned[i][j] = (0..D * D)
                    .map(|m| self.0[i][m / D] * w.at(m / D, m % D) * self.0[j][m % D])
                    .sum();
                turned[j][i] = turned[i][j];
            }
        }
        build(turned, self.apply(contact.velocity()).components(), *contact.material())
    }
}

impl Turn<3> {
    /// A rotation about the normal by an angle \[rad\].
    pub fn about_normal(angle: f64) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self([[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]])
    }

    /// The first tangent turned round.
    pub fn first_reversed() -> Self {
        Self([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]])
    }

    /// The tangents exchanged.
    pub fn swap() -> Self {
        Self([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    }
}

/// The contact with another material.
pub fn with_material<const D: usize>(
    contact: &Contact<D>,
    change: impl FnOnce(&mut Material),
) -> Contact<D> {
    let mut material = *contact.material();
    change(&mut material);
    build(contact.delassus().rows(), contact.velocity().components(), material)
}

/// The contact with another restitution.
pub fn with_e<const D: usize>(contact: &Contact<D>, e: f64) -> Contact<D> {
    with_material(contact, |m| m.restitution = carom::Restitution::Constant(e))
}

/// The contact with another friction.
pub fn with_mu<const D: usize>(contact: &Contact<D>, mu: f64) -> Contact<D> {
    with_material(contact, |m| m.mu = mu)
}

/// The contact with another velocity.
pub fn with_velocity<const D: usize>(contact: &Contact<D>, u: [f64; D]) -> Contact<D> {
    build(contact.delassus().rows(), u, *contact.material())
}

/// The contact with another matrix.
pub fn with_delassus<const D: usize>(contact: &Contact<D>, w: [[f64; D]; D]) -> Contact<D> {
    build(w, contact.velocity().components(), *contact.material())
}

/// The contact without its coupling `c` of normal and tangents.
pub fn decoupled<const D: usize>(contact: &Contact<D>) -> Contact<D> {
    let mut w = contact.delassus().rows();
    for i in 1..D {
        w[0][i] = 0.0;
        w[i][0] = 0.0;
    }
    with_delassus(contact, w)
}
