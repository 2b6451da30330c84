//! One problem again and again, a number of it taking value after value.

use crate::Answer;
use crate::draw::{Panel, Tone};
use crate::signs::alike;
use crate::words::short;

/// A problem with a parameter that changes.
#[derive(Clone, Debug)]
pub struct Family {
    /// The parameter's name, as in a problem file.
    pub parameter: String,
    /// Its values.
    pub values: Vec<f64>,
    /// What laws say to each value.
    pub tracks: Vec<Track>,
}

/// What one law says to each value of a parameter.
#[derive(Clone, Debug)]
pub struct Track {
    /// The law, as readers know it.
    pub law: String,
    /// Its answers, one for each value; absent where it has none.
    pub answers: Vec<Option<Answer>>,
}

impl Family {
    /// All answers there are.
    pub(crate) fn answers(&self) -> impl Iterator<Item = &Answer> {
        self.tracks.iter().flat_map(|track| track.answers.iter().flatten())
    }

    /// A value of the parameter in words.
    pub(crate) fn at(&self, k: usize) -> String {
        let words = |x: &f64| format!("{} = {}", self.parameter, short(*x));
        self.values.get(k).map_or_else(String::new, words)
    }
}

impl Track {
    /// The first and the last value with an answer.
    pub(crate) fn ends(&self) -> Option<[usize; 2]> {
        let first = self.answers.iter().position(Option::is_some)?;
        let last = self.answers.iter().rposition(Option::is_some)?;
        Some([first, last])
    }
}

/// Words beside a point, unless they stand there already: tracks often begin together.
pub(crate) fn label_once(panel: &mut Panel, words: &str, tone: Tone, at: [f64; 2]) {
    let there = panel.labels.iter().any(|l| l.text == words && alike(&l.at, &at));
    if !there {
        panel.label(words, tone, at);
    }
}
