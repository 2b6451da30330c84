//! `carom simulate`: a scene from event to event.

mod files;
mod report;
mod screen;
mod several;

use super::{Exit, Refusal, print, print_json, stream};
use crate::cli::Simulate as Arguments;
use crate::progress::{self, Display};
use carom::ImpactError;
use carom::outcome::Progress;
use carom_io::failure::Failure;
use carom_io::format::{Cursor, LawSpec, Node};
use carom_io::input::Source;
use carom_io::output::Target;
use carom_io::plain;
use carom_io::progress::ProgressSink;
use carom_report::motion::times as motion_times;
use carom_scene::answer::MotionAnswer;
use carom_scene::check::{Check, TOLERANCE_FACTOR};
use carom_scene::origin::Origin;
use carom_scene::samples::SampleTable;
use carom_scene::{SceneFile, every, times};
use carom_sim::motion::{EndReason, Motion, MotionObserver, Options, Scene, simulate_observed};
use files::Form;
pub(super) use files::is_file_of_motion;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

pub fn run(args: &Arguments) -> Result<Exit, Refusal> {
    let Some(path) = &args.file else {
        return run_stream(args);
    };
    // What cannot be written is said before the work.
    let samples = args.out.as_deref().map(Form::of_samples).transpose()?;
    let events = args.events.as_deref().map(Form::of_events).transpose()?;
    for written in args.out.iter().chain(&args.events).chain(&args.report) {
        target(written, &[path], args.force).check()?;
    }
    let origin = opened(path)?;
    if args.law.len() > 1 {
        return match several::run(args, path, &origin) {
            Ok(exit) => Ok(exit),
            Err(About::File(failure)) => Err(Refusal { failure, source: Some(origin.source) }),
            Err(About::Else(refusal)) => Err(refusal),
        };
    }
    match follow(args, path, &origin, [samples, events]) {
        Ok(exit) => Ok(exit),
        Err(About::File(failure)) => Err(Refusal { failure, source: Some(origin.source) }),
        Err(About::Else(refusal)) => Err(refusal),
    }
}

/// A scene as it was opened.
pub(super) struct Opened {
    /// Its text.
    pub(super) source: Box<Source>,
    /// The law that was asked for when the file of a motion was written.
    pub(super) law: Option<LawSpec>,
}

/// Opens a scene, or the one in a file that `--out` wrote.
pub(super) fn opened(path: &Path) -> Result<Opened, Refusal> {
    let Origin { source, law } = match files::origin(path)? {
        Some(origin) => origin,
        None => {
            let source = Box::new(Source::open(path)?);
            return Ok(Opened { source, law: None });
        }
    };
    Ok(Opened { source: Box::new(source), law })
}

/// What a failure is about.
enum About {
    /// The scene file, which is shown.
    File(Failure),
    /// The command line, or something else.
    Else(Refusal),
}

fn follow(
    args: &Arguments,
    path: &Path,
    opened: &Opened,
    [samples, events]: [Option<Form>; 2],
) -> Result<Exit, About> {
    let source = &*opened.source;
    let mut file = SceneFile::of(source).map_err(About::File)?;
    if let Some(law) = &opened.law {
        file.scene.law = Some(law.build().map_err(|error| About::File(error.into()))?);
        file.law = Some(law.clone());
    }
    let scene = &file.scene;
    let elsewhere = |failure: Failure| About::Else(failure.into());
    let mut options = Options::at(sample_times(args, scene).map_err(elsewhere)?);
    let law = law(args, &file).map_err(elsewhere)?;
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
    if motion.end.reason != EndReason::Interrupted {
        let kept = files::Kept {
            file: &file,
            motion: &motion,
            origin: Origin::text(source, law.as_ref().or(opened.law.as_ref())),
        };
        write_files(args, path, &kept, &options, [samples, events])?;
    }
    if let Some(report) = &args.report
        && motion.end.reason != EndReason::Interrupted
    {
        let law = law.as_ref();
        report::write(target(report, &[path], args.force), args, source, &file, law, &motion)
            .map_err(About::File)?;
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

/// The tables and animations that are asked for.
fn write_files(
    args: &Arguments,
    path: &Path,
    kept: &files::Kept,
    options: &Options,
    [samples, events]: [Option<Form>; 2],
) -> Result<(), About> {
    let inputs = [path];
    let elsewhere = |failure: Failure| About::Else(failure.into());
    if let (Some(out), Some(form)) = (&args.out, samples) {
        let target = target(out, &inputs, args.force);
        let scene = &kept.file.scene;
        let motion;
        let mut kept = kept.clone();
        // An animation of two samples is none.
        if form == Form::Animation && args.at.is_none() && args.every.is_none() {
            let mut smooth = options.clone();
            smooth.at = motion_times(scene, kept.motion);
            motion = watched(scene, &smooth, "once more, for the animation")
                .map_err(|error| About::File(error.into()))?;
            kept.motion = &motion;
        }
        kept.write_samples(form, target).map_err(elsewhere)?;
    }
    if let (Some(out), Some(form)) = (&args.events, events) {
        kept.write_events(form, target(out, &inputs, args.force)).map_err(elsewhere)?;
    }
    Ok(())
}

fn run_stream(args: &Arguments) -> Result<Exit, Refusal> {
    let law = match &args.law[..] {
        [id] => Some(with_settings(LawSpec::new(id), &args.set)?.build()?),
        [] if args.set.is_empty() => None,
        [] => return Err(Failure::Usage("--set needs --law in a stream".into()).into()),
        _ => return Err(Failure::Usage("a stream has one --law".into()).into()),
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
fn law(args: &Arguments, file: &SceneFile) -> Result<Option<LawSpec>, Failure> {
    let spec = match (args.law.first(), &file.law) {
        (Some(id), _) => LawSpec::new(id),
        (None, _) if args.set.is_empty() => return Ok(None),
        (None, Some(law)) => law.clone(),
        (None, None) => {
            let message = "--set needs --law: the scene names no law that it could be a setting of";
            return Err(Failure::Usage(message.into()));
        }
    };
    Ok(Some(with_settings(spec, &args.set)?))
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
pub(super) fn watched(scene: &Scene, options: &Options, name: &str) -> Result<Motion, ImpactError> {
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
