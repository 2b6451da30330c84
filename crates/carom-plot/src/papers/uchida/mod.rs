//! Figures and tables of Uchida, Sherman and Delp: PLUS, and the compliant contacts it stands for.

mod corner;
mod examples;
mod face;
mod intervals;
mod pendulum;
mod proximity;
mod restitution;
mod row;

use super::Plate;

const KEY: &str = "UchidaShermanDelp2015";

pub(super) const PLATES: &[Plate] = &[
    Plate {
        paper: KEY,
        id: "fig-2",
        erratum: "The caption of Table A1 calls e_{min} a minimum coefficient of friction; it is one of restitution. And e_{min} = 0 is no plastic contact: just above the capture speed it gives e = 0.9 (dashed).",
        draw: restitution::fig_2,
    },
    Plate { paper: KEY, id: "fig-3", erratum: "", draw: intervals::fig_3 },
    Plate { paper: KEY, id: "fig-4", erratum: "", draw: intervals::fig_4 },
    Plate {
        paper: KEY,
        id: "fig-5",
        erratum: "Eq. (2.14) is said to have one positive and one negative root. Both may be positive (slip that closes in on the origin) or both negative (slip that speeds up, and no limit at all); the smallest positive one is the step.",
        draw: intervals::fig_5,
    },
    Plate { paper: KEY, id: "fig-6", erratum: "", draw: proximity::fig_6 },
    Plate { paper: KEY, id: "fig-8", erratum: "", draw: corner::fig_8 },
    Plate { paper: KEY, id: "fig-9", erratum: "", draw: corner::fig_9 },
    Plate { paper: KEY, id: "fig-10", erratum: "", draw: corner::fig_10 },
    Plate {
        paper: KEY,
        id: "fig-12",
        erratum: "The paper lays the difference to the finite stiffness of the compliant contacts. It stays at 2 % of the impulse however stiff they are: four contacts that share a brick do not tend to PLUS.",
        draw: face::fig_12,
    },
    Plate { paper: KEY, id: "fig-13", erratum: "", draw: face::fig_13 },
    Plate {
        paper: KEY,
        id: "fig-14",
        erratum: "Row B approximates row A, but not in the limit: however stiff the balls, the fourth leaves row A at 0.254 m/s, an eighth of the speed of impact, and row B at rest.",
        draw: row::fig_14,
    },
    Plate { paper: KEY, id: "table-2", erratum: "", draw: row::table_2 },
    Plate {
        paper: KEY,
        id: "fig-15",
        erratum: "The paper lays the falling CPU time of its compliant runs to the shorter collision of stiffer contacts. A stiffer collision has the same shape in a shorter time, and an integration that controls its error takes as many steps through it: here the work does not fall. The paper leaves open how the angles of its figure are counted.",
        draw: pendulum::fig_15,
    },
];
