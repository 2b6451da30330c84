//! The `carom` command line, for the script that a wheel installs.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::Write;

/// Runs the command line with these arguments, the program's name first; answers its exit status.
#[pyfunction(name = "_main")]
pub fn main(py: Python, arguments: Vec<OsString>) -> u8 {
    py.detach(|| {
        let status = carom_cli::run(arguments.into_iter());
        // Python ends the process without what Rust does at its own end.
        let _ = std::io::stdout().flush();
        status
    })
}

/// Which build this is: two builds that agree in it give the same bytes.
#[pyfunction(name = "_build")]
pub fn build() -> String {
    carom_io::build::identity()
}
