//! One problem through one law, and the judgement on what came out.

use crate::format::{After, System};
use carom::law::Settings;
use carom::outcome::{PathTotals, ProblemOutcome, TraceEvent, TracePoint, Watch};
use carom::{AnyLaw, Certificate, ImpactError, Recorder, Tolerances, TraceSink};

/// A law's answer to a problem, certified.
#[derive(Clone, Debug)]
pub struct Resolution {
    /// The law.
    pub law: AnyLaw,
    /// Its settings, as it read them on this problem.
    pub settings: Settings,
    /// What it answered.
    pub outcome: ProblemOutcome,
    /// What that does to the system behind the contacts.
    pub after: After,
    /// The judgement.
    pub certificate: Certificate,
}

/// A law's answer to a problem, not judged yet: judging may cost more than answering.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The law.
    pub law: AnyLaw,
    /// What it answered.
    pub outcome: ProblemOutcome,
    /// What that does to the system behind the contacts.
    pub after: After,
    totals: Option<PathTotals>,
}

impl Resolution {
    /// Asks the law, and judges. Arguments are those of [`Answered::of`].
    pub fn of(
        system: &System,
        law: AnyLaw,
        recorder: Option<&mut Recorder>,
        watch: &mut dyn Watch,
    ) -> Result<Self, ImpactError> {
        Answered::of(system, law, recorder, watch)?.judged(system)
    }
}

impl Answered {
    /// Asks the law. The recorder receives the path, if there is one and somebody wants it; the watcher sees the steps
    /// of a law for several contacts, and may stop it.
    pub fn of(
        system: &System,
        law: AnyLaw,
        recorder: Option<&mut Recorder>,
        watch: &mut dyn Watch,
    ) -> Result<Self, ImpactError> {
        let tolerances = Tolerances::default();
        let problem = system.problem();
        let (outcome, totals) = match recorder {
            Some(recorder) => {
                let outcome = law.resolve_problem(problem, &tolerances, recorder, watch)?;
                (outcome, recorder.totals)
            }
            None => {
                let mut path = TotalsOnly(None);
                let outcome = law.resolve_problem(problem, &tolerances, &mut path, watch)?;
                (outcome, path.0)
            }
        };
        let after = system.after(&outcome.impulse)?;
        Ok(Self { law, outcome, after, totals })
    }

    /// The answer with the judgement on it. The system is the one that was asked about.
    pub fn judged(self, system: &System) -> Result<Resolution, ImpactError> {
        let Self { law, outcome, after, totals } = self;
        let certificate = contact_certificate(system, &outcome.impulse)?;
        let certificate = with_residuals(certificate, &after).with_path(totals);
        let settings = law.settings(Some(system.problem()));
        Ok(Resolution { law, settings, outcome, after, certificate })
    }
}

/// Judges an impulse, whoever computed it, with the residuals of the whole system where its mass is known.
pub fn judge(system: &System, impulse: &[f64]) -> Result<(Certificate, After), ImpactError> {
    let certificate = contact_certificate(system, impulse)?;
    let after = system.after(impulse)?;
    Ok((with_residuals(certificate, &after), after))
}

fn contact_certificate(system: &System, impulse: &[f64]) -> Result<Certificate, ImpactError> {
    Certificate::of(system.problem(), impulse, &Tolerances::default())
}

fn with_residuals(mut certificate: Certificate, after: &After) -> Certificate {
    if let Some(inertial) = &after.inertial {
        certificate.momentum_residual = inertial.momentum_residual;
        certificate.bilateral_residual =
            certificate.bilateral_residual.max(inertial.bilateral_residual);
    }
    certificate
}

/// Keeps the sums of a path and none of its points.
struct TotalsOnly(Option<PathTotals>);

impl TraceSink for TotalsOnly {
    fn event(&mut self, _event: TraceEvent, _at: TracePoint) {}
    fn totals(&mut self, totals: PathTotals) {
        self.0 = Some(totals);
    }
}
