//! Signs for the answers of laws: one for each distinct answer, with a number, and a key that says whose it is.

use crate::Answer;
use crate::draw::{Figure, Panel, Shape, Tone};

/// Impulses that differ by less than this share of the largest are one point with several names \[1\].
const SAME: f64 = 1e-6;

/// One answer and the laws that gave it.
pub(crate) struct Sign<'a> {
    /// What stands at the sign.
    number: String,
    /// The laws.
    pub(crate) laws: Vec<&'a str>,
    /// The impulse they share, normal first [N·s].
    pub(crate) impulse: &'a [f64],
    tone: Tone,
    shape: Shape,
    permissible: bool,
}

/// The distinct answers, numbered from 1 in the order of the laws.
pub(crate) fn signs(answers: &[Answer]) -> Vec<Sign<'_>> {
    let mut signs: Vec<Sign> = Vec::new();
    for answer in answers {
        match signs.iter_mut().find(|sign| alike(sign.impulse, &answer.impulse)) {
            Some(sign) => sign.laws.push(&answer.law),
            None => signs.push(Sign {
                number: (signs.len() + 1).to_string(),
                laws: vec![&answer.law],
                impulse: &answer.impulse,
                tone: if answer.permissible { Tone::Blue } else { Tone::Red },
                shape: if answer.permissible { Shape::Disc } else { Shape::Cross },
                permissible: answer.permissible,
            }),
        }
    }
    signs
}

/// Whether two vectors are the same but for rounding and what is too small to be seen.
pub(crate) fn alike(p: &[f64], q: &[f64]) -> bool {
    let size = p.iter().chain(q).fold(0.0, |m: f64, x| m.max(x.abs()));
    p.len() == q.len() && p.iter().zip(q).all(|(p, q)| (p - q).abs() <= SAME * size)
}

impl Sign<'_> {
    /// Draws the sign with its number.
    pub(crate) fn put(&self, panel: &mut Panel, at: [f64; 2]) {
        panel.numbered(&self.laws.join(", "), &self.number, self.tone, self.shape, at);
    }

    /// Tells the figure whose it is, and its numbers.
    pub(crate) fn explain(&self, figure: &mut Figure) {
        let mut text = self.laws.join(", ");
        if !self.permissible {
            text.push_str(" (not permissible)");
        }
        figure.explain(&self.number, self.tone, self.shape, &text);
        const ROWS: [&[&str]; 4] = [&[], &["p_n"], &["p_n", "p_t"], &["p_n", "p_{t1}", "p_{t2}"]];
        let Some(rows) = ROWS.get(self.impulse.len()) else { return };
        for law in &self.laws {
            for (row, p) in rows.iter().zip(self.impulse) {
                figure.fact(&format!("{law} {row}"), *p, "N·s");
            }
        }
    }
}
