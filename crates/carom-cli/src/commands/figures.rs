//! `carom figures`: the figures and tables of the papers, each with its numbers, and a page that shows them.

use super::{Exit, Refusal, print};
use crate::cli::Figures;
use crate::picture;
use crate::progress::{self, Display};
use carom::outcome::Progress;
use carom_io::failure::Failure;
use carom_io::output::{Target, create_folders, unwritable};
use carom_io::progress::ProgressSink;
use carom_plot::papers::{self, Drawn, PAPERS, Plate, Shown};
use std::path::Path;

pub fn run(args: &Figures) -> Result<Exit, Refusal> {
    let plates = chosen(args.paper.as_deref())?;
    let _working = progress::working();
    create_folders(&args.out).map_err(unwritable(&args.out))?;
    let shown = {
        let display = Display::of("figures");
        let mut shown = Vec::new();
        for (k, plate) in plates.iter().enumerate() {
            if progress::interrupted() {
                return Ok(Exit::Interrupted);
            }
            let (done, of) = (k as u64, Some(plates.len() as u64));
            display.update(Progress { what: "drawn", done, of });
            let drawn = (plate.draw)().map_err(carom_report::plot::failure)?;
            write(args, plate, &drawn)?;
            shown.push(Shown { plate, drawn });
        }
        shown
    };
    let page = papers::gallery(&shown, args.png);
    file(args, &args.out.join("index.html"), page)?;
    print(&format!(
        "{} figures and tables: {}\n",
        shown.len(),
        args.out.join("index.html").display()
    ))
}

/// The plates of one paper, or all.
fn chosen(paper: Option<&str>) -> Result<Vec<&'static Plate>, Failure> {
    let Some(name) = paper else {
        return Ok(papers::plates().collect());
    };
    match papers::find(name) {
        Some(paper) => Ok(paper.plates.iter().collect()),
        None => {
            let known: Vec<String> =
                PAPERS.iter().map(|p| format!("{} ({})", p.key, p.short)).collect();
            let known = known.join(", ");
            Err(Failure::Usage(format!("--paper {name}: unknown; there are {known}")))
        }
    }
}

/// The files of one plate.
fn write(args: &Figures, plate: &Plate, drawn: &Drawn) -> Result<(), Failure> {
    let path = |ending: &str| args.out.join(format!("{}{ending}", plate.stem()));
    match drawn {
        Drawn::Figure(figure) => {
            for ending in [".svg", ".csv"].into_iter().chain(args.png.then_some(".png")) {
                picture::write(figure, target(args, &path(ending)), args.theme.into())?;
            }
            file(args, &path("-facts.csv"), figure.facts_csv())
        }
        Drawn::Table(sheet) => file(args, &path(".csv"), sheet.csv()),
    }
}

fn file(args: &Figures, path: &Path, text: String) -> Result<(), Failure> {
    let _whole = progress::writing();
    target(args, path).write(text)
}

fn target<'a>(args: &Figures, path: &'a Path) -> Target<'a> {
    Target { path, inputs: &[], force: args.force }
}
