//! Where a round has come to: velocities, impulses, work along normals, and how much of the round is over.

/// A state of `n` contacts as the integrator sees it: three velocities each [m/s], then three impulses each [N·s], then
/// the work of each normal impulse \[J\], then the part of the round that is over \[1\].
#[derive(Clone, Copy, Debug)]
pub(crate) struct State<'a> {
    pub(crate) n: usize,
    pub(crate) values: &'a [f64],
}

impl State<'_> {
    /// How many numbers a state has.
    pub(crate) const fn size(n: usize) -> usize {
        7 * n + 1
    }

    pub(crate) fn velocity(&self, row: usize) -> f64 {
        self.values[row]
    }

    pub(crate) fn slip(&self, k: usize) -> [f64; 2] {
        [self.values[3 * k + 1], self.values[3 * k + 2]]
    }

    pub(crate) fn impulse(&self) -> &[f64] {
        &self.values[3 * self.n..6 * self.n]
    }

    pub(crate) fn work(&self, k: usize) -> f64 {
        self.values[6 * self.n + k]
    }

    pub(crate) fn share(&self) -> f64 {
        self.values[7 * self.n]
    }
}

pub(crate) fn length_of(row: &[f64]) -> f64 {
    f64::sqrt(row.iter().map(|x| x * x).sum())
}
