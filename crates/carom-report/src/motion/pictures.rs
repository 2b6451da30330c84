//! Figures of a motion: which samples each wants, and what is drawn of them.

use super::times;
use crate::plot::failure;
use carom::ImpactError;
use carom_io::failure::Failure;
use carom_plot::Figure;
use carom_plot::motion::{BodyNumber, Quantity, Strip, energy, phase, poincare, strip, timeline};
use carom_sim::motion::{
    BodyKind, Dimension, Event, EventKind, Motion, Options, Prescribed, Scene, SceneJointKind,
};

/// What a figure shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Bodies at several times.
    Strip,
    /// Energies, and what was done to them.
    Energy,
    /// One quantity against another.
    Phase,
    /// Contacts and events.
    Timeline,
    /// Two quantities each time the motion passes a section.
    Poincare,
}

/// A figure that is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// What it shows.
    pub kind: Kind,
    /// Across and up, of `phase` and `poincare`: as in `ball.y`.
    pub quantities: [Option<String>; 2],
    /// Of `poincare`: `impact`, `every=SECONDS`, or a quantity and the value it passes upwards, as in `ball.y=0.5`.
    pub section: Option<String>,
    /// Of `strip`: how many.
    pub pictures: Option<usize>,
}

/// Pictures of a strip: over each other, and side by side \[1\].
const PICTURES: [usize; 2] = [24, 8];
/// No strip has more \[1\].
const MOST_PICTURES: usize = 200;
/// No section has more points \[1\].
const MOST_PASSAGES: f64 = 1e5;
/// How often the time of a passage is narrowed, and by how much each time \[1\].
const NARROWED: [usize; 2] = [2, 32];

/// Follows a motion with the samples that are asked for.
pub type Follow<'a> = dyn Fn(&Options) -> Result<Motion, ImpactError> + 'a;

/// Draws a figure. `follow` follows `scene`, as often as the figure wants it.
pub fn draw(
    scene: &Scene,
    title: Option<&str>,
    request: &Request,
    follow: &Follow,
) -> Result<Figure, Failure> {
    let drawing = Pictures { scene, request, follow };
    let mut figure = drawing.figure()?;
    if let Some(title) = title {
        figure.title = format!("{title}: {}", crate::plot::lowered(&figure.title));
    }
    Ok(figure)
}

struct Pictures<'a> {
    scene: &'a Scene,
    request: &'a Request,
    follow: &'a Follow<'a>,
}

impl Pictures<'_> {
    fn figure(&self) -> Result<Figure, Failure> {
        self.check()?;
        let first = (self.follow)(&Options::at(vec![0.0, self.scene.duration]))?;
        let drawn = match self.request.kind {
            Kind::Strip => return self.strip(&first),
            Kind::Energy => energy(self.scene, &self.at(times(self.scene, &first))?),
            Kind::Timeline => {
                let mut at: Vec<f64> = first.events.iter().map(|event| event.time).collect();
                at.insert(0, 0.0);
                let mut options = Options::at(sorted(at));
                options.contacts = true;
                timeline(self.scene, &(self.follow)(&options)?)
            }
            Kind::Phase => {
                let quantities = self.quantities()?;
                phase(self.scene, &self.at(times(self.scene, &first))?, quantities)
            }
            Kind::Poincare => {
                let quantities = self.quantities()?;
                let (passages, section) = self.passages(&first)?;
                poincare(self.scene, &self.at(passages)?, quantities, &section)
            }
        };
        drawn.map_err(failure)
    }

    /// Settings of other kinds are refused.
    fn check(&self) -> Result<(), Failure> {
        let request = self.request;
        let kind = request.kind;
        let wrong = |option: &str, kinds: &str| {
            Err(Failure::Usage(format!("{option} is for {kinds} only")))
        };
        if request.quantities.iter().any(Option::is_some)
            && !matches!(kind, Kind::Phase | Kind::Poincare)
        {
            return wrong("-x and -y", "--kind phase and poincare");
        }
        if request.section.is_some() && kind != Kind::Poincare {
            return wrong("--section", "--kind poincare");
        }
        match request.pictures {
            Some(_) if kind != Kind::Strip => wrong("--pictures", "--kind strip"),
            Some(0) | Some(MOST_PICTURES..) => {
                Err(Failure::Usage(format!("--pictures: from 1 to {}", MOST_PICTURES - 1)))
            }
            _ => Ok(()),
        }
    }

    fn at(&self, at: Vec<f64>) -> Result<Motion, ImpactError> {
        (self.follow)(&Options::at(at))
    }

    fn strip(&self, first: &Motion) -> Result<Figure, Failure> {
        let end = first.end.time;
        let evenly = |count: usize| -> Vec<f64> {
            (0..count).map(|k| end * k as f64 / (count - 1).max(1) as f64).collect()
        };
        let count = self.request.pictures.unwrap_or(PICTURES[0]);
        let mut motion = self.at(evenly(count))?;
        let suited = Strip::suited(self.scene, &motion);
        if suited == Strip::Beside && self.request.pictures.is_none() {
            motion = self.at(evenly(PICTURES[1]))?;
        }
        strip(self.scene, &motion, suited).map_err(failure)
    }

    /// Those asked for; otherwise height and its rate, or angle and its rate, of the first body that moves.
    fn quantities(&self) -> Result<[Quantity; 2], Failure> {
        let scene = self.scene;
        let moves = |kind: &BodyKind| matches!(kind, BodyKind::Moving { .. });
        let body = scene.bodies.iter().position(|body| moves(&body.kind));
        let body = body.ok_or_else(|| Failure::Usage("no body moves in this scene".into()))?;
        let turns = scene.joints.iter().any(|joint| {
            joint.kind == SceneJointKind::Hinge && (joint.a == body || joint.b == body)
        });
        let usual = match scene.dimension {
            Dimension::Plane if turns => [BodyNumber::Angle, BodyNumber::AngularVelocity(2)],
            Dimension::Plane => [BodyNumber::Position(1), BodyNumber::Velocity(1)],
            Dimension::Space => [BodyNumber::Position(2), BodyNumber::Velocity(2)],
        };
        let mut quantities = usual.map(|number| Quantity::Body(body, number));
        for (quantity, asked) in quantities.iter_mut().zip(&self.request.quantities) {
            if let Some(text) = asked {
                *quantity = Quantity::parse(text, scene).map_err(failure)?;
            }
        }
        Ok(quantities)
    }

    /// Times at which the motion passes its section, and what that section is called.
    fn passages(&self, first: &Motion) -> Result<(Vec<f64>, String), Failure> {
        let end = first.end.time;
        let section = match &self.request.section {
            Some(text) => text.clone(),
            None => self.usual_section(),
        };
        if section == "impact" {
            let strikes =
                |event: &&Event| matches!(event.kind, EventKind::Impact { .. } | EventKind::Limit);
            let at = first.events.iter().filter(strikes).map(|event| event.time).collect();
            return Ok((sorted(at), "just after each impact".to_owned()));
        }
        let bad = |reason: &str| Failure::Usage(format!("--section {section}: {reason}"));
        let Some((name, value)) = section.rsplit_once('=') else {
            return Err(bad("write impact, every=SECONDS or QUANTITY=VALUE"));
        };
        let value: f64 = match value.trim().parse() {
            Ok(value) if f64::is_finite(value) => value,
            _ => return Err(bad("the value must be a finite number")),
        };
        if name == "every" {
            if value <= 0.0 || end / value > MOST_PASSAGES {
                return Err(bad(&format!(
                    "must be above 0 s, and no more than {MOST_PASSAGES} of them to the end"
                )));
            }
            let count = (end / value) as usize;
            let at = (0..=count).map(|k| k as f64 * value).filter(|t| *t <= end).collect();
            return Ok((at, format!("every {value} s")));
        }
        let quantity = Quantity::parse(name, self.scene).map_err(failure)?;
        let at = self.crossings(first, quantity, value)?;
        Ok((at, format!("{name} = {value} from below")))
    }

    /// The period of the first table that shakes; otherwise impacts.
    fn usual_section(&self) -> String {
        let shaken = self.scene.bodies.iter().find_map(|body| match body.kind {
            BodyKind::Fixed { motion: Prescribed::Sine { frequency, .. } } if frequency != 0.0 => {
                Some(frequency.abs())
            }
            _ => None,
        });
        shaken.map_or_else(|| "impact".to_owned(), |frequency| format!("every={}", 1.0 / frequency))
    }

    /// Where a quantity passes a value from below. Samples change nothing, so that each time is narrowed by following the
    /// motion again with more of them around it.
    fn crossings(
        &self,
        first: &Motion,
        quantity: Quantity,
        value: f64,
    ) -> Result<Vec<f64>, Failure> {
        let mut at = times(self.scene, first);
        let mut brackets: Vec<[[f64; 2]; 2]> = Vec::new();
        let [rounds, parts] = NARROWED;
        for _ in 0..=rounds {
            let motion = self.at(at)?;
            let points: Vec<[f64; 2]> =
                motion.samples.iter().map(|s| [s.time, quantity.of(s)]).collect();
            let within = |a: f64, b: f64| {
                brackets.is_empty() || brackets.iter().any(|[from, to]| from[0] <= a && b <= to[0])
            };
            brackets = (points.windows(2))
                .filter(|pair| pair[0][1] < value && pair[1][1] >= value)
                .filter(|pair| within(pair[0][0], pair[1][0]))
                .map(|pair| [pair[0], pair[1]])
                .collect();
            if brackets.is_empty() || brackets.len() as f64 > MOST_PASSAGES {
                break;
            }
            let inside = |[from, to]: &[[f64; 2]; 2]| {
                let [a, b] = [from[0], to[0]];
                let step = (b - a) / parts as f64;
                (0..=parts).map(move |k| if k == parts { b } else { a + k as f64 * step })
            };
            at = sorted(brackets.iter().flat_map(inside).collect());
        }
        let linear = |[a, b]: &[[f64; 2]; 2]| a[0] + (b[0] - a[0]) * (value - a[1]) / (b[1] - a[1]);
        Ok(sorted(brackets.iter().map(linear).collect()))
    }
}

fn sorted(mut at: Vec<f64>) -> Vec<f64> {
    at.sort_by(f64::total_cmp);
    at.dedup();
    at
}
