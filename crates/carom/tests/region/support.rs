//! Random contacts and checks shared by the tests of the permissible region.

use carom::certify::PermissibleRegion;
use carom::{Contact, ContactVec, Delassus, Material, Tolerances};

/// A margin at the boundary, relative to the size of its terms.
pub const ON_BOUNDARY: f64 = 1e-12;

/// SplitMix64, its seed being the test's own.
pub struct Random(pub u64);

impl Random {
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    pub fn vector<const D: usize>(&mut self) -> ContactVec<D> {
        ContactVec::new(std::array::from_fn(|_| self.between(-1.0, 1.0)))
    }

    pub fn direction<const D: usize>(&mut self) -> ContactVec<D> {
        loop {
            let v = self.vector::<D>();
            if (0.01..=1.0).contains(&v.norm()) {
                return v * (1.0 / v.norm());
            }
        }
    }

    /// `W = AᵀA` with rows of log-uniform size, so that conditions up to about 1e10 occur.
    pub fn contact<const D: usize>(&mut self) -> Contact<D> {
        let a: [ContactVec<D>; D] = std::array::from_fn(|_| {
            let size = libm::pow(10.0, self.between(-2.5, 2.5));
            self.vector::<D>() * size
        });
        let w = std::array::from_fn(|i| {
            std::array::from_fn(|j| a.iter().map(|row| row[i] * row[j]).sum())
        });
        let mu = match (self.uniform() * 6.0) as u32 {
            0 => f64::INFINITY,
            1 => libm::pow(10.0, self.between(-3.0, 1.0)),
            _ => self.between(0.05, 1.5),
        };
        let mut u = self.vector::<D>().components();
        u[0] = -libm::pow(10.0, self.between(-4.0, 0.0));
        contact(w, u, mu)
    }
}

pub fn contact<const D: usize>(w: [[f64; D]; D], u: [f64; D], mu: f64) -> Contact<D> {
    let material = Material::new(mu, 0.5).unwrap();
    Contact::new(Delassus::new(w).unwrap(), ContactVec::new(u), material).unwrap()
}

pub fn region<const D: usize>(contact: &Contact<D>) -> PermissibleRegion<D> {
    PermissibleRegion::new(contact, &Tolerances::default()).unwrap()
}

pub fn assert_inside<const D: usize>(region: &PermissibleRegion<D>, p: &ContactVec<D>) {
    for (inequality, margin) in region.margins(p).each() {
        assert!(
            margin.value >= -ON_BOUNDARY * margin.scale,
            "{inequality:?} {margin:?} at {p:?} of {:?}",
            region.contact()
        );
    }
}
