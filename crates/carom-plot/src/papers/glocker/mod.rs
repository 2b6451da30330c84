//! Figures of Glocker.

use super::Plate;

pub(super) const PLATES: &[Plate] = &[];
