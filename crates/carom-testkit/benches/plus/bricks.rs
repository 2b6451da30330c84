//! Bricks on one to 32 contacts, and a flat slab on a hundred.

use crate::impacts::{tell, times};
use carom::laws::Plus;
use carom_testkit::generate::frictional::landing;
use carom_testkit::{Mechanism, Rng};

const SEED: u64 = 5;
/// Impacts per line.
const IMPACTS: u64 = 300;

fn set(contacts: usize, impacts: u64) -> Vec<Mechanism> {
    (0..impacts).map(|i| landing(&mut Rng::for_item(SEED, i), contacts)).collect()
}

pub fn lines() {
    let with = |theta: f64| Plus::default().max_direction_change(theta);
    for (theta, target) in [(0.15, 2.0), (0.01, 20.0)] {
        let name = format!("plus, 1 contact, theta {theta}");
        tell(&name, &times(with(theta), &set(1, IMPACTS)), target);
    }
    for (contacts, target) in [(4, 15.0), (8, 40.0), (16, 150.0), (32, 600.0)] {
        let name = format!("plus, {contacts} contacts of a brick, theta 0.1");
        tell(&name, &times(with(0.1), &set(contacts, IMPACTS)), target);
    }
    let name = "plus, 100 redundant contacts of a slab, theta 0.1";
    tell(name, &times(with(0.1), &set(100, IMPACTS / 10)), 1000.0);
}
