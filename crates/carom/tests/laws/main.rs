//! Each law by itself: published and exact numbers, limits, energy, what must not change when an impact is posed
//! otherwise. What all laws share is in the other folders beside this one.

mod chains;
mod generalized_reflections;
mod lzb;
mod mosterman;
mod newton_coulomb;
#[cfg(feature = "sparse")]
mod packs;
mod plus;
mod sequential;
mod single;
mod stiff_limit;
mod support;
