//! Symptom: a contact with a positive `gap` rebounded in mid-air under every law but `plus` with its own setting.
//! Cause: no law but that read `gap`, and nothing said how near surfaces must be to take part.
//! Mend: `proximity` of the problem, a millimetre by default; contacts further apart are left out before any law runs.

use carom::outcome::Note;
use carom::system::{Generalized, MassMatrix};
use carom::{ContactProblem, ContactSpec, ImpactError, Law, Material, catalog};
use carom_testkit::laws::try_several;

/// A plate that falls onto two supports, the second lower by `gap`.
fn plate(gap: f64) -> Result<Generalized, ImpactError> {
    let near = ContactSpec::new(1, Material::new(0.0, 0.5)?);
    let far = ContactSpec { gap, ..near };
    let mass = MassMatrix::Diagonal(vec![2.0, 0.3]);
    Generalized::new(mass, vec![-1.0, 0.0], vec![1.0, -0.5, 1.0, 0.5], vec![near, far])
}

/// The answer of every law that takes any number of contacts, beside the same plate without its second support.
#[test]
fn no_law_reaches_across_a_gap() -> Result<(), ImpactError> {
    let system = plate(0.01)?;
    let alone = system.problem().restricted_to(&[0]);
    for row in catalog::all() {
        let Ok(law) = Law::from_id(row.id) else { continue };
        let Ok(expected) = try_several(&law, &alone) else { continue };
        let outcome = try_several(&law, system.problem())?;
        assert_eq!(outcome.impulse, [expected.impulse[0], 0.0], "{}", row.id);
        assert!(outcome.notes.contains(Note::Apart), "{}", row.id);
    }
    Ok(())
}

#[test]
fn free_flight_stays_free() -> Result<(), ImpactError> {
    let spec = ContactSpec { gap: 0.002, ..ContactSpec::new(2, Material::new(0.3, 0.5)?) };
    let problem = ContactProblem::new(&[1.0, 0.0, 0.0, 3.0], &[-1.0, 2.0], &[spec])?;
    for row in catalog::all() {
        let Ok(law) = Law::from_id(row.id) else { continue };
        let outcome = try_several(&law, &problem)?;
        assert_eq!(
            (outcome.impulse, outcome.velocity),
            (vec![0.0; 2], vec![-1.0, 2.0]),
            "{}",
            row.id
        );
    }
    Ok(())
}

/// Within the proximity, and at any distance where it is infinite, a gap changes no bit.
#[test]
fn near_contacts_take_part() -> Result<(), ImpactError> {
    let touching = plate(0.0)?;
    let near = plate(1e-3)?;
    let asked = plate(0.5)?.with_proximity(f64::INFINITY)?;
    for id in ["newton", "sequential", "plus", "stiff-limit"] {
        let law = Law::from_id(id)?;
        let expected = try_several(&law, touching.problem())?;
        for system in [&near, &asked] {
            assert_eq!(try_several(&law, system.problem())?, expected, "{id}");
        }
    }
    assert!(plate(0.5)?.with_proximity(f64::NAN).is_err());
    Ok(())
}
