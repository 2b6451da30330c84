//! Velocities after the impact while a parameter changes: a panel per law, a line per body or contact.

use crate::PlotError;
use crate::draw::{Figure, Panel, Stroke, Tone};
use crate::signs::alike;
use crate::words::short;

/// No more lines than these are drawn, the first ones.
const LINES: usize = 12;
/// No more panels than these.
const PANELS: usize = 12;

/// Velocities under several laws while a parameter changes.
#[derive(Clone, Debug)]
pub struct Velocities {
    /// The parameter's name, as in a problem file.
    pub parameter: String,
    /// Its values.
    pub values: Vec<f64>,
    /// What the velocities are of.
    pub names: Vec<String>,
    /// Laws, and for each value the velocities; absent where the law has no answer [m/s].
    pub laws: Vec<(String, Vec<Option<Vec<f64>>>)>,
}

/// Laws with the same velocities, and these for each value.
type Group<'a> = (Vec<&'a str>, &'a [Option<Vec<f64>>]);

/// A panel per law with the velocities against the parameter. Laws with the same velocities share one.
pub fn chain(velocities: &Velocities) -> Result<Figure, PlotError> {
    let mut groups: Vec<Group> = Vec::new();
    for (law, curves) in &velocities.laws {
        if curves.iter().all(Option::is_none) {
            continue;
        }
        match groups.iter_mut().find(|(_, other)| same(curves, other)) {
            Some((laws, _)) => laws.push(law),
            None => groups.push((vec![law], curves)),
        }
    }
    if groups.is_empty() {
        let reason = "no law asked has an answer to any of the values".to_owned();
        return Err(PlotError::new("chain", reason));
    }
    let Velocities { parameter, values, names, .. } = velocities;
    let lines = names.len().min(LINES);
    let [first, last] =
        [values.first(), values.last()].map(|x| x.map_or_else(String::new, |x| short(*x)));
    let mut caption = format!(
        "Velocities after the impact while {parameter} goes from {first} to {last}. Laws that agree share a panel."
    );
    if lines < names.len() {
        caption.push_str(&format!(" Of {} velocities the first {lines} are shown.", names.len()));
    }
    let mut figure = Figure::new("Velocities after the impact", &caption)
        .in_columns(if groups.len() == 1 { 1 } else { 3.min(groups.len()) });
    let up = range(&groups, lines);
    let wide = if groups.len() == 1 { 460.0 } else { 250.0 };
    for (k, (laws, curves)) in groups.iter().take(PANELS).enumerate() {
        let left = k % figure.columns == 0;
        let mut panel = Panel::new(parameter, if left { "velocity after [m/s]" } else { "" })
            .titled(&shortened(laws, wide))
            .sized(wide, 0.8 * wide);
        panel.axes[1].range = Some(up);
        for i in 0..lines {
            let stroke = Stroke::of(i);
            let points = values
                .iter()
                .zip(curves.iter())
                .map(|(x, v)| [*x, v.as_ref().map_or(f64::NAN, |v| v[i])])
                .collect();
            panel.line(&names[i], Tone::of(i), stroke, points);
        }
        figure.panels.push(panel);
    }
    Ok(figure)
}

fn same(a: &[Option<Vec<f64>>], b: &[Option<Vec<f64>>]) -> bool {
    a.iter().zip(b).all(|pair| match pair {
        (Some(a), Some(b)) => alike(a, b),
        (None, None) => true,
        _ => false,
    })
}

/// The numbers at the ends of every panel's axis.
fn range(groups: &[Group], lines: usize) -> [f64; 2] {
    let all = || {
        let curves = groups.iter().flat_map(|(_, curves)| curves.iter().flatten());
        curves.flat_map(|v| &v[..lines]).copied().filter(|x| x.is_finite())
    };
    let (low, high) =
        (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    let margin = if high > low { 0.06 * (high - low) } else { 0.5 * high.abs().max(1.0) };
    [low - margin, high + margin]
}

/// As many names as fit above a panel, and how many more there are.
fn shortened(laws: &[&str], room: f64) -> String {
    // Half a size of the words above panels, about the width of a character.
    const CHARACTER: f64 = 7.2;
    let mut text = String::new();
    for (k, law) in laws.iter().enumerate() {
        let next = if k == 0 { (*law).to_owned() } else { format!("{text}, {law}") };
        let more = laws.len() - k - 1;
        let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
        if k > 0 && CHARACTER * (next.len() + tail.len()) as f64 > room {
            return format!("{text} and {} more", more + 1);
        }
        text = next;
    }
    text
}
