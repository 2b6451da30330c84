//! Fig. 2: waves in two rods during their collision.

use crate::papers::Drawn;
use crate::{Figure, Panel, PlotError, Stroke, Tone};
use carom_sim::rods::{Rod, Rods};

/// Cells of both rods; a cell is a centimetre \[1\].
const CELLS: [usize; 2] = [40, 100];
const CELL: f64 = 0.01;
/// ρA [kg/m], c and v [m/s].
const LINE_DENSITY: f64 = 1.0;
const WAVE_SPEED: f64 = 5000.0;
const SPEED: f64 = 1.0;
/// How long the motion is followed, in cells \[1\].
const STEPS: usize = 330;

/// Neighbouring cells under the same load: from, to.
type Run = [usize; 2];

/// Cells under the same load over time, as an outline in growth.
struct Region {
    last: Run,
    left: Vec<[f64; 2]>,
    right: Vec<[f64; 2]>,
}

impl Region {
    fn reach(&mut self, [from, to]: Run, time: usize) {
        self.last = [from, to];
        self.left.push([from as f64, time as f64]);
        self.right.push([to as f64, time as f64]);
    }

    /// Where a run of a cell or two began or ends: at an end of the rods, or in its middle.
    fn tip(&mut self, time: usize) {
        let [from, to] = self.last;
        let all = CELLS[0] + CELLS[1];
        if to - from > 2 {
            return;
        }
        let at = match (from == 0, to == all) {
            (true, _) => 0.0,
            (_, true) => all as f64,
            _ => 0.5 * (from + to) as f64,
        };
        if self.left.is_empty() {
            self.left.push([at, time as f64]);
        } else {
            self.right.push([at, time as f64]);
        }
    }

    /// The outline in metres, points on straight edges left out, and a break after it.
    fn outline(mut self) -> Vec<[f64; 2]> {
        self.right.reverse();
        let all: Vec<[f64; 2]> = self.left.into_iter().chain(self.right).collect();
        let n = all.len();
        let bends = |k: usize| {
            let [a, b, c] = [all[(k + n - 1) % n], all[k], all[(k + 1) % n]];
            (b[0] - a[0]) * (c[1] - b[1]) != (b[1] - a[1]) * (c[0] - b[0])
        };
        let corners = (0..n).filter(|&k| bends(k)).map(|k| all[k].map(|x| x * CELL));
        corners.chain([[f64::NAN; 2]]).collect()
    }
}

/// The runs of one load, `sign` of the strain.
fn runs(strain: &[f64], sign: f64) -> Vec<Run> {
    // Strains are 0 or ± v/2c.
    let loaded = |x: f64| x * sign > 0.25 * SPEED / WAVE_SPEED;
    let mut runs: Vec<Run> = Vec::new();
    for (i, _) in strain.iter().enumerate().filter(|(_, x)| loaded(**x)) {
        match runs.last_mut() {
            Some(run) if run[1] == i => run[1] = i + 1,
            _ => runs.push([i, i + 1]),
        }
    }
    runs
}

/// The regions of one load in space and time.
fn regions(strains: &[Vec<f64>], sign: f64) -> Vec<[f64; 2]> {
    let mut open: Vec<Region> = Vec::new();
    let mut out = Vec::new();
    for (time, strain) in strains.iter().enumerate() {
        let now = runs(strain, sign);
        let meets = |region: &Region, run: &Run| region.last[0] < run[1] && run[0] < region.last[1];
        let (going, ended): (Vec<Region>, Vec<Region>) =
            open.into_iter().partition(|region| now.iter().any(|run| meets(region, run)));
        for mut region in ended {
            region.tip(time);
            out.extend(region.outline());
        }
        open = going;
        for run in now {
            match open.iter_mut().find(|region| meets(region, &run)) {
                Some(region) => region.reach(run, time),
                None => {
                    let mut region = Region { last: run, left: Vec::new(), right: Vec::new() };
                    region.tip(time.saturating_sub(1));
                    region.reach(run, time);
                    open.push(region);
                }
            }
        }
    }
    out.extend(open.into_iter().flat_map(Region::outline));
    out
}

pub(super) fn fig_2() -> Result<Drawn, PlotError> {
    let rod = |cells, velocity| Rod {
        cells,
        line_density: LINE_DENSITY,
        wave_speed: WAVE_SPEED,
        velocity,
    };
    let rods = Rods::new(vec![rod(CELLS[0], SPEED), rod(CELLS[1], 0.0)], CELL / WAVE_SPEED)?;
    let impact = rods.collide()?;
    let mut motion = rods.start()?;
    let (mut strains, mut kinetic, mut stored) = (Vec::new(), Vec::new(), Vec::new());
    for step in 0..=STEPS {
        let cells = [0, 1].into_iter().filter_map(|i| motion.cells(i)).flatten();
        strains.push(cells.map(|[_, strain]| strain).collect::<Vec<f64>>());
        if let [_, second] = motion.energies()[..] {
            let ct = step as f64 * CELL;
            kinetic.push([ct, second.translational + second.vibrational]);
            stored.push([ct, second.strain]);
        }
        motion.advance()?;
    }
    let [first, second] = CELLS.map(|cells| cells as f64 * CELL);
    let end = STEPS as f64 * CELL;
    let mut panel = Panel::new("x [m]", "ct [m]")
        .titled("load of the rods")
        .within([0.0, first + second], [0.0, end])
        .sized(330.0, 420.0);
    panel.area("compression", Tone::Blue, 0.4, regions(&strains, -1.0));
    panel.area("tension", Tone::Red, 0.4, regions(&strains, 1.0));
    let contact = &impact.contacts[0];
    let pressed = contact.unloaded * WAVE_SPEED;
    let opened = contact.opened.map_or(end, |t| t * WAVE_SPEED);
    let upright = |from: f64, to: f64| vec![[first, from], [first, to]];
    panel.line("contact presses", Tone::Ink, Stroke::Bold, upright(0.0, pressed));
    panel.line("contact closed, no force", Tone::Ink, Stroke::Thin, upright(pressed, opened));
    panel.line("contact open", Tone::Ink, Stroke::Dotted, upright(opened, end));
    panel.label("2 l_1", Tone::Ink, [first, pressed]);
    panel.label("2 l_2", Tone::Ink, [first, opened]);
    panel.word("neutral", Tone::Ink, [0.5 * first, 1.6]);
    let mut energy = Panel::new("ct [m]", "energy [J]")
        .titled("energy of rod 2")
        .within([0.0, end], [0.0, 0.22])
        .sized(330.0, 420.0);
    energy.line("kinetic energy T_2", Tone::Green, Stroke::Solid, kinetic.clone());
    energy.line("strain energy V_2", Tone::Purple, Stroke::Dashed, stored);
    let mut figure = Figure::new(
        "Two rods collide",
        "Waves in two elastic rods of 1 kg/m, l_1 = 0.4 m and l_2 = 1 m, c = 5000 m/s; rod 1 arrives at 1 m/s, rod 2 rests. \
         Strain is −v/2c where compressed, v/2c under tension, 0 elsewhere. At ct = 2 l_1 rod 1 is at rest and the contact \
         without force; at 2 l_2 the ends part. Seen as rigid bodies the rods have a restitution of l_1/l_2 = 0.4: the rest \
         of the energy rings on in rod 2.",
    )
    .with(panel)
    .with(energy);
    figure.fact("e", impact.restitution(0).unwrap_or(f64::NAN), "1");
    figure.fact("l_1/l_2", first / second, "1");
    figure.fact("v_1 after", impact.velocity[0], "m/s");
    figure.fact("v_2 after", impact.velocity[1], "m/s");
    figure.fact("ct where the contact ceases to press", pressed, "m");
    figure.fact("ct where the ends part", opened, "m");
    figure.fact("impulse", contact.impulse, "N·s");
    figure.fact("translational energy after minus before", impact.translational_change(), "J");
    figure.fact("whole energy after minus before", impact.energy_error(), "J");
    let largest = strains.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    figure.fact("largest strain", largest, "1");
    // Both claims about the period, from the instant at which all waves are in rod 2.
    let misses = |period: usize| {
        let later = kinetic.iter().skip(2 * CELLS[0]);
        let shifted = kinetic.iter().skip(2 * CELLS[0] + period);
        later.zip(shifted).fold(0.0, |most: f64, (a, b)| most.max((a[1] - b[1]).abs()))
    };
    figure.fact("T_2 misses the period l_2 by", misses(CELLS[1]), "J");
    figure.fact("T_2 misses the period 2 l_1 by", misses(2 * CELLS[0]), "J");
    Ok(Drawn::Figure(figure))
}
