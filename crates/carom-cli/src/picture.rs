//! Figures as files: vector graphics, pixels, numbers.

use crate::progress;
use carom_io::failure::Failure;
use carom_io::output::Target;
use carom_plot::{Figure, Theme};
#[cfg(feature = "png")]
use resvg::{tiny_skia, usvg};
#[cfg(feature = "png")]
use std::io;

/// Pixels per unit of the drawing.
#[cfg(feature = "png")]
const ZOOM: f32 = 2.0;

/// Writes a figure; the ending of the name says how: `.svg`, `.png`, or `.csv` for the numbers.
pub fn write(figure: &Figure, target: Target, theme: Theme) -> Result<(), Failure> {
    let path = target.path;
    let bytes = match path.extension().and_then(|end| end.to_str()) {
        Some("svg") => figure.svg(theme).into_bytes(),
        Some("csv") => figure.csv().into_bytes(),
        Some("png") => png(figure, theme)?,
        _ => {
            return Err(Failure::Usage(format!(
                "--out {}: the name must end in .svg, .png or .csv",
                path.display()
            )));
        }
    };
    let _whole = progress::writing();
    target.write(bytes)
}

#[cfg(not(feature = "png"))]
fn png(_figure: &Figure, _theme: Theme) -> Result<Vec<u8>, Failure> {
    Err(crate::commands::left_out("PNG"))
}

/// The figure in pixels. A page that follows the reader has none: it is drawn on white.
#[cfg(feature = "png")]
fn png(figure: &Figure, theme: Theme) -> Result<Vec<u8>, Failure> {
    let theme = if theme == Theme::Dark { Theme::Dark } else { Theme::Light };
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_system_fonts();
    if fonts.is_empty() {
        return Err(Failure::Usage(
            "a PNG needs a font for its words, and this machine has none: write an .svg, or install a font".to_owned(),
        ));
    }
    let failed =
        |error: String| Failure::Write { name: "PNG".to_owned(), error: io::Error::other(error) };
    let tree =
        usvg::Tree::from_str(&figure.svg(theme), &options).map_err(|e| failed(e.to_string()))?;
    let size =
        tree.size().to_int_size().scale_by(ZOOM).ok_or_else(|| failed("no size".to_owned()))?;
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height())
        .ok_or_else(|| failed("too large".to_owned()))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(ZOOM, ZOOM), &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| failed(e.to_string()))
}
