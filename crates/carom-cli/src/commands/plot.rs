//! `carom plot`: a problem and what laws do with it, or a motion, as a picture.

use super::simulate::{is_file_of_motion, opened, watched};
use super::{Exit, Loaded, Refusal, print};
use crate::cli::{Plot, Shows};
use crate::picture;
use crate::progress::{self, Display};
use carom::{ImpactError, Law};
use carom_io::failure::Failure;
use carom_io::format::LawSpec;
use carom_io::output::Target;
use carom_plot::Figure;
use carom_report::motion::pictures;
use carom_report::plot::{self, Request, Sweep};
use carom_scene::SceneFile;
use carom_sim::motion::Options;

pub(super) fn run(args: &Plot) -> Result<Exit, Refusal> {
    let inputs = [args.file.as_path()];
    let target =
        args.out.as_deref().map(|path| Target { path, inputs: &inputs, force: args.force });
    if let Some(target) = target {
        target.check_inputs()?;
    }
    let figure = draw(args);
    if progress::interrupted() {
        return Ok(Exit::Interrupted);
    }
    let figure = figure?;
    let theme = args.theme.into();
    match target {
        Some(target) => {
            picture::write(&figure, target, theme)?;
            Ok(Exit::Answered)
        }
        None if args.csv => print(&figure.csv()),
        None => print(&figure.svg(theme)),
    }
}

fn draw(args: &Plot) -> Result<Figure, Refusal> {
    match args.kind.map(Shows::from) {
        Some(Shows::Motion(kind)) => draw_motion(args, kind),
        Some(Shows::Problem(kind)) => draw_problem(args, kind),
        None if is_file_of_motion(&args.file) => draw_motion(args, pictures::Kind::Strip),
        None => draw_problem(args, plot::Kind::ImpulseSpace).or_else(|refusal| {
            // What is no problem may be a scene.
            let scene = refusal.source.as_ref().is_some_and(|source| SceneFile::of(source).is_ok());
            match scene {
                true => draw_motion(args, pictures::Kind::Strip),
                false => Err(refusal),
            }
        }),
    }
}

fn draw_problem(args: &Plot, kind: plot::Kind) -> Result<Figure, Refusal> {
    let of_motions = [
        ("-x", args.x.is_some()),
        ("-y", args.y.is_some()),
        ("--section", args.section.is_some()),
        ("--pictures", args.pictures.is_some()),
    ];
    let sweep = args.sweep.as_deref().map(Sweep::parse).transpose()?;
    let Loaded { source, problem } = Loaded::open(&args.file)?;
    if let Some((option, _)) = of_motions.into_iter().find(|(_, given)| *given) {
        let text = format!("{option} is for pictures of motions only, as --kind phase");
        return Err(Failure::Usage(text).into());
    }
    let request = Request { kind, laws: laws(args)?, accessible: args.accessible.clone(), sweep };
    let _working = progress::working();
    Ok(plot::draw(&source.parse()?, &problem, &request, &Display::of("drawing"))?)
}

fn draw_motion(args: &Plot, kind: pictures::Kind) -> Result<Figure, Refusal> {
    let of_problems = [
        ("--sweep", args.sweep.is_some()),
        ("--accessible", !args.accessible.is_empty()),
        ("a second --law", args.law.len() > 1),
    ];
    if let Some((option, _)) = of_problems.into_iter().find(|(_, given)| *given) {
        return Err(Failure::Usage(format!("{option} is for pictures of problems only")).into());
    }
    let origin = opened(&args.file)?;
    let file = match SceneFile::of(&origin.source) {
        Ok(file) => file,
        Err(failure) => return Err(Refusal { failure, source: Some(origin.source) }),
    };
    let mut scene = file.scene;
    if let Some(law) = laws(args)?.first() {
        scene.law = Some(*law);
    } else if let Some(law) = origin.law {
        scene.law = Some(law.build()?);
    }
    let request = pictures::Request {
        kind,
        quantities: [args.x.clone(), args.y.clone()],
        section: args.section.clone(),
        pictures: args.pictures,
    };
    let _working = progress::working();
    let follow = |options: &Options| {
        let motion = watched(&scene, options, "following the motion")?;
        match progress::interrupted() {
            true => Err(ImpactError::Limit("interrupted".to_owned())),
            false => Ok(motion),
        }
    };
    match pictures::draw(&scene, file.title.as_deref(), &request, &follow) {
        Ok(figure) => Ok(figure),
        Err(failure @ Failure::Impact(ImpactError::BadProblem { .. })) => {
            Err(Refusal { failure, source: Some(origin.source) })
        }
        Err(failure) => Err(failure.into()),
    }
}

/// The laws that are named, with the settings that are.
fn laws(args: &Plot) -> Result<Vec<Law>, ImpactError> {
    let build = |id: &String| {
        let mut law = LawSpec::new(id);
        args.set.iter().try_for_each(|assignment| law.set(assignment))?;
        law.build()
    };
    args.law.iter().map(build).collect()
}
