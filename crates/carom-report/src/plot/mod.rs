//! A problem and what laws do with it, as a picture.

mod sweep;

pub use sweep::Sweep;

use crate::compliance::{CompliantRun, compliance};
use crate::outcomes::{Outcomes, Request as Draws};
use carom::catalog::ReadsE;
use carom::catalog::{self, LawInfo};
use carom::{ContactProblem, ImpactError, Law, Recorder};
use carom_io::failure::Failure;
use carom_io::format::{Node, Problem};
use carom_io::progress::{Monitor, ProgressSink};
use carom_io::resolution::Resolution;
use carom_plot::{Answer, Cloud, Figure, OutcomeClouds, PlotError};
use carom_sim::compliant::RunSettings;

/// The law of which `rounds` tells where none is named.
const ROUNDS_LAW: &str = "plus";
/// No law makes more steps that a picture could show \[1\].
const STEPS: usize = 100_000;
/// Restitutions of `chain` where no sweep is asked for.
const CHAIN_SWEEP: &str = "e=0:1:0.02";
/// What `outcomes` draws: enough for a cloud, few enough for a second.
const DRAWN: Draws = Draws { samples: 600, orders: 100, stiffnesses: 60, decades: 2.0, seed: 0 };
/// What it draws of more than [`MANY`] contacts.
const DRAWN_OF_MANY: Draws = Draws { samples: 100, orders: 50, stiffnesses: 10, ..DRAWN };
/// More contacts are many: laws that follow springs take longer than a picture may \[1\].
const MANY: usize = 12;
/// More contacts are not drawn \[1\].
const MOST: usize = 500;
/// A compliant run is followed in short steps, so that its curves are smooth \[1\].
const RUN_TOLERANCE: f64 = 1e-13;

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One contact: the permissible region, its lines, the impulse of each law.
    ImpulseSpace,
    /// One contact: the path of the tangential velocity.
    Hodograph,
    /// One contact: normal velocity and work against normal impulse.
    Phases,
    /// What contacts do in the rounds of `plus`, and how impulses add up.
    Rounds,
    /// Velocities after the impact against restitution, or what a sweep names.
    Chain,
    /// The spread of what may happen, and where laws stand in it.
    Outcomes,
    /// Force, penetration and impulse of contacts that yield, against time.
    Compliant,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::ImpulseSpace,
        Self::Hodograph,
        Self::Phases,
        Self::Rounds,
        Self::Chain,
        Self::Outcomes,
        Self::Compliant,
    ];

    /// Its name, on the command line and elsewhere.
    pub fn name(self) -> &'static str {
        match self {
            Self::ImpulseSpace => "impulse-space",
            Self::Hodograph => "hodograph",
            Self::Phases => "phases",
            Self::Rounds => "rounds",
            Self::Chain => "chain",
            Self::Outcomes => "outcomes",
            Self::Compliant => "compliant",
        }
    }
}

/// A picture that is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// What it shows.
    pub kind: Kind,
    /// The laws in it; none means every law for so many contacts that has an answer.
    pub laws: Vec<Law>,
    /// Laws of which every impulse is shown that they can give.
    pub accessible: Vec<String>,
    /// A number of the problem that takes value after value.
    pub sweep: Option<Sweep>,
}

impl Request {
    /// This kind of picture, nothing else asked for.
    pub fn of(kind: Kind) -> Self {
        Self { kind, laws: Vec::new(), accessible: Vec::new(), sweep: None }
    }
}

/// Every kind of picture that this problem has without being asked for more: those of one contact, or those of several.
pub fn all(file: &Node, problem: &Problem, progress: &dyn ProgressSink) -> Vec<Figure> {
    /// More contacts than these make no readable picture \[1\].
    const READABLE: usize = 40;
    let kinds = match problem.system.problem().len() {
        1 => [Kind::ImpulseSpace, Kind::Hodograph, Kind::Phases],
        2..=READABLE => [Kind::Chain, Kind::Rounds, Kind::Outcomes],
        _ => return Vec::new(),
    };
    // A kind that does not show problems of this class is no fault here.
    let figure = |kind: &Kind| figure(file, problem, &Request::of(*kind), progress).ok();
    kinds.iter().filter_map(figure).collect()
}

/// Draws what was asked for, under the problem's own title. `file` is the problem as it was written: a sweep puts its
/// values there.
pub fn draw(
    file: &Node,
    problem: &Problem,
    request: &Request,
    progress: &dyn ProgressSink,
) -> Result<Figure, Failure> {
    let mut figure = figure(file, problem, request, progress)?;
    if let Some(title) = &problem.title {
        figure.title = format!("{title}: {}", lowered(&figure.title));
    }
    Ok(figure)
}

/// The first letter small, to follow a colon.
pub(crate) fn lowered(title: &str) -> String {
    let mut chars = title.chars();
    chars.next().map_or_else(String::new, |c| c.to_lowercase().chain(chars).collect())
}

fn figure(
    file: &Node,
    problem: &Problem,
    request: &Request,
    progress: &dyn ProgressSink,
) -> Result<Figure, Failure> {
    let contacts = problem.system.problem();
    if contacts.len() > MOST {
        let many = contacts.len();
        let text = format!("a picture shows up to {MOST} contacts, this problem has {many}");
        return Err(Failure::Usage(text));
    }
    let drawn = match (request.kind, &request.sweep) {
        (Kind::Chain, sweep) => {
            let sweep = sweep.clone().map_or_else(|| Sweep::parse(CHAIN_SWEEP), Ok)?;
            let velocities = sweep.velocities(file, problem, request, progress)?;
            carom_plot::chain(&velocities)
        }
        (Kind::Rounds | Kind::Outcomes | Kind::Compliant, Some(_)) => {
            let kinds = "impulse-space, hodograph, phases and chain";
            return Err(Failure::Usage(format!("sweep: only {kinds} show families")));
        }
        (kind, Some(sweep)) => {
            let family = sweep.family(file, problem, request, progress)?;
            match kind {
                Kind::Hodograph => carom_plot::hodograph_family(contacts, &family),
                Kind::Phases => carom_plot::phases_family(&family),
                _ => carom_plot::impulse_space_family(contacts, &family),
            }
        }
        (Kind::Rounds, None) => rounds(problem, request, progress)?,
        (Kind::Outcomes, None) => outcomes(problem, progress)?,
        (Kind::Compliant, None) => compliant(problem, request, progress)?,
        (kind, None) => {
            // These kinds show one contact and say so.
            let one = contacts.len() == 1;
            let answers = if one { answers(problem, request, progress)? } else { Vec::new() };
            let accessible: Vec<&str> = request.accessible.iter().map(String::as_str).collect();
            match kind {
                Kind::Hodograph => carom_plot::hodograph(contacts, &answers),
                Kind::Phases => carom_plot::phases(&answers),
                _ => carom_plot::impulse_space(contacts, &answers, &accessible),
            }
        }
    };
    drawn.map_err(failure)
}

type Drawn = Result<Figure, PlotError>;

fn rounds(
    problem: &Problem,
    request: &Request,
    progress: &dyn ProgressSink,
) -> Result<Drawn, Failure> {
    let law = match &request.laws[..] {
        [] => problem.law_with_id(ROUNDS_LAW).build()?,
        [law] => *law,
        _ => return Err(Failure::Usage("law: rounds are drawn of one law".to_owned())),
    };
    let mut steps = Recorder::new(STEPS);
    let mut monitor = Monitor::recording(progress, &mut steps);
    Resolution::of(&problem.system, law, &mut monitor)?;
    Ok(carom_plot::rounds(problem.system.problem(), &steps.steps))
}

fn outcomes(problem: &Problem, progress: &dyn ProgressSink) -> Result<Drawn, Failure> {
    let many = problem.system.problem().len() > MANY;
    let drawn = if many { &DRAWN_OF_MANY } else { &DRAWN };
    let Some(found) = Outcomes::of(problem, drawn, progress)? else {
        return Err(Failure::Impact(ImpactError::Limit("interrupted".to_owned())));
    };
    let contacts = problem.system.problem();
    let mut quantities: Vec<String> = Vec::new();
    let mut row = |named: Vec<(String, f64)>| -> Vec<f64> {
        if quantities.is_empty() {
            quantities = named.iter().map(|(name, _)| quantity(name)).collect();
        }
        named.into_iter().map(|(_, x)| x).collect()
    };
    let mut clouds = Vec::new();
    for family in &found.families {
        // A family that cannot be drawn is left out: `carom outcomes` says why.
        let Ok(drawn) = &family.drawn else { continue };
        let outcomes = drawn
            .samples
            .iter()
            .map(|s| row(found.quantities(contacts, &s.velocity, s.energy_change, &s.after)));
        clouds.push(Cloud { name: family.id.to_owned(), outcomes: outcomes.collect() });
    }
    let laws = found.laws.answers.iter().map(|entry| {
        let r = &entry.resolution;
        let change = r.certificate.energy_change;
        (
            r.law.id().to_owned(),
            row(found.quantities(contacts, &r.outcome.velocity, change, &r.after)),
        )
    });
    let laws = laws.collect();
    Ok(carom_plot::outcomes(&OutcomeClouds { quantities, clouds, laws }))
}

/// A quantity's name on an axis, from that of its column in tables.
fn quantity(column: &str) -> String {
    let index = column.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']'));
    match (column, index) {
        ("energy_ratio", _) => "energy left E^+/E_0 [1]".to_owned(),
        (c, Some(k)) if c.starts_with("contact_velocity") => {
            format!("u_n^+ of contact {k} [m/s]")
        }
        (c, None) if c.starts_with("contact_velocity") => "u_n^+ [m/s]".to_owned(),
        (c, Some(k)) if c.starts_with("velocity") => format!("v_{{{k}}}^+ [m/s]"),
        (c, _) if c.contains("angular") => format!("{} [rad/s]", c.replace('_', " ")),
        (c, _) => format!("{} [m/s]", c.replace('_', " ")),
    }
}

fn compliant(
    problem: &Problem,
    request: &Request,
    progress: &dyn ProgressSink,
) -> Result<Drawn, Failure> {
    let compliance = compliance(&problem.compliant)?;
    let settings =
        RunSettings { tolerance: RUN_TOLERANCE, history: true, ..RunSettings::default() };
    let mut monitor = Monitor::new(progress);
    let run = CompliantRun::of(&problem.system, compliance, false, &settings, &mut monitor)?;
    let answers = answers(problem, request, progress)?;
    Ok(carom_plot::compliant(problem.system.problem(), &run.outcome, &answers))
}

/// The laws asked for, each of which must answer; or those that predict for so many contacts and do.
fn answers(
    problem: &Problem,
    request: &Request,
    progress: &dyn ProgressSink,
) -> Result<Vec<Answer>, ImpactError> {
    if !request.laws.is_empty() {
        return request.laws.iter().map(|law| answer(problem, *law, progress)).collect();
    }
    let mut answers = Vec::new();
    for row in predicting(problem.system.problem()) {
        if progress.interrupted() {
            break;
        }
        // A law without an answer is left out: other laws are what is to be seen.
        let law = problem.law_with_id(row.id).build();
        answers.extend(law.and_then(|law| answer(problem, law, progress)));
    }
    Ok(answers)
}

/// The laws for so many contacts that say what happens: those for one contact where there is one, for several
/// otherwise, none that only describe an impulse, and of many contacts none that is slow.
fn predicting(problem: &ContactProblem) -> impl Iterator<Item = &'static LawInfo> {
    let (several, many) = (problem.len() > 1, problem.len() > MANY);
    catalog::all()
        .filter(move |row| row.takes_several() == several && row.reads_e != ReadsE::Ignored)
        .filter(move |row| !(many && row.takes_several() && row.follows_springs))
}

fn answer(problem: &Problem, law: Law, progress: &dyn ProgressSink) -> Result<Answer, ImpactError> {
    let mut recorder = Recorder::default();
    let mut monitor = Monitor::recording(progress, &mut recorder);
    let resolution = Resolution::of(&problem.system, law, &mut monitor)?;
    let incremental = law.info().incremental;
    Ok(Answer {
        law: law.id().to_owned(),
        impulse: resolution.outcome.impulse,
        // The steps of a law that jumps are no path.
        path: if incremental { recorder } else { Recorder::default() },
        permissible: resolution.certificate.verdict.is_permissible(),
    })
}

/// Why there is no figure, as other failures are told.
pub fn failure(error: PlotError) -> Failure {
    match error {
        PlotError::Impact(error) => Failure::Impact(error),
        other => Failure::Usage(other.to_string()),
    }
}
