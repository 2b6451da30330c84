//! Arbitrary text as the file of a sweep: refused in words, or its first rows computed; never a panic, never memory that
//! grows with the points.

#![no_main]

use carom_batch::sweep::{Spec, Sweep};
use carom_io::format::Node;
use carom_io::input::Source;
use libfuzzer_sys::fuzz_target;
use std::ops::ControlFlow;
use std::path::Path;

/// Polls after which rows are asked to stop.
const POLLS: u32 = 50;

fuzz_target!(|data: &[u8]| {
    let name = if data.starts_with(b"{") { "sweep.json" } else { "sweep.toml" };
    let Ok(source) = Source::read(name, data) else {
        return;
    };
    // The problem of a fuzzed sweep stands in it: other files of this machine are none of its business.
    if matches!(source.parse(), Ok(node) if matches!(node.get("problem"), Some(Node::Text(_)))) {
        return;
    }
    let Ok(sweep) = Spec::read(source, Path::new(name), &[]).and_then(|spec| Sweep::new(spec, 4))
    else {
        return;
    };
    let rows = sweep.rows();
    assert!(rows > 0);
    for number in [0, rows / 8, rows / 4] {
        let mut polls = 0;
        let mut poll = |_| {
            polls += 1;
            if polls > POLLS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        if let Ok(batch) = sweep.rows_of(number, 1, &mut poll) {
            assert!((1..=4).contains(&batch.num_rows()));
        }
    }
});
