//! `carom import`: a robot file as a scene, and a list of what was not taken over.

use super::{Exit, Refusal, print, print_json};
use crate::cli::Import as Arguments;
use carom_import::{ImportError, Imported, Note, Options, import};
use carom_io::failure::Failure;
use carom_io::format::Language;
use carom_io::input::Source;
use carom_io::output::Target;
use carom_io::plain;
use carom_scene::write::{Words, toml};
use serde_json::json;
use std::path::Path;

pub fn run(args: &Arguments) -> Result<Exit, Refusal> {
    let inputs: [&Path; 1] = [&args.file];
    let target = args.out.as_ref().map(|path| Target { path, inputs: &inputs, force: args.force });
    if let Some(target) = &target {
        // Whether the file there is the same is known when it is made.
        target.check_inputs()?;
    }
    let options = options(args)?;
    let mut robot = import(&args.file, &options).map_err(refuse)?;
    if !(args.duration.is_finite() && args.duration >= 0.0) {
        let message = format!("--duration: {} must be 0 or more", args.duration);
        return Err(Failure::Usage(message).into());
    }
    robot.scene.duration = args.duration;
    let list = listed(&robot.notes, &args.file);
    let file = toml(&robot.scene, &words(&robot, &args.file, &list));
    let Some(target) = target else {
        eprint!("{}", plain::message(&screen(&robot, &list, None)));
        return print(&file);
    };
    target.write(file)?;
    match args.json {
        true => print_json(&json!({
            "robot": robot.name,
            "out": target.path.display().to_string(),
            "bodies": robot.scene.bodies.len(),
            "joints": robot.scene.joints.len(),
            "shapes": shapes(&robot),
            "looks": robot.looks,
            "notes": robot.notes.iter().map(|note| json!({
                "file": note.file, "line": note.line, "element": note.element, "what": note.what,
            })).collect::<Vec<_>>(),
        })),
        false => print(&screen(&robot, &list, Some(target.path))),
    }
}

fn options(args: &Arguments) -> Result<Options, Failure> {
    let mut options = Options::default();
    options.fixed_base = args.fixed_base;
    for word in &args.pose {
        let value = word.rsplit_once('=').and_then(|(joint, value)| {
            let value = value.trim().parse::<f64>().ok().filter(|x| x.is_finite())?;
            Some((joint.trim().to_owned(), value))
        });
        options.pose.push(value.ok_or_else(|| {
            Failure::Usage(format!("--pose: `{word}` must be a joint and a number, as in knee=0.5"))
        })?);
    }
    options.key.clone_from(&args.key);
    options.lift = args.lift;
    options.ground = args.ground;
    options.mu = args.mu;
    options.e = args.e;
    options.self_collision = !args.no_self_collision;
    options.balance_inertia = args.balance_inertia;
    options.hull_points = args.hull_points;
    for word in &args.package {
        let Some((name, folder)) = word.split_once('=') else {
            let message =
                format!("--package: `{word}` must be a name and a folder, as in arm=../arm");
            return Err(Failure::Usage(message));
        };
        options.packages.push((name.to_owned(), folder.into()));
    }
    Ok(options)
}

/// The error, with the line it is about.
fn refuse(error: ImportError) -> Refusal {
    let message = error.to_string();
    let Some(at) = error.at else {
        return Failure::Usage(message).into();
    };
    let source = Source { name: at.file, text: at.text, language: Language::Toml };
    let failure = Failure::Parse { message, span: Some(at.span) };
    Refusal { failure, source: Some(Box::new(source)) }
}

fn shapes(robot: &Imported) -> usize {
    robot.scene.bodies.iter().map(|body| body.shapes.len()).sum()
}

/// What is said of several elements once, with the elements.
fn listed(notes: &[Note], file: &Path) -> Vec<(String, String)> {
    let main = file.display().to_string();
    let mut list: Vec<(String, Vec<String>)> = Vec::new();
    for note in notes {
        let place = match note.file == main {
            true => format!("line {}", note.line),
            false => format!("{} line {}", note.file, note.line),
        };
        let element = format!("{} ({place})", note.element);
        match list.iter_mut().find(|(what, _)| *what == note.what) {
            Some((_, elements)) => elements.push(element),
            None => list.push((note.what.clone(), vec![element])),
        }
    }
    list.into_iter().map(|(what, elements)| (what, elements.join(", "))).collect()
}

fn summary(robot: &Imported) -> String {
    let [bodies, joints] = [robot.scene.bodies.len(), robot.scene.joints.len()];
    format!("{}: {bodies} bodies, {joints} joints, {} shapes", robot.name, shapes(robot))
}

/// The list for people.
fn screen(robot: &Imported, list: &[(String, String)], out: Option<&Path>) -> String {
    let mut text = summary(robot);
    if let Some(out) = out {
        text += &format!(" → {}", out.display());
    }
    text += "\n";
    match list {
        [] => text += "everything was taken over",
        _ => text += "not taken over, or otherwise there:",
    }
    if robot.looks > 0 {
        text += &format!(" (besides {} words on how the robot looks)", robot.looks);
    }
    text += "\n";
    for (what, elements) in list {
        text += &format!("  {what}\n    {elements}\n");
    }
    text
}

/// The comments of the scene file.
fn words(robot: &Imported, file: &Path, list: &[(String, String)]) -> Words {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let mut head = vec![format!("From {name} by `carom import`. {}.", summary(robot))];
    if !list.is_empty() {
        head.push(String::new());
        head.push("Not taken over, or otherwise there:".into());
    }
    for (what, elements) in list {
        head.push(format!("- {what}: {elements}"));
    }
    Words { title: Some(robot.name.clone()), head, bodies: robot.made_of.clone() }
}
