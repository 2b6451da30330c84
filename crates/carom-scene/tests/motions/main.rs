//! The reference motions of `golden/motions.ndjson`: followed, and compared with what is known of them.

mod check;
mod fingerprint;
mod kinds;
