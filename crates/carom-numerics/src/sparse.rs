//! Rows with few entries among many columns, stored one behind the other.

/// A sparse matrix by rows; within a row the columns ascend and no entry is zero. Products of rows
/// without a common column are exactly zero, so unrelated parts of a problem do not disturb each other's last bits.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseRows {
    /// Where each row begins; one more than there are rows.
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    width: usize,
}

/// Columns and values of rows that have two entries each.
pub type Pairs<'a> = (&'a [[u32; 2]], &'a [[f64; 2]]);

/// One row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SparseRow<'a> {
    columns: &'a [u32],
    values: &'a [f64],
}

impl SparseRows {
    /// No rows yet, of `width` columns.
    pub fn new(width: usize) -> Self {
        Self { starts: vec![0], columns: Vec::new(), values: Vec::new(), width }
    }

    /// No rows yet, with room for `rows` rows and `entries` entries.
    pub fn with_capacity(width: usize, rows: usize, entries: usize) -> Self {
        let mut starts = Vec::with_capacity(rows + 1);
        starts.push(0);
        Self {
            starts,
            columns: Vec::with_capacity(entries),
            values: Vec::with_capacity(entries),
            width,
        }
    }

    /// Appends a row. Entries come in any order, and those at one place add up.
    pub fn push(&mut self, entries: &mut [(usize, f64)]) {
        entries.sort_by_key(|&(column, _)| column);
        let start = self.columns.len();
        for &(column, value) in entries.iter() {
            match self.columns.last() {
                Some(&last) if self.columns.len() > start && last as usize == column => {
                    let end = self.values.len() - 1;
                    self.values[end] += value;
                }
                _ => {
                    self.columns.push(column as u32);
                    self.values.push(value);
                }
            }
        }
        let mut kept = start;
        for k in start..self.columns.len() {
            if self.values[k] != 0.0 {
                self.columns[kept] = self.columns[k];
                self.values[kept] = self.values[k];
                kept += 1;
            }
        }
        self.columns.truncate(kept);
        self.values.truncate(kept);
        self.starts.push(kept);
    }

    /// Appends the nonzero numbers of a full row.
    pub fn push_dense(&mut self, row: &[f64]) {
        for (column, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            self.columns.push(column as u32);
            self.values.push(value);
        }
        self.starts.push(self.columns.len());
    }

    /// Appends a row of another matrix of the same width.
    pub fn push_row(&mut self, row: SparseRow) {
        self.columns.extend_from_slice(row.columns);
        self.values.extend_from_slice(row.values);
        self.starts.push(self.columns.len());
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many entries are stored.
    pub fn entries(&self) -> usize {
        self.values.len()
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> SparseRow<'_> {
        let range = self.starts[i]..self.starts[i + 1];
        SparseRow { columns: &self.columns[range.clone()], values: &self.values[range] }
    }

    /// Columns and values of rows that have two entries each; nothing if any has not.
    pub fn as_pairs(&self) -> Option<Pairs<'_>> {
        let all = self.starts.iter().enumerate().all(|(i, start)| *start == 2 * i);
        all.then(|| (self.columns.as_chunks().0, self.values.as_chunks().0))
    }

    /// All rows, in order.
    pub fn rows(&self) -> impl Iterator<Item = SparseRow<'_>> + Clone {
        (0..self.len()).map(|i| self.row(i))
    }

    /// Columns become rows.
    pub fn transposed(&self) -> Self {
        let mut starts = vec![0; self.width + 1];
        for &column in &self.columns {
            starts[column as usize + 1] += 1;
        }
        for column in 0..self.width {
            starts[column + 1] += starts[column];
        }
        let mut next = starts.clone();
        let mut columns = vec![0; self.entries()];
        let mut values = vec![0.0; self.entries()];
        for (i, row) in self.rows().enumerate() {
            for (column, value) in row.iter() {
                let at = next[column];
                next[column] += 1;
                columns[at] = i as u32;
                values[at] = value;
            }
        }
        Self { starts, columns, values, width: self.len() }
    }
}

impl<'a> SparseRow<'a> {
    /// Columns and values, in order.
    pub fn iter(self) -> impl Iterator<Item = (usize, f64)> + use<'a> {
        self.columns.iter().map(|&c| c as usize).zip(self.values.iter().copied())
    }

    /// How many entries are stored.
    pub fn len(self) -> usize {
        self.values.len()
    }

    /// The columns that have an entry, ascending.
    pub fn columns(self) -> &'a [u32] {
        self.columns
    }

    /// The entry in a column.
    pub fn at(self, column: usize) -> f64 {
        self.columns.binary_search(&(column as u32)).map_or(0.0, |k| self.values[k])
    }

    /// The full row of `width` numbers.
    pub fn to_dense(self, width: usize) -> Vec<f64> {
        let mut dense = vec![0.0; width];
        self.add_to(&mut dense, 1.0);
        dense
    }

    /// `dense += factor · self`.
    pub fn add_to(self, dense: &mut [f64], factor: f64) {
        for (column, value) in self.iter() {
            dense[column] += factor * value;
        }
    }

    /// The scalar product with a full vector.
    pub fn dot(self, dense: &[f64]) -> f64 {
        self.iter().map(|(column, value)| value * dense[column]).sum()
    }

    /// The sum of `combine(column, self, other)` over the columns that both have.
    pub fn sum_common(self, other: Self, combine: impl Fn(usize, f64, f64) -> f64) -> f64 {
        let (mut a, mut b) = (0, 0);
        let mut sum = 0.0;
        while a < self.columns.len() && b < other.columns.len() {
            let (i, j) = (self.columns[a], other.columns[b]);
            if i == j {
                sum += combine(i as usize, self.values[a], other.values[b]);
            }
            a += usize::from(i <= j);
            b += usize::from(j <= i);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_what_they_are_given() {
        let mut rows = SparseRows::new(8);
        rows.push(&mut [(7, 2.0), (1, 1.0), (4, 0.0), (1, 2.0)]);
        rows.push_dense(&[5.0, 7.0, 0.0, 0.0, 1.0, 0.0, 0.0, 11.0]);
        let (a, b) = (rows.row(0), rows.row(1));
        assert_eq!(a.iter().collect::<Vec<_>>(), [(1, 3.0), (7, 2.0)]);
        assert_eq!(a.sum_common(b, |_, x, y| x * y), 21.0 + 22.0);
        assert_eq!(b.sum_common(a, |_, x, y| x * y), 21.0 + 22.0);
        assert_eq!((b.at(4), b.at(5)), (1.0, 0.0));
        assert_eq!(b.dot(&a.to_dense(8)), 43.0);
        assert_eq!(rows.transposed().transposed(), rows);
        assert_eq!(rows.transposed().row(7).iter().collect::<Vec<_>>(), [(0, 2.0), (1, 11.0)]);
    }
}
