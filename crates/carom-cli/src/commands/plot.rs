//! `carom plot`: a problem and what laws do with it, as a picture.

use super::{Exit, Loaded, Refusal, print};
use crate::cli::Plot;
use crate::picture;
use crate::progress::{self, Display};
use carom::{ImpactError, Law};
use carom_io::format::LawSpec;
use carom_io::output::Target;
use carom_plot::Figure;
use carom_report::plot::{self, Request, Sweep};

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
    let sweep = args.sweep.as_deref().map(Sweep::parse).transpose()?;
    let Loaded { source, problem } = Loaded::open(&args.file)?;
    let request = Request {
        kind: args.kind.into(),
        laws: laws(args)?,
        accessible: args.accessible.clone(),
        sweep,
    };
    let _working = progress::working();
    Ok(plot::draw(&source.parse()?, &problem, &request, &Display::of("drawing"))?)
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
