//! # Elastic rods (Glocker 2004, section 3)
//!
//! Rods on a line collide end to end. Their impact is completely inelastic at the contact and loses nothing; seen as rigid
//! bodies they leave with a restitution that only their lengths decide, because the rest of the energy rings on
//! inside. It is the plainest example of what a restitution below one stands for.
//!
//! ## Model
//!
//! `w(x, t)` is the velocity and `ε(x, t)` the strain of a rod of line density `ρA` and wave speed `c`:
//!
//! 1. `w_t = c² ε_x`, `ε_t = w_x` (Eq. 12)
//! 2. free ends: `ε = 0` (Eqs. 16, 17)
//! 3. closed contact: the ends move together and press with `F = −ρA c² ε ≥ 0`; where they would have to pull, the
//!    contact opens (Eqs. 18, 19)
//!
//! ## Method
//!
//! With `w = a + b` and `c ε = b − a` the wave equation says that `a` travels to the right and `b` to the left, unchanged.
//! A rod is cut into cells that a wave crosses in the same time `dt` in every rod; then a step of `dt` is one shift, and
//! [`Rods`] is the solution of the model and no approximation of it. At a free end `a` turns into `b`: both
//! together go round in a ring. At a closed contact of two rods with impedances `Z = ρA c`
//!
//! 4. `F = 2 (a − b) / (1/Z₁ + 1/Z₂)`, `b₁ = a − F/Z₁`, `a₂ = b + F/Z₂`,
//!
//! `a` arriving from the left and `b` from the right; for equal rods the waves pass through.
//!
//! Only where a contact closes again in the middle of a step the wave that leaves it is averaged over the step: momentum
//! stays exact, and the energy so lost is reported in [`RodImpact::energy_error`].
//!
//! ## Results for two rods of one kind, `l₁ ≤ l₂`, the second at rest
//!
//! `v₁⁺ = 0`, `v₂⁺ = (l₁/l₂) v`, so `e = l₁/l₂` (Eq. 21); impulse `m₁ v`, pressed until `ct = 2 l₁`, parted at
//! `ct = 2 l₂`; translational energy changes by `½ (l₁/l₂) ρA v² (l₁ − l₂)` (Eq. 22) while the whole is conserved.
//!
//! [`LumpedRods`] is the same impact with rods of finitely many masses whose tips collide plastically; its restitution
//! tends to `l₁/l₂`.
//!
//! ## Errata of the paper
//!
//! - `T₂` and `V₂` are said to vary with period `2 l₁` in `ct` once the waves have left rod 1. The period is `l₂` (after a
//!   time `l₂/c` a free rod shows the mirror image of its state): with 37:100 the claimed period misses `T₂` by 6.5 of
//!   18.5. `tests/rods.rs` shows both.
//! - The rods' points are `x ∈ [0, l₁ + l₂]`, printed `[l₁ + l₂]`.
//!
//! ## References
//!
//! `Glocker2004` section 3, Eqs. (12)–(22).

mod elastic;
mod lumped;
mod modes;
mod motion;
mod ring;

pub use elastic::{Rod, RodContactReport, RodImpact, Rods};
pub use lumped::{LumpedImpact, LumpedRods};
pub use motion::{RodEnergy, RodMotion};
