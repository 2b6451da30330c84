//! Figures and tables of Mosterman: masses in a row, the first one arriving.

mod jumps;
mod laws;
mod sets;
mod springs;

use super::Plate;
use crate::{Stroke, Tone};

const KEY: &str = "Mosterman2003";

/// How the curve of each mass is drawn.
const MASSES: [(&str, Tone, Stroke); 4] = [
    ("v_1", Tone::Blue, Stroke::Solid),
    ("v_2", Tone::Red, Stroke::Dashed),
    ("v_3", Tone::Green, Stroke::Dotted),
    ("v_4", Tone::Purple, Stroke::DashDot),
];

pub(super) const PLATES: &[Plate] = &[
    Plate {
        paper: KEY,
        id: "table-1",
        erratum: "The printed values are those of explicit Euler steps of 0.005 s, whose error acts like a negative damper of 0.05 N·s/m: rows with R = 0.05 were printed as if undamped. In row 2 the printed v_1 = −0.48997 breaks the balance of momentum, which demands −0.48667. The columns v_1 to v_3 are the model's own motion.",
        draw: springs::table_1,
    },
    Plate {
        paper: KEY,
        id: "table-2",
        erratum: "Eqs. (27)–(29) print ≤ where the table needs <: with ≤ the first step would begin with {1,2,3}. Eq. (22) is said to follow from Eq. (24) for equal masses; it does not (3/7 instead of 2/7 in step 1), and the table uses Eq. (24).",
        draw: sets::table_2,
    },
    Plate { paper: KEY, id: "table-3", erratum: "", draw: sets::table_3 },
    Plate { paper: KEY, id: "fig-3", erratum: "", draw: laws::newton },
    Plate {
        paper: KEY,
        id: "fig-4",
        erratum: "Eq. (17) alone has up to four solutions; with Λ_E ≥ ε Λ_C and ġ_E ≥ 0 added it has the one drawn.",
        draw: laws::poisson,
    },
    Plate { paper: KEY, id: "fig-5", erratum: "", draw: springs::fig_5 },
    Plate {
        paper: KEY,
        id: "fig-6",
        erratum: "The paper calls the rule uniformly convergent and smooth: its curves are continuous and have kinks. A vanishing ε_{23} loses nothing (panels c and d): ε of a contact that is struck second is a coupling, not a measure of dissipation.",
        draw: laws::mosterman,
    },
    Plate { paper: KEY, id: "fig-8", erratum: "", draw: laws::four_bodies },
    Plate {
        paper: KEY,
        id: "fig-9",
        erratum: "The text gives the masses as m_1 = 1, m_2 = 0.1, m_2 = 1, m_3 = 1; Table 3 shows that the last two are m_3 and m_4.",
        draw: jumps::fig_9,
    },
];
