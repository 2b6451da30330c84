//! Figures of Chatterjee and Ruina.

use super::Plate;

pub(super) const PLATES: &[Plate] = &[];
