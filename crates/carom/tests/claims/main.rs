//! Claims × catalogue: what each law's row promises, and that no finite input makes a law panic or go on for ever.

mod arbitrary;
mod one_contact;
mod plus;
mod several;
