//! What may happen at all: how far permissible outcomes of several contacts without friction are spread.

use carom::certify::PermissibleSet;
use carom::system::Chain;
use carom::{ImpactError, Law, Tolerances, resolve};

#[allow(missing_docs, reason = "run by the tests, too")]
pub fn main() -> Result<(), ImpactError> {
    // A ball strikes two that touch: e says nothing about how they share the blow.
    let chain = Chain::new(vec![1.0, 1.0, 1.0], vec![1.0, 0.0, 0.0], vec![1.0, 1.0])?;
    let set = PermissibleSet::of(chain.problem(), &Tolerances::default())?;

    let mut fastest: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];
    for outcome in set.sample(2000, 7)? {
        let velocity = chain.after(&outcome.impulse)?.velocity;
        fastest = [fastest[0].min(velocity[2]), fastest[1].max(velocity[2])];
        assert!(outcome.energy_change <= 1e-12);
    }
    println!("the last ball leaves with {:.3} to {:.3} m/s", fastest[0], fastest[1]);

    for id in ["newton", "sequential", "stiff-limit"] {
        let answer = resolve(&chain, &Law::from_id(id)?)?;
        println!("{id:<12} {:.4?}", answer.after.velocity.unwrap_or_default());
    }
    assert!(fastest[1] - fastest[0] > 0.3, "laws can differ by what the set allows");
    Ok(())
}
