//! Sums over the rows of `B`, the work of every slope. Rows are padded with zeros to whole lanes, which compilers turn into
//! vector instructions.

/// Numbers that are taken at once.
const LANES: usize = 2;

/// How many numbers a padded row has, zeros included; some in any case.
pub(crate) fn padded(rank: usize) -> usize {
    rank.max(1).next_multiple_of(LANES)
}

/// The product of two padded rows.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums[0] + sums[1]
}

/// `out += factor row`, padded.
#[inline(always)]
pub(crate) fn add(out: &mut [f64], factor: f64, row: &[f64]) {
    for (out, row) in out.as_chunks_mut::<LANES>().0.iter_mut().zip(row.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            out[lane] += factor * row[lane];
        }
    }
}

/// `√(a² + b²)` of numbers whose squares are numbers: slips are about one, and none counts below 1e-18.
#[inline]
pub(crate) fn length([a, b]: [f64; 2]) -> f64 {
    f64::sqrt(a * a + b * b)
}
