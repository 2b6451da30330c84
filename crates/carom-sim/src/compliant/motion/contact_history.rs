//! The history of one contact, phase by phase.

use crate::compliant::report::ContactReport;

/// The state and history of a contact.
#[derive(Clone, Debug)]
pub(super) struct ContactHistory {
    /// Now; negative where it is open \[m\].
    pub(super) depth: f64,
    /// Now [m/s].
    pub(super) velocity: [f64; 3],
    compressing: bool,
    /// Under load since it was last open.
    loaded: bool,
    /// Normal impulse and the work its normal force took, when this phase began.
    mark: [f64; 2],
    report: ContactReport,
}

impl ContactHistory {
    /// A contact that holds `stored` at the start.
    pub(super) fn new(depth: f64, velocity: [f64; 3], stored: f64) -> Self {
        Self {
            depth,
            velocity,
            compressing: velocity[0] <= 0.0,
            loaded: false,
            mark: [0.0, stored],
            report: ContactReport::default(),
        }
    }

    /// Whether a normal velocity belongs to another phase.
    pub(super) fn changes_phase(&self, velocity: f64) -> bool {
        if self.compressing { velocity > 0.0 } else { velocity < 0.0 }
    }

    /// Ends a phase. `taken` is what the normal force has taken so far: stored and damped.
    pub(super) fn end_phase(&mut self, impulse: f64, taken: f64) {
        let (p, work) = (impulse - self.mark[0], taken - self.mark[1]);
        if self.compressing {
            self.report.compression_impulse += p;
            self.report.compression_work += work;
        } else {
            self.report.expansion_impulse += p;
            self.report.expansion_work -= work;
        }
        self.mark = [impulse, taken];
        self.compressing = !self.compressing;
    }

    /// Comes to touch; nothing is stored.
    pub(super) fn close(&mut self, impulse: f64, damped: f64) {
        self.mark = [impulse, damped];
        self.compressing = true;
    }

    /// Parts; nothing is stored any more.
    pub(super) fn open(&mut self, impulse: f64, damped: f64) {
        self.end_phase(impulse, damped);
        self.loaded = false;
    }

    pub(super) fn reach(&mut self, depth: f64) {
        self.report.peak_penetration = self.report.peak_penetration.max(depth);
    }

    /// Updates peaks and closures at the end of a step.
    pub(super) fn update_peaks(&mut self, force: f64, touching: f64) {
        self.reach(self.depth);
        self.report.peak_force = self.report.peak_force.max(force);
        if !self.loaded && self.depth > touching {
            self.loaded = true;
            self.report.closures += 1;
        }
    }

    pub(super) fn report(&self, impulse: f64, damped: f64, friction: f64) -> ContactReport {
        let mut track = self.clone();
        // A phase that the end of the run cut off.
        if impulse > track.mark[0] {
            track.end_phase(impulse, damped);
        }
        ContactReport { damping_loss: damped, friction_loss: friction, ..track.report }
    }
}
