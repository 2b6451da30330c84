//! Figures of Chatterjee and Ruina: impulse space, and where laws end in it.
//!
//! The paper's drawings are schematic and state no numbers. Carom's have numbers: a local mass matrix
//! `M = [[2, −0.8], [−0.8, 1]]` kg (normal first) or its mirror image for the generic collision, a disk for the central
//! ones, and others for the special cases, each told in its caption. As in the paper the tangent points against the slip
//! before the impact, so that friction pushes to the right.

mod cases;
mod constructions;
mod pendulum;
mod permissible;
mod situation;
mod space;

use super::Plate;

const PAPER: &str = "ChatterjeeRuina1998";

pub(super) const PLATES: &[Plate] = &[
    Plate {
        paper: PAPER,
        id: "fig-1",
        erratum: "Section 3.1 has the diameters of the energy ellipsoids in inverse proportion to the roots of the \
                  eigenvalues of M. They are in direct proportion: (P − P_II)ᵀ M⁻¹ (P − P_II) = 2E has the semi-axes \
                  √(2Eλ). The text to Fig. 8 agrees.",
        draw: permissible::figure_1,
    },
    Plate { paper: PAPER, id: "fig-2", erratum: "", draw: space::figure_2 },
    Plate {
        paper: PAPER,
        id: "fig-3",
        erratum: "Whittaker's law is printed with V_f·n = −(1 + e) V_i·n. The right side is the change of the velocity; the \
                  velocity itself is −e V_i·n, as drawn here: with the printed line e = 0 would rebound elastically.",
        draw: constructions::figure_3,
    },
    Plate { paper: PAPER, id: "fig-4", erratum: "", draw: cases::figure_4 },
    Plate {
        paper: PAPER,
        id: "fig-5",
        erratum: "The paper has Whittaker's and Routh's laws agree for diagonal M. In space that needs more: the slip before \
                  the impact must lie along an eigenvector of the tangential block, or it curves.",
        draw: cases::figure_5,
    },
    Plate {
        paper: PAPER,
        id: "fig-6",
        erratum: "The paper has Routh's law alone rebound at grazing incidence, of the laws it discusses. The laws with two \
                  phases and Poisson's restitution (Anitescu and Potra, Pfeiffer and Glocker) rebound as well: here they \
                  end where Routh's law with Poisson's restitution does.",
        draw: cases::figure_6,
    },
    Plate { paper: PAPER, id: "fig-7", erratum: "", draw: cases::figure_7 },
    Plate {
        paper: PAPER,
        id: "fig-8",
        erratum: "The paper has Routh's law end at P_II only. With kinetic restitution the velocity dies, but the impulse is \
                  P_II for e = 0 only: its normal part is (1 + e) times that of P_II. With energetic restitution the energy \
                  does not die, and the impulse grows without bound with the root of the eigenvalue.",
        draw: pendulum::figure_8,
    },
    Plate { paper: PAPER, id: "fig-9", erratum: "", draw: permissible::figure_9 },
];
