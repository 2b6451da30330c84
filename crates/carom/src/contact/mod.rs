//! Stage 1: contact space. An impact as laws see it: a matrix, a velocity, a material, and no bodies.

mod delassus;
mod islands;
mod joints;
mod material;
mod motion;
mod operator;
mod problem;
mod scale;
mod single;
mod summary;
mod vector;

pub use delassus::Delassus;
pub(crate) use delassus::check_symmetric;
pub use islands::Island;
pub(crate) use islands::{connected, connected_by};
pub(crate) use joints::{JointRows, JointShape};
pub use material::{Material, Restitution};
pub use motion::Motion;
pub(crate) use motion::{MassMotion, term_sizes};
pub(crate) use operator::{Gram, Operator};
pub use problem::{ContactKind, ContactProblem, ContactSpec, Separating};
pub(crate) use scale::power_of_two_near;
pub use single::Contact;
pub use vector::ContactVec;
