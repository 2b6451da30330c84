//! The front door: a problem through a law, and the judgement on what came out.

use crate::certify::Certificate;
use crate::laws::law::ImpactLaw;
use crate::outcome::{
    Note, Observer, PathTotals, ProblemOutcome, Progress, Step, TraceEvent, TracePoint, Unobserved,
};
use crate::system::{After, Inertial, System};
use crate::{ContactProblem, ImpactError, Tolerances};
use std::ops::ControlFlow;

/// A law's answer to a problem, certified.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// Impulses, contact velocities, the work done, notes.
    pub outcome: ProblemOutcome,
    /// What that does to the system behind the contacts.
    pub after: After,
    /// The judgement, from problem and impulse alone.
    pub certificate: Certificate,
}

/// A law's answer to a problem, not judged yet: judging may cost more than answering.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Unjudged {
    /// Impulses, contact velocities, the work done, notes.
    pub outcome: ProblemOutcome,
    /// What that does to the system behind the contacts.
    pub after: After,
    totals: Option<PathTotals>,
}

/// Resolves the impact of any system under any law, and certifies the answer.
///
/// Where no law is preferred, [`Law::default_for`](crate::Law::default_for) names one.
///
/// ```
/// use carom::{ContactProblem, ContactSpec, Law, Material, resolve};
///
/// // A disk of mass 1 and inertia ½·m·r² skids onto the floor: W = diag(1/m, 3/m), normal first.
/// let floor = ContactSpec::new(2, Material::new(0.25, 0.5)?);
/// let problem = ContactProblem::new(&[1.0, 0.0, 0.0, 3.0], &[-1.0, 2.0], &[floor])?;
/// let answer = resolve(&problem, &Law::from_id("chatterjee-ruina")?)?;
/// assert_eq!(answer.outcome.impulse, [1.5, -0.375]);
/// assert!(answer.certificate.verdict.is_permissible());
/// # Ok::<(), carom::ImpactError>(())
/// ```
pub fn resolve(
    system: &(impl System + ?Sized),
    law: &(impl ImpactLaw + ?Sized),
) -> Result<Answer, ImpactError> {
    resolve_observed(system, law, &mut Unobserved)
}

/// [`resolve`] with an observer of the path, the steps and the progress.
pub fn resolve_observed(
    system: &(impl System + ?Sized),
    law: &(impl ImpactLaw + ?Sized),
    observer: &mut dyn Observer,
) -> Result<Answer, ImpactError> {
    Unjudged::of(system, law, observer)?.judged(system)
}

/// Judges an impulse, whoever computed it, with the residuals of the whole system where its mass is known.
pub fn certify(
    system: &(impl System + ?Sized),
    impulse: &[f64],
) -> Result<(Certificate, After), ImpactError> {
    let after = system.after(impulse)?;
    judge(system, impulse, after)
}

/// The judgement, and what the system looks like afterwards.
fn judge(
    system: &(impl System + ?Sized),
    impulse: &[f64],
    mut after: After,
) -> Result<(Certificate, After), ImpactError> {
    let problem = system.problem();
    let motion = system.motion(impulse);
    let masses = motion.as_ref().and_then(|motion| motion.masses.as_ref());
    if let (Some(masses), Some(inertial)) = (masses, &mut after.inertial) {
        inertial.kinetic_energy_change = masses.kinetic_energy_change.round();
    }
    let mut certificate = Certificate::of_motion(problem, impulse, motion, &Tolerances::default())?;
    if let Some(inertial) = &after.inertial {
        certificate.momentum_residual = inertial.momentum_residual;
        certificate.bilateral_residual =
            certificate.bilateral_residual.max(inertial.bilateral_residual);
        if unexplained(problem, impulse, &certificate, inertial) {
            certificate.notes.insert(Note::EnergyUnexplained);
        }
    }
    Ok((certificate, after))
}

/// Whether the kinetic energy changes by another amount than the contacts' work and that of their drives. Joints that
/// are driven do work of their own, which the system does not tell.
fn unexplained(
    problem: &ContactProblem,
    impulse: &[f64],
    certificate: &Certificate,
    inertial: &Inertial,
) -> bool {
    let driven: Vec<f64> = impulse.iter().zip(problem.drive()).map(|(p, w)| p * w).collect();
    let missing =
        inertial.kinetic_energy_change - certificate.energy_change + driven.iter().sum::<f64>();
    let scale = certificate.islands.iter().map(|island| island.scale).sum::<f64>()
        + driven.iter().map(|x| x.abs()).sum::<f64>();
    inertial.bilateral_impulse.is_empty() && missing.abs() > Tolerances::NOMINAL.class * scale
}

impl Unjudged {
    /// The law's answer.
    pub fn of(
        system: &(impl System + ?Sized),
        law: &(impl ImpactLaw + ?Sized),
        observer: &mut dyn Observer,
    ) -> Result<Self, ImpactError> {
        let mut summed = Summed { observer, totals: None };
        let outcome = law.resolve(system.problem(), &Tolerances::default(), &mut summed)?;
        let totals = summed.totals;
        let after = system.after(&outcome.impulse)?;
        Ok(Self { outcome, after, totals })
    }

    /// The answer with the judgement on it. The system is the one that was resolved.
    pub fn judged(self, system: &(impl System + ?Sized)) -> Result<Answer, ImpactError> {
        let Self { mut outcome, after, totals } = self;
        let (certificate, after) = judge(system, &outcome.impulse, after)?;
        let certificate = certificate.with_path(totals);
        outcome.notes = outcome.notes.union(certificate.notes);
        Ok(Answer { outcome, after, certificate })
    }
}

/// Keeps the sums of a path, and hands everything on.
struct Summed<'a> {
    observer: &'a mut dyn Observer,
    totals: Option<PathTotals>,
}

impl Observer for Summed<'_> {
    // Certificates show works and coefficients of the path, whether or not it is drawn.
    fn wants_path(&self) -> bool {
        true
    }
    fn event(&mut self, event: TraceEvent, at: TracePoint) {
        self.observer.event(event, at);
    }
    fn sample(&mut self, at: TracePoint) {
        self.observer.sample(at);
    }
    fn totals(&mut self, totals: PathTotals) {
        self.totals = Some(totals);
        self.observer.totals(totals);
    }
    fn wants_steps(&self) -> bool {
        self.observer.wants_steps()
    }
    fn step(&mut self, step: Step<'_>) {
        self.observer.step(step);
    }
    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        self.observer.progress(progress)
    }
}
