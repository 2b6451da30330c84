//! Tells builds apart: a checksum of every source that answers depend on, the compiler and the target.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates whose code makes answers and files.
const CRATES: [&str; 4] = ["carom", "carom-numerics", "carom-io", "carom-batch"];

fn main() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let here = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let crates = here.parent().map_or_else(|| here.clone(), Path::to_owned);
    let mut files = Vec::new();
    for name in CRATES {
        let folder = crates.join(name);
        // Where this crate stands alone, it is all there is to see; versions tell the others apart.
        if folder.is_dir() {
            println!("cargo::rerun-if-changed={}", folder.join("src").display());
            collect(&folder.join("src"), &mut files);
        }
    }
    let lock = crates.join("../Cargo.lock");
    if lock.is_file() {
        println!("cargo::rerun-if-changed={}", lock.display());
        files.push(lock);
    }
    files.sort();
    let mut sum: u64 = 0xcbf2_9ce4_8422_2325;
    for file in &files {
        let name = file.strip_prefix(&crates).unwrap_or(file).to_string_lossy().replace('\\', "/");
        // The text, whatever line ends it was checked out with.
        let text = fs::read(file).unwrap_or_default();
        let bytes = name.bytes().chain(text.into_iter().filter(|byte| *byte != b'\r'));
        for byte in bytes {
            sum = (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    let compiler = std::process::Command::new(variable("RUSTC")).arg("--version").output();
    let compiler = compiler.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    println!("cargo::rustc-env=CAROM_SOURCE={sum:016x}");
    println!("cargo::rustc-env=CAROM_COMPILER={}", compiler.unwrap_or_default());
    println!("cargo::rustc-env=CAROM_TARGET={}", variable("TARGET"));
    println!("cargo::rustc-env=CAROM_OPTIMIZATION={}", variable("OPT_LEVEL"));
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}
