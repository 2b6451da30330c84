//! `W = L Lᵀ` in memory that is lent, for matrices that are factored by the million. [`super::factor`] keeps more, and
//! scales rows of different units.

/// `L` with `W = L Lᵀ`, row by row, by Cholesky's method with diagonal pivoting; the answer is how many numbers a row
/// has. Diagonal entries that have fallen to `tolerance` of what they were count as nothing. `w` is used up.
pub fn pivoted_cholesky(w: &mut [f64], n: usize, tolerance: f64, rows: &mut Vec<f64>) -> usize {
    let tolerance = tolerance.max(n as f64 * f64::EPSILON);
    rows.clear();
    // Columns of L one after the other, then what is left of the diagonal, then what it was.
    rows.resize(n * n + 2 * n, 0.0);
    let (columns, diagonals) = rows.split_at_mut(n * n);
    let (left, whole) = diagonals.split_at_mut(n);
    for i in 0..n {
        left[i] = w[i * n + i];
        whole[i] = left[i];
    }
    let mut rank = 0;
    while rank < n {
        let mut pivot = None;
        let mut most = tolerance;
        for i in 0..n {
            if left[i] > most * whole[i] {
                most = left[i] / whole[i];
                pivot = Some(i);
            }
        }
        let Some(p) = pivot else { break };
        let (before, rest) = columns.split_at_mut(rank * n);
        let column = &mut rest[..n];
        column.copy_from_slice(&w[p * n..(p + 1) * n]);
        for earlier in before.chunks_exact(n) {
            let factor = earlier[p];
            if factor != 0.0 {
                column.iter_mut().zip(earlier).for_each(|(x, l)| *x -= factor * l);
            }
        }
        let root = f64::sqrt(if column[p] > 0.0 { column[p] } else { left[p] });
        for (x, left) in column.iter_mut().zip(left.iter_mut()) {
            *x /= root;
            *left -= *x * *x;
        }
        left[p] = 0.0;
        rank += 1;
    }
    w[..n * rank].copy_from_slice(&columns[..n * rank]);
    rows.clear();
    rows.extend((0..n).flat_map(|i| (0..rank).map(move |c| (i, c))).map(|(i, c)| w[c * n + i]));
    rank
}

/// Replaces a definite matrix of `n` rows by its factor `L`, `A = L Lᵀ`, in the lower triangle.
pub fn factor_in_place(a: &mut [f64], n: usize) {
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| a[i * n + k] * a[j * n + k]).sum();
            let rest = a[i * n + j] - known;
            a[i * n + j] = match i == j {
                true => f64::sqrt(rest.max(f64::MIN_POSITIVE)),
                false => rest / a[j * n + j],
            };
        }
    }
}

/// Replaces `b` by `A⁻¹ b`, `A` factored by [`factor_in_place`].
pub fn solve_in_place(factor: &[f64], b: &mut [f64]) {
    let n = b.len();
    for i in 0..n {
        let known: f64 = (0..i).map(|k| factor[i * n + k] * b[k]).sum();
        b[i] = (b[i] - known) / factor[i * n + i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| factor[k * n + i] * b[k]).sum();
        b[i] = (b[i] - known) / factor[i * n + i];
    }
}
