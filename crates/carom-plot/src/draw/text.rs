//! Text in figures: how wide it is, and subscripts.

use std::fmt::Write;

/// A piece of a label: on the line, below it or above it.
#[derive(Clone, Copy, PartialEq)]
enum Level {
    Line,
    Below,
    Above,
}

/// Splits `P_I`, `u_n^+`, `v_{t1}` into pieces.
fn pieces(label: &str) -> Vec<(Level, String)> {
    let mut out: Vec<(Level, String)> = Vec::new();
    let mut add = |level: Level, c: char| match out.last_mut() {
        Some((last, text)) if *last == level => text.push(c),
        _ => out.push((level, c.to_string())),
    };
    let mut chars = label.chars().peekable();
    while let Some(c) = chars.next() {
        let level = match c {
            '_' => Level::Below,
            '^' => Level::Above,
            _ => {
                add(Level::Line, c);
                continue;
            }
        };
        if chars.peek() == Some(&'{') {
            chars.next();
            for c in chars.by_ref().take_while(|&c| c != '}') {
                add(level, c);
            }
        } else if let Some(c) = chars.next() {
            add(level, c);
        }
    }
    out
}

/// Share of the size that a subscript or superscript has.
const SMALL: f64 = 0.72;

/// How wide a label is at a size, without asking for a font \[px\].
pub(crate) fn width(label: &str, size: f64) -> f64 {
    pieces(label)
        .iter()
        .map(|(level, text)| {
            let size = if *level == Level::Line { size } else { SMALL * size };
            text.chars().map(advance).sum::<f64>() * size
        })
        .sum()
}

/// How far the printable characters of ASCII advance in DejaVu Sans, in hundredths of an em. It is the widest of the
/// fonts that figures ask for, so that words never need more room than they were given.
const ADVANCES: [u8; 95] = [
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75,
    79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35,
    63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84,
];

/// How far a character advances, in ems.
fn advance(c: char) -> f64 {
    let hundredths = match c {
        ' '..='~' => ADVANCES[c as usize - ' ' as usize],
        '·' => 32,
        '–' | '°' => 50,
        '⁻' | '⁺' => 53,
        'μ' | 'δ' | 'θ' | 'λ' => 64,
        '…' | '½' => 100,
        _ => 84,
    };
    f64::from(hundredths) / 100.0
}

/// A label without its marks for lowering and raising.
pub(crate) fn plain(label: &str) -> String {
    pieces(label).into_iter().map(|(_, text)| text).collect()
}

/// A label as the inside of an SVG `text` element.
pub(crate) fn markup(label: &str, size: f64) -> String {
    let mut out = String::new();
    let mut height = 0.0;
    for (level, text) in pieces(label) {
        let wanted = match level {
            Level::Line => 0.0,
            Level::Below => 0.22 * size,
            Level::Above => -0.38 * size,
        };
        let small = if level == Level::Line { size } else { SMALL * size };
        let text = escape(&text);
        if wanted == height && level == Level::Line {
            out.push_str(&text);
        } else {
            let dy = wanted - height;
            let _ = write!(out, r#"<tspan dy="{dy:.2}" font-size="{small:.2}">{text}</tspan>"#);
        }
        height = wanted;
    }
    out
}

/// A label as HTML.
pub(crate) fn html(label: &str) -> String {
    let piece = |(level, text): (Level, String)| match level {
        Level::Line => escape(&text),
        Level::Below => format!("<sub>{}</sub>", escape(&text)),
        Level::Above => format!("<sup>{}</sup>", escape(&text)),
    };
    pieces(label).into_iter().map(piece).collect()
}

/// Text without the characters that mean something to SVG.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Breaks a paragraph into lines that fit.
pub(crate) fn wrap(paragraph: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in paragraph.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(word, size) + advance(' ') * size <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subscripts_return_to_the_line() {
        assert_eq!(
            markup("u_n^+ < 0", 10.0),
            r#"u<tspan dy="2.20" font-size="7.20">n</tspan><tspan dy="-6.00" font-size="7.20">+</tspan><tspan dy="3.80" font-size="10.00"> &lt; 0</tspan>"#
        );
        assert!(width("P_{II}", 10.0) < width("PII", 10.0));
        assert_eq!(plain("P_{II} and u_n^+"), "PII and un+");
    }

    #[test]
    fn long_captions_are_broken() {
        let lines = wrap("one two three four five six", 10.0, 70.0);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, 10.0) <= 70.0), "{lines:?}");
        assert_eq!(lines.join(" "), "one two three four five six");
    }
}
