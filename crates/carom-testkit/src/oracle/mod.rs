//! Slow answers to check fast ones by. None of them calls a law of carom: each is written from the equations.
//!
//! | oracle | what it is | accuracy |
//! |---|---|---|
//! | [`double_double`] | Taylor series in slip time with 32 digits | far below `f64` |
//! | [`quadrature`] | integrals over the direction of sliding, from ray to ray | about 1e-13 |
//! | [`dop853`] | Dormand and Prince's eighth-order Runge–Kutta method in slip time | as asked |
//! | [`euler`] | Euler's method as the corrected-Mirtich paper prints it | first order |
//! | [`brute`] | sampling, multistart and bisection for the algebraic laws | about 1e-12 |
//! | [`lcp`] | linear complementarity by trying every support | about 1e-10 |
//! | [`smoothed`] | springs with smoothed friction at any number of contacts, extrapolated to none | about 1e-8 |

pub mod brute;
pub mod dop853;
pub mod double_double;
pub mod euler;
pub mod lcp;
pub mod quadrature;
pub mod rays;
pub mod smoothed;

use carom::Contact;

/// When an incremental law lets the bodies part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The restitution impulse is `e` times the compression impulse.
    Poisson,
    /// The restitution work is `e²` times the compression work.
    Stronge,
    /// The normal velocity is `−e` times that before.
    Newton,
}

impl Stop {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Poisson, Self::Stronge, Self::Newton];

    /// The id of the law in the catalogue.
    pub const fn law_id(self) -> &'static str {
        match self {
            Self::Poisson => "routh-poisson",
            Self::Stronge => "routh-stronge",
            Self::Newton => "routh-newton",
        }
    }
}

/// A contact with friction, its matrix split into normal and tangents: `W = [k, cᵀ; c, T]`.
#[derive(Clone, Copy, Debug)]
pub struct Split {
    /// `W_nn` [1/kg].
    pub k: f64,
    /// Coupling of normal and tangents [1/kg].
    pub c: [f64; 2],
    /// `[T_11, T_12, T_22]` [1/kg].
    pub t: [f64; 3],
    /// Normal velocity before the impact [m/s].
    pub un: f64,
    /// Tangential velocity before the impact [m/s].
    pub ut: [f64; 2],
    /// Friction \[1\].
    pub mu: f64,
    /// Restitution \[1\].
    pub e: f64,
}

impl From<&Contact<3>> for Split {
    fn from(contact: &Contact<3>) -> Self {
        let w = contact.delassus().rows();
        let [un, ux, uy] = contact.velocity().components();
        Self {
            k: w[0][0],
            c: [w[0][1], w[0][2]],
            t: [w[1][1], w[1][2], w[2][2]],
            un,
            ut: [ux, uy],
            mu: contact.material().mu,
            e: contact.e(),
        }
    }
}

/// What an oracle answers for Routh's law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// The impulse, normal first [N·s].
    pub impulse: [f64; 3],
    /// How many times the contact compressed \[1\].
    pub compressions: u32,
    /// Normal work while compressing, at most zero \[J\].
    pub compression_work: f64,
    /// Normal work while expanding \[J\].
    pub restitution_work: f64,
    /// Steps, panels or evaluations of the right-hand side, whichever the method counts \[1\].
    pub cost: u64,
}

impl Split {
    /// Solves the contact in units in which its matrix and velocity are of size one, where no power of theirs leaves
    /// the range of numbers. The units are powers of two: they change no digit.
    fn in_own_units(&self, solve: impl FnOnce(&Self) -> Path) -> Path {
        let power_of_two = |x: f64| {
            if x == 0.0 { 1.0 } else { x.log2().floor().exp2() }
        };
        let mass = power_of_two(self.k.max(self.t[0]).max(self.t[2]));
        let speed = power_of_two(self.ut[0].hypot(self.ut[1]).max(self.un.abs()));
        let path = solve(&Self {
            k: self.k / mass,
            c: self.c.map(|x| x / mass),
            t: self.t.map(|x| x / mass),
            un: self.un / speed,
            ut: self.ut.map(|x| x / speed),
            ..*self
        });
        let (impulse, energy) = (speed / mass, speed * (speed / mass));
        Path {
            impulse: path.impulse.map(|x| x * impulse),
            compression_work: path.compression_work * energy,
            restitution_work: path.restitution_work * energy,
            ..path
        }
    }
}
