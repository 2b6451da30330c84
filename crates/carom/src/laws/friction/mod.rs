//! Laws for any number of contacts with friction.

pub(crate) mod coulomb;
pub(crate) mod newton_coulomb;
pub(crate) mod plus;
pub(crate) mod poisson_coulomb;
pub(crate) mod sequential;
pub(crate) mod stiff_limit;

pub use coulomb::{CoulombAnswer, CoulombWorkspace};
pub use newton_coulomb::NewtonCoulomb;
pub use plus::exact::{Debt, PlusExact};
pub use plus::{Plus, PlusHandler};
pub use poisson_coulomb::PoissonCoulomb;
pub use sequential::{JointImpacts, Sequential, Ties};
pub use stiff_limit::StiffLimit;

/// Hands the laws for several contacts to a macro, in the order in which tables show them.
macro_rules! each_several_law {
    ($macro:ident) => {
        $macro! {
            NewtonEquality,
            Newton,
            Poisson,
            Moreau,
            MaxDissipation,
            Mosterman,
            Sequential,
            GeneralizedReflections,
            Lzb,
            NewtonCoulomb,
            PoissonCoulomb,
            Plus,
            PlusExact,
            StiffLimit,
        }
    };
}
pub(crate) use each_several_law;
