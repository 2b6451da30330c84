//! Where the words of a drawn figure stand: what tells whether they can be read.

/// Words on the page and the rectangle they fill.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// The words.
    pub text: String,
    /// Upper left corner \[px\].
    pub low: [f64; 2],
    /// Lower right corner \[px\].
    pub high: [f64; 2],
}

/// The page and its words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// Width and height of the page \[px\].
    pub size: [f64; 2],
    /// All words, in the order in which they are drawn.
    pub words: Vec<Word>,
}

/// Rectangles that share less than this still look apart \[px\].
const TOUCH: f64 = 0.5;

impl Layout {
    /// Pairs of words of which one hides a part of the other.
    pub fn collisions(&self) -> Vec<(&str, &str)> {
        let mut found = Vec::new();
        for (i, a) in self.words.iter().enumerate() {
            for b in &self.words[..i] {
                let apart = |k: usize| a.high[k].min(b.high[k]) - a.low[k].max(b.low[k]) < TOUCH;
                if !apart(0) && !apart(1) {
                    found.push((b.text.as_str(), a.text.as_str()));
                }
            }
        }
        found
    }

    /// Words of which a part is off the page.
    pub fn cut(&self) -> Vec<&str> {
        let inside =
            |w: &&Word| (0..2).all(|k| w.low[k] >= -TOUCH && w.high[k] <= self.size[k] + TOUCH);
        self.words.iter().filter(|w| !inside(w)).map(|w| w.text.as_str()).collect()
    }
}
