//! The page that plays a motion.

use super::watched;
use crate::cli::Simulate as Arguments;
use crate::commands::resolve::quoted;
use crate::progress;
use carom_io::failure::Failure;
use carom_io::format::LawSpec;
use carom_io::input::Source;
use carom_io::output::Target;
use carom_report::motion::{MotionPage, page, times};
use carom_scene::SceneFile;
use carom_sim::motion::{EndReason, Motion, Options};

/// Follows the motion once more, with the samples that the page wants, and writes it. An interruption writes nothing.
pub fn write(
    target: Target,
    args: &Arguments,
    source: &Source,
    file: &SceneFile,
    law: Option<&LawSpec>,
    motion: &Motion,
) -> Result<(), Failure> {
    let Some(text) = text(args, source, file, law, motion, &said(args))? else { return Ok(()) };
    let _whole = progress::writing();
    target.write(text)
}

/// The page; nothing after an interruption. `options` is what the command line said of the law.
pub fn text(
    args: &Arguments,
    source: &Source,
    file: &SceneFile,
    law: Option<&LawSpec>,
    motion: &Motion,
    options: &str,
) -> Result<Option<String>, Failure> {
    let mut scene = file.scene.clone();
    if let Some(law) = law {
        scene.law = Some(law.build()?);
    }
    let mut wanted = Options::at(times(&scene, motion));
    wanted.contacts = true;
    wanted.features = args.features;
    let motion = watched(&scene, &wanted, "once more, for the page")?;
    if motion.end.reason == EndReason::Interrupted {
        return Ok(None);
    }
    page(&MotionPage {
        source,
        file: &args.file.as_deref().map_or_else(String::new, quoted),
        title: file.title.as_deref(),
        description: file.description.as_deref(),
        law: law.or(file.law.as_ref()),
        options,
        scene: &scene,
        motion: &motion,
    })
    .map(Some)
}

/// What the command line said about the law.
fn said(args: &Arguments) -> String {
    let law = args.law.iter().map(|id| format!(" --law {id}"));
    law.chain(args.set.iter().map(|setting| format!(" --set {setting}"))).collect()
}
