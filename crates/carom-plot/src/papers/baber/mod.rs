//! Figures of Baber, who corrects Mirtich.

use super::Plate;

pub(super) const PLATES: &[Plate] = &[];
