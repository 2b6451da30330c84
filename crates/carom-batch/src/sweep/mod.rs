//! Designs over the numbers of a problem: every point of the design through every law, to a Parquet file.
//!
//! [`Spec`] says what is swept; [`Sweep::run`] computes it row group by row group, each of which is on the disk before
//! the next one begins, so that a sweep goes on where it was stopped.

mod design;
mod files;
mod run;
mod spec;

pub use design::{Design, Parameter, Values};
pub(crate) use files::{io_failure, parquet_failure, parquet_unwritable};
pub use run::{Finish, Pace, Sweep};
pub use spec::{Spec, SweptLaw};
