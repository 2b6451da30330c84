//! The laws, one per file: for one contact, along normals, with friction.

pub(crate) mod friction;
pub(crate) mod info;
pub(crate) mod law;
pub(crate) mod normal;
pub(crate) mod several;
pub(crate) mod single;

pub use friction::*;
pub use normal::*;
pub use single::*;
