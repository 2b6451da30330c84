//! Arbitrary text as a problem file, TOML or JSON: an answer or a clear failure, never a panic; and what parses is
//! resolved by every law and certified.

#![no_main]

use carom::{Certificate, Tolerances, Unobserved};
use carom_io::input::Source;
use carom_testkit::laws::every_law;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    // No marker byte, so that the files in `scenarios/` are seeds as they are.
    let name = if data.starts_with(b"{") { "problem.json" } else { "problem.toml" };
    let Ok(source) = Source::read(name, data) else {
        return;
    };
    let problem = match source.problem() {
        Ok(problem) => problem,
        Err(failure) => {
            // The diagnostic points into the text, so its place must be one.
            if let Some(place) = source.place_of(&failure) {
                assert!(source.text.get(place.clone()).is_some(), "{place:?} of {:?}", source.text);
            }
            return;
        }
    };
    let contacts = problem.system.problem();
    for (_, law) in every_law::<3>().into_iter().chain(every_law::<2>()) {
        if let Ok(outcome) = law.resolve(contacts, &Tolerances::NOMINAL, &mut Unobserved) {
            let numbers = outcome.impulse.iter().chain(&outcome.velocity);
            assert!(numbers.clone().all(|x| x.is_finite()), "{law:?}: {outcome:?}");
            let certificate = Certificate::of(contacts, &outcome.impulse, &Tolerances::NOMINAL);
            assert!(certificate.is_ok(), "{law:?}: {certificate:?}");
        }
    }
});
