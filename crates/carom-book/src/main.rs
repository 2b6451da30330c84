//! Builds carom's book: runs every command that it prints, writes a page for each law, checks every link.
//!
//!     carom-book --root DIR --carom FILE --tools DIR --out DIR [--rewrite]
//!
//! `cargo xtask docs` calls it. Pictures in the book are those that its own commands draw, and what follows a command is
//! what it printed: the pages cannot say what carom does not do.

mod examples;
mod fault;
mod law_pages;
mod links;
mod render;
mod sources;
mod stage;

use fault::Fault;
use std::path::PathBuf;
use std::process::ExitCode;

/// Where things are.
struct Places {
    /// The repository.
    root: PathBuf,
    /// The `carom` binary.
    carom: PathBuf,
    /// The folder with `mdbook` and `mdbook-katex`.
    tools: PathBuf,
    /// Where everything goes.
    out: PathBuf,
    /// Whether the picture of README.md may be replaced.
    rewrite: bool,
}

fn main() -> ExitCode {
    match places().and_then(|places| build(&places)) {
        Ok(counts) => {
            // In the words of test binaries, so that counts of tests include these.
            println!("test result: ok. {counts} passed; 0 failed");
            ExitCode::SUCCESS
        }
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}

fn build(places: &Places) -> Result<usize, Fault> {
    let pages = stage::pages(places)?;
    println!("{} pages, {} commands run", pages.count, pages.commands);
    let html = render::book(places)?;
    let links = links::check(&html)?;
    println!("{links} links lead somewhere; the book is in {}", html.display());
    Ok(pages.commands + pages.count)
}

fn places() -> Result<Places, Fault> {
    let mut arguments = std::env::args().skip(1);
    let (mut root, mut carom, mut tools, mut out) = (None, None, None, None);
    let mut rewrite = false;
    while let Some(name) = arguments.next() {
        let place = match name.as_str() {
            "--root" => &mut root,
            "--carom" => &mut carom,
            "--tools" => &mut tools,
            "--out" => &mut out,
            "--rewrite" => {
                rewrite = true;
                continue;
            }
            other => return Err(Fault::new(format!("there is no option `{other}`"))),
        };
        *place = arguments.next().map(PathBuf::from);
    }
    let absolute = |name: &str, path: Option<PathBuf>| {
        let path = path.ok_or_else(|| Fault::new(format!("{name} is missing")))?;
        std::path::absolute(&path).map_err(|error| Fault::at(&path, &error))
    };
    Ok(Places {
        root: absolute("--root", root)?,
        carom: absolute("--carom", carom)?,
        tools: absolute("--tools", tools)?,
        out: absolute("--out", out)?,
        rewrite,
    })
}
