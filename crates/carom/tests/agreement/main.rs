//! Limits in which laws must agree, and slow oracles with which they must agree.

mod one_contact;
mod oracle;
mod oracle_several;
mod several;
