//! `carom plot`: a problem and what laws do with it, as a picture.

use super::{Exit, Loaded, Refusal, print};
use crate::cli::{Ground, Plot, PlotKind};
use crate::failure::Failure;
use crate::format::{LawSpec, Problem};
use crate::picture;
use crate::progress::{self, Display, Monitor};
use crate::resolution::Resolution;
use carom::catalog::{self, AnyRow};
use carom::law::ReadsE;
use carom::{AnyLaw, ContactProblem, ImpactError, Recorder};
use carom_plot::{Answer, Figure, PlotError, Theme};

pub fn run(args: &Plot) -> Result<Exit, Refusal> {
    let loaded = Loaded::open(&args.file)?;
    let _working = progress::working();
    let display = Display::of("resolving");
    let answers = answers(&loaded.problem, args, &display)?;
    drop(display);
    if progress::interrupted() {
        return Ok(Exit::Interrupted);
    }
    let mut figure = figure(&loaded, args, &answers)?;
    if let Some(title) = &loaded.problem.title {
        figure.title = format!("{title}: {}", lowered(&figure.title));
    }
    let theme = match args.theme {
        Ground::Auto => Theme::Adaptive,
        Ground::Light => Theme::Light,
        Ground::Dark => Theme::Dark,
    };
    match &args.out {
        Some(path) => {
            picture::write(&figure, path, theme)?;
            Ok(Exit::Answered)
        }
        None if args.csv => print(&figure.csv()),
        None => print(&figure.svg(theme)),
    }
}

/// The first letter small, to follow a colon.
fn lowered(title: &str) -> String {
    let mut chars = title.chars();
    chars.next().map_or_else(String::new, |c| c.to_lowercase().chain(chars).collect())
}

/// The laws asked for, each of which must answer; or those that predict for so many contacts and do.
fn answers(problem: &Problem, args: &Plot, display: &Display) -> Result<Vec<Answer>, ImpactError> {
    if !args.law.is_empty() {
        let asked = args.law.iter().map(|id| LawSpec::new(id).build());
        return asked.map(|law| answer(problem, law?, display)).collect();
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

/// The laws for so many contacts that say what happens: those for one contact where there is one, for several
/// otherwise, and none that only describe an impulse.
fn predicting(problem: &ContactProblem) -> impl Iterator<Item = AnyRow> {
    let several = problem.len() > 1;
    catalog::all()
        .filter(move |row| row.takes_several() == several && row.reads_e() != ReadsE::Ignored)
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

fn figure(loaded: &Loaded, args: &Plot, answers: &[Answer]) -> Result<Figure, Failure> {
    let problem = loaded.problem.system.problem();
    let accessible: Vec<&str> = args.accessible.iter().map(String::as_str).collect();
    let figure = match args.kind {
        PlotKind::ImpulseSpace => carom_plot::impulse_space(problem, answers, &accessible),
        PlotKind::Hodograph => carom_plot::hodograph(problem, answers),
        PlotKind::Phases => carom_plot::phases(answers),
    };
    figure.map_err(Failure::from)
}

impl From<PlotError> for Failure {
    fn from(error: PlotError) -> Self {
        match error {
            PlotError::Impact(error) => Self::Impact(error),
            other => Self::Usage(other.to_string()),
        }
    }
}
