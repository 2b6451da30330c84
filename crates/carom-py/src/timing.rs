//! The same work without Python, timed, for benches.

use crate::errors::{OrRaise, bad_argument};
use carom::batch::{self, Answers, Batch, Parameter, RowAnswers, Rows, resolve_rows};
use carom::system::{Generalized, MassMatrix};
use carom::{ContactSpec, ImpactError, Law, Material, Tolerances, Unobserved};
use carom_io::format::AnySystem;
use carom_io::resolution::Resolution;
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3};
use pyo3::prelude::*;
use std::time::Instant;

/// How long `resolve` takes in Rust: seconds per call of building the system, asking the law and going
/// back to velocities; and of the same with the certificate.
#[pyfunction(name = "_rust_seconds")]
#[expect(clippy::too_many_arguments, reason = "they are those of `resolve`")]
pub fn rust_seconds(
    py: Python,
    mass: Vec<f64>,
    jacobian: Vec<f64>,
    velocity: Vec<f64>,
    mu: f64,
    e: f64,
    law: &str,
    calls: u32,
) -> PyResult<(f64, f64)> {
    let contact = ContactSpec::new(3, Material::new(mu, e).or_raise(py)?);
    let contacts = vec![contact; jacobian.len() / velocity.len().max(1) / 3];
    let law = Law::from_id(law).or_raise(py)?;
    let system = || {
        let (mass, jacobian) = (MassMatrix::Dense(mass.clone()), jacobian.clone());
        Generalized::new(mass, velocity.clone(), jacobian, contacts.clone())
    };
    let answered = || {
        let system = system()?;
        let tolerances = Tolerances::default();
        let problem = system.problem();
        let outcome = law.resolve(problem, &tolerances, &mut Unobserved)?;
        std::hint::black_box(system.after(&outcome.impulse)?);
        Ok::<_, ImpactError>(())
    };
    let certified = || {
        let system = AnySystem::Generalized(system()?);
        std::hint::black_box(Resolution::of(&system, law, &mut Unobserved)?);
        Ok::<_, ImpactError>(())
    };
    let seconds = |call: &dyn Fn() -> Result<(), ImpactError>| {
        let begin = Instant::now();
        (0..calls).try_for_each(|_| call())?;
        Ok::<_, ImpactError>(begin.elapsed().as_secs_f64() / f64::from(calls.max(1)))
    };
    let both = || Ok((seconds(&answered)?, seconds(&certified)?));
    py.detach(both).or_raise(py)
}

/// Seconds that the library's own slices take: the upper triangle of `W`, `u⁻`, `mu`, `e`, `e_t`, one array
/// each. Answers are impulses alone, or velocities and energies, too.
#[pyfunction(name = "_batch_slices_seconds")]
pub fn batch_slices_seconds(
    py: Python,
    slices: Vec<PyReadonlyArray1<f64>>,
    law: &str,
    impulses_alone: bool,
) -> PyResult<f64> {
    let law = Law::from_id(law).or_raise(py)?;
    let slices = slices.iter().map(|array| array.as_slice()).collect::<Result<Vec<_>, _>>()?;
    let [nn, n1, n2, w11, w12, w22, un, u1, u2, mu, e, e_t] = slices[..] else {
        return Err(bad_argument(py, "slices", slices.len(), "must be 12 arrays"));
    };
    let [mu, e, e_t] = [mu, e, e_t].map(Parameter::Each);
    let delassus = [nn, n1, n2, w11, w12, w22];
    let batch = Batch { delassus, lower: None, velocity: [un, u1, u2], mu, e, e_t };
    let mut out: [Vec<f64>; 7] = std::array::from_fn(|_| touched(batch.len()));
    let [pn, p1, p2, vn, v1, v2, energy_change] = out.each_mut().map(Vec::as_mut_slice);
    let mut answers = Answers { impulse: [pn, p1, p2], ..Answers::default() };
    if !impulses_alone {
        (answers.velocity, answers.energy_change) = ([vn, v1, v2], energy_change);
    }
    let begin = Instant::now();
    batch::resolve(&law, &batch, &Tolerances::NOMINAL, &mut answers, |_, _| {}).or_raise(py)?;
    Ok(begin.elapsed().as_secs_f64())
}

/// Seconds that the library takes for impacts one after another, velocities and energies included, as the batch gives
/// them: `W`, `u⁻`, `mu`, `e`, `e_t`.
#[pyfunction(name = "_batch_rows_seconds")]
pub fn batch_rows_seconds(
    py: Python,
    delassus: PyReadonlyArray3<f64>,
    velocity: PyReadonlyArray2<f64>,
    material: [PyReadonlyArray1<f64>; 3],
    law: &str,
) -> PyResult<f64> {
    let law = Law::from_id(law).or_raise(py)?;
    let [mu, e, e_t] = &material;
    let batch = Rows {
        delassus: delassus.as_slice()?.as_chunks().0,
        velocity: velocity.as_slice()?.as_chunks().0,
        mu: Parameter::Each(mu.as_slice()?),
        e: Parameter::Each(e.as_slice()?),
        e_t: Parameter::Each(e_t.as_slice()?),
    };
    let count = batch.len();
    let mut impulse = touched(3 * count);
    let mut after = touched(3 * count);
    let mut energy_change = touched(count);
    let begin = Instant::now();
    let mut answers = RowAnswers {
        impulse: impulse.as_chunks_mut().0,
        velocity: after.as_chunks_mut().0,
        energy_change: &mut energy_change,
    };
    resolve_rows(&law, &batch, &Tolerances::NOMINAL, &mut answers, |_, _| {}).or_raise(py)?;
    Ok(begin.elapsed().as_secs_f64())
}

/// Memory that was written to before: the first time costs more than most laws.
fn touched(count: usize) -> Vec<f64> {
    vec![f64::NAN; count]
}
