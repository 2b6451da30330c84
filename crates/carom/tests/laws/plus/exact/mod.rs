//! The limit of PLUS: against published and reference values, against the exact laws of one contact, against `plus`
//! with ever finer intervals, and by what must hold of any answer.

mod bricks;
mod convergence;
mod golden;
mod one_contact;
mod support;
