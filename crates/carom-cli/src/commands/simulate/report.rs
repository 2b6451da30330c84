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
    let mut scene = file.scene.clone();
    if let Some(law) = law {
        scene.law = Some(law.build()?);
    }
    let mut options = Options::at(times(&scene, motion));
    options.contacts = true;
    options.features = args.features;
    let motion = watched(&scene, &options, "once more, for the page")?;
    if motion.end.reason == EndReason::Interrupted {
        return Ok(());
    }
    let text = page(&MotionPage {
        source,
        file: &args.file.as_deref().map_or_else(String::new, quoted),
        title: file.title.as_deref(),
        description: file.description.as_deref(),
        law: law.or(file.law.as_ref()),
        options: &said(args),
        scene: &scene,
        motion: &motion,
    })?;
    let _whole = progress::writing();
    target.write(text)
}

/// What the command line said about the law.
fn said(args: &Arguments) -> String {
    let law = args.law.law.iter().map(|id| format!(" --law {id}"));
    law.chain(args.law.set.iter().map(|setting| format!(" --set {setting}"))).collect()
}
