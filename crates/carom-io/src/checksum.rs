//! FNV-1a with 64 bits: tells bytes apart that chance has changed, the same on every machine. No protection against intent.

/// A checksum of bytes that go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    /// Of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut checksum = Self::default();
        checksum.update(bytes);
        checksum
    }

    /// More bytes. Every change of one of them changes the sum: both operations can be undone.
    pub fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// As a number.
    pub fn value(self) -> u64 {
        self.0
    }

    /// As 16 hexadecimal digits.
    pub fn digits(self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vectors of Fowler, Noll and Vo.
    #[test]
    fn known_sums() {
        assert_eq!(Checksum::of(b"").value(), 0xcbf2_9ce4_8422_2325);
        assert_eq!(Checksum::of(b"a").value(), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(Checksum::of(b"foobar").digits(), "85944171f73967e8");
    }
}
