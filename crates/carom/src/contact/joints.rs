//! The joints behind a problem's contacts, as rows of their own.

use super::Gram;

/// Contacts and joints side by side, for laws that treat joints as impacts of separate bodies.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JointRows {
    /// Factors of the matrix of all rows, those of the contacts before those of the joints.
    pub(crate) gram: Gram,
    pub(crate) joints: Vec<JointShape>,
}

/// The rows of one joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JointShape {
    /// Rows that forbid translations; they come first.
    pub(crate) lines: usize,
    /// Rows that forbid rotations.
    pub(crate) axes: usize,
}
