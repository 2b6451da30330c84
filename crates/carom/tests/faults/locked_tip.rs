//! Symptom: `routh-poisson` on a pendulum whose tip locks against the floor answered (0.2606, 0.2165) or the documented limit
//! of almost locked ones, (0.3642, 0.1295), as rounding had it.
//! Cause: slip and approach end at once; where rounding saw the end of approach first, restitution was e times the impulse
//! of sliding alone.
//! Mend: where slip stops, compression goes on if and only if the impulse of rest lies ahead.

use carom::{ContactProblem, ContactSpec, ImpactError, Law, Material};
use carom_testkit::Rng;
use carom_testkit::laws::try_several;

/// `scenarios/pendulum-limit.toml`: the tip of a rod of length 1 and mass 1 moves along g only, and `W = 3 g gᵀ`.
const G: [f64; 2] = [-0.6427876096865393, -0.766044443118978];
const SEED: u64 = 0x10c7;

fn tip(w: [f64; 4], u: [f64; 2]) -> Result<[f64; 2], ImpactError> {
    let contact = ContactSpec::new(2, Material::new(2.0, 0.7)?);
    let outcome =
        try_several(&Law::from_id("routh-poisson")?, &ContactProblem::new(&w, &u, &[contact])?)?;
    Ok([outcome.impulse[0], outcome.impulse[1]])
}

/// `p_n = (1 + e) P_II,n` with `P_II = −g/3`, the smallest impulse that stops the tip, and `p_t` such that it stands.
#[test]
fn rounding_does_not_decide() -> Result<(), ImpactError> {
    let pn = 1.7 * 0.6427876096865393 / 3.0;
    // g·p = 1/3 stops a tip that moves at g.
    let pt = (-1.0 / 3.0 - G[0] * pn) / G[1];
    let [n, t] = G;
    let w = [3.0 * n * n, 3.0 * n * t, 3.0 * n * t, 3.0 * t * t];
    for item in 0..2000 {
        let mut rng = Rng::for_item(SEED, item);
        let mut near = |x: f64| x * (1.0 + rng.uniform(-1e-15, 1e-15));
        let coupling = near(w[1]);
        let w = [near(w[0]), coupling, coupling, near(w[3])];
        let p = tip(w, G.map(&mut near))?;
        let off = (p[0] - pn).abs().max((p[1] - pt).abs());
        assert!(off < 1e-9, "seed {SEED:#x}, item {item}: {p:?}, not {:?}", [pn, pt]);
    }
    Ok(())
}
