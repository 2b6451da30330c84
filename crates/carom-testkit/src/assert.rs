//! Comparison of numbers and vectors relative to a stated scale.

/// The Euclidean distance of two vectors of equal length.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "vectors of different length are not comparable");
    a.iter().zip(b).fold(0.0, |norm: f64, (x, y)| norm.hypot(x - y))
}

/// The Euclidean length.
pub fn norm(a: &[f64]) -> f64 {
    a.iter().fold(0.0, |norm: f64, x| norm.hypot(*x))
}

/// Asserts `‖actual − expected‖ ≤ tolerance · scale` for slices or single numbers; without a scale it is
/// `‖expected‖`. A NaN anywhere fails. Further arguments are a message.
#[macro_export]
macro_rules! assert_close {
    ($actual:expr, $expected:expr, tol = $tolerance:expr, scale = $scale:expr $(, $($message:tt)+)?) => {{
        let (actual, expected) = (&$actual, &$expected);
        let (a, b) = ($crate::assert::AsNumbers::numbers(actual), $crate::assert::AsNumbers::numbers(expected));
        let (distance, tolerance, scale) = ($crate::assert::distance(a, b), $tolerance, $scale);
        let within = distance <= tolerance * scale;
        assert!(
            within,
            "{actual:?} is not {expected:?}: distance {distance:e}, allowed {tolerance:e} of {scale:e}{}",
            { #[allow(unused_mut, unused_assignments)] let mut message = String::new(); $(message = format!("; {}", format!($($message)+));)? message }
        );
    }};
    ($actual:expr, $expected:expr, tol = $tolerance:expr $(, $($message:tt)+)?) => {
        $crate::assert_close!(
            $actual,
            $expected,
            tol = $tolerance,
            scale = $crate::assert::norm($crate::assert::AsNumbers::numbers(&$expected))
            $(, $($message)+)?
        )
    };
}

/// One number or several, as a slice.
pub trait AsNumbers {
    /// The numbers.
    fn numbers(&self) -> &[f64];
}

impl AsNumbers for f64 {
    fn numbers(&self) -> &[f64] {
        std::slice::from_ref(self)
    }
}

impl AsNumbers for [f64] {
    fn numbers(&self) -> &[f64] {
        self
    }
}

impl<const N: usize> AsNumbers for [f64; N] {
    fn numbers(&self) -> &[f64] {
        self
    }
}

impl<const D: usize> AsNumbers for carom::ContactVec<D> {
    fn numbers(&self) -> &[f64] {
        self.as_slice()
    }
}

impl<T: AsNumbers + ?Sized> AsNumbers for &T {
    fn numbers(&self) -> &[f64] {
        (**self).numbers()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn accepts_what_is_close() {
        assert_close!(1.0 + 1e-15, 1.0, tol = 1e-14);
        assert_close!([3.0, 4.0], [3.0, 4.0 + 4e-9], tol = 1e-9, "vectors {}", 1);
    }

    #[test]
    #[should_panic(expected = "is not 1.0")]
    fn refuses_nan() {
        assert_close!(f64::NAN, 1.0, tol = 1.0);
    }

    #[test]
    #[should_panic(expected = "allowed")]
    fn refuses_what_is_off() {
        assert_close!(1.0 + 1e-13, 1.0, tol = 1e-14);
    }
}
