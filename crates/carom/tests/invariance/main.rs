//! What must not change, or must change in a known way, when an impact is posed otherwise: for every law.

mod one_contact;
mod several;
