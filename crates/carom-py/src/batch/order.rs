//! How arrays stand in memory.

use numpy::{PyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// The order of an array of N impacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Impact after impact, without gaps: NumPy's C order.
    Rows,
    /// Component after component, each without gaps: NumPy's F order, and others in which only components differ.
    Components,
}

impl Order {
    /// What NumPy calls it.
    pub(super) fn letter(self) -> &'static str {
        match self {
            Self::Rows => "C",
            Self::Components => "F",
        }
    }

    /// Whether an array has it, and no gaps at all.
    pub(super) fn without_gaps(self, array: &Bound<PyArrayDyn<f64>>) -> bool {
        match self {
            Self::Rows => array.is_c_contiguous(),
            Self::Components => array.is_fortran_contiguous(),
        }
    }

    /// Whether an array can be read in it; one of a single impact may well have both.
    pub(super) fn is_that_of(self, array: &Bound<PyArrayDyn<f64>>) -> bool {
        match self {
            Self::Rows => self.without_gaps(array),
            Self::Components => match (array.shape(), array.strides()) {
                ([0 | 1, _, ..], _) => true,
                ([_, _, ..], [step, ..]) => *step == size_of::<f64>() as isize,
                _ => false,
            },
        }
    }
}
