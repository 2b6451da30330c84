//! Figures of Uchida, Sherman and Delp (PLUS).

use super::Plate;

pub(super) const PLATES: &[Plate] = &[];
