//! The Python package: its own virtual environment in `target/python`, its tests, its wheel.

use crate::run::{Failure, built_for_tests, cargo, root, show, succeeds, target};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest Python that has all that tests need; the package itself runs on 3.10.
const OLDEST: (u8, u8) = (3, 11);
/// What builds wheels.
const MATURIN: &str = "maturin==1.16.0";
/// The cluster that only long tests run on.
const RAY: &str = "ray==2.60.0";
/// What tests need, with versions.
const REQUIREMENTS: &str = "crates/carom-py/requirements-test.txt";

/// pytest on the package as it is now.
pub fn tests() -> Result<Command, Failure> {
    let python = environment()?;
    let package = assembled()?;
    let mut command = at_root(&python);
    command.args(["-m", "pytest", "-p", "no:cacheprovider", "--quiet"]).env("PYTHONPATH", package);
    Ok(command)
}

/// The test of Ray, which is too large an install for every day.
pub fn ray() -> Result<Command, Failure> {
    let python = environment()?;
    show("ray", at_root(&python).args(["-m", "pip", "install", "--quiet", RAY]))?;
    let mut command = tests()?;
    command.args(["-k", "ray"]).env("CAROM_LONG", "1");
    Ok(command)
}

/// A folder with the package in it, compiled as tests have compiled everything else: a wheel would compile it anew.
fn assembled() -> Result<PathBuf, Failure> {
    built_for_tests()?;
    let folder = target().join("python-package");
    let package = folder.join("carom");
    if package.exists() {
        fs::remove_dir_all(&package).map_err(|error| told(&package, &error))?;
    }
    let copies = fs::create_dir_all(&package).and_then(|()| {
        for entry in fs::read_dir(root().join("crates/carom-py/python/carom"))?.flatten() {
            // Folders hold what Python has compiled.
            if entry.path().is_file() {
                fs::copy(entry.path(), package.join(entry.file_name()))?;
            }
        }
        let library = format!("{DLL_PREFIX}_carom{DLL_SUFFIX}");
        let module = if cfg!(windows) { "_carom.pyd" } else { "_carom.abi3.so" };
        fs::copy(target().join("debug").join(library), package.join(module))
    });
    copies.map_err(|error| told(&package, &error))?;
    Ok(folder)
}

/// mypy on the package's types, tests and examples.
pub fn types() -> Result<Command, Failure> {
    let mut command = at_root(&environment()?);
    command.args(["-m", "mypy", "--cache-dir"]).arg(target().join("mypy"));
    Ok(command)
}

/// A wheel for people, in `target/wheels`.
pub fn wheel() -> Result<(), Failure> {
    let wheel = build_wheel(&environment()?)?;
    println!("{}", wheel.display());
    Ok(())
}

/// One run of every bench, with a wheel for people in the environment.
pub fn bench() -> Result<(), Failure> {
    let python = environment()?;
    let wheel = build_wheel(&python)?;
    let install = ["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"];
    show("package", at_root(&python).args(install).arg(wheel))?;
    let benches = root().join("crates/carom-py/benches");
    let files = fs::read_dir(&benches).map_err(|error| told(&benches, &error))?;
    let mut files: Vec<PathBuf> = files.flatten().map(|entry| entry.path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "py")) {
        show("bench", at_root(&python).arg(file))?;
    }
    Ok(())
}

/// Builds a wheel, and finds it.
fn build_wheel(python: &Path) -> Result<PathBuf, Failure> {
    let maturin = ["-m", "pip", "install", "--quiet", MATURIN];
    show("maturin", at_root(python).args(maturin))?;
    let folder = target().join("wheels");
    // Wheels of former versions would be found as well.
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| told(&folder, &error))?;
    }
    let build = ["-m", "maturin", "build", "--release", "--strip", "--quiet", "--out"];
    // maturin calls the cargo that runs this chore.
    show("wheel", at_root(python).args(build).arg(&folder).env("CARGO", cargo().get_program()))?;
    let wheels = fs::read_dir(&folder).map_err(|error| told(&folder, &error))?;
    let wheel = wheels
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|end| end == "whl"));
    wheel.ok_or_else(|| Failure(format!("maturin left no wheel in {}", folder.display())))
}

/// The interpreter of `target/python`, which has all that tests need.
fn environment() -> Result<PathBuf, Failure> {
    let folder = target().join("python");
    let python = match cfg!(windows) {
        true => folder.join("Scripts").join("python.exe"),
        false => folder.join("bin").join("python"),
    };
    if !succeeds(Command::new(&python).arg("--version")) {
        let made =
            succeeds(Command::new(interpreter()?).args(["-m", "venv", "--clear"]).arg(&folder));
        if !made {
            let words = "python3 cannot make a virtual environment (on Debian: apt-get install python3-venv)";
            return Err(Failure(words.to_owned()));
        }
    }
    let wanted = root().join(REQUIREMENTS);
    let wanted = fs::read_to_string(&wanted).map_err(|error| told(&wanted, &error))?;
    let installed = folder.join("requirements-test.txt");
    if fs::read_to_string(&installed).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    let install =
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS];
    show("requirements", at_root(&python).args(install))?;
    // Written last: what was interrupted is done again.
    fs::write(&installed, wanted).map_err(|error| told(&installed, &error))?;
    Ok(python)
}

/// The Python of this machine, if it is new enough.
fn interpreter() -> Result<&'static str, Failure> {
    let (major, minor) = OLDEST;
    let new_enough = format!("import sys; sys.exit(sys.version_info < ({major}, {minor}))");
    let names = ["python3", "python"];
    let found =
        names.into_iter().find(|name| succeeds(Command::new(name).args(["-c", &new_enough])));
    found.ok_or_else(|| {
        Failure(format!("tests and wheels of the Python package need Python {major}.{minor} or newer, as `python3`"))
    })
}

/// The interpreter, started at the root of the workspace, in its environment.
fn at_root(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.current_dir(root()).env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    command
}

fn told(path: &Path, error: &std::io::Error) -> Failure {
    Failure(format!("{}: {error}", path.display()))
}
