//! `carom plot`: a problem and what laws do with it, as a picture.

mod sweep;

use super::compliant::compliance;
use super::{Exit, Loaded, Refusal, print};
use crate::cli::{Plot, PlotKind};
use crate::compliance::CompliantRun;
use crate::failure::Failure;
use crate::format::{CompliantSpec, LawSpec, Problem};
use crate::outcomes::{Outcomes, Request};
use crate::picture;
use crate::progress::{self, Display, Monitor};
use crate::resolution::Resolution;
use carom::catalog::{self, AnyRow};
use carom::law::ReadsE;
use carom::outcome::StepRecorder;
use carom::{AnyLaw, ContactProblem, ImpactError, Recorder};
use carom_plot::{Answer, Cloud, Figure, Outlook, PlotError};
use carom_sim::compliant::RunSettings;
use sweep::Sweep;

/// The law of which `rounds` tells where none is named.
const ROUNDS_LAW: &str = "plus";
/// No law makes more steps that a picture could show \[1\].
const STEPS: usize = 100_000;
/// Restitutions of `chain` where no sweep is asked for.
const CHAIN_SWEEP: &str = "e=0:1:0.02";
/// What `outcomes` draws: enough for a cloud, few enough for a second.
const DRAWN: Request =
    Request { samples: 600, orders: 100, stiffnesses: 60, decades: 2.0, seed: 0 };
/// What it draws of more than [`MANY`] contacts.
const DRAWN_OF_MANY: Request = Request { samples: 100, orders: 50, stiffnesses: 10, ..DRAWN };
/// More contacts are many: laws that follow springs take longer than a picture may \[1\].
const MANY: usize = 12;
/// Laws that follow springs.
const SLOW: [&str; 2] = ["lzb", "stiff-limit"];
/// More contacts are not drawn \[1\].
const MOST: usize = 500;
/// A compliant run is followed in short steps, so that its curves are smooth \[1\].
const RUN_TOLERANCE: f64 = 1e-13;

pub(super) fn run(args: &Plot) -> Result<Exit, Refusal> {
    let figure = draw(args);
    if progress::interrupted() {
        return Ok(Exit::Interrupted);
    }
    let figure = figure?;
    let theme = args.theme.into();
    match &args.out {
        Some(path) => {
            picture::write(&figure, path, theme)?;
            Ok(Exit::Answered)
        }
        None if args.csv => print(&figure.csv()),
        None => print(&figure.svg(theme)),
    }
}

/// Every kind of picture that this problem has without being asked for more: those of one contact, or those of several.
pub(super) fn all(loaded: &Loaded, display: &Display) -> Vec<Figure> {
    /// More contacts than these make no picture that anybody reads \[1\].
    const READABLE: usize = 40;
    let kinds = match loaded.problem.system.problem().len() {
        1 => [PlotKind::ImpulseSpace, PlotKind::Hodograph, PlotKind::Phases],
        2..=READABLE => [PlotKind::Chain, PlotKind::Rounds, PlotKind::Outcomes],
        _ => return Vec::new(),
    };
    // A kind that does not show problems of this class is no fault here.
    kinds.iter().filter_map(|kind| figure(loaded, &Plot::of(*kind), None, display).ok()).collect()
}

/// Draws what was asked for.
pub fn draw(args: &Plot) -> Result<Figure, Refusal> {
    let sweep = args.sweep.as_deref().map(Sweep::parse).transpose()?;
    let loaded = Loaded::open(&args.file)?;
    let _working = progress::working();
    let display = Display::of("drawing");
    let mut figure = figure(&loaded, args, sweep, &display)?;
    if let Some(title) = &loaded.problem.title {
        figure.title = format!("{title}: {}", lowered(&figure.title));
    }
    Ok(figure)
}

/// The first letter small, to follow a colon.
fn lowered(title: &str) -> String {
    let mut chars = title.chars();
    chars.next().map_or_else(String::new, |c| c.to_lowercase().chain(chars).collect())
}

fn figure(
    loaded: &Loaded,
    args: &Plot,
    sweep: Option<Sweep>,
    display: &Display,
) -> Result<Figure, Refusal> {
    let problem = &loaded.problem;
    let contacts = problem.system.problem();
    if contacts.len() > MOST {
        let many = contacts.len();
        let text = format!("a picture shows up to {MOST} contacts, this problem has {many}");
        return Err(Failure::Usage(text).into());
    }
    let drawn = match (args.kind, sweep) {
        (PlotKind::Chain, sweep) => {
            let sweep = sweep.map_or_else(|| Sweep::parse(CHAIN_SWEEP), Ok)?;
            let velocities = sweep.velocities(&loaded.source.parse()?, problem, args, display)?;
            carom_plot::chain(&velocities)
        }
        (PlotKind::Rounds | PlotKind::Outcomes | PlotKind::Compliant, Some(_)) => {
            let kinds = "impulse-space, hodograph, phases and chain";
            return Err(Failure::Usage(format!("--sweep: only {kinds} show families")).into());
        }
        (kind, Some(sweep)) => {
            let family = sweep.family(&loaded.source.parse()?, problem, args, display)?;
            match kind {
                PlotKind::Hodograph => carom_plot::hodograph_family(contacts, &family),
                PlotKind::Phases => carom_plot::phases_family(&family),
                _ => carom_plot::impulse_space_family(contacts, &family),
            }
        }
        (PlotKind::Rounds, None) => rounds(problem, args, display)?,
        (PlotKind::Outcomes, None) => outcomes(problem, display)?,
        (PlotKind::Compliant, None) => compliant(problem, args, display)?,
        (kind, None) => {
            // These kinds show one contact and say so.
            let one = contacts.len() == 1;
            let answers = if one { answers(problem, args, display)? } else { Vec::new() };
            let accessible: Vec<&str> = args.accessible.iter().map(String::as_str).collect();
            match kind {
                PlotKind::Hodograph => carom_plot::hodograph(contacts, &answers),
                PlotKind::Phases => carom_plot::phases(&answers),
                _ => carom_plot::impulse_space(contacts, &answers, &accessible),
            }
        }
    };
    Ok(drawn.map_err(Failure::from)?)
}

type Drawn = Result<Figure, PlotError>;

fn rounds(problem: &Problem, args: &Plot, display: &Display) -> Result<Drawn, Failure> {
    let law = match &args.law[..] {
        [] => own_law(problem, ROUNDS_LAW)?,
        [_] => asked(args)?.remove(0),
        _ => return Err(Failure::Usage("--law: rounds are drawn of one law".to_owned())),
    };
    let mut steps = StepRecorder::new(STEPS);
    let mut monitor = Monitor::recording(display, &mut steps);
    Resolution::of(&problem.system, law, None, &mut monitor)?;
    Ok(carom_plot::rounds(problem.system.problem(), &steps.steps))
}

fn outcomes(problem: &Problem, display: &Display) -> Result<Drawn, Failure> {
    let many = problem.system.problem().len() > MANY;
    let request = if many { &DRAWN_OF_MANY } else { &DRAWN };
    let Some(found) = Outcomes::of(problem, request, display)? else {
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
    Ok(carom_plot::outcomes(&Outlook { quantities, clouds, laws }))
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

fn compliant(problem: &Problem, args: &Plot, display: &Display) -> Result<Drawn, Refusal> {
    let compliance = compliance(problem, &CompliantSpec::default())?;
    let settings =
        RunSettings { tolerance: RUN_TOLERANCE, history: true, ..RunSettings::default() };
    let mut monitor = Monitor::new(display);
    let run = CompliantRun::of(&problem.system, compliance, false, &settings, &mut monitor)?;
    let answers = answers(problem, args, display)?;
    Ok(carom_plot::compliant(problem.system.problem(), &run.outcome, &answers))
}

/// The laws asked for, each of which must answer; or those that predict for so many contacts and do.
fn answers(problem: &Problem, args: &Plot, display: &Display) -> Result<Vec<Answer>, ImpactError> {
    if !args.law.is_empty() {
        return asked(args)?.into_iter().map(|law| answer(problem, law, display)).collect();
    }
    let mut answers = Vec::new();
    for row in predicting(problem.system.problem()) {
        if progress::interrupted() {
            break;
        }
        // A law without an answer is left out: other laws are what is to be seen.
        answers.extend(own_law(problem, row.id()).and_then(|law| answer(problem, law, display)));
    }
    Ok(answers)
}

/// The laws that are named, with the settings that are.
fn asked(args: &Plot) -> Result<Vec<AnyLaw>, ImpactError> {
    let build = |id: &String| {
        let mut law = LawSpec::new(id);
        args.set.iter().try_for_each(|assignment| law.set(assignment))?;
        law.build()
    };
    args.law.iter().map(build).collect()
}

/// The laws for so many contacts that say what happens: those for one contact where there is one, for several
/// otherwise, none that only describe an impulse, and of many contacts none that is slow.
fn predicting(problem: &ContactProblem) -> impl Iterator<Item = AnyRow> {
    let (several, many) = (problem.len() > 1, problem.len() > MANY);
    catalog::all()
        .filter(move |row| row.takes_several() == several && row.reads_e() != ReadsE::Ignored)
        .filter(move |row| !(many && SLOW.contains(&row.id())))
}

/// A law with the settings that the problem gives it.
fn own_law(problem: &Problem, id: &str) -> Result<AnyLaw, ImpactError> {
    let own = problem.law.as_ref().filter(|law| law.id == id);
    own.cloned().unwrap_or_else(|| LawSpec::new(id)).build()
}

fn answer(problem: &Problem, law: AnyLaw, display: &Display) -> Result<Answer, ImpactError> {
    let mut recorder = Recorder::default();
    let mut monitor = Monitor::new(display);
    let resolution = Resolution::of(&problem.system, law, Some(&mut recorder), &mut monitor)?;
    let incremental = matches!(law.row(), AnyRow::Single(row) if row.incremental);
    Ok(Answer {
        law: law.id().to_owned(),
        impulse: resolution.outcome.impulse,
        // The steps of a law that jumps are no path.
        path: if incremental { recorder } else { Recorder::default() },
        permissible: resolution.certificate.verdict.is_permissible(),
    })
}

impl From<PlotError> for Failure {
    fn from(error: PlotError) -> Self {
        match error {
            PlotError::Impact(error) => Self::Impact(error),
            other => Self::Usage(other.to_string()),
        }
    }
}
