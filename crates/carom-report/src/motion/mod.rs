//! A followed motion as one page that needs nothing else: a player, its events, its ledger of energy, and what other laws
//! say to its impacts. [`pictures`] are figures of it.

mod base64;
mod data;
mod gltf;
mod impacts;
pub mod pictures;
mod several;

pub use gltf::glb;
pub use impacts::sentence;
pub use several::{Beside, page_of_several, parting};

use crate::html::escape;
use crate::words;
use carom_io::failure::Failure;
use carom_io::format::LawSpec;
use carom_io::input::Source;
use carom_io::plain;
use carom_sim::motion::{Dimension, EndReason, Mode, Motion, Scene};
use std::fmt::Write;

/// How the page looks.
const STYLE: &str = include_str!("player/page.css");
/// What it does: one file after the other, inside one function.
const SCRIPTS: [&str; 6] = [
    include_str!("player/data.js"),
    include_str!("player/space.js"),
    include_str!("player/stage.js"),
    include_str!("player/charts.js"),
    include_str!("player/panels.js"),
    include_str!("player/player.js"),
];
/// Nothing is asked of any server, and nothing could be.
const POLICY: &str =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/// Samples of a second of motion, if there are not too many \[1/s\].
const PER_SECOND: f64 = 60.0;
/// Samples of a motion, those beside events not counted \[1\].
const SAMPLES: [usize; 2] = [480, 3000];
/// A body turns at most this far from one sample to the next \[rad\].
const TURN: f64 = 0.3;
/// States of bodies in a page \[1\].
const STATES: usize = 400_000;

/// What the page is made of.
pub struct MotionPage<'a> {
    /// The scene's file.
    pub source: &'a Source,
    /// Its name as commands take it.
    pub file: &'a str,
    /// One line that names it.
    pub title: Option<&'a str>,
    /// What it shows.
    pub description: Option<&'a str>,
    /// The law that was asked for, in the file or elsewhere.
    pub law: Option<&'a LawSpec>,
    /// What else the command line said, as in ` --law plus`.
    pub options: &'a str,
    /// The scene, with that law.
    pub scene: &'a Scene,
    /// What became of it, at [`times`] and with its contacts.
    pub motion: &'a Motion,
}

/// The times at which the player wants states, of a motion that was followed before: the same distance apart, and each
/// event's, just before it and at it.
pub fn times(scene: &Scene, motion: &Motion) -> Vec<f64> {
    let end = motion.end.time;
    let moving = scene.bodies.len().max(1);
    let most = (STATES / moving).clamp(SAMPLES[0], 50_000);
    let spin =
        motion.samples.iter().flat_map(|sample| &sample.bodies).fold(0.0, |m: f64, state| {
            m.max(f64::sqrt(state.angular_velocity.iter().map(|w| w * w).sum()))
        });
    let wanted = (end * PER_SECOND).max(end * spin / TURN).min(SAMPLES[1] as f64);
    let count = (wanted as usize).max(SAMPLES[0]).min(most);
    let mut times: Vec<f64> = (0..=count).map(|k| end * k as f64 / count as f64).collect();
    // Where there are too many events, the last ones go without: between two samples states are a curve.
    for event in motion.events.iter().take(most / 2) {
        let time = event.time.clamp(0.0, end);
        times.extend([time.next_down().max(0.0), time]);
    }
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// The page.
pub fn page(page: &MotionPage) -> Result<String, Failure> {
    let title = page.title.unwrap_or("A motion");
    let details = impacts::details(page);
    let data = data::Data { page, details: &details }.json()?;
    let script = SCRIPTS.join("\n");
    let mut out = String::new();
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"carom {version}\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n<header>\n<h1>{title}</h1>\n<p class=\"muted\">{subtitle}</p>\n{description}</header>\n{BODY}",
        title = escape(title),
        subtitle = escape(&subtitle(page)),
        description = description(page),
        version = env!("CARGO_PKG_VERSION"),
    );
    reproduction(&mut out, page);
    // Inside a script only its own end is special, and what begins a comment.
    let data = data.replace("</", "<\\/").replace("<!", "<\\u0021");
    let _ = write!(
        out,
        "</main>\n<script type=\"application/json\" id=\"motion\">{data}</script>\n\
         <script>\n(() => {{\n\"use strict\";\n{script}\n}})();\n</script>\n</body>\n</html>\n"
    );
    Ok(out)
}

fn description(page: &MotionPage) -> String {
    let told = |text: &str| format!("<p>{}</p>\n", escape(text));
    page.description.map_or_else(String::new, told)
}

/// How it was followed, under which law, and how it ended.
fn subtitle(page: &MotionPage) -> String {
    let (scene, motion) = (page.scene, page.motion);
    let place = match scene.dimension {
        Dimension::Plane => "in the plane",
        Dimension::Space => "in space",
    };
    let how = match scene.mode {
        Mode::Events => "from event to event".to_owned(),
        Mode::Stepping { h, .. } => format!("in steps of {h} s"),
    };
    let law = match &scene.law {
        Some(law) => words::law_with_settings(law, &law.settings(None)),
        None => "the default law for as many contacts as an impact has".to_owned(),
    };
    let end = match &motion.end.reason {
        EndReason::Duration => "the duration asked for".to_owned(),
        EndReason::Rest => "at rest".to_owned(),
        EndReason::Failed(failure) => {
            format!("stopped: {}: {}", failure.kind.name(), plain::message(&failure.message))
        }
        other => other.name().to_owned(),
    };
    format!(
        "Rigid bodies {place}, followed {how} by carom {}. Impacts: {law}. End: {} s, {end}.",
        env!("CARGO_PKG_VERSION"),
        crate::numbers::significant(motion.end.time, 7),
    )
}

/// Everything that the script fills.
const BODY: &str = include_str!("player/body.html");

fn reproduction(out: &mut String, page: &MotionPage) {
    let file = page.file;
    let options = page.options;
    let commands = format!(
        "carom simulate {file}{options} --report motion.html\ncarom simulate {file}{options} --every 0.01 --csv\ncarom compare {file} --at 0"
    );
    let _ = write!(
        out,
        "<section id=\"reproduce\">\n<h2>How to get this again</h2>\n<p>With carom {} and this file:</p>\n<pre>{}</pre>\n\
         <details><summary>The file, <code>{}</code></summary>\n<pre>{}</pre></details>\n\
         <p class=\"muted\">The same input gives the same bits on every machine. This page asks nothing of any server; its \
         numbers stand in the element <code>#motion</code>.</p>\n</section>\n",
        env!("CARGO_PKG_VERSION"),
        escape(&commands),
        escape(&page.source.name),
        escape(&page.source.text),
    );
}
