//! `carom sweep`: every point of a design through every law, to a Parquet file.

use super::{Exit, Refusal, print};
use crate::cli::Sweep as Arguments;
use crate::progress::{self, Display};
use carom_batch::sweep::{Finish, Pace, Spec, Sweep};
use carom_io::output::Target;
use carom_io::plain;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub fn run(args: &Arguments) -> Result<Exit, Refusal> {
    let spec = Spec::open(&args.spec, &args.law)?;
    let sweep = Sweep::new(spec, args.row_group as usize)?;
    let of = sweep.rows();
    let _working = progress::working();
    let mut display: Option<Display> = None;
    let mut pace = |pace: Pace| {
        let shown =
            display.get_or_insert_with(|| Display::with_pace("sweep", pace.before, pace.of));
        shown.advance(pace.done);
        match progress::interrupted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let threads = args.threads.unwrap_or(0) as usize;
    let inputs: Vec<&Path> = sweep.inputs().iter().map(PathBuf::as_path).collect();
    let target = Target { path: &args.out, inputs: &inputs, force: args.force };
    let finish = sweep.run(target, threads, &mut pace);
    drop(display);
    let out = args.out.display().to_string();
    let out = plain::name(&out);
    match finish? {
        Finish::Written { computed } if computed < of => {
            print(&format!("{of} rows in {out}, {computed} of them computed now\n"))
        }
        Finish::Written { .. } => print(&format!("{of} rows in {out}\n")),
        Finish::AlreadyThere => print(&format!("{out} is finished: {of} rows\n")),
        Finish::Interrupted { kept, parts } => {
            eprintln!(
                "{kept} of {of} rows are kept in {}; the same command goes on from there",
                plain::name(&parts.display().to_string())
            );
            Ok(Exit::Interrupted)
        }
    }
}
