//! What a compliant collision was like.

/// The end of a compliant collision and what happened on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct CompliantOutcome {
    /// Coordinates at the end, as the mechanism counts them.
    pub coordinates: Vec<f64>,
    /// Velocities at the end, as the mechanism counts them.
    pub velocity: Vec<f64>,
    /// Impulses, contact by contact, normal first [N·s].
    pub impulse: Vec<f64>,
    /// Contact velocities at the end, in the same order [m/s].
    pub contact_velocity: Vec<f64>,
    /// From the start to the first touch; 0 where contacts touch at the start \[s\].
    pub first_touch: f64,
    /// Coordinates and velocities at that instant.
    pub at_touch: (Vec<f64>, Vec<f64>),
    /// From the first touch to the last separation \[s\].
    pub duration: f64,
    /// One per contact.
    pub contacts: Vec<ContactReport>,
    /// Where the energy went.
    pub energy: EnergyBalance,
    /// How much work it was.
    pub effort: Effort,
    /// The motion step by step, if recorded.
    pub history: Vec<Moment>,
}

/// What one contact went through.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactReport {
    /// The deepest penetration \[m\].
    pub peak_penetration: f64,
    /// The largest normal force at an instant that was looked at \[N\].
    pub peak_force: f64,
    /// How often it came under load \[1\].
    pub closures: u32,
    /// Normal impulse while it was compressed [N·s].
    pub compression_impulse: f64,
    /// Normal impulse while it expanded [N·s].
    pub expansion_impulse: f64,
    /// Work that the normal force took while it was compressed \[J\].
    pub compression_work: f64,
    /// Work that the normal force gave back while it expanded \[J\].
    pub expansion_work: f64,
    /// Energy that its damper took \[J\].
    pub damping_loss: f64,
    /// Energy that its friction took \[J\].
    pub friction_loss: f64,
}

impl ContactReport {
    /// How often it closed again after it had opened \[1\].
    pub fn reclosures(&self) -> u32 {
        self.closures.saturating_sub(1)
    }

    /// Poisson's restitution, the ratio of the impulses of expansion and compression; absent where it was never
    /// compressed \[1\].
    pub fn kinetic_restitution(&self) -> Option<f64> {
        let compressed = self.compression_impulse > 0.0;
        compressed.then(|| self.expansion_impulse / self.compression_impulse)
    }

    /// Stronge's restitution, the root of the ratio of the works; absent where it was never compressed \[1\].
    pub fn energetic_restitution(&self) -> Option<f64> {
        let compressed = self.compression_work > 0.0;
        compressed.then(|| f64::sqrt((self.expansion_work / self.compression_work).max(0.0)))
    }
}

/// Where the energy went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyBalance {
    /// Kinetic energy at the start \[J\].
    pub kinetic_start: f64,
    /// Kinetic energy at the end \[J\].
    pub kinetic_end: f64,
    /// What weight gave on the way \[J\].
    pub weight_work: f64,
    /// What prescribed motion gave \[J\].
    pub supplied: f64,
    /// What springs held at the start, where bodies overlapped \[J\].
    pub stored_start: f64,
    /// What springs still hold at the end \[J\].
    pub stored: f64,
    /// What dampers took \[J\].
    pub damping_loss: f64,
    /// What friction took \[J\].
    pub friction_loss: f64,
    /// The largest kinetic energy of the run, the scale of the others \[J\].
    pub scale: f64,
}

impl EnergyBalance {
    /// What is missing in the balance \[J\]. Every term is integrated for itself, so this measures the integration.
    pub fn residual(&self) -> f64 {
        let gained = self.kinetic_end - self.kinetic_start - self.weight_work - self.supplied;
        gained + self.stored - self.stored_start + self.damping_loss + self.friction_loss
    }

    /// The residual relative to the largest kinetic energy \[1\].
    pub fn relative_residual(&self) -> f64 {
        let residual = self.residual().abs();
        if residual == 0.0 { 0.0 } else { residual / self.scale }
    }
}

/// How much work a run was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Steps of order 8, without those repeated \[1\].
    pub explicit_steps: u64,
    /// Steps of the method for stiff friction, without those repeated \[1\].
    pub implicit_steps: u64,
    /// Steps repeated with another length \[1\].
    pub rejected: u64,
    /// Contacts that touched, parted, or fell slack \[1\].
    pub events: u64,
    /// Evaluations of the equations of motion \[1\].
    pub evaluations: u64,
}

/// One instant of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// Since the start \[s\].
    pub time: f64,
    /// Kinetic energy \[J\].
    pub kinetic: f64,
    /// One per contact.
    pub contacts: Vec<ContactMoment>,
}

/// One contact at one instant; absent tangents are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactMoment {
    /// Negative where it is open \[m\].
    pub penetration: f64,
    /// Normal first [m/s].
    pub velocity: [f64; 3],
    /// On body B, normal first \[N\].
    pub force: [f64; 3],
    /// Since the start, normal first [N·s].
    pub impulse: [f64; 3],
}
