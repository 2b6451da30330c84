//! Laws for any number of contacts that see their normal rows alone.

pub(crate) mod generalized_reflections;
pub(crate) mod lzb;
pub(crate) mod max_dissipation;
pub(crate) mod moreau;
pub(crate) mod mosterman;
pub(crate) mod newton;
pub(crate) mod newton_equality;
pub(crate) mod poisson;
#[cfg(test)]
mod test_chains;

pub use generalized_reflections::GeneralizedReflections;
pub use lzb::{Gaps, Lzb};
pub use max_dissipation::MaxDissipation;
pub use moreau::Moreau;
pub use mosterman::Mosterman;
pub use newton::Newton;
pub use newton_equality::NewtonEquality;
pub use poisson::Poisson;
