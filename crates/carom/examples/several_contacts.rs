//! Several contacts at once: Newton's cradle, under laws that let the blow travel and laws that do not.

use carom::system::Chain;
use carom::{ImpactError, Law, resolve};

#[allow(missing_docs, reason = "run by the tests, too")]
pub fn main() -> Result<(), ImpactError> {
    // Five equal balls; two arrive at 1 m/s.
    let cradle = Chain::new(vec![1.0; 5], vec![1.0, 1.0, 0.0, 0.0, 0.0], vec![1.0; 4])?;
    let mut velocities = Vec::new();
    for id in ["newton", "sequential", "plus", "generalized-reflections"] {
        let answer = resolve(&cradle, &Law::from_id(id)?)?;
        let velocity = answer.after.velocity.unwrap_or_default();
        println!("{id:<24} {velocity:.3?}");
        velocities.push(velocity);
    }
    let as_it_is = [0.0, 0.0, 0.0, 1.0, 1.0];
    let near = |v: &[f64]| v.iter().zip(as_it_is).all(|(v, w)| (v - w).abs() < 1e-9);
    // Newton's law acts on all contacts at once, which no cradle does.
    assert!(!near(&velocities[0]));
    assert!(velocities[1..].iter().all(|v| near(v)));
    Ok(())
}
