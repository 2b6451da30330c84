//! The spread of outcomes: clouds of what may happen, and where laws stand in them.

use crate::PlotError;
use crate::draw::{Figure, Mark, Panel, Series, Shape, Stroke, Tone};
use crate::signs::alike;

/// No more quantities than these have a row, the widest ones.
const ROWS: usize = 8;
/// Parts of the samples between which a bar is thick: all but one in twenty at each end.
const BULK: [f64; 2] = [0.05, 0.95];

/// Outcomes that come from one kind of ignorance.
#[derive(Clone, Debug)]
pub struct Cloud {
    /// Its name.
    pub name: String,
    /// Outcomes, each with one number per quantity.
    pub outcomes: Vec<Vec<f64>>,
}

/// Everything that may happen, and what laws say.
#[derive(Clone, Debug)]
pub struct OutcomeClouds {
    /// The quantities that tell an outcome, with units.
    pub quantities: Vec<String>,
    /// Outcomes by where they come from.
    pub clouds: Vec<Cloud>,
    /// Laws, each with one number per quantity.
    pub laws: Vec<(String, Vec<f64>)>,
}

/// The two velocities that vary most against each other, and the range of every quantity.
pub fn outcomes(shown: &OutcomeClouds) -> Result<Figure, PlotError> {
    let order = widest(shown);
    if order.is_empty() {
        let reason = "nothing was drawn, and no law has an answer".to_owned();
        return Err(PlotError::new("outcomes", reason));
    }
    let mut figure = Figure::new(
        "What may happen",
        "How far the outcome is the law's choice. Clouds and bars: outcomes that mechanics and energy allow, outcomes of \
         collisions in random order, outcomes of contacts of different stiffness; bars are thick over nine tenths of the \
         draws and have a line at the median. Numbers: laws.",
    );
    let groups = groups(shown);
    let velocities: Vec<usize> =
        order.iter().copied().filter(|&i| shown.quantities[i].ends_with("[m/s]")).collect();
    let pair = [&velocities, &order].into_iter().find(|list| list.len() > 1);
    if let Some(&[x, y, ..]) = pair.map(Vec::as_slice) {
        figure.panels.push(scatter(shown, [x, y], &groups));
    }
    figure.panels.push(strips(shown, &order, &groups));
    for (k, (laws, _)) in groups.iter().enumerate() {
        figure.explain(&(k + 1).to_string(), Tone::Ink, Shape::Diamond, &laws.join(", "));
    }
    for (name, cloud) in shown.clouds.iter().map(|c| (&c.name, c)) {
        for &i in &order {
            if let Some([low, .., high]) = quantiles_of(cloud, i) {
                figure.fact(&format!("{name} {} smallest", shown.quantities[i]), low, "1");
                figure.fact(&format!("{name} {} largest", shown.quantities[i]), high, "1");
            }
        }
    }
    Ok(figure)
}

/// Quantities with a spread, the widest first; quantities of equal width keep their order.
fn widest(shown: &OutcomeClouds) -> Vec<usize> {
    let width = |i: usize| {
        let clouds = shown.clouds.iter().flat_map(|c| &c.outcomes).map(|o| o[i]);
        let all: Vec<f64> = clouds.chain(shown.laws.iter().map(|(_, o)| o[i])).collect();
        let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        high - all.iter().copied().fold(f64::INFINITY, f64::min)
    };
    let mut order: Vec<usize> = (0..shown.quantities.len()).collect();
    let widths: Vec<f64> = order.iter().map(|&i| width(i)).collect();
    order.retain(|&i| widths[i].is_finite());
    order.sort_by(|&a, &b| widths[b].total_cmp(&widths[a]));
    order.truncate(ROWS);
    order
}

fn groups(shown: &OutcomeClouds) -> Vec<(Vec<&str>, &[f64])> {
    let mut groups: Vec<(Vec<&str>, &[f64])> = Vec::new();
    for (law, outcome) in &shown.laws {
        match groups.iter_mut().find(|(_, other)| alike(outcome, other)) {
            Some((laws, _)) => laws.push(law),
            None => groups.push((vec![law], outcome)),
        }
    }
    groups
}

fn scatter(shown: &OutcomeClouds, [x, y]: [usize; 2], groups: &[(Vec<&str>, &[f64])]) -> Panel {
    let name = |i: usize| shown.quantities[i].as_str();
    let mut panel = Panel::new(name(x), name(y)).sized(380.0, 340.0);
    for (k, cloud) in shown.clouds.iter().enumerate() {
        let points = cloud.outcomes.iter().map(|o| [o[x], o[y]]).collect();
        panel.series.push(Series {
            name: cloud.name.clone(),
            tone: Tone::of(k),
            mark: Mark::Dots(Shape::Point),
            points,
            listed: false,
        });
    }
    for (k, (laws, outcome)) in groups.iter().enumerate() {
        let at = [outcome[x], outcome[y]];
        panel.numbered(&laws.join(", "), &(k + 1).to_string(), Tone::Ink, Shape::Diamond, at);
    }
    panel
}

/// Smallest, one in twenty, median, nineteen in twenty, largest; nothing of none.
pub fn quantiles(mut values: Vec<f64>) -> Option<[f64; 5]> {
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    let at = |part: f64| {
        let place = part * last as f64;
        let below = (place as usize).min(last);
        let above = (below + 1).min(last);
        values[below] + (place - below as f64) * (values[above] - values[below])
    };
    Some([0.0, BULK[0], 0.5, BULK[1], 1.0].map(at))
}

fn quantiles_of(cloud: &Cloud, i: usize) -> Option<[f64; 5]> {
    quantiles(cloud.outcomes.iter().map(|o| o[i]).collect())
}

/// A row per quantity, a bar per cloud.
fn strips(shown: &OutcomeClouds, order: &[usize], groups: &[(Vec<&str>, &[f64])]) -> Panel {
    let rows = order.len();
    let mut panel = Panel::new("value [m/s, or 1 for the energy]", "")
        .sized(380.0, (58.0 * rows as f64).max(120.0))
        .titled("range of each quantity");
    panel.axes[1].numbered = false;
    panel.axes[1].range = Some([rows as f64 - 0.3, -0.7]);
    let clouds = shown.clouds.len().max(1) as f64;
    for (row, &i) in order.iter().enumerate() {
        let y = row as f64;
        for (k, cloud) in shown.clouds.iter().enumerate() {
            let Some([min, low, median, high, max]) = quantiles_of(cloud, i) else { continue };
            let at = y - 0.14 + 0.42 * (k as f64 + 0.5) / clouds;
            let half = 0.17 / clouds;
            let tone = Tone::of(k);
            panel.guide("", tone, Stroke::Thin, vec![[min, at], [max, at]]);
            let corners = [[low, -half], [high, -half], [high, half], [low, half]];
            let bar = corners.map(|[x, dy]| [x, at + dy]).to_vec();
            panel.area(&cloud.name, tone, 0.55, bar);
            panel.guide("", tone, Stroke::Bold, vec![[median, at - half], [median, at + half]]);
        }
        let signs = groups.iter().map(|(_, outcome)| [outcome[i], y - 0.22]).collect();
        panel.dots("laws", Tone::Ink, Shape::Diamond, signs);
    }
    // The names stand above their rows, where no bar is.
    let [left, right] = panel.ranges()[0];
    panel.axes[0].range = Some([left, right]);
    for (row, &i) in order.iter().enumerate() {
        panel.word(&shown.quantities[i], Tone::Ink, [0.5 * (left + right), row as f64 - 0.5]);
    }
    panel
}
