//! The two waves in a rod, which its free ends turn into one another.

/// `a` of the cells from left to right, then `b` from right to left, as one ring: a step of time turns it by one place,
/// and waves that reach a free end come back by themselves. Only contacts change values.
#[derive(Clone, Debug)]
pub(super) struct Ring {
    values: Vec<f64>,
    /// Where the leftmost cell's `a` stands.
    head: usize,
}

/// How far the free motion of a rod's end strays from the rod's mean motion, from now on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Excursion {
    pub(super) least: f64,
    pub(super) most: f64,
}

impl Ring {
    /// A rod in uniform motion.
    pub(super) fn moving(cells: usize, velocity: f64) -> Self {
        Self { values: vec![0.5 * velocity; 2 * cells], head: 0 }
    }

    pub(super) fn cells(&self) -> usize {
        self.values.len() / 2
    }

    fn at(&self, place: usize) -> usize {
        (self.head + place) % self.values.len()
    }

    /// One step of a free rod.
    pub(super) fn turn(&mut self) {
        self.head = self.at(self.values.len() - 1);
    }

    /// The wave that leaves the left end; just after a turn it is the one that arrived there.
    pub(super) fn left(&mut self) -> &mut f64 {
        let place = self.at(0);
        &mut self.values[place]
    }

    /// The wave that leaves the right end; just after a turn it is the one that arrived there.
    pub(super) fn right(&mut self) -> &mut f64 {
        let place = self.at(self.cells());
        &mut self.values[place]
    }

    /// `(a, b)` of the cells from left to right.
    pub(super) fn waves(&self) -> impl Iterator<Item = (f64, f64)> {
        let places = self.values.len();
        (0..self.cells())
            .map(move |j| (self.values[self.at(j)], self.values[self.at(places - 1 - j)]))
    }

    /// The mean of the cells' velocities: each value belongs to one cell.
    pub(super) fn mean_velocity(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.cells() as f64
    }

    /// `Σ (a² + b²) = Σ ½ (w² + (cε)²)` over the cells.
    pub(super) fn sum_of_squares(&self) -> f64 {
        self.values.iter().map(|x| x * x).sum()
    }

    pub(super) fn left_excursion(&self) -> Excursion {
        self.excursion(self.values.len())
    }

    pub(super) fn right_excursion(&self) -> Excursion {
        self.excursion(self.cells())
    }

    /// The excursion of the end that the waves standing before `place` reach, in units of a velocity times a step. The end of a
    /// free rod moves at twice the arriving wave, and repeats itself after one turn of the ring.
    fn excursion(&self, place: usize) -> Excursion {
        let mean = self.mean_velocity();
        let (mut excursion, mut shift) = (Excursion { least: 0.0, most: 0.0 }, 0.0_f64);
        for passed in 1..=self.values.len() {
            let arriving = self.values[self.at(place + self.values.len() - passed)];
            shift += 2.0 * arriving - mean;
            excursion.least = excursion.least.min(shift);
            excursion.most = excursion.most.max(shift);
        }
        excursion
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_go_round() {
        let mut ring = Ring::moving(3, 0.0);
        *ring.left() = 1.0;
        let shown = |ring: &Ring| ring.waves().collect::<Vec<_>>();
        assert_eq!(shown(&ring), [(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)]);
        ring.turn();
        assert_eq!(shown(&ring), [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)]);
        ring.turn();
        ring.turn();
        assert_eq!(shown(&ring), [(0.0, 0.0), (0.0, 0.0), (0.0, 1.0)]);
        assert_eq!(*ring.right(), 1.0);
        assert_eq!(ring.mean_velocity(), 1.0 / 3.0);
        assert_eq!(ring.sum_of_squares(), 1.0);
    }

    #[test]
    fn a_pulse_kicks_the_end_it_reaches() {
        let mut ring = Ring::moving(2, 0.0);
        *ring.left() = 1.0;
        // Mean ½: the right end waits one step (−½), is kicked by 2 (+1), waits again.
        let excursion = ring.right_excursion();
        assert_eq!((excursion.least, excursion.most), (-0.5, 1.0));
        let excursion = ring.left_excursion();
        assert_eq!((excursion.least, excursion.most), (-1.5, 0.0));
    }
}
