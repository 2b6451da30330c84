//! Random contacts and checks shared by the tests of the permissible region.

use carom::certify::PermissibleRegion;
use carom::{Contact, ContactVec, Delassus, Material, Tolerances};
use carom_testkit::Rng;
use carom_testkit::generate::condition;

/// A margin at the boundary, relative to the size of its terms.
pub const ON_BOUNDARY: f64 = 1e-12;

/// Random contacts, one seed per test.
pub struct Random(Rng);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Rng::new(seed))
    }

    pub fn uniform(&mut self) -> f64 {
        self.0.unit()
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0.uniform(low, high)
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
            let size = self.0.log_uniform(3e-3, 3e2);
            self.vector::<D>() * size
        });
        let w = std::array::from_fn(|i| {
            std::array::from_fn(|j| a.iter().map(|row| row[i] * row[j]).sum())
        });
        let mu = match (self.uniform() * 6.0) as u32 {
            0 => f64::INFINITY,
            1 => self.0.log_uniform(1e-3, 10.0),
            _ => self.between(0.05, 1.5),
        };
        let mut u = self.vector::<D>().components();
        u[0] = -self.0.log_uniform(1e-4, 1.0);
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
    assert_inside_within(ON_BOUNDARY, region, p);
}

/// What a corner of the boundary may be off by: it is an intersection, and loses digits as `W` is badly conditioned.
pub fn at_corners<const D: usize>(region: &PermissibleRegion<D>) -> f64 {
    ON_BOUNDARY.max(8.0 * f64::EPSILON * condition(region.contact().delassus()))
}

pub fn assert_inside_within<const D: usize>(
    tolerance: f64,
    region: &PermissibleRegion<D>,
    p: &ContactVec<D>,
) {
    for (inequality, margin) in region.margins(p).each() {
        assert!(
            margin.value >= -tolerance * margin.scale,
            "{inequality:?} {margin:?} at {p:?} of {:?}",
            region.contact()
        );
    }
}
