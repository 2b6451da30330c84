//! Arbitrary bytes as a Parquet file of answers: refused in words, or summarized; never a panic.

#![no_main]

use carom_batch::summary::Summary;
use libfuzzer_sys::fuzz_target;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::LazyLock;

/// In memory, where there is such a place.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = PathBuf::from("/dev/shm");
    let folder = if memory.is_dir() { memory } else { std::env::temp_dir() };
    folder.join(format!("carom-fuzz-{}.parquet", std::process::id()))
});

fuzz_target!(|data: &[u8]| {
    if std::fs::write(&*FILE, data).is_err() {
        return;
    }
    let mut looks = 0;
    let mut look = |_| {
        looks += 1;
        if looks > 1000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    if let Ok(Some(summary)) = Summary::of(&FILE, &mut look) {
        let rows: u64 = summary.laws.iter().map(|law| law.rows).sum();
        assert_eq!(rows, summary.rows);
    }
});
