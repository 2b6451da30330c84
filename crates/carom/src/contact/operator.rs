//! `W` in the form that suits its size.

use crate::ImpactError;
use crate::numerics::factor::Factor;
use crate::numerics::sparse::SparseRows;
use nalgebra::DMatrix;

/// Up to this many rows `W` is stored in full.
const DENSE_ROWS: usize = 256;
/// Matrices of more rows are never stored in full: half a gigabyte \[1\].
const FULL_ROWS: usize = 8192;
/// A sparse `W` may hold this many entries per row; beyond, as where one body touches thousands of others, its factors
/// take its place.
const SPARSE_ENTRIES_PER_ROW: usize = 128;

/// Coordinates of which one yields this many times more easily than another: entries of `W` round away what the other does.
/// Where rows hang on it because they are nearly held, or because they are redundant, its factors take its place.
const WIDE_SPREAD: f64 = 1e5;
const WIDE_SPREAD_IF_REDUNDANT: f64 = 1e6;
/// Masses that are not this many times apart do not spread widely: small entries are then short levers.
const APART: f64 = 1e3;
/// What yields less than this part of the easiest changes no bit of `W`; rounding of a Jacobian's entries is as small.
const NOTHING: f64 = 1e-16;
/// A row to which the others leave no more than this part of its mobility is held by them, but for rounding.
const HELD: f64 = 1e-15;
/// A row to which they leave less than this is nearly held: rounding of its entries costs the answer as many digits.
const NEARLY_HELD: f64 = 1e-5;

/// Factors of `W`: rows of a Jacobian and the masses behind them, `W = Y diag(1/mass) Yᵀ`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gram {
    /// `Y`: one row per row of `W`, one column per coordinate.
    pub(crate) rows: SparseRows,
    /// One per coordinate \[kg\].
    pub(crate) mass: Vec<f64>,
}

impl Gram {
    /// The entry of `W` \[1/kg\].
    pub(crate) fn at(&self, i: usize, j: usize) -> f64 {
        self.rows.row(i).sum_common(self.rows.row(j), |c, x, y| x * y / self.mass[c])
    }

    /// Velocities of the coordinates that impulses give them, `Yᵀ p / mass` [m/s].
    pub(crate) fn velocity(&self, p: &[f64]) -> Vec<f64> {
        let mut change = vec![0.0; self.mass.len()];
        for (row, &p) in self.rows.rows().zip(p) {
            row.add_to(&mut change, p);
        }
        for (x, m) in change.iter_mut().zip(&self.mass) {
            *x /= m;
        }
        change
    }

    /// How many times more easily one coordinate yields than another, if that is because of their masses.
    fn spread(&self) -> f64 {
        let mut yields = vec![0.0_f64; self.mass.len()];
        for row in self.rows.rows() {
            for (c, x) in row.iter() {
                yields[c] = yields[c].max(x * x / self.mass[c]);
            }
        }
        let most = yields.iter().fold(0.0, |m: f64, y| m.max(*y));
        let felt = || yields.iter().zip(&self.mass).filter(|(y, _)| **y > NOTHING * most);
        let least = felt().fold(most, |m, (y, _)| m.min(*y));
        let heaviest = felt().fold(0.0, |m: f64, (_, mass)| m.max(*mass));
        let lightest = felt().fold(heaviest, |m, (_, mass)| m.min(*mass));
        if heaviest < APART * lightest { 1.0 } else { most / least }
    }

    /// The factors of some of the rows.
    pub(crate) fn select(&self, rows: &[usize]) -> Self {
        // Coordinates that no chosen row moves are dropped, so that a small island is a small problem.
        let mut index = vec![usize::MAX; self.mass.len()];
        let mut used: Vec<usize> =
            rows.iter().flat_map(|&i| self.rows.row(i).iter().map(|(c, _)| c)).collect();
        used.sort_unstable();
        used.dedup();
        for (new, &old) in used.iter().enumerate() {
            index[old] = new;
        }
        let mut selected = SparseRows::with_capacity(used.len(), rows.len(), 2 * rows.len());
        let mut entries = Vec::new();
        for &i in rows {
            entries.clear();
            entries.extend(self.rows.row(i).iter().map(|(c, x)| (index[c], x)));
            selected.push(&mut entries);
        }
        let mass = used.iter().map(|&c| self.mass[c]).collect();
        Self { rows: selected, mass }
    }

    fn dense(&self) -> DMatrix<f64> {
        let n = self.rows.len();
        let mut w = DMatrix::zeros(n, n);
        for i in 0..n {
            for j in 0..=i {
                let entry = self.at(i, j);
                w[(i, j)] = entry;
                w[(j, i)] = entry;
            }
        }
        w
    }

    /// `W` by its nonzero entries, or nothing if there are too many of them.
    fn sparse(&self, by_coordinate: &SparseRows) -> Option<SparseRows> {
        let n = self.rows.len();
        let bound: usize = by_coordinate.rows().map(|rows| rows.len() * rows.len()).sum();
        if bound > n.saturating_mul(SPARSE_ENTRIES_PER_ROW) {
            return None;
        }
        let mut w = SparseRows::with_capacity(n, n, bound);
        let mut partners: Vec<usize> = Vec::new();
        let mut entries: Vec<(usize, f64)> = Vec::new();
        for i in 0..n {
            partners.clear();
            for (c, _) in self.rows.row(i).iter() {
                partners.extend(by_coordinate.row(c).iter().map(|(j, _)| j));
            }
            partners.sort_unstable();
            partners.dedup();
            entries.clear();
            // In the order of the smaller index, so that W is symmetric to the last bit.
            entries.extend(partners.iter().map(|&j| (j, self.at(i.max(j), i.min(j)))));
            w.push(&mut entries);
        }
        Some(w)
    }
}

/// Whether rounding of the entries of `W` changes much, its coordinates being spread so widely.
fn rounds_too_much(w: &DMatrix<f64>, spread: f64) -> bool {
    if spread < WIDE_SPREAD {
        return false;
    }
    let factor = Factor::new(w, HELD);
    let redundant = factor.rank() < w.nrows() && spread >= WIDE_SPREAD_IF_REDUNDANT;
    redundant || factor.smallest_pivot() < NEARLY_HELD
}

/// `W`: in full, by its nonzero entries, or by its factors alone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operator {
    /// All entries.
    Dense(DMatrix<f64>),
    /// The nonzero entries, and the factors.
    Sparse { entries: SparseRows, gram: Gram },
    /// The factors, and which rows each coordinate moves.
    Factored { gram: Gram, by_coordinate: SparseRows },
}

impl Operator {
    /// The form that suits the size of the factors.
    pub(crate) fn from_gram(gram: Gram) -> Self {
        if gram.rows.len() <= DENSE_ROWS {
            let dense = gram.dense();
            if !rounds_too_much(&dense, gram.spread()) {
                return Self::Dense(dense);
            }
            let by_coordinate = gram.rows.transposed();
            return Self::Factored { gram, by_coordinate };
        }
        let by_coordinate = gram.rows.transposed();
        match gram.sparse(&by_coordinate) {
            Some(entries) => Self::Sparse { entries, gram },
            None => Self::Factored { gram, by_coordinate },
        }
    }

    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::Dense(w) => w.nrows(),
            Self::Sparse { gram, .. } | Self::Factored { gram, .. } => gram.rows.len(),
        }
    }

    /// The factors, where they are kept: `W` is then too large to be stored in full, or its entries would round too much away.
    pub(crate) fn gram(&self) -> Option<&Gram> {
        match self {
            Self::Dense(_) => None,
            Self::Sparse { gram, .. } | Self::Factored { gram, .. } => Some(gram),
        }
    }

    #[inline]
    pub(crate) fn at(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Dense(w) => w[(i, j)],
            Self::Sparse { entries, .. } => entries.row(i).at(j),
            Self::Factored { gram, .. } => gram.at(i.max(j), i.min(j)),
        }
    }

    /// Calls `take(j, w)` with parts of the entries of row `i`; the parts at one `j` add up to `W_ij`.
    pub(crate) fn for_row(&self, i: usize, mut take: impl FnMut(usize, f64)) {
        match self {
            Self::Dense(w) => {
                for (j, &entry) in w.column(i).iter().enumerate() {
                    if entry != 0.0 {
                        take(j, entry);
                    }
                }
            }
            Self::Sparse { entries, .. } => entries.row(i).iter().for_each(|(j, w)| take(j, w)),
            Self::Factored { gram, by_coordinate } => {
                for (c, x) in gram.rows.row(i).iter() {
                    for (j, y) in by_coordinate.row(c).iter() {
                        take(j, x * y / gram.mass[c]);
                    }
                }
            }
        }
    }

    /// Calls `take(j, w)` with the entries of row `i`, each once; of large factors with their parts.
    pub(crate) fn for_entries(&self, i: usize, mut take: impl FnMut(usize, f64)) {
        match self {
            Self::Factored { gram, .. } if gram.rows.len() <= DENSE_ROWS => {
                (0..gram.rows.len()).for_each(|j| take(j, self.at(i, j)));
            }
            _ => self.for_row(i, take),
        }
    }

    /// Whether it is known by factors of so many rows that their entries are too many.
    pub(crate) fn is_large_factored(&self) -> bool {
        matches!(self, Self::Factored { gram, .. } if gram.rows.len() > DENSE_ROWS)
    }

    /// Calls `take(i, j)` with enough pairs of coupled rows to connect all that are coupled.
    pub(crate) fn for_couplings(&self, mut take: impl FnMut(usize, usize)) {
        match self {
            // A row that moves with a coordinate is coupled to the next one that does: enough to connect them all.
            Self::Factored { by_coordinate, .. } => {
                for rows in by_coordinate.rows() {
                    let next = rows.iter().skip(1);
                    rows.iter().zip(next).for_each(|((i, _), (j, _))| take(i, j));
                }
            }
            _ => (0..self.rows()).for_each(|i| {
                self.for_row(i, |j, _| {
                    if j < i {
                        take(i, j);
                    }
                });
            }),
        }
    }

    /// Whether row `i` is coupled to a row below `limit`.
    pub(crate) fn is_coupled_below(&self, i: usize, limit: usize) -> bool {
        let below = |rows: &[u32]| rows.first().is_some_and(|&first| (first as usize) < limit);
        match self {
            Self::Dense(w) => w.column(i).iter().take(limit).any(|entry| *entry != 0.0),
            Self::Sparse { entries, .. } => below(entries.row(i).columns()),
            Self::Factored { gram, by_coordinate } => {
                gram.rows.row(i).iter().any(|(c, _)| below(by_coordinate.row(c).columns()))
            }
        }
    }

    /// `out = start + W p`.
    pub(crate) fn apply_to(&self, p: &[f64], start: &[f64]) -> Vec<f64> {
        match self {
            // Written once, not copied first and changed then.
            Self::Sparse { entries, .. } => {
                entries.rows().zip(start).map(|(row, u)| u + row.dot(p)).collect()
            }
            _ => {
                let mut u = start.to_vec();
                self.add_to(&mut u, p);
                u
            }
        }
    }

    /// `u ← u + W p` [m/s].
    pub(crate) fn add_to(&self, u: &mut [f64], p: &[f64]) {
        match self {
            Self::Dense(w) => {
                for (i, u) in u.iter_mut().enumerate() {
                    *u += p.iter().enumerate().map(|(j, p)| w[(i, j)] * p).sum::<f64>();
                }
            }
            Self::Sparse { entries, .. } => {
                entries.rows().zip(u).for_each(|(row, u)| *u += row.dot(p));
            }
            Self::Factored { gram, .. } => {
                let change = gram.velocity(p);
                gram.rows.rows().zip(u).for_each(|(row, u)| *u += row.dot(&change));
            }
        }
    }

    /// The operator of some of the rows.
    pub(crate) fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Dense(w) => Self::Dense(w.select_rows(rows).select_columns(rows)),
            Self::Sparse { gram, .. } | Self::Factored { gram, .. } => {
                Self::from_gram(gram.select(rows))
            }
        }
    }

    /// Whether so many rows are few enough for a matrix with all of their entries.
    pub(crate) fn check_full(&self, rows: usize) -> Result<(), ImpactError> {
        match rows <= FULL_ROWS {
            true => Ok(()),
            false => Err(ImpactError::Limit(format!(
                "{rows} coupled rows, and the law needs their whole matrix; that is done for {FULL_ROWS}"
            ))),
        }
    }

    /// Whether the entries of all rows, one after another, are few enough to be kept.
    pub(crate) fn check_entries(&self) -> Result<(), ImpactError> {
        let Self::Factored { by_coordinate, .. } = self else {
            // They are kept already.
            return Ok(());
        };
        let entries = by_coordinate.rows().map(|rows| rows.len().saturating_pow(2));
        match entries.fold(0, usize::saturating_add) {
            entries if entries <= FULL_ROWS * FULL_ROWS => Ok(()),
            entries => Err(ImpactError::Limit(format!(
                "the law needs the {entries} entries of the matrix; that is done for {}",
                FULL_ROWS * FULL_ROWS
            ))),
        }
    }

    /// The full matrix of some of the rows, or why there are too many of them.
    pub(crate) fn full_block(&self, rows: &[usize]) -> Result<DMatrix<f64>, ImpactError> {
        self.check_full(rows.len())?;
        Ok(self.dense_block(rows))
    }

    /// The full matrix of some of the rows, without a check of their number.
    pub(crate) fn dense_block(&self, rows: &[usize]) -> DMatrix<f64> {
        DMatrix::from_fn(rows.len(), rows.len(), |i, j| self.at(rows[i], rows[j]))
    }
}
