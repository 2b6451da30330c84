//! Where labels go: beside their point, off other labels, off signs, and off lines as far as there is room.

/// A rectangle on the page, by its corners \[px\].
#[derive(Clone, Copy, Debug)]
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

    fn contains(&self, p: [f64; 2]) -> bool {
        (0..2).all(|i| self.low[i] <= p[i] && p[i] <= self.high[i])
    }

    /// How much of the plane two rectangles share [px²].
    fn shared(&self, other: &Self) -> f64 {
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
    /// Labels and signs.
    pub(crate) taken: Vec<Box2>,
    /// Points of lines, a few pixels apart.
    pub(crate) ink: Vec<[f64; 2]>,
}

/// Directions tried, the preferred first.
const DIRECTIONS: [[f64; 2]; 8] = [
    [1.0, -1.0],
    [-1.0, -1.0],
    [1.0, 1.0],
    [-1.0, 1.0],
    [1.0, 0.0],
    [-1.0, 0.0],
    [0.0, -1.0],
    [0.0, 1.0],
];

/// Distances tried \[px\].
const DISTANCES: [f64; 4] = [5.0, 10.0, 17.0, 26.0];

impl Page {
    /// Finds a place for a label of this size beside a point, and takes it.
    pub(crate) fn place(&mut self, at: [f64; 2], width: f64, height: f64) -> Box2 {
        let mut best = (f64::INFINITY, Box2::around(at, width, height));
        for (far, distance) in DISTANCES.into_iter().enumerate() {
            for (turn, direction) in DIRECTIONS.into_iter().enumerate() {
                let centre = [
                    at[0] + direction[0] * (distance + 0.5 * width),
                    at[1] + direction[1] * (0.7 * distance + 0.5 * height),
                ];
                let candidate = Box2::around(centre, width, height);
                let cost = self.cost(&candidate) + 6.0 * far as f64 + 0.3 * turn as f64;
                if cost < best.0 {
                    best = (cost, candidate);
                }
            }
        }
        self.taken.push(best.1);
        best.1
    }

    /// What a place would hide: labels and signs weigh most, then the frame, then lines.
    fn cost(&self, candidate: &Box2) -> f64 {
        let over: f64 = self.taken.iter().map(|other| candidate.shared(other)).sum();
        let lines = self.ink.iter().filter(|p| candidate.contains(**p)).count();
        20.0 * over + 10.0 * candidate.outside(&self.room) + 4.0 * lines as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_near_points_do_not_collide() {
        let room = Box2 { low: [0.0, 0.0], high: [300.0, 200.0] };
        let mut page = Page { room, taken: Vec::new(), ink: Vec::new() };
        let places: Vec<Box2> =
            (0..6).map(|k| page.place([150.0 + f64::from(k), 100.0], 30.0, 12.0)).collect();
        for (i, a) in places.iter().enumerate() {
            assert!(places[..i].iter().all(|b| a.shared(b) == 0.0), "label {i} hides another");
        }
    }
}
