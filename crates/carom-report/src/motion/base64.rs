//! Arrays of numbers as text that a page reads at once.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes in base 64.
pub(super) fn encoded(bytes: impl IntoIterator<Item = u8>) -> String {
    let bytes: Vec<u8> = bytes.into_iter().collect();
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |k: usize| u32::from(three.get(k).copied().unwrap_or(0));
        let number = byte(0) << 16 | byte(1) << 8 | byte(2);
        for k in 0..4 {
            let letter = LETTERS[(number >> (18 - 6 * k) & 63) as usize];
            text.push(if k <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

/// Numbers of eight bytes, the lowest first.
pub(super) fn doubles(numbers: impl IntoIterator<Item = f64>) -> String {
    encoded(numbers.into_iter().flat_map(f64::to_le_bytes))
}

/// Numbers of four bytes, the lowest first.
pub(super) fn floats(numbers: impl IntoIterator<Item = f64>) -> String {
    encoded(numbers.into_iter().flat_map(|x| (x as f32).to_le_bytes()))
}

/// Whole numbers of four bytes, the lowest first.
pub(super) fn counts(numbers: impl IntoIterator<Item = u32>) -> String {
    encoded(numbers.into_iter().flat_map(u32::to_le_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_everybody_writes_it() {
        // The test vectors of RFC 4648.
        for (plain, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encoded(plain.bytes()), text);
        }
        assert_eq!(doubles([1.0]), "AAAAAAAA8D8=");
        assert_eq!(floats([1.0]), "AACAPw==");
        assert_eq!(counts([1]), "AQAAAA==");
    }
}
