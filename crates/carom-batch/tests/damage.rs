//! Files that were changed after carom wrote them: found, never believed.

#![cfg(feature = "sweep")]

use carom_batch::summary::Summary;
use carom_batch::sweep::{Finish, Pace, Spec, Sweep};
use carom_io::failure::Failure;
use carom_io::output::Target;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const SPEC: &str = r#"
laws = ["chatterjee-ruina", "smith"]
count = 20
[problem]
delassus = [[1, 0.5], [0.5, 2]]
contact_velocity = [-1, 0.25]
contacts = [{ mu = 0.5, e = 0.5 }]
[design]
mu = [0.1, 0.3, 0.6]
"contact_velocity[1]" = { uniform = [-2, 2] }
"#;

/// A folder that disappears with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("spec.toml"), SPEC).unwrap();
        Self(path)
    }

    fn sweep(&self) -> Sweep {
        Sweep::new(Spec::open(&self.0.join("spec.toml"), &[]).unwrap(), 10).unwrap()
    }

    /// Runs the sweep until so many rows are done.
    fn run(&self, until: u64) -> Result<Finish, Failure> {
        let path = self.0.join("out.parquet");
        let target = Target { path: &path, inputs: &[], force: false };
        self.sweep().run(target, 1, &mut |pace: Pace| match pace.done >= until {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }

    fn part(&self, index: usize) -> PathBuf {
        self.0.join(format!("out.parquet.parts/{index:08}.parquet"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn summary(path: &Path) -> Result<Summary, Failure> {
    Summary::of(path, &mut |_| ControlFlow::Continue(()))
        .map(|summary| summary.expect("not stopped"))
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// Bits flipped, bytes replaced, pieces cut out, doubled or exchanged.
fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        let end = (at + 1 + random.below(64)).min(bytes.len());
        match random.below(6) {
            0 | 1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at] = random.below(256) as u8,
            3 => drop(bytes.drain(at..end)),
            4 => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => bytes[at..end].reverse(),
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

/// 5,000 changed files: none panics, and none is believed without a word.
#[test]
fn changed_results_are_not_summarized() {
    const FILES: usize = 5000;
    let folder = Folder::new("damage-results");
    assert!(matches!(folder.run(u64::MAX), Ok(Finish::Written { computed: 120 })));
    let path = folder.0.join("out.parquet");
    let bytes = fs::read(&path).unwrap();
    let whole = summary(&path).unwrap();
    assert!(whole.checked && whole.rows == 120);
    let seed = 7;
    println!("seed {seed}");
    let mut random = Random(seed);
    let (mut refused, mut unchecked, mut same) = (0, 0, 0);
    for i in 0..FILES {
        let changed = mutated(&bytes, &mut random);
        fs::write(&path, &changed).unwrap();
        match summary(&path) {
            Err(_) => refused += 1,
            // What is no longer signed is said to be so.
            Ok(found) if !found.checked => unchecked += 1,
            Ok(_) => {
                assert!(changed == bytes, "file {i} was changed, and is believed");
                same += 1;
            }
        }
    }
    println!("{refused} refused, {unchecked} said to be unchecked, {same} unchanged");
    assert!(refused > FILES * 9 / 10);
}

/// Files of others have no checksum to be found out by: they may be refused or read, but nothing panics.
#[test]
fn changed_files_of_others_are_refused_or_said_to_be_unchecked() {
    let folder = Folder::new("damage-foreign");
    assert!(folder.run(u64::MAX).is_ok());
    let path = folder.0.join("out.parquet");
    let bytes = fs::read(&path).unwrap();
    let key = b"carom.checksum";
    let at = bytes.windows(key.len()).position(|window| window == key).unwrap();
    let mut foreign = bytes;
    foreign[at] = b'b';
    fs::write(&path, &foreign).unwrap();
    assert!(!summary(&path).unwrap().checked);
    let mut random = Random(8);
    let (mut refused, mut unchecked) = (0, 0);
    for _ in 0..2000 {
        fs::write(&path, mutated(&foreign, &mut random)).unwrap();
        match summary(&path) {
            Err(_) => refused += 1,
            Ok(found) => {
                assert!(!found.checked);
                unchecked += 1;
            }
        }
    }
    println!("{refused} refused, {unchecked} said to be unchecked");
}

/// Every bit of a part matters, and so does its place.
#[test]
fn changed_and_exchanged_parts_are_found() {
    let folder = Folder::new("damage-parts");
    assert!(matches!(folder.run(30), Ok(Finish::Interrupted { kept, .. }) if kept == 20));
    let first = fs::read(folder.part(0)).unwrap();
    let second = fs::read(folder.part(1)).unwrap();
    let mut random = Random(9);
    for _ in 0..200 {
        let mut changed = first.clone();
        let at = random.below(changed.len());
        changed[at] ^= 1 << random.below(8);
        fs::write(folder.part(0), &changed).unwrap();
        let error = folder.run(u64::MAX).expect_err("a bit of a part was flipped").to_string();
        assert!(error.contains("00000000.parquet"), "{error}");
    }
    fs::write(folder.part(0), &second).unwrap();
    fs::write(folder.part(1), &first).unwrap();
    let error = folder.run(u64::MAX).expect_err("parts were exchanged").to_string();
    assert!(error.contains("it is part 1 instead of 0"), "{error}");
    assert!(!folder.0.join("out.parquet").exists());
    fs::write(folder.part(0), &first).unwrap();
    fs::write(folder.part(1), &second).unwrap();
    assert!(matches!(folder.run(u64::MAX), Ok(Finish::Written { .. })));
    assert!(summary(&folder.0.join("out.parquet")).unwrap().checked);
}

/// A part or a folder of another build is not gone on with.
#[test]
fn builds_do_not_mix() {
    let folder = Folder::new("damage-builds");
    assert!(matches!(folder.run(30), Ok(Finish::Interrupted { .. })));
    let marker = folder.0.join("out.parquet.parts/carom-sweep.json");
    let text = fs::read_to_string(&marker).unwrap();
    let build = carom_io::build::identity();
    assert!(text.contains(&build), "{text}");
    let source = carom_io::build::SOURCE;
    fs::write(&marker, text.replace(source, "0123456789abcdef")).unwrap();
    let error = folder.run(u64::MAX).expect_err("the folder is another build's").to_string();
    assert!(error.contains("another build"), "{error}");
    assert!(folder.part(0).exists());
}
