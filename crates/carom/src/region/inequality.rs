//! The conditions that bound the region.

/// One condition that a physical impact fulfils.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Inequality {
    /// `½ p·(u⁻ + u⁺) ≤ 0`: no energy is created; nor is more lost than there is.
    Energy,
    /// `u_n⁺ ≥ 0`: the bodies do not approach any more.
    Separation,
    /// `p_n ≥ 0`: the bodies push, they do not pull.
    NormalImpulse,
    /// `|p_t| ≤ μ p_n`: friction stays within Coulomb's cone.
    Cone,
    /// `u⁺ = 0` on bilateral rows: joints stay together.
    Bilateral,
}

impl Inequality {
    /// The condition's name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Energy => "energy",
            Self::Separation => "separation",
            Self::NormalImpulse => "normal_impulse",
            Self::Cone => "cone",
            Self::Bilateral => "bilateral",
        }
    }
}
