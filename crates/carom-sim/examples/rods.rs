//! Glocker's elastic rods: `cargo run -p carom-sim --example rods`.

use carom_sim::rods::{LumpedRods, Rod, Rods};

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

    println!(
        "\nlumped rods with plastic tips, l1:l2 = 1:2\n  masses         e     e - 1/2  lost at the tips"
    );
    for n in [2, 8, 32, 128] {
        let impact = LumpedRods::new([n, 2 * n], [1.0, 0.0])?.collide()?;
        let e = impact.restitution.unwrap_or(0.0);
        let loss = impact.plastic_loss / (0.5 * n as f64);
        println!("{:8}  {e:8.6}  {:10.6}  {:15.4} %", 3 * n + 2, e - 0.5, 100.0 * loss);
    }
    Ok(())
}
