//! What holds for all contacts of a problem, found once.

use super::material::Restitution;
use super::problem::{ContactKind, ContactSpec};

/// What holds for all contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Summary {
    /// The largest restitution of any contact at any speed \[1\].
    pub(crate) largest_e: f64,
    /// The restitution of every contact, where they all have the same number \[1\].
    pub(crate) common_e: Option<f64>,
    /// Whether a contact has friction and rows for it.
    pub(crate) friction: bool,
    /// Whether a contact holds both ways.
    pub(crate) bilateral: bool,
    /// The largest distance between surfaces that can only push \[m\].
    pub(crate) largest_gap: f64,
}

impl Summary {
    pub(crate) fn of(contacts: &[ContactSpec]) -> Self {
        let number = |contact: &ContactSpec| match contact.material.restitution {
            Restitution::Constant(e) => Some(e),
            Restitution::Curve { .. } => None,
        };
        let mut summary = Self {
            largest_e: 0.0,
            common_e: contacts.first().and_then(number),
            friction: false,
            bilateral: false,
            largest_gap: f64::NEG_INFINITY,
        };
        for contact in contacts {
            let e = number(contact);
            // A curve stays between zero and one.
            summary.largest_e = summary.largest_e.max(e.unwrap_or(1.0));
            summary.common_e = summary.common_e.filter(|common| e == Some(*common));
            summary.friction |= contact.rows > 1 && contact.material.mu > 0.0;
            match contact.kind {
                ContactKind::Bilateral => summary.bilateral = true,
                ContactKind::Unilateral => {
                    summary.largest_gap = summary.largest_gap.max(contact.gap);
                }
            }
        }
        summary
    }
}
