//! The laws, one per file: for one contact, along normals, with friction.

pub(crate) mod friction;
pub(crate) mod normal;
pub(crate) mod several;
pub(crate) mod single;
