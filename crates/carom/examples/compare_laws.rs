//! Every law of the catalogue on one impact: what each answers, and whether mechanics permits it.

use carom::{ContactProblem, ContactSpec, ImpactError, Law, Material, catalog, resolve};

#[allow(missing_docs, reason = "run by the tests, too")]
pub fn main() -> Result<(), ImpactError> {
    // The end of a double pendulum meets the floor (KaneLevinson1985): two laws in common use create energy.
    let floor = ContactSpec::new(2, Material::new(0.5, 0.5)?);
    let delassus = [1.0095602905040892, 1.5213086580107782, 1.5213086580107782, 2.44033804569631];
    let velocity = [-0.13420201433256687, -0.2671743428354786];
    let problem = ContactProblem::new(&delassus, &velocity, &[floor])?;

    let (mut permissible, mut violating) = (0, 0);
    for info in catalog::all() {
        // Laws without an answer say why: a setting that has no default, a contact they do not cover.
        let answer = match Law::from_id(info.id).and_then(|law| resolve(&problem, &law)) {
            Ok(answer) => answer,
            Err(error) => {
                println!("{:<24} {error}", info.id);
                continue;
            }
        };
        let certificate = &answer.certificate;
        println!(
            "{:<24} {:?}  ΔE = {:.4} J  {:?}",
            info.id, answer.outcome.impulse, certificate.energy_change, certificate.verdict
        );
        match certificate.verdict.is_permissible() {
            true => permissible += 1,
            false => violating += 1,
        }
        // A law that promises not to create energy does not.
        assert!(!info.claims.energy || certificate.energy_change <= 1e-12);
    }
    assert!(permissible > 10 && violating == 2, "{permissible} and {violating}");
    Ok(())
}
