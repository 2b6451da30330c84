//! A vector of contact space.

use std::ops::{Add, AddAssign, Index, Mul, Neg, Sub};

/// A velocity [m/s] or impulse [N·s] at a contact: `[n]`, `[n, t]` or `[n, t1, t2]`, normal first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactVec<const D: usize>([f64; D]);

impl<const D: usize> ContactVec<D> {
    /// The zero vector.
    pub const ZERO: Self = Self([0.0; D]);

    /// A vector from its components, normal first.
    pub const fn new(components: [f64; D]) -> Self {
        Self(components)
    }

    /// A vector from its normal component and its two tangential ones; those that `D` does not have are dropped.
    pub fn from_parts(normal: f64, tangent: [f64; 2]) -> Self {
        Self(std::array::from_fn(|i| if i == 0 { normal } else { tangent[i - 1] }))
    }

    /// A vector from a slice of exactly `D` numbers.
    pub fn from_slice(components: &[f64]) -> Option<Self> {
        components.try_into().ok().map(Self)
    }

    /// The components, normal first.
    pub const fn components(&self) -> [f64; D] {
        self.0
    }

    /// The components as a slice, normal first.
    pub const fn as_slice(&self) -> &[f64] {
        &self.0
    }

    /// The normal component.
    pub const fn normal(&self) -> f64 {
        self.0[0]
    }

    /// The tangential components; those that `D` does not have are zero.
    pub fn tangent(&self) -> [f64; 2] {
        std::array::from_fn(|i| self.0.get(i + 1).copied().unwrap_or(0.0))
    }

    /// The length of the tangential part.
    pub fn tangent_norm(&self) -> f64 {
        let [x, y] = self.tangent();
        libm::hypot(x, y)
    }

    /// The three components, those that `D` does not have being zero.
    pub fn padded(&self) -> [f64; 3] {
        let [x, y] = self.tangent();
        [self.normal(), x, y]
    }

    /// The scalar product.
    pub fn dot(&self, other: &Self) -> f64 {
        self.0.iter().zip(other.0).map(|(a, b)| a * b).sum()
    }

    /// The Euclidean length.
    pub fn norm(&self) -> f64 {
        libm::hypot(self.normal(), self.tangent_norm())
    }

    /// The largest absolute component.
    pub fn max_abs(&self) -> f64 {
        self.0.iter().fold(0.0, |m, x| f64::max(m, x.abs()))
    }

    /// Whether every component is finite.
    pub fn is_finite(&self) -> bool {
        self.0.iter().all(|x| x.is_finite())
    }
}

impl<const D: usize> Index<usize> for ContactVec<D> {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        &self.0[i]
    }
}

impl<const D: usize> Add for ContactVec<D> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl<const D: usize> AddAssign for ContactVec<D> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<const D: usize> Sub for ContactVec<D> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }
}

impl<const D: usize> Neg for ContactVec<D> {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl<const D: usize> Mul<f64> for ContactVec<D> {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self(self.0.map(|x| x * factor))
    }
}
