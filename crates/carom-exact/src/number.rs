//! Rational numbers, and the little linear algebra that a check needs of them.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// An exact number.
pub type Q = BigRational;

/// Roots are taken to so many bits behind the binary point of a number near one.
const ROOT_BITS: u64 = 128;

/// A double, exactly; refused where it is no number.
pub fn exact(x: f64) -> Result<Q, String> {
    Q::from_float(x).ok_or_else(|| format!("{x} is no finite number"))
}

/// The double nearest to a number.
pub fn near(x: &Q) -> f64 {
    x.to_f64().unwrap_or(f64::NAN)
}

/// The largest rational with 128 bits whose square is not above `x`.
pub fn root(x: &Q) -> Q {
    // Near one, so that the bits count where they matter; an even shift has a root.
    let length = |n: &BigInt| n.bits() as i64;
    let shift = (length(x.numer()) - length(x.denom())) & !1;
    let power = |k: i64| Q::from(BigInt::one() << k.unsigned_abs());
    let scale = |x: Q, k: i64| if k < 0 { x / power(k) } else { x * power(k) };
    let scaled = scale(x.clone(), -shift) * power(2 * ROOT_BITS as i64);
    let whole = scaled.to_integer().sqrt();
    scale(Q::from(whole), shift / 2) / power(ROOT_BITS as i64)
}

/// `Σ a b`. Brought to lowest terms once and not at every step, which takes most of the time.
pub fn sum_products<'a>(terms: impl Iterator<Item = (&'a Q, &'a Q)>) -> Q {
    let (mut numerator, mut denominator) = (BigInt::zero(), BigInt::one());
    for (a, b) in terms.filter(|(a, b)| !a.is_zero() && !b.is_zero()) {
        let (n, d) = (a.numer() * b.numer(), a.denom() * b.denom());
        if d == denominator {
            numerator += n;
            continue;
        }
        // Doubles have powers of two below the line: the smaller divides the larger.
        match (d.trailing_zeros(), denominator.trailing_zeros()) {
            (Some(x), Some(y)) if d.bits() == x + 1 && denominator.bits() == y + 1 => {
                if x > y {
                    numerator = (numerator << (x - y)) + n;
                    denominator = d;
                } else {
                    numerator += n << (y - x);
                }
            }
            _ => {
                numerator = numerator * &d + n * &denominator;
                denominator *= d;
            }
        }
    }
    match (numerator.trailing_zeros(), denominator.trailing_zeros()) {
        (None, _) => Q::zero(),
        (Some(x), Some(y)) if denominator.bits() == y + 1 => {
            let shared = x.min(y);
            Q::new_raw(numerator >> shared, denominator >> shared)
        }
        _ => Q::new(numerator, denominator),
    }
}

/// `Σ a_i b_i` over the entries of a sparse row.
pub fn dot(row: &[(usize, Q)], dense: &[Q]) -> Q {
    sum_products(row.iter().map(|(i, x)| (x, &dense[*i])))
}

/// The solutions of `A x = b` for several right sides, by elimination over the integers, which needs no fractions
/// (Bareiss). Nothing if `A` is singular.
pub fn solve(matrix: &[Vec<Q>], sides: &[Vec<Q>]) -> Option<Vec<Vec<Q>>> {
    let n = matrix.len();
    // Rows without denominators.
    let mut rows: Vec<Vec<BigInt>> = Vec::with_capacity(n);
    for (i, row) in matrix.iter().enumerate() {
        let all: Vec<&Q> = row.iter().chain(sides.iter().map(|b| &b[i])).collect();
        let common = all.iter().fold(BigInt::one(), |lcm, x| {
            let shared = gcd(&lcm, x.denom());
            lcm / shared * x.denom()
        });
        rows.push(all.iter().map(|x| x.numer() * (&common / x.denom())).collect());
    }
    let mut last = BigInt::one();
    for k in 0..n {
        let pivot = (k..n).find(|&i| !rows[i][k].is_zero())?;
        rows.swap(k, pivot);
        for i in k + 1..n {
            let (above, below) = rows.split_at_mut(i);
            let (top, row) = (&above[k], &mut below[0]);
            for j in k + 1..row.len() {
                row[j] = (&top[k] * &row[j] - &row[k] * &top[j]) / &last;
            }
            row[k] = BigInt::zero();
        }
        last = rows[k][k].clone();
    }
    let mut solutions = Vec::with_capacity(sides.len());
    for side in 0..sides.len() {
        let mut x = vec![Q::zero(); n];
        for i in (0..n).rev() {
            let known =
                (i + 1..n).fold(Q::zero(), |sum, j| sum + &x[j] * Q::from(rows[i][j].clone()));
            x[i] = (Q::from(rows[i][n + side].clone()) - known) / Q::from(rows[i][i].clone());
        }
        solutions.push(x);
    }
    Some(solutions)
}

fn gcd(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut a, mut b) = (a.abs(), b.abs());
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    a
}

/// The same for doubles, with the largest pivot of each column. Nothing if `A` is singular.
pub fn solve_near(matrix: &[Vec<f64>], sides: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut rows: Vec<Vec<f64>> = matrix.to_vec();
    for (i, row) in rows.iter_mut().enumerate() {
        row.extend(sides.iter().map(|b| b[i]));
    }
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs()))?;
        rows.swap(k, pivot);
        if rows[k][k] == 0.0 {
            return None;
        }
        for i in k + 1..n {
            let factor = rows[i][k] / rows[k][k];
            for j in k..rows[i].len() {
                rows[i][j] -= factor * rows[k][j];
            }
        }
    }
    let back = |side: usize| {
        let mut x = vec![0.0; n];
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|j| rows[i][j] * x[j]).sum();
            x[i] = (rows[i][n + side] - known) / rows[i][i];
        }
        x
    };
    Some((0..sides.len()).map(back).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_and_takes_roots() {
        let q = |x: i64| Q::from(BigInt::from(x));
        let x = solve(&[vec![q(0), q(2)], vec![q(3), q(1)]], &[vec![q(1), q(1)]]).unwrap();
        assert_eq!(x[0], [q(1) / q(6), q(1) / q(2)]);
        assert!(solve(&[vec![q(1), q(2)], vec![q(2), q(4)]], &[]).is_none());
        for x in [2.0, 1e-300, 9.0e200, 0.0] {
            let exact = exact(x).unwrap();
            let root = root(&exact);
            let off = &exact - &root * &root;
            assert!(off >= Q::zero() && off <= &exact / Q::from(BigInt::one() << 126), "{x}");
        }
    }
}
