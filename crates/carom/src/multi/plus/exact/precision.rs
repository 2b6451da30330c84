//! How closely a flow is followed.

/// What counts as nothing where slip turns and stops, relative to the largest speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::multi::plus) struct Precision {
    /// The error that one step may make in velocities, and in impulses relative to what stops that speed \[1\].
    pub(super) step: f64,
    /// Slip below this has stopped; on the way there steps are held to a part of what is left of it \[1\].
    pub(super) stopped: f64,
    /// Slip below this is none where a stretch begins: what the integration leaves of slip that has stopped is less
    /// \[1\].
    pub(super) still: f64,
    /// How far slip that is taken to go straight may end beside where its direction, which turns, would have led it \[1\].
    pub(super) beside: f64,
}

impl Precision {
    /// As close as rounding allows.
    pub(in crate::multi::plus) const EXACT: Self =
        Self { step: 1e-14, stopped: 1e-12, still: 1e-11, beside: 0.0 };

    /// Far closer than intervals of finite length, at a third of the work.
    pub(in crate::multi::plus) const AMPLE: Self =
        Self { step: 1e-9, stopped: 3e-11, still: 1e-10, beside: 1e-10 };
}
