//! What moves: masses, forces and contacts as functions of the configuration.

/// How many numbers describe a mechanism.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// Coordinates `q` \[1\].
    pub coordinates: usize,
    /// Velocities `v` \[1\].
    pub velocities: usize,
    /// Rows of each contact, normal first: 1, 2 or 3 \[1\].
    pub contacts: Vec<usize>,
    /// Rows of all joints together \[1\].
    pub joints: usize,
}

impl Size {
    /// Rows of all contacts together \[1\].
    pub fn rows(&self) -> usize {
        self.contacts.iter().sum()
    }
}

/// Which entries of the mass matrix are not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MassShape {
    /// Only those of the diagonal: one number per velocity.
    Diagonal,
    /// All: the matrix row by row.
    Full,
}

/// The geometry of all contacts in one configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactGeometry {
    /// Distance of the surfaces, negative where they overlap, one per contact \[m\].
    pub gap: Vec<f64>,
    /// `J`: rows of velocities, contact by contact, normal first; a normal row is the rate of its gap.
    pub jacobian: Vec<f64>,
    /// What prescribed motion adds: `u = J v + drive`, one per row [m/s].
    pub drive: Vec<f64>,
}

/// Conditions `B v + drive = const` that joints enforce.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointGeometry {
    /// `B`, row by row.
    pub rows: Vec<f64>,
    /// `Ḃ v` and the rate of what is prescribed: the joint's own acceleration, one per row.
    pub bias: Vec<f64>,
}

/// A mechanism with contacts: `q̇ = N(q) v`, `M(q) v̇ = h(q, v) + Jᵀ f + Bᵀ λ`, `B v̇ + Ḃ v = 0`.
///
/// Implement it for a mechanism of your own, and [`run`](super::run) follows it through its collision. Lists that are lent
/// have the right length; what is not written into them keeps an arbitrary value.
pub trait Mechanism {
    /// How many numbers describe it; the same at all times.
    fn size(&self) -> Size;

    /// The shape of `M`.
    fn mass_shape(&self) -> MassShape;

    /// Where it starts: `q` and `v`.
    fn start(&self) -> (Vec<f64>, Vec<f64>);

    /// `q̇ = N(q) v`.
    fn rates(&self, q: &[f64], v: &[f64], rates: &mut [f64]);

    /// `M(q)`, positive definite, in the shape that was promised.
    fn mass(&self, q: &[f64], mass: &mut [f64]);

    /// `h(q, v)`: weight and what velocities cause, such as gyroscopic moments.
    fn force(&self, q: &[f64], v: &[f64], force: &mut [f64]);

    /// Gaps and Jacobians.
    fn contacts(&self, q: &[f64], geometry: &mut ContactGeometry);

    /// `∂gap/∂q`, row by row, one row per contact. Along any motion it agrees with the normal rows:
    /// `∂gap/∂q · N v = J_n v`, up to prescribed motion.
    fn gap_slope(&self, q: &[f64], slope: &mut [f64]);

    /// Joint rows and their bias. By default there are none.
    fn joints(&self, _q: &[f64], _v: &[f64], _geometry: &mut JointGeometry) {}

    /// Potential energy of the forces in `h` \[J\]. By default none of them has one.
    fn potential(&self, _q: &[f64]) -> f64 {
        0.0
    }

    /// Whether nothing but gaps depends on `q`, and `h` on neither `q` nor `v`: then no slopes are needed.
    fn is_frozen(&self) -> bool {
        false
    }

    /// How large rates are, one per coordinate, where velocities are of the size `v`.
    fn rate_scale(&self, v: &[f64], scale: &mut [f64]);
}
