//! Where labels go: beside their point, off other labels, off signs, and off lines as far as there is room.

use core::f64::consts::TAU;

/// A rectangle on the page, by its corners \[px\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Box2 {
    pub(crate) low: [f64; 2],
    pub(crate) high: [f64; 2],
}

impl Box2 {
    /// A rectangle around its centre.
    pub(crate) fn around(centre: [f64; 2], width: f64, height: f64) -> Self {
        Self {
            low: [centre[0] - 0.5 * width, centre[1] - 0.5 * height],
            high: [centre[0] + 0.5 * width, centre[1] + 0.5 * height],
        }
    }

    pub(crate) fn centre(&self) -> [f64; 2] {
        [0.5 * (self.low[0] + self.high[0]), 0.5 * (self.low[1] + self.high[1])]
    }

    /// The point of the rectangle that is nearest to another.
    pub(crate) fn nearest(&self, p: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|i| p[i].max(self.low[i]).min(self.high[i]))
    }

    pub(crate) fn contains(&self, p: [f64; 2]) -> bool {
        (0..2).all(|i| self.low[i] <= p[i] && p[i] <= self.high[i])
    }

    /// How much of the plane two rectangles share [px²].
    pub(crate) fn shared(&self, other: &Self) -> f64 {
        (0..2)
            .map(|i| (self.high[i].min(other.high[i]) - self.low[i].max(other.low[i])).max(0.0))
            .product()
    }

    /// How much of the rectangle stands outside another [px²].
    fn outside(&self, room: &Self) -> f64 {
        let own: f64 = (0..2).map(|i| self.high[i] - self.low[i]).product();
        own - self.shared(room)
    }
}

/// What is on the page already.
pub(crate) struct Page {
    /// The room there is.
    pub(crate) room: Box2,
    /// Labels.
    pub(crate) words: Vec<Box2>,
    /// Signs.
    pub(crate) signs: Vec<Box2>,
    /// Points of lines, a few pixels apart.
    pub(crate) ink: Vec<[f64; 2]>,
}

/// Directions tried around a point.
const DIRECTIONS: usize = 16;
/// The direction that people prefer: up and to the right \[rad\].
const PREFERRED: f64 = 0.7;
/// Gaps tried between a point and its label \[px\].
const GAPS: [f64; 10] = [5.0, 8.0, 12.0, 18.0, 26.0, 36.0, 50.0, 68.0, 90.0, 120.0];
/// From this gap on a line leads from the label to its point \[px\].
pub(crate) const LEADER: f64 = 11.0;
/// What hiding a label costs at once, however little is hidden: more than all the rest together.
const HIDDEN: f64 = 1e6;
/// Kept free around a label \[px\].
const MARGIN: f64 = 2.5;

impl Page {
    pub(crate) fn new(room: Box2) -> Self {
        Self { room, words: Vec::new(), signs: Vec::new(), ink: Vec::new() }
    }

    /// Finds a place for a label of this size beside a point, and takes it.
    pub(crate) fn place(&mut self, at: [f64; 2], width: f64, height: f64) -> Box2 {
        let mut best = (f64::INFINITY, Box2::around(at, width, height));
        for gap in GAPS {
            for k in 0..DIRECTIONS {
                let turn = TAU * k as f64 / DIRECTIONS as f64;
                let direction = [libm::cos(PREFERRED + turn), -libm::sin(PREFERRED + turn)];
                let candidate = beside(at, direction, gap, width, height);
                // Short turns from the preferred direction before long ones, near places before far ones.
                let cost = self.cost(&candidate) + 0.6 * gap + 1.5 * (1.0 - libm::cos(turn));
                if cost < best.0 {
                    best = (cost, candidate);
                }
            }
        }
        self.words.push(best.1);
        best.1
    }

    /// What a place would hide: labels weigh most, then the frame, then signs, then lines.
    fn cost(&self, candidate: &Box2) -> f64 {
        let wide = Box2 {
            low: candidate.low.map(|x| x - MARGIN),
            high: candidate.high.map(|x| x + MARGIN),
        };
        let hidden: f64 = self
            .words
            .iter()
            .map(|other| wide.shared(other))
            .filter(|shared| *shared > 0.0)
            .map(|shared| HIDDEN + shared)
            .sum();
        let outside = wide.outside(&self.room);
        let cut = if outside > 1e-6 { 0.1 * HIDDEN + outside } else { 0.0 };
        let signs: f64 = self.signs.iter().map(|other| candidate.shared(other)).sum();
        let lines = self.ink.iter().filter(|p| candidate.contains(**p)).count();
        hidden + cut + 6.0 * signs + 4.0 * lines as f64
    }
}

/// The rectangle whose edge is a gap away from a point, in a direction.
fn beside(at: [f64; 2], direction: [f64; 2], gap: f64, width: f64, height: f64) -> Box2 {
    // Along the ellipse that touches the middles of the sides; corners reach a little nearer.
    let half = [0.5 * width + gap, 0.5 * height + 0.8 * gap];
    let stretch = 1.0 / direction[0].abs().max(direction[1].abs());
    let centre = [0, 1].map(|i| {
        let along = (direction[i] * stretch).clamp(-1.0, 1.0);
        at[i] + along * half[i]
    });
    Box2::around(centre, width, height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_near_points_do_not_collide() {
        let room = Box2 { low: [0.0, 0.0], high: [300.0, 200.0] };
        let mut page = Page::new(room);
        let places: Vec<Box2> =
            (0..12).map(|k| page.place([150.0 + f64::from(k), 100.0], 60.0, 12.0)).collect();
        for (i, a) in places.iter().enumerate() {
            assert!(places[..i].iter().all(|b| a.shared(b) == 0.0), "label {i} hides another");
            assert!(a.outside(&room) < 1e-9, "label {i} is cut");
        }
    }

    #[test]
    fn a_label_stays_off_its_point() {
        let room = Box2 { low: [0.0, 0.0], high: [300.0, 200.0] };
        let place = Page::new(room).place([150.0, 100.0], 60.0, 12.0);
        assert!(!place.contains([150.0, 100.0]) && place.low[0] > 150.0 && place.high[1] < 100.0);
    }
}
