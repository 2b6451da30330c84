//! The way to an answer: the path of one contact, and the steps of a law for several.

use carom::outcome::StepRecord;
use carom::system::Chain;
use carom::{ContactProblem, ContactSpec, ImpactError, Law, Material, Recorder, resolve_observed};

#[allow(missing_docs, reason = "run by the tests, too")]
pub fn main() -> Result<(), ImpactError> {
    // A contact that sticks while it is compressed.
    let rough = ContactSpec::new(2, Material::new(1.0, 0.5)?);
    let problem = ContactProblem::new(&[1.0, 0.5, 0.5, 1.0], &[-1.0, 0.3], &[rough])?;
    let mut path = Recorder::default();
    let answer = resolve_observed(&problem, &Law::from_id("routh-stronge")?, &mut path)?;
    for (event, at) in &path.events {
        println!(
            "{:<20} p = {:.4?}  u = {:.4?}",
            event.name(),
            &at.impulse[..2],
            &at.velocity[..2]
        );
    }
    // With a path there are works, and with works Stronge's coefficient.
    let energetic = answer.certificate.path.and_then(|path| path.e_energetic());
    assert!((energetic.unwrap_or(0.0) - 0.5).abs() < 1e-12);

    // At most a thousand steps are kept; `seen` counts all.
    let cradle = Chain::new(vec![1.0; 4], vec![1.0, 0.0, 0.0, 0.0], vec![1.0; 3])?;
    let mut steps = Recorder::new(1000);
    resolve_observed(&cradle, &Law::from_id("sequential")?, &mut steps)?;
    for step in &steps.steps {
        if let StepRecord::Collision { contact, impulse } = step {
            println!("contact {contact} collides with {impulse:?} N·s");
        }
    }
    assert_eq!(steps.seen, 3);
    Ok(())
}
