//! Colours: few, told apart by everybody, on paper and on a dark screen.
//!
//! The tones are those of Okabe and Ito, which people with any common colour vision distinguish; on dark ground the
//! dark ones are lighter. Where lines differ in meaning they differ in dashes too, so a grey print still says it.

use std::fmt::Write;

/// For which ground a figure is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Follows the reader's preference, by a style rule inside the file.
    #[default]
    Adaptive,
    /// Dark lines on white.
    Light,
    /// Light lines on near black.
    Dark,
}

/// The colour of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As text.
    Ink,
    /// Less than text: constructions, grids.
    Muted,
    /// Blue.
    Blue,
    /// Vermilion.
    Red,
    /// Bluish green.
    Green,
    /// Reddish purple.
    Purple,
    /// Orange.
    Amber,
    /// Sky blue.
    Sky,
}

impl Tone {
    /// Every tone.
    pub const ALL: [Self; 8] = [
        Self::Ink,
        Self::Muted,
        Self::Blue,
        Self::Red,
        Self::Green,
        Self::Purple,
        Self::Amber,
        Self::Sky,
    ];

    /// Tones for the members of a family, over and over.
    pub const fn of(member: usize) -> Self {
        const FAMILY: [Tone; 6] =
            [Tone::Blue, Tone::Red, Tone::Green, Tone::Purple, Tone::Amber, Tone::Sky];
        FAMILY[member % FAMILY.len()]
    }

    /// The tone's name in the file's style rules.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Ink => "ink",
            Self::Muted => "muted",
            Self::Blue => "blue",
            Self::Red => "red",
            Self::Green => "green",
            Self::Purple => "purple",
            Self::Amber => "amber",
            Self::Sky => "sky",
        }
    }

    const fn light(self) -> &'static str {
        match self {
            Self::Ink => "#1b1b1b",
            Self::Muted => "#767676",
            Self::Blue => "#0072b2",
            Self::Red => "#d55e00",
            Self::Green => "#009e73",
            Self::Purple => "#b3568b",
            Self::Amber => "#c98a00",
            Self::Sky => "#3d9cd2",
        }
    }

    const fn dark(self) -> &'static str {
        match self {
            Self::Ink => "#ececec",
            Self::Muted => "#9a9a9a",
            Self::Blue => "#4ba3dd",
            Self::Red => "#ff8a3d",
            Self::Green => "#2cc79b",
            Self::Purple => "#e29ac4",
            Self::Amber => "#f0b73a",
            Self::Sky => "#8ccbf2",
        }
    }
}

const LIGHT_GROUND: &str = "#ffffff";
const DARK_GROUND: &str = "#16181c";

/// What does not depend on the ground.
const SHAPES: &str = "\
text{font-family:'Inter','Helvetica Neue',Arial,'DejaVu Sans',sans-serif;font-size:12px}\
.title{font-size:15px;font-weight:600}.small{font-size:10.5px}\
.line{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}\
.thin{stroke-width:1}.leader{fill:none;stroke-width:0.8;stroke-opacity:0.7}.bold{stroke-width:2.4}\
.halo{paint-order:stroke;stroke-width:3.2px;stroke-linejoin:round}\
.grid{fill:none;stroke-width:0.6;stroke-opacity:0.35}.frame{fill:none;stroke-width:1}";

impl Theme {
    /// The style rules of a figure.
    pub(crate) fn style(self) -> String {
        let mut css = SHAPES.to_owned();
        match self {
            Self::Adaptive => {
                rules(&mut css, LIGHT_GROUND, Tone::light);
                css.push_str("@media(prefers-color-scheme:dark){");
                rules(&mut css, DARK_GROUND, Tone::dark);
                css.push('}');
            }
            Self::Light => rules(&mut css, LIGHT_GROUND, Tone::light),
            Self::Dark => rules(&mut css, DARK_GROUND, Tone::dark),
        }
        css
    }
}

fn rules(css: &mut String, ground: &str, colour: fn(Tone) -> &'static str) {
    let _ = write!(css, ".ground{{fill:{ground}}}.halo{{stroke:{ground}}}");
    for tone in Tone::ALL {
        let (class, colour) = (tone.class(), colour(tone));
        let _ = write!(css, ".{class}{{stroke:{colour}}}.fill-{class}{{fill:{colour}}}");
    }
}
