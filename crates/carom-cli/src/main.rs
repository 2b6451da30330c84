//! The `carom` command line: parse, call, print. No mechanics.

use carom_cli::commands::stream;

fn main() {
    let tally = stream::resolve(
        &mut std::io::stdin().lock(),
        &mut std::io::stdout().lock(),
        None,
    );
    println!("{tally:?}");
}
