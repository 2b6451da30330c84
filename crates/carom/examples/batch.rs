//! Many impacts at once, as structure of arrays: dispatched once, nothing allocated, the same bits as one by one.

use carom::batch::{Answers, Batch, Parameter, resolve};
use carom::{ImpactError, Law, Tolerances, Unobserved};

#[allow(missing_docs, reason = "run by the tests, too")]
pub fn main() -> Result<(), ImpactError> {
    const N: usize = 10_000;
    // Balls (W = diag(1, 3.5, 3.5) 1/kg) that land faster and faster; every quantity has its own slice.
    let (one, soft, zero) = (vec![1.0; N], vec![3.5; N], vec![0.0; N]);
    let approach: Vec<f64> = (0..N).map(|i| -1.0 - i as f64 / N as f64).collect();
    let slip: Vec<f64> = (0..N).map(|i| 3.0 - 6.0 * i as f64 / N as f64).collect();
    let batch = Batch {
        delassus: [&one, &zero, &zero, &soft, &zero, &soft],
        lower: None,
        velocity: [&approach, &slip, &zero],
        mu: Parameter::Common(0.2),
        e: Parameter::Common(0.7),
        e_t: Parameter::Common(0.0),
    };
    let mut impulse = [vec![0.0; N], vec![0.0; N], vec![0.0; N]];
    let [n, t1, t2] = &mut impulse;
    let mut answers = Answers { impulse: [n, t1, t2], ..Answers::default() };
    let law = Law::from_id("chatterjee-ruina")?;
    let mut failed = 0;
    resolve(&law, &batch, &Tolerances::default(), &mut answers, |row, error| {
        println!("row {row}: {error}");
        failed += 1;
    })?;
    assert_eq!(failed, 0);

    for i in (0..N).step_by(997) {
        let alone =
            law.resolve_contact(&batch.contact(i)?, &Tolerances::default(), &mut Unobserved)?;
        assert_eq!(alone.impulse.components(), [impulse[0][i], impulse[1][i], impulse[2][i]]);
    }
    println!("{N} impacts, the first {:?}", [impulse[0][0], impulse[1][0], impulse[2][0]]);
    Ok(())
}
