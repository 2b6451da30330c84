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

impl Resolution {
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
        let (certificate, after) = judge(system, &outcome.impulse)?;
        let settings = law.settings(Some(system.problem()));
        Ok(Self { law, settings, outcome, after, certificate: certificate.with_path(totals) })
    }
}

/// Judges an impulse, whoever computed it, with the residuals of the whole system where its mass is known.
pub fn judge(system: &System, impulse: &[f64]) -> Result<(Certificate, After), ImpactError> {
    let mut certificate = Certificate::of(system.problem(), impulse, &Tolerances::default())?;
    let after = system.after(impulse)?;
    if let Some(inertial) = &after.inertial {
        certificate.momentum_residual = inertial.momentum_residual;
        certificate.bilateral_residual =
            certificate.bilateral_residual.max(inertial.bilateral_residual);
    }
    Ok((certificate, after))
}

/// Keeps the sums of a path and none of its points.
struct TotalsOnly(Option<PathTotals>);

impl TraceSink for TotalsOnly {
    fn event(&mut self, _event: TraceEvent, _at: TracePoint) {}
    fn totals(&mut self, totals: PathTotals) {
        self.0 = Some(totals);
    }
}
