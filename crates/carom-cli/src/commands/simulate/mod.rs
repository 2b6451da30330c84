//! `carom simulate`: a scene from event to event.

mod report;
mod screen;

use super::{Exit, Refusal, print, print_json, stream};
use crate::cli::{LawChoice, Simulate as Arguments};
use crate::progress::{self, Display};
use carom::ImpactError;
use carom::outcome::Progress;
use carom_io::failure::Failure;
use carom_io::format::{Cursor, LawSpec, Node};
use carom_io::input::Source;
use carom_io::output::Target;
use carom_io::plain;
use carom_io::progress::ProgressSink;
use carom_scene::answer::MotionAnswer;
use carom_scene::check::{Check, TOLERANCE_FACTOR};
use carom_scene::samples::SampleTable;
use carom_scene::{SceneFile, every, times};
use carom_sim::motion::{EndReason, Motion, MotionObserver, Options, Scene, simulate_observed};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

pub fn run(args: &Arguments) -> Result<Exit, Refusal> {
    let Some(path) = &args.file else {
        return run_stream(args);
    };
    // What cannot be written is said before the work.
    #[cfg(not(feature = "sweep"))]
    if args.out.is_some() {
        return Err(super::left_out("--out, a Parquet file,").into());
    }
    for written in args.out.iter().chain(&args.report) {
        target(written, &[path], args.force).check()?;
    }
    let source = Box::new(Source::open(path)?);
    match follow(args, path, &source) {
        Ok(exit) => Ok(exit),
        Err(About::File(failure)) => Err(Refusal { failure, source: Some(source) }),
        Err(About::Else(refusal)) => Err(refusal),
    }
}

/// What a failure is about.
enum About {
    /// The scene file, which is shown.
    File(Failure),
    /// The command line, or something else.
    Else(Refusal),
}

fn follow(args: &Arguments, path: &Path, source: &Source) -> Result<Exit, About> {
    let file = SceneFile::of(source).map_err(About::File)?;
    let scene = &file.scene;
    let elsewhere = |failure: Failure| About::Else(failure.into());
    let mut options = Options::at(sample_times(args, scene).map_err(elsewhere)?);
    let law = law(&args.law, &file).map_err(elsewhere)?;
    options.law = law.as_ref().map(LawSpec::build).transpose().map_err(|e| elsewhere(e.into()))?;
    options.contacts = args.contacts;
    options.features = args.features;
    let _working = progress::working();
    let motion = watched(scene, &options, "following the motion")
        .map_err(|error| About::File(error.into()))?;
    let check = match args.check && motion.end.reason != EndReason::Interrupted {
        true => {
            let mut wider = options.clone();
            wider.tolerance_factor = TOLERANCE_FACTOR;
            let again = watched(scene, &wider, "once more, less exactly")
                .map_err(|error| About::File(error.into()))?;
            (again.end.reason != EndReason::Interrupted).then(|| Check::of(&motion, &again))
        }
        false => None,
    };
    if let Some(out) = &args.out {
        write_table(target(out, &[path], args.force), scene, &motion).map_err(elsewhere)?;
    }
    if let Some(report) = &args.report
        && motion.end.reason != EndReason::Interrupted
    {
        let law = law.as_ref();
        report::write(target(report, &[path], args.force), args, source, &file, law, &motion)
            .map_err(|error| About::File(error))?;
    }
    let printed = if args.json {
        print_json(&MotionAnswer {
            id: None,
            scene,
            motion: &motion,
            contacts: args.contacts,
            check: check.as_ref(),
        })
    } else if args.csv {
        print(&SampleTable::of(scene, &motion).csv())
    } else {
        let shown = screen::Shown {
            file: &file,
            law: options.law.as_ref().or(scene.law.as_ref()),
            motion: &motion,
            check: check.as_ref(),
            path,
        };
        print(&shown.text())
    };
    printed.map_err(About::Else)?;
    if progress::interrupted() {
        return Ok(Exit::Interrupted);
    }
    match &motion.end.reason {
        EndReason::Failed(failure) => {
            if args.csv {
                eprintln!("{}: {}", failure.kind.name(), plain::message(&failure.message));
            }
            Ok(Exit::Unanswered)
        }
        _ => Ok(Exit::Answered),
    }
}

fn run_stream(args: &Arguments) -> Result<Exit, Refusal> {
    let law = match &args.law.law {
        Some(id) => Some(with_settings(LawSpec::new(id), &args.law.set)?.build()?),
        None if args.law.set.is_empty() => None,
        None => return Err(Failure::Usage("--set needs --law in a stream".into()).into()),
    };
    let wanted = stream::Wanted { law, contacts: args.contacts, features: args.features };
    let mut output = io::stdout().lock();
    let tally =
        stream::simulate(&mut io::stdin().lock(), &mut output, &wanted).map_err(Failure::from)?;
    Ok(match tally.failed + tally.violating {
        _ if tally.interrupted => Exit::Interrupted,
        0 => Exit::Answered,
        _ => Exit::Unanswered,
    })
}

/// The law of the command line, if it says anything; settings alone are for the law of the scene.
fn law(choice: &LawChoice, file: &SceneFile) -> Result<Option<LawSpec>, Failure> {
    let spec = match (&choice.law, &file.law) {
        (Some(id), _) => LawSpec::new(id),
        (None, _) if choice.set.is_empty() => return Ok(None),
        (None, Some(law)) => law.clone(),
        (None, None) => {
            let message = "--set needs --law: the scene names no law that it could be a setting of";
            return Err(Failure::Usage(message.into()));
        }
    };
    Ok(Some(with_settings(spec, &choice.set)?))
}

fn with_settings(mut law: LawSpec, settings: &[String]) -> Result<LawSpec, ImpactError> {
    for assignment in settings {
        law.set(assignment)?;
    }
    Ok(law)
}

/// The times asked for; by default the beginning and the end.
fn sample_times(args: &Arguments, scene: &Scene) -> Result<Vec<f64>, Failure> {
    let blame = |option: &'static str| {
        move |error: ImpactError| match error {
            ImpactError::BadProblem { value, reason, .. } => {
                Failure::Usage(format!("{option}: {value}: {reason}"))
            }
            other => other.into(),
        }
    };
    match (&args.at, args.every) {
        (Some(at), _) => {
            let node = Node::Numbers(at.clone());
            times(&Cursor::root(&node, "at"), scene.duration).map_err(blame("--at"))
        }
        (None, Some(step)) => every(step, scene.duration).map_err(blame("--every")),
        (None, None) => Ok(vec![0.0, scene.duration]),
    }
}

/// Follows a scene with a bar, until its end or Ctrl-C.
fn watched(scene: &Scene, options: &Options, name: &str) -> Result<Motion, ImpactError> {
    let display = Display::of(name);
    let mut watch = Watch { display: &display, duration: scene.duration };
    simulate_observed(scene, options, &mut watch)
}

struct Watch<'a> {
    display: &'a Display,
    duration: f64,
}

impl MotionObserver for Watch<'_> {
    fn progress(&mut self, time: f64) -> ControlFlow<()> {
        let (unit, per_second) = match self.duration {
            d if d >= 1.0 => ("ms of motion", 1e3),
            d if d >= 1e-3 => ("µs of motion", 1e6),
            _ => ("ns of motion", 1e9),
        };
        let whole = |seconds: f64| (seconds * per_second) as u64;
        let of = Some(whole(self.duration).max(1));
        self.display.update(Progress { what: unit, done: whole(time), of });
        match self.display.interrupted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Where samples are written to.
fn target<'a>(out: &'a Path, inputs: &'a [&'a Path], force: bool) -> Target<'a> {
    Target { path: out, inputs, force }
}

#[cfg(feature = "sweep")]
fn write_table(target: Target, scene: &Scene, motion: &Motion) -> Result<(), Failure> {
    use carom_batch::table::{Column, write};
    let table = SampleTable::of(scene, motion);
    let mut columns =
        vec![("t", Column::Numbers(&table.times)), ("body", Column::Texts(&table.bodies))];
    columns.extend(table.numbers.iter().map(|(name, column)| (*name, Column::Numbers(column))));
    write(target, &columns)
}

#[cfg(not(feature = "sweep"))]
fn write_table(_target: Target, _scene: &Scene, _motion: &Motion) -> Result<(), Failure> {
    Err(super::left_out("--out, a Parquet file,"))
}
