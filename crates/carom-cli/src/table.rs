//! Plain tables for people.

use anstyle::Style;

/// One cell.
#[derive(Clone, Debug)]
pub struct Cell {
    text: String,
    style: Style,
    right: bool,
}

impl Cell {
    /// Text, aligned left.
    pub fn left(text: impl Into<String>) -> Self {
        Self { text: text.into(), style: Style::new(), right: false }
    }

    /// Text, aligned right, as numbers are.
    pub fn right(text: impl Into<String>) -> Self {
        Self { right: true, ..Self::left(text) }
    }

    /// The same cell in another style.
    pub fn styled(self, style: Style) -> Self {
        Self { style, ..self }
    }
}

/// Rows of cells, the first of them usually headings.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// Adds a row.
    pub fn push(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        (0..columns)
            .map(|column| {
                let cells = self.rows.iter().filter_map(|row| row.get(column));
                cells.map(|c| c.text.chars().count()).max().unwrap_or(0)
            })
            .collect()
    }

    /// How wide its lines become with `gap` spaces between columns.
    pub fn width(&self, gap: usize) -> usize {
        let widths = self.widths();
        widths.iter().sum::<usize>() + gap * widths.len().saturating_sub(1)
    }

    /// Its lines, with `gap` spaces between columns and none at the end.
    pub fn lines(&self, gap: usize) -> Vec<String> {
        let widths = self.widths();
        self.rows
            .iter()
            .map(|row| {
                let mut line = String::new();
                // Spaces are written only once something follows them.
                let mut pending = 0;
                for (cell, width) in row.iter().zip(&widths) {
                    let fill = width - cell.text.chars().count();
                    let (before, after) = if cell.right { (fill, 0) } else { (0, fill) };
                    if !cell.text.is_empty() {
                        line.push_str(&" ".repeat(pending + before));
                        pending = 0;
                        let style = cell.style;
                        line.push_str(&format!("{style}{}{style:#}", cell.text));
                        pending += after;
                    } else {
                        pending += width;
                    }
                    pending += gap;
                }
                line
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::default();
        table.push(vec![Cell::left("law"), Cell::right("p"), Cell::left("")]);
        table.push(vec![Cell::left("smith"), Cell::right("0.25"), Cell::left("")]);
        assert_eq!(table.lines(2), ["law       p", "smith  0.25"]);
        assert_eq!(table.width(2), 13);
    }
}
