//! Fig. 14 and Table 2: Example 3, a ball that strikes a row.

use crate::papers::Drawn;
use crate::papers::chains::{collide, followed};
use crate::papers::outline::circle;
use crate::{Field, Figure, Panel, PlotError, Sheet, Stroke, Tone};
use carom::ImpactError;
use carom::outcome::{StepRecord, Unobserved};
use carom::system::Chain;
use carom_sim::compliant::{Compliance, RunSettings, run_frozen};

const BALLS: usize = 5;
const RADIUS: f64 = 0.25;
/// Masses \[kg\], velocities before [m/s], restitution \[1\].
const MASS: [f64; BALLS] = [1.0; BALLS];
const BEFORE: [f64; BALLS] = [2.0, 0.0, 0.0, 0.0, 0.0];
const E: [f64; BALLS - 1] = [1.0; BALLS - 1];
/// Slower balls have no arrow [m/s].
const VISIBLE: f64 = 0.5;
/// When balls are shown after the impact \[s\].
const LATER: f64 = 0.75;

/// Elastic spheres.
fn compliant() -> Result<Vec<f64>, ImpactError> {
    let chain = Chain::new(MASS.to_vec(), BEFORE.to_vec(), E.to_vec())?;
    let compliance = Compliance { radius: RADIUS, ..Compliance::default() };
    let settings = RunSettings::default();
    let run = run_frozen(chain.problem(), &compliance, &settings, &mut Unobserved)?;
    Ok(chain.after(&run.impulse)?.velocity)
}

/// Two digits after the point, and no sign before zero.
fn written(v: f64) -> String {
    let rounded = libm::round(100.0 * v) / 100.0 + 0.0;
    format!("{rounded:.2}").replace('-', "−")
}

pub(super) fn fig_14() -> Result<Drawn, PlotError> {
    let rows = [
        ("A", "compliant", Tone::Blue, compliant()?),
        ("B", "PLUS", Tone::Green, collide("plus", &MASS, &BEFORE, &E)?),
        ("C", "all at once", Tone::Red, collide("poisson", &MASS, &BEFORE, &E)?),
    ];
    let mut panel =
        Panel::new("", "").equal().unframed().within([-2.6, 4.1], [-4.2, 0.75]).sized(720.0, 530.0);
    let spread = |y: f64, velocity: &[f64], time: f64| -> Vec<[f64; 2]> {
        velocity.iter().enumerate().map(|(i, v)| [2.0 * RADIUS * i as f64 + time * v, y]).collect()
    };
    let mut show = |name: &str, tone: Tone, y: f64, velocity: &[f64], time: f64| {
        panel.word(name, tone, [-2.0, y]);
        for (at, v) in spread(y, velocity, time).into_iter().zip(velocity) {
            panel.area("", tone, 0.35, circle(at, RADIUS));
            if v.abs() > VISIBLE {
                let tip = [at[0] + 0.25 * v, at[1]];
                panel.arrow("", Tone::Ink, vec![at, tip]);
            }
            panel.word(&written(*v), Tone::Ink, [at[0], y + 1.45 * RADIUS]);
        }
        panel.guide("", Tone::Muted, Stroke::Thin, vec![[-2.6, y - RADIUS], [4.1, y - RADIUS]]);
    };
    show("before", Tone::Muted, 0.0, &BEFORE, -0.4);
    for (k, (row, name, tone, after)) in rows.iter().enumerate() {
        show(&format!("{row}: {name}"), *tone, -1.25 * (k + 1) as f64, after, LATER);
    }
    let mut figure = Figure::new(
        "A ball strikes a row",
        "Example 3: balls of 1 kg and 0.25 m, no friction, the first at 2 m/s; here from the left. The row 0.4 s before the impact and 0.75 \
         s after it, with velocities in m/s. A: compliant spheres, E = 10 GPa, no dissipation. B: PLUS, e = 1. C: \
         one compression and one expansion for all contacts at once (Poisson's law, e = 1).",
    );
    for (row, _, _, after) in &rows {
        for (i, v) in after.iter().enumerate() {
            figure.fact(&format!("v_{} in row {row}", i + 1), *v, "m/s");
        }
    }
    Ok(Drawn::Figure(figure.with(panel)))
}

pub(super) fn table_2() -> Result<Drawn, PlotError> {
    let (after, steps) = followed("plus", &MASS, &BEFORE, &E)?;
    let rounds: Vec<[&Vec<usize>; 2]> = steps
        .iter()
        .filter_map(|step| match step {
            StepRecord::Phases { compressing, expanding } => Some([compressing, expanding]),
            _ => None,
        })
        .collect();
    let head: Vec<String> = (1..=rounds.len()).map(|k| format!("round {k}")).collect();
    let head: Vec<&str> = ["balls"].into_iter().chain(head.iter().map(String::as_str)).collect();
    let velocities: Vec<String> = after.iter().map(|v| format!("{v}")).collect();
    let caption = format!(
        "Example 3: a ball at 2 m/s strikes four at rest, 1 kg each, e = 1, no friction. In each round a pair is compressed, gives back \
         what it took, or looks on. Velocities after: {} m/s.",
        velocities.join(", ")
    );
    let mut sheet = Sheet::new("Rounds of PLUS", &caption, &head);
    for contact in 0..BALLS - 1 {
        let mut fields = vec![Field::Word(format!("{} and {}", contact + 1, contact + 2))];
        for [compressing, expanding] in &rounds {
            let state = match (compressing.contains(&contact), expanding.contains(&contact)) {
                (true, _) => "compressing",
                (_, true) => "expanding",
                _ => "observing",
            };
            fields.push(Field::Word(state.into()));
        }
        sheet.row(fields);
    }
    Ok(Drawn::Table(sheet))
}
