//! Which build this is. Results of two builds are never mixed.

/// A checksum of the sources of `carom`, `carom-numerics`, `carom-io` and `carom-batch`, and of the versions of what they
/// use.
pub const SOURCE: &str = env!("CAROM_SOURCE");
/// The compiler.
pub const COMPILER: &str = env!("CAROM_COMPILER");
/// What it was compiled for.
pub const TARGET: &str = env!("CAROM_TARGET");

/// The build on one line: two builds that agree in it give the same bytes.
pub fn identity() -> String {
    let optimization = env!("CAROM_OPTIMIZATION");
    format!("source {SOURCE}, {COMPILER}, {TARGET}, optimization {optimization}")
}
