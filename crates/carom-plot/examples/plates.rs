//! Writes the figures of the papers as SVG into a directory, and says which of their words collide or are cut:
//! `cargo run -p carom-plot --example plates -- DIR [PART OF A NAME …]`.

use carom_plot::Theme;
use carom_plot::papers::{Drawn, plates};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (directory, wanted) = arguments.split_first().ok_or("which directory?")?;
    for plate in plates() {
        let stem = plate.stem();
        if !wanted.is_empty() && !wanted.iter().any(|part| stem.contains(part.as_str())) {
            continue;
        }
        if let Drawn::Figure(figure) = (plate.draw)()? {
            let write = |end: &str, text: String| {
                std::fs::write(Path::new(directory).join(format!("{stem}{end}")), text)
            };
            write(".svg", figure.svg(Theme::Light))?;
            write("-dark.svg", figure.svg(Theme::Dark))?;
            write("-facts.csv", figure.facts_csv())?;
            let layout = figure.layout();
            println!("{stem}: {:?} {:?}", layout.collisions(), layout.cut());
        }
    }
    Ok(())
}
