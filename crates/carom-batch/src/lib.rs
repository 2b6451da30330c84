//! Many impacts at once, as columns: the numbers of N impacts of one shape, one after another in memory, as NumPy and
//! Arrow keep them, or for one contact in space each component by component.
//!
//! [`resolve`] resolves every row of [`Columns`] under one law and writes [`Answers`], on as many threads as wanted. A row
//! gives the same bits alone, in any batch and on any number of threads; a row that has no answer carries its error, and
//! the others go on. With the feature `arrow`, the module of that name does the same for a record batch. With the feature
//! `sweep`, the module `sweep` makes the rows, by a design over the numbers of a problem, and writes them to a Parquet file;
//! `summary` reads such files. With the feature `scenes`, the module `ensemble` follows the motions of a scene, one for each point
//! of such a design.
//!
//! ```
//! use carom::Law;
//! use carom_batch::{Columns, Mechanism, OwnedAnswers, Parameter, resolve, unwatched};
//!
//! // Two disks skid onto the floor, W = diag(1/m, 3/m), the second one twice as fast.
//! let columns = Columns::new(
//!     2,
//!     vec![2],
//!     Mechanism::ContactSpace {
//!         delassus: &[1.0, 0.0, 0.0, 3.0, 1.0, 0.0, 0.0, 3.0],
//!         contact_velocity: &[-1.0, 2.0, -2.0, 4.0],
//!     },
//!     [Parameter::Common(0.25), Parameter::PerImpact(&[0.5, 0.8]), Parameter::Common(0.0)],
//! )?;
//! let law = Law::from_id("chatterjee-ruina")?;
//! let mut answers = OwnedAnswers::of(columns.shape(), false);
//! let errors = resolve(&columns, &law, answers.borrow(), 1, &mut unwatched)?;
//! assert!(errors.is_empty());
//! assert_eq!(answers.contact_velocity[0], 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answers;
#[cfg(feature = "arrow")]
pub mod arrow;
mod columns;
#[cfg(feature = "scenes")]
pub mod ensemble;
#[cfg(feature = "sweep")]
mod guard;
mod row;
mod single;
#[cfg(feature = "sweep")]
pub mod summary;
#[cfg(feature = "sweep")]
pub mod sweep;
#[cfg(feature = "sweep")]
pub mod table;
mod work;

pub use answers::{
    Answers, CertificateColumns, Judgement, OwnedAnswers, OwnedCertificates, Vectors,
};
pub use columns::{
    Columns, ContactRows, MassColumn, Mechanism, OF_PROBLEM, Parameter, RowHints, Shape,
    contact_rows,
};
pub use work::{BatchError, RowError, resolve, unwatched};
