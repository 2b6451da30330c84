//! Glocker's elastic rods: `cargo run -p carom-sim --example rods`.

use carom_sim::rods::{Rod, Rods};

fn main() -> Result<(), carom::ImpactError> {
    println!(
        "  l1:l2     v1+       v2+         e   pressed   parted  impulse   T+ - T-  energy error"
    );
    for (l1, l2) in [(100, 200), (100, 150), (37, 100), (99, 100), (100, 314)] {
        let impact = Rods::new(vec![Rod::unit(l1, 1.0), Rod::unit(l2, 0.0)], 1.0)?.collide()?;
        let contact = &impact.contacts[0];
        println!(
            "{l1:3}:{l2:3} {:8.5}  {:8.5}  {:8.5}  {:7}  {:7}  {:7}  {:8.4}  {:?}",
            impact.velocity[0],
            impact.velocity[1],
            impact.restitution(0).unwrap_or(0.0),
            contact.unloaded,
            contact.opened.unwrap_or(0.0),
            contact.impulse,
            impact.translational_change(),
            impact.energy_error(),
        );
    }
    Ok(())
}
