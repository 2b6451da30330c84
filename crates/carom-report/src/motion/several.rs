//! One scene under several laws: when the motions part, and all players on one page.

use crate::html::escape;
use carom_sim::motion::{BodyState, Motion};
use std::fmt::Write;

/// States farther apart than this part of what the motion goes through are different \[1\].
const APART: f64 = 1e-6;

/// One motion on the page of several.
pub struct Beside {
    /// The law, as readers know it.
    pub law: String,
    /// Said below its name.
    pub told: String,
    /// When it parts from the first, if it does \[s\].
    pub parts_at: Option<f64>,
    /// Its page.
    pub page: String,
}

/// When two motions with the same sample times part: the event after which states differ, or the first such sample \[s\].
pub fn parting(one: &Motion, other: &Motion) -> Option<f64> {
    let scales = Scales::of(one);
    let differs = |k: &usize| {
        let (a, b) = (&one.samples[*k], &other.samples[*k]);
        a.bodies.iter().zip(&b.bodies).any(|(a, b)| scales.differ(a, b))
    };
    let count = one.samples.len().min(other.samples.len());
    let first = (0..count).find(differs)?;
    let (after, until) = (
        first.checked_sub(1).map_or(f64::NEG_INFINITY, |k| one.samples[k].time),
        one.samples[first].time,
    );
    let events = one.events.iter().chain(&other.events).map(|event| event.time);
    let within = events.filter(|time| *time > after && *time <= until);
    Some(within.fold(until, f64::min))
}

/// How far a motion goes, and how fast \[m, m/s\].
struct Scales {
    length: f64,
    speed: f64,
}

impl Scales {
    fn of(motion: &Motion) -> Self {
        let norm = |v: [f64; 3]| f64::sqrt(v.iter().map(|x| x * x).sum());
        let (mut length, mut speed): (f64, f64) = (0.0, 0.0);
        let Some(first) = motion.samples.first() else {
            return Self { length, speed };
        };
        for sample in &motion.samples {
            for (state, start) in sample.bodies.iter().zip(&first.bodies) {
                let gone = [0, 1, 2].map(|i| state.position[i] - start.position[i]);
                length = length.max(norm(gone));
                speed = speed.max(norm(state.velocity));
            }
        }
        Self { length, speed }
    }

    fn differ(&self, a: &BodyState, b: &BodyState) -> bool {
        let apart = |a: &[f64; 3], b: &[f64; 3], scale: f64| {
            a.iter().zip(b).any(|(a, b)| (a - b).abs() > APART * scale)
        };
        apart(&a.position, &b.position, self.length) || apart(&a.velocity, &b.velocity, self.speed)
    }
}

/// A page with a player for each, which have one clock.
pub fn page_of_several(title: &str, motions: &[Beside]) -> String {
    const STYLE: &str = "\
:root { color-scheme: light dark }
body { margin: 0; padding: 1rem 1.2rem; font: 16px/1.5 Inter, Arial, sans-serif; color: light-dark(#1b1b1b, #ececec); background: light-dark(#fff, #16181c) }
h1 { font-size: 1.5rem; margin: 0 0 .4rem }
h2 { font-size: 1.1rem; margin: .2rem 0 }
p { margin: .1rem 0 .4rem; max-width: 66rem }
main { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)) }
iframe { width: 100%; height: 62rem; border: 1px solid light-dark(#dedede, #33363d); border-radius: 4px }
";
    const SCRIPT: &str = "\
const frames = [...document.querySelectorAll('iframe')];
window.addEventListener('message', (e) => {
  if (!frames.some((frame) => frame.contentWindow === e.source) || !e.data || !e.data.carom) return;
  for (const frame of frames) if (frame.contentWindow !== e.source) frame.contentWindow.postMessage(e.data, '*');
});
";
    let mut out = String::new();
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"carom {version}\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<h1>{title}</h1>\n<p>The same scene under {count} laws. All players have one clock.</p>\n<main>\n",
        policy = super::POLICY,
        version = env!("CARGO_PKG_VERSION"),
        title = escape(title),
        count = motions.len(),
    );
    for (k, motion) in motions.iter().enumerate() {
        let parts = match motion.parts_at {
            _ if k == 0 => "Others are compared with this one.".to_owned(),
            Some(time) => {
                format!("Parts from the first at {} s.", crate::numbers::significant(time, 7))
            }
            None => "The same motion as the first.".to_owned(),
        };
        let _ = write!(
            out,
            "<section>\n<h2>{law}</h2>\n<p>{told} {parts}</p>\n\
             <iframe title=\"Player of {law}\" srcdoc=\"{page}\"></iframe>\n</section>\n",
            law = escape(&motion.law),
            told = escape(&motion.told),
            parts = escape(&parts),
            page = escape(&motion.page),
        );
    }
    let _ = write!(out, "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
    out
}
