//! Text of others on its way to a terminal: names, keys and messages that hold control characters show them, and never
//! act by them.

use std::borrow::Cow;

/// Whether a terminal may do something else with it than show it: control characters, and marks that reverse the order
/// of what follows. Line ends and tabs are left alone.
pub fn acts(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

/// The same text, such characters as `\u{1b}`, also tabs and line ends: for names, which have one line.
pub fn name(text: &str) -> Cow<'_, str> {
    escaped(text, |c| acts(c) || c == '\n' || c == '\t', |c| c.escape_unicode().to_string())
}

/// The same text, such characters as `\u{1b}`: for messages.
pub fn message(text: &str) -> Cow<'_, str> {
    // A line end of Windows is one.
    let text = if text.contains("\r\n") {
        Cow::Owned(text.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(text)
    };
    match text {
        Cow::Borrowed(text) => escaped(text, acts, |c| c.escape_unicode().to_string()),
        Cow::Owned(text) => {
            Cow::Owned(escaped(&text, acts, |c| c.escape_unicode().to_string()).into_owned())
        }
    }
}

/// The same JSON, such characters as `\u001b`: they stand in texts only.
pub fn json(text: &str) -> Cow<'_, str> {
    escaped(text, acts, |c| {
        let mut units = [0; 2];
        c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect()
    })
}

/// As many bytes, such characters as others that show: for text in which places are counted.
pub fn of_same_length(text: &str) -> Cow<'_, str> {
    escaped(text, acts, |c| {
        match c.len_utf8() {
            1 if c == '\r' => " ",
            1 => "?",
            2 => "\u{bf}",
            _ => "\u{fffd}",
        }
        .to_owned()
    })
}

fn escaped<'a>(
    text: &'a str,
    is_wanted: impl Fn(char) -> bool,
    escape: impl Fn(char) -> String,
) -> Cow<'a, str> {
    // Most text is plain, and bytes are quicker to look at.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) || !text.contains(&is_wanted) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_wanted(c) {
            true => plain.push_str(&escape(c)),
            false => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_shown() {
        assert_eq!(name("a\u{1b}[2J\nb"), "a\\u{1b}[2J\\u{a}b");
        assert_eq!(message("a\u{9b}1m\r\nb"), "a\\u{9b}1m\nb");
        assert_eq!(json("{\"a\u{9b}\u{202e}é\": 1}\n"), "{\"a\\u009b\\u202eé\": 1}\n");
        assert!(matches!(name("floor, é, 球"), Cow::Borrowed(_)));
        let odd = "x\u{1b}\u{9b}\u{202e}y";
        assert_eq!(of_same_length(odd).len(), odd.len());
        assert!(!of_same_length(odd).contains(acts));
    }
}
