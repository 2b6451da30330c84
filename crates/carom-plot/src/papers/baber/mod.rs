//! Figures of Baber, who corrects Mirtich: slip that turns during the impact.

mod phases;
mod rays;

use super::Plate;

const PAPER: &str = "Baber2011";

pub(super) const PLATES: &[Plate] = &[
    Plate {
        paper: PAPER,
        id: "fig-2",
        erratum: "The inertia of the example has principal moments 1.859, 0.178 and 0.056, which break the triangle inequality: \
                  no rigid body has them, although the tensor is positive definite. The matrix K itself belongs to some pair of \
                  bodies. Step 3(c) of the algorithm, W_d ≥ −e² W_c alone, would end the compression after one step where e = 0; \
                  u_z ≥ 0 must hold as well.",
        draw: phases::figure_2,
    },
    Plate { paper: PAPER, id: "fig-4", erratum: "", draw: rays::figure_4 },
];
