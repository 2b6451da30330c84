//! The extension module `carom._carom`: convert, call, convert. No mechanics.
//!
//! `python/carom/` beside it holds what is better said in Python: exceptions, tables for pandas, Matplotlib.

mod arguments;
mod arrays;
mod batch;
mod catalog;
mod certificate;
mod command_line;
mod compare;
mod ensemble;
mod errors;
mod figure;
mod forces;
mod html;
mod interpreter;
mod law;
mod motion;
mod node;
mod outcome;
mod problem;
mod region;
mod resolve;
mod scene;
mod timing;
mod value;

use pyo3::prelude::*;

/// The compiled half of `carom`.
#[pymodule(name = "_carom")]
mod module {
    #[pymodule_export]
    use crate::batch::{batch_impulses, batch_resolve, batch_resolve_arrow};
    #[pymodule_export]
    use crate::catalog::{Law, laws};
    #[pymodule_export]
    use crate::certificate::{Certificate, restored_certificate};
    #[pymodule_export]
    use crate::command_line::{build, main};
    #[pymodule_export]
    use crate::compare::compare_rows;
    #[pymodule_export]
    use crate::ensemble::ensemble;
    #[pymodule_export]
    use crate::figure::{Figure, plot};
    #[pymodule_export]
    use crate::motion::{DenseMotion, motion_page, restored_dense, simulate};
    #[pymodule_export]
    use crate::outcome::{Outcome, restored_outcome};
    #[pymodule_export]
    use crate::problem::{Problem, certify, load};
    #[pymodule_export]
    use crate::region::{Region, region};
    #[pymodule_export]
    use crate::resolve::{resolve, resolve_contact};
    #[pymodule_export]
    use crate::scene::{Scene, restored_scene};
    #[pymodule_export]
    use crate::timing::{batch_rows_seconds, batch_slices_seconds, rust_seconds};

    /// The version of the workspace, which the package shares.
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "Python's name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
