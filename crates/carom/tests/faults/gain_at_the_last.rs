//! Symptom: `plus` created energy, nine times what there was, in one of a million random impacts.
//! Cause: of all attempts the last, intervals with remedies, came to an end but had created energy while contacts jammed; it
//! was refused as an answer like those before it, but nothing was left to try, and it was returned all the same.
//! Mend: what the last attempt creates counts as a failure, too, and the impact is stopped without restitution.

use carom::outcome::Effort;
use carom::{ContactSpec, Material};
use carom_testkit::Mechanism;
use carom_testkit::laws::{law, resolve_several};

#[test]
fn the_last_attempt_creates_no_energy_either() {
    let velocity =
        [-1.5336207560988593, 0.38417238145957, -0.39308083427730117, -1.218810457989907];
    let rows = [
        [-0.010349642815669113, -0.45567009147223897, 0.44429801458903195, 0.16636042756629593],
        [0.3202939749569679, 1.373745263776598, 0.022319094568797628, -0.4795122545789683],
        [-0.15340047431774703, 1.378175901527201, -3.459980040594314, 2.6157962445695566],
        [0.04004183919631917, -1.0009367653272974, -0.45803258230881455, -0.07572688172206604],
        [0.44816949717335663, -0.6709241666121614, 0.26991493913840087, -0.6251059687326792],
        [1.3743050628685658, 3.8409852274851466, 3.589316466060556, -1.6956688159335276],
    ];
    let contacts = [1.9269161283229221, 0.2936158048305476]
        .map(|mu| ContactSpec::new(3, Material::new(mu, 0.0).unwrap()));
    let rows = rows.map(|row| row.to_vec()).to_vec();
    let mechanism = Mechanism::new(&[1.0; 4], velocity.to_vec(), rows, contacts.to_vec());
    let system = mechanism.system();
    let outcome = resolve_several(&law("plus"), system.problem());
    let energy = |v: &[f64]| 0.5 * v.iter().map(|v| v * v).sum::<f64>();
    let after = system.after(&outcome.impulse).unwrap().velocity;
    assert!(energy(&after) <= energy(&velocity) * (1.0 + 1e-12), "{after:?}");
    let Effort::Rounds(effort) = outcome.effort else { panic!("{outcome:?}") };
    // The attempt that creates energy is followed by one of a step for each round.
    assert!(effort.remedies.coulomb > 0 && effort.fallbacks == 0, "{effort:?}");
}
