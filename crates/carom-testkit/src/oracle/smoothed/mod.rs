//! Stiff springs with friction that is smooth in the slip: no modes and no events, only an L-stable integrator.
//!
//! Each contact has an indentation `d` and presses with `F = K max(d, 0)^η`; friction is `−μ F u_t/√(|u_t|² + ε²)`. What
//! is lost by that goes with `ε^{4/5}` for each contact that starts to slip, and with `ε` otherwise: both are eliminated
//! from the answers for three `ε`. It shares no line with the law that it judges, whose friction is Coulomb's own.

mod field;

use carom::{ContactKind, ContactProblem};
use carom_ode::{Rodas5p, StepControl, Verdict};
use field::Field;
use nalgebra::{DMatrix, DVector};

/// Springs and dampers behind the contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Springs {
    /// `η`, the power of the indentation in the force \[1\].
    pub exponent: f64,
    /// Whether a contact that opens must first close the gap before it presses again.
    pub remember: bool,
    /// Hunt and Crossley's damping in place of `e` [s/m].
    pub hunt_crossley: Option<f64>,
}

impl Default for Springs {
    fn default() -> Self {
        Self { exponent: 1.5, remember: true, hunt_crossley: None }
    }
}

/// What the springs answer.
#[derive(Clone, Debug)]
pub struct Release {
    /// Row by row as in the problem, zero where it is bilateral [N·s].
    pub impulse: Vec<f64>,
    /// Row by row as in the problem [m/s].
    pub velocity: Vec<f64>,
    /// Work taken in by each contact's normal force while compressing, then given back while expanding \[J\].
    pub work: Vec<[f64; 2]>,
    /// Steps of the integrator \[1\].
    pub steps: u64,
}

/// Smoothing of the three runs, relative to the largest speed \[1\].
const SMOOTHING: [f64; 3] = [1e-6, 1e-7, 1e-8];
/// Error of a step, in units in which speed, mass and stiffness are about one \[1\].
const STEP_ERROR: f64 = 1e-12;
/// Approach that counts, in the same units \[1\].
const APPROACH: f64 = 1e-12;
/// Indentation below which a contact that expands is open, where gaps are forgotten \[1\].
const OPEN: f64 = 1e-11;
/// The shortest step, and the longest.
const STEPS: [f64; 2] = [1e-15, 1e3];
/// More steps than this and the oracle gives up.
const PATIENCE: u64 = 200_000;

/// The answer of the springs without smoothing. None if restitution is zero somewhere, or if they do not come to rest.
pub fn limit(problem: &ContactProblem, springs: &Springs) -> Option<Release> {
    let [coarse, middle, fine] = SMOOTHING;
    let runs = [coarse, middle, fine].map(|smoothing| release(problem, springs, smoothing));
    let [Some(coarse), Some(middle), Some(fine)] = runs else { return None };
    // Weights whose sum is 1 and which meet neither ε^{4/5} nor ε.
    let powers = DMatrix::from_fn(3, 3, |i, j| SMOOTHING[j].powf([0.0, 0.8, 1.0][i]));
    let weights = powers.lu().solve(&DVector::from_column_slice(&[1.0, 0.0, 0.0]))?;
    let mix = |a: &[f64], b: &[f64], c: &[f64]| -> Vec<f64> {
        let all = a.iter().zip(b).zip(c);
        all.map(|((a, b), c)| weights[0] * a + weights[1] * b + weights[2] * c).collect()
    };
    let flat = |release: &Release| release.work.concat();
    let work = mix(&flat(&coarse), &flat(&middle), &flat(&fine));
    Some(Release {
        impulse: mix(&coarse.impulse, &middle.impulse, &fine.impulse),
        velocity: mix(&coarse.velocity, &middle.velocity, &fine.velocity),
        work: work.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect(),
        steps: coarse.steps + middle.steps + fine.steps,
    })
}

/// The answer with friction smoothed at this part of the largest speed.
pub fn release(problem: &ContactProblem, springs: &Springs, smoothing: f64) -> Option<Release> {
    let mut field = Field::new(problem, springs, smoothing)?;
    let unknowns = field.unknowns();
    let mut method = Rodas5p::default();
    method.resize(unknowns);
    let mut control = StepControl::rodas5p(STEPS[0], STEPS[1]);
    let scale = vec![STEP_ERROR; unknowns];
    let (mut h, mut steps) = (1e-6, 0);
    loop {
        let flight = field.free_flight(&method.start);
        if flight.is_infinite() {
            return Some(field.answer(problem, &method.start, steps));
        }
        field.fly(&mut method.start, flight);
        if flight > 0.0 {
            h = 1e-6;
            control.restart();
        }
        method.begin(|y, slope, jacobian| field.linearise(y, slope, jacobian));
        loop {
            steps += 1;
            if steps > PATIENCE {
                return None;
            }
            let solved = method.step(h, |y, slope| field.slope(y, slope)).is_ok();
            let error = if solved { method.error(&scale) } else { f64::INFINITY };
            match control.judge(h, error) {
                Verdict::Accept(next) => {
                    h = next;
                    break;
                }
                Verdict::Reject(shorter) => h = shorter,
                Verdict::Stuck => return None,
            }
        }
        method.accept();
        if !springs.remember {
            field.forget(&mut method.start);
        }
    }
}

/// `W` and `u⁻` of the contacts that push, with those that hold folded in: what they answer at once.
fn folded(problem: &ContactProblem, rows: &[usize]) -> (DMatrix<f64>, DVector<f64>) {
    let holds = |k: &usize| problem.contacts()[*k].kind == ContactKind::Bilateral;
    let held: Vec<usize> =
        (0..problem.len()).filter(holds).flat_map(|k| problem.row_range(k)).collect();
    let block = |a: &[usize], b: &[usize]| {
        DMatrix::from_fn(a.len(), b.len(), |i, j| problem.delassus_at(a[i], b[j]))
    };
    let velocity = |a: &[usize]| DVector::from_fn(a.len(), |i, _| problem.velocity()[a[i]]);
    let (mut w, mut u) = (block(rows, rows), velocity(rows));
    if !held.is_empty() {
        let own = block(&held, &held);
        let size = own.amax();
        if let Ok(inverse) = own.pseudo_inverse(1e-12 * size) {
            let across = block(rows, &held);
            w -= &across * &inverse * across.transpose();
            u -= &across * &inverse * velocity(&held);
        }
    }
    (w, u)
}
