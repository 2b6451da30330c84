//! Arbitrary bytes as a stream of questions: one line of JSON comes out for each line that goes in, and none acts on a
//! terminal.

#![no_main]

use carom_cli::commands::stream;
use carom_io::input::without_mark;
use carom_io::plain;
use libfuzzer_sys::fuzz_target;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// What a stream may be asked.
enum Question {
    Resolve,
    Certify { exact: bool },
}

fuzz_target!(|data: &[u8]| {
    let lines = without_mark(data).split(|byte| *byte == b'\n');
    let lines = lines.filter(|line| !line.trim_ascii().is_empty()).count();
    if lines > 8 {
        return;
    }
    for question in
        [Question::Resolve, Question::Certify { exact: false }, Question::Certify { exact: true }]
    {
        let mut output = Vec::new();
        let input = &mut &data[..];
        let tally = match question {
            Question::Resolve => stream::resolve(input, &mut output, None),
            Question::Certify { exact } => stream::certify(input, &mut output, exact),
        };
        let tally = tally.expect("memory can be written");
        assert_eq!(tally.answered + tally.failed, lines as u64);
        let text = String::from_utf8(output).expect("UTF-8");
        assert!(!text.contains(plain::acts), "{text:?}");
        assert_eq!(text.lines().count(), lines);
        for line in text.lines() {
            // Ids come back letter by letter, also numbers that are larger than any.
            let answer: BTreeMap<String, Box<RawValue>> = serde_json::from_str(line).expect("JSON");
            assert!(answer.contains_key("id"), "{line}");
        }
    }
});
