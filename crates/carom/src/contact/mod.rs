//! Stage 1: contact space. What an impact looks like to a law: a matrix, a velocity, a material, and no bodies.

mod delassus;
mod hinges;
mod islands;
mod material;
mod operator;
mod problem;
mod scale;
mod single;
mod summary;
mod vector;

pub use delassus::Delassus;
pub(crate) use delassus::check_symmetric;
pub(crate) use hinges::{Hinge, Hinges};
pub use islands::Island;
pub use material::{Material, Restitution};
pub(crate) use operator::{Gram, Operator};
pub use problem::{ContactKind, ContactProblem, ContactSpec, Separating};
pub(crate) use scale::power_of_two_near;
pub use single::Contact;
pub use vector::ContactVec;
