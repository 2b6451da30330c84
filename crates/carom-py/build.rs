//! Symbols of Python come from the interpreter: some linkers must be told not to look for them.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
