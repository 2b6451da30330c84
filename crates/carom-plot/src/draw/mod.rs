//! Drawing: panels, axes, marks, labels; it knows nothing of impacts.

mod figure;
mod layout;
mod mark;
mod marks;
mod panel;
mod place;
mod scale;
mod svg;
mod text;
mod theme;

pub(crate) use figure::quoted;
pub use figure::{Fact, Figure, Key};
pub use layout::{Layout, Word};
pub use mark::{Label, Mark, Series, Shape, Stroke};
pub use panel::{Axis, Panel};
pub use scale::Spread;
pub(crate) use text::{escape, html};
pub use theme::{Theme, Tone};
