//! What there is to say about single impacts: the certificate under this motion's law, the permissible region, and what every
//! other law would have done.

use super::MotionPage;
use crate::comparison::Comparison;
use crate::html::{absent, certificate, escape, outcomes};
use crate::numbers::significant;
use crate::plot::{self, Kind, Request};
use carom::Law;
use carom_io::format::{AnySystem, CompliantSpec, Node, Problem};
use carom_io::progress::NoProgress;
use carom_plot::Theme;
use carom_sim::motion::{Between, EventKind, Mode, Motion, NextImpact, Scene, impacts_at};
use std::fmt::Write;

/// So many impacts of a motion have their details in its page: those that change energy most.
const DETAILS: usize = 24;
/// More contacts at once have none: every law on each would take too long.
const CONTACTS: usize = 12;
/// All pictures of permissible regions together have so many letters: those in space are large.
const FIGURES: usize = 1_500_000;

/// Of one event.
pub(super) struct Detail {
    /// Its place among the events.
    pub(super) event: usize,
    /// The certificate under this motion's law.
    certificate: String,
    /// The permissible region; empty where there is no picture of it.
    figure: String,
    /// What other laws say.
    laws: String,
}

impl Detail {
    /// What is shown.
    pub(super) fn html(&self) -> String {
        [self.certificate.as_str(), &self.figure, &self.laws].concat()
    }
}

/// Details of the impacts that change energy most. An impact that cannot be found again, as one in steps of time, has none.
pub(super) fn details(page: &MotionPage) -> Vec<Detail> {
    let (scene, motion) = (page.scene, page.motion);
    if scene.mode != Mode::Events {
        return Vec::new();
    }
    let mut chosen: Vec<usize> = (0..motion.events.len())
        .filter(|&k| {
            let kind = motion.events[k].kind;
            matches!(kind, EventKind::Impact { collision: true } | EventKind::Limit)
        })
        .collect();
    // Of those that change nothing, the first.
    let size = |k: &usize| motion.events[*k].energy_change.abs();
    chosen.sort_by(|a, b| size(b).total_cmp(&size(a)).then(a.cmp(b)));
    chosen.truncate(DETAILS);
    chosen.sort_unstable();
    let times: Vec<f64> = chosen.iter().map(|&k| motion.events[k].time).collect();
    let Ok(found) = impacts_at(scene, &times) else { return Vec::new() };
    let mut details = Vec::new();
    for impact in found {
        let Some(event) = event_of(motion, &chosen, &details, &impact) else { continue };
        if impact.contacts.len() <= CONTACTS {
            details.push(detail(page, event, impact));
        }
    }
    // Where there is no room for all pictures, the impacts that change energy most have theirs.
    let mut room = FIGURES;
    details.sort_by(|a, b| size(&b.event).total_cmp(&size(&a.event)).then(a.event.cmp(&b.event)));
    for detail in &mut details {
        match room.checked_sub(detail.figure.len()) {
            Some(left) => room = left,
            None => detail.figure = no_room(page, motion.events[detail.event].time),
        }
    }
    details.sort_by_key(|detail| detail.event);
    details
}

fn no_room(page: &MotionPage, time: f64) -> String {
    format!(
        "<p class=\"muted\">Pictures of the permissible region are in this page for the largest impacts only. \
         <code>carom compare {} --at {time} --report impact.html</code> draws this one.</p>\n",
        escape(page.file)
    )
}

/// The event that tells of an impact: at the same time, at contacts of it.
fn event_of(
    motion: &Motion,
    chosen: &[usize],
    known: &[Detail],
    impact: &NextImpact,
) -> Option<usize> {
    chosen.iter().copied().find(|&k| {
        let event = &motion.events[k];
        event.time == impact.time
            && event
                .contacts
                .iter()
                .all(|contact| impact.contacts.iter().any(|other| other.between == contact.between))
            && !known.iter().any(|detail| detail.event == k)
    })
}

fn detail(page: &MotionPage, event: usize, impact: NextImpact) -> Detail {
    let told = sentence(page.scene, &impact);
    let problem = Problem {
        title: None,
        description: None,
        law: page.law.cloned(),
        compliant: CompliantSpec::default(),
        system: AnySystem::Generalized(impact.system),
    };
    let contacts = problem.system.problem();
    let law = page.scene.law.unwrap_or_else(|| Law::default_for(contacts));
    let comparison = Comparison::of(&problem);
    let time = impact.time;
    let (mut out, mut drawn, mut laws) = (String::new(), String::new(), String::new());
    let _ = writeln!(out, "<p>{}</p>", escape(&told));
    let this = comparison.answers.iter().find(|entry| entry.resolution.law.id() == law.id());
    if let Some(entry) = this {
        out.push_str("<h3>This motion's law and its certificate</h3>\n");
        certificate(&mut out, contacts, entry, true);
    }
    let request = Request::of(Kind::ImpulseSpace);
    if contacts.len() == 1
        && let Ok(figure) = plot::draw(&Node::Null, &problem, &request, &NoProgress)
    {
        drawn.push_str("<h3>What is permissible</h3>\n");
        let svg = figure.svg_among(Theme::Adaptive, "impact-");
        let _ = writeln!(drawn, "<figure>{}</figure>", svg.trim_end());
    }
    outcomes(&mut laws, contacts, &comparison, false);
    absent(&mut laws, contacts, &comparison);
    let _ = writeln!(
        laws,
        "<p class=\"muted\">Again, with every certificate: <code>carom compare {} --at {}</code></p>",
        escape(page.file),
        time,
    );
    Detail { event, certificate: out, figure: drawn, laws }
}

/// When, and between which bodies, one contact after the other.
pub fn sentence(scene: &Scene, impact: &NextImpact) -> String {
    let body = |body: usize| scene.bodies[body].name.as_str();
    let mut pairs: Vec<(String, usize)> = Vec::new();
    for contact in &impact.contacts {
        let between = match contact.between {
            Between::Bodies(a, b) => format!("`{}` and `{}`", body(a), body(b)),
            Between::Joint(joint) => match &scene.joints[joint].name {
                Some(name) => format!("the limit of joint `{name}`"),
                None => format!("the limit of joints[{joint}]"),
            },
        };
        match pairs.iter_mut().find(|(known, _)| *known == between) {
            Some((_, count)) => *count += 1,
            None => pairs.push((between, 1)),
        }
    }
    let pairs: Vec<String> = pairs
        .into_iter()
        .map(|(between, count)| match count {
            1 => between,
            _ => format!("{between} at {count} points"),
        })
        .collect();
    format!("t = {} s: {}", significant(impact.time, 10), pairs.join("; "))
}
