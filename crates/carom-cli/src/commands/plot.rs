//! `carom plot`: a problem and what laws do with it, as a picture.

use super::{Exit, Loaded, Refusal, print};
use crate::cli::{Plot, PlotKind};
use crate::comparison::Comparison;
use crate::failure::Failure;
use crate::format::LawSpec;
use crate::picture;
use crate::progress::{self, Display, Monitor};
use crate::resolution::Resolution;
use carom::Recorder;
use carom_plot::{Answer, Figure, PlotError};

pub fn run(args: &Plot) -> Result<Exit, Refusal> {
    let loaded = Loaded::open(&args.file)?;
    let _working = progress::working();
    let answers = answers(&loaded, args)?;
    if progress::interrupted() {
        return Ok(Exit::Interrupted);
    }
    let mut figure = figure(&loaded, args, &answers)?;
    if let Some(title) = &loaded.problem.title {
        figure.title = format!("{title}: {}", lowered(&figure.title));
    }
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

/// The first letter small, to follow a colon.
fn lowered(title: &str) -> String {
    let mut chars = title.chars();
    chars.next().map_or_else(String::new, |c| c.to_lowercase().chain(chars).collect())
}

/// The laws asked for, or every law with an answer.
fn answers(loaded: &Loaded, args: &Plot) -> Result<Vec<Answer>, Refusal> {
    let display = Display::of("resolving");
    if args.law.is_empty() {
        let comparison = Comparison::shown(&loaded.problem, &display);
        let answer = |entry: crate::comparison::Entry| answer(&entry.resolution, entry.recorder);
        return Ok(comparison.answers.into_iter().map(answer).collect());
    }
    args.law
        .iter()
        .map(|id| {
            let mut recorder = Recorder::default();
            let law = LawSpec::new(id).build()?;
            let mut monitor = Monitor::new(&display);
            let system = &loaded.problem.system;
            let resolution = Resolution::of(system, law, Some(&mut recorder), &mut monitor)?;
            Ok(answer(&resolution, recorder))
        })
        .collect()
}

fn answer(resolution: &Resolution, path: Recorder) -> Answer {
    Answer {
        law: resolution.law.id().to_owned(),
        impulse: resolution.outcome.impulse.clone(),
        path,
        permissible: resolution.certificate.verdict.is_permissible(),
    }
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
