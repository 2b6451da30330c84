//! Nanoseconds per impact for every law, on contacts that suit it.

use crate::{measure, table};
use carom_testkit::generate::suitable_set;
use carom_testkit::laws::{every_law, resolve};
use std::hint::black_box;

const SEED: u64 = 2;
const IMPACTS: usize = 500;

/// All laws in the plane, then all in space.
pub fn lines() {
    of_dimension::<2>("plane");
    of_dimension::<3>("space");
}

fn of_dimension<const D: usize>(dimension: &str) {
    for (row, law) in every_law::<D>() {
        let contacts = suitable_set::<D>(&law, SEED, IMPACTS);
        let spread = measure::each(&contacts, |contact| {
            black_box(resolve(&law, black_box(contact)));
        });
        table::spread(&format!("{}, {dimension}", row.id), spread);
    }
}
