//! Random problems with laws, one JSON object per line, as `carom resolve --ndjson` reads them.
//!
//! ```text
//! cargo run -p carom-testkit --example problem_lines -- 1 20000 > questions.ndjson
//! ```
//!
//! The first argument is the seed, the second the number of lines. Line `i` depends on the seed and on `i` alone. The
//! answers of two builds to the same lines show what a change did to any law: every law, every setting of every law and
//! every way to state a problem occur. Some lines are refused, because not every law takes every problem.

use carom_testkit::problem_line;
use std::io::{BufWriter, Write};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let (Some(Ok(seed)), Some(Ok(count)), None) =
        (arguments.next(), arguments.next(), arguments.next())
    else {
        eprintln!("usage: problem_lines SEED COUNT");
        std::process::exit(2);
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    for i in 0..count {
        // A reader that has had enough closes the pipe.
        if writeln!(out, "{}", problem_line(seed, i)).is_err() {
            return;
        }
    }
}
