//! Known answers: contacts from the literature with the impulses that the laws give them.
//!
//! The digits were computed with 170-bit arithmetic, independently of carom.

mod mechanisms;
mod planar;
pub mod plus_examples;
mod spatial;

pub use mechanisms::{box_corner, kane_pendulum};
pub use planar::PLANAR;
pub use spatial::{FIG4_RAYS, SPATIAL};

use carom::{Contact, ContactVec, Delassus, Material};

/// A contact and what laws answer to it.
#[derive(Clone, Copy, Debug)]
pub struct KnownCase<const D: usize> {
    /// What happens in it.
    pub name: &'static str,
    /// Where it stands: a key of the bibliography and a place.
    pub citation: &'static str,
    /// `W`, normal first [1/kg].
    pub delassus: [[f64; D]; D],
    /// `u⁻`, normal first [m/s].
    pub velocity: [f64; D],
    /// Friction \[1\].
    pub mu: f64,
    /// Normal restitution \[1\].
    pub e: f64,
    /// Tangential restitution \[1\].
    pub e_t: f64,
    /// How well the digits below determine the impulse, relative to its size: the last digit of `W` may matter \[1\].
    pub relative: f64,
    /// The impulse by law id, normal first [N·s].
    pub impulses: &'static [(&'static str, [f64; D])],
}

impl<const D: usize> KnownCase<D> {
    /// The contact. Panics if the case itself is not valid.
    pub fn contact(&self) -> Contact<D> {
        let build = || {
            let material = Material::new(self.mu, self.e)?.with_e_t(self.e_t)?;
            Contact::new(Delassus::new(self.delassus)?, ContactVec::new(self.velocity), material)
        };
        build().unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}
