//! Figures of Glocker: impacts without friction as geometry of velocities, measured by kinetic energy.

mod corner;
mod local;
mod plane;
mod rods;
mod several;
mod single;

use super::Plate;

const KEY: &str = "Glocker2004";

pub(super) const PLATES: &[Plate] = &[
    Plate {
        paper: KEY,
        id: "fig-2",
        erratum: "Kinetic and potential energy of rod 2 are said to vary with period 2 l_1 in ct. The period is l_2: after a time l_2/c a free rod shows the mirror image of its state (right panel). The rods' points are x ∈ [0, l_1 + l_2], printed [l_1 + l_2].",
        draw: rods::fig_2,
    },
    Plate {
        paper: KEY,
        id: "fig-5",
        erratum: "Eq. (38) prints u^+ = −u^−. That point (cross) cannot be reached unless u^− is parallel to ∇g; the elastic impact is the reflection u^+ = u^− − 2 ∇g γ^−/‖∇g‖², which inverts γ only, as Eq. (39) says.",
        draw: single::fig_5,
    },
    Plate { paper: KEY, id: "fig-6", erratum: "", draw: single::fig_6 },
    Plate {
        paper: KEY,
        id: "fig-8",
        erratum: "Section 5 lets dissipation levels lie linearly between ε = 0 and 1; Eq. (57) makes them T = T_I + ε² (T^− − T_I), T_I being the least energy: the circles drawn.",
        draw: several::fig_8,
    },
    Plate { paper: KEY, id: "fig-9", erratum: "", draw: corner::fig_9 },
    Plate {
        paper: KEY,
        id: "fig-10",
        erratum: "The text after Eq. (53) asks for u^− in −T so that the nearest point of T is compatible; it always is. Eq. (60) needs that condition, for ε > 0.",
        draw: several::fig_10,
    },
    Plate { paper: KEY, id: "fig-11", erratum: "", draw: several::fig_11 },
    Plate { paper: KEY, id: "fig-12", erratum: "", draw: local::fig_12 },
];
