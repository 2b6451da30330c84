//! Claims × catalogue for several contacts: what each law's row promises, checked on random systems of every kind, and
//! what it does not promise, by a counterexample.
//!
//! `CAROM_CLAIMS` sets the number of systems per law and claim; if absent it is 100 000, of which laws that work step by
//! step take a share (`cargo xtask test --long` gives them all). `CAROM_LAWS` names the laws, separated by commas (all if
//! absent), `CAROM_SYSTEMS` the systems by number: system `i` depends on the seed and on `i` alone, so a failure is
//! reproduced by what its message prints.

mod compare;
mod judged;
mod qualified;
mod runner;
mod withheld;
