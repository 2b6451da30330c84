//! The law's row in the catalogue and its settings as data.

use crate::laws::info::{Claims, LawInfo, ReadsE, with_settings};
use crate::laws::normal::lzb::Gaps;
use crate::settings::law_settings;

law_settings! {
    /// Springs with friction, infinitely hard.
    pub struct StiffLimit {
        /// The power of the indentation in the force: 1 linear, 1.5 Hertz \[1\].
        exponent: f64 = 1.5, "power of the indentation in the force: 1 linear, 1.5 Hertz", in [1.0, 3.0];
        /// Whether contacts remember gaps.
        gaps: Gaps = Gaps::Remember,
            "whether a contact that opened must close its gap before it presses again";
        /// Hunt and Crossley's damping, in place of `e` [s/m].
        hunt_crossley: Option<f64> = None,
            "damping of the force by its speed, in place of e, s/m", in [0.0, f64::MAX];
        /// The error of velocities that is aimed at, relative to the largest speed \[1\].
        accuracy: f64 = 1e-9,
            "error of velocities that is aimed at, relative to the largest speed", in [1e-12, 1e-3];
        /// The work after which what is left of an impact with friction is followed by coarse steps, in steps of twelve contacts \[1\].
        budget: f64 = 500.0,
            "work after which coarse steps follow, in steps of twelve contacts; fewer contacts cost less", in [0.0, f64::INFINITY];
    }
}

pub(crate) static INFO: LawInfo = LawInfo {
    id: "stiff-limit",
    name: "Limit of stiff contacts",
    year: 2026,
    summary: "what springs with friction tend to as they harden; energetic e, recommended with friction",
    references: &["LiuZhaoBrogliato2008", "Routh1897", "Stronge1990", "HuntCrossley1975"],
    reads_e: ReadsE::Energetic,
    settings: StiffLimit::declared,
    follows_springs: true,
    claims: Claims {
        cradle: false,
        terminates: false,
        continuous: false,
        total: false,
        ..Claims::ALL
    },
    ..LawInfo::SEVERAL_CONTACTS
};

with_settings!(StiffLimit);
