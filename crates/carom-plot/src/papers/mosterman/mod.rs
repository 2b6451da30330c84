//! Figures of Mosterman.

use super::Plate;

pub(super) const PLATES: &[Plate] = &[];
