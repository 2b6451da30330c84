//! How carom recognises files that it wrote: by a mark with a checksum of everything in front of it.
//!
//! | file | mark |
//! |---|---|
//! | SVG, HTML | a last line `<!-- carom 0123456789abcdef -->` |
//! | PNG | a last chunk `tEXt`, `Software: carom 0123456789abcdef` |
//! | Parquet | `carom.checksum` in its metadata, a checksum of the whole file with zeros in the place of its own digits |
//! | glTF (`.glb`) | the same in its JSON |
//!
//! The digits are FNV-1a of the bytes. A file that was changed since has another checksum and is no longer carom's. CSV has
//! no place for a mark.

use super::disk::Unfinished;
use crate::checksum::Checksum;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// The key of a Parquet file's checksum.
pub const CHECKSUM_KEY: &str = "carom.checksum";
/// What stands there until the file is sealed.
pub const CHECKSUM_BLANK: &str = "fnv1a64:0000000000000000";

const DIGITS: usize = 16;
const COMMENT: &[u8] = b"<!-- carom ";
const CHUNK: &[u8] = b"tEXtSoftware\0carom ";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The chunk that ends a PNG: no bytes, its name, its check.
const PNG_END: &[u8] = b"\0\0\0\0IEND\xae\x42\x60\x82";
const PARQUET: &[u8] = b"PAR1";
const GLTF: &[u8] = b"glTF";
/// A header, then the length and type of the chunk of JSON \[bytes\].
const GLTF_HEADER: u64 = 20;

/// What a mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The bytes are those that carom wrote.
    Whole,
    /// carom wrote it, and it was changed since.
    Changed,
    /// There is none.
    Absent,
}

/// The same bytes with a mark, if there is a place for it.
pub fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    let begins = |words: &[u8]| {
        bytes.get(..words.len()).is_some_and(|start| start.eq_ignore_ascii_case(words))
    };
    if begins(PNG) && bytes.ends_with(PNG_END) {
        bytes.truncate(bytes.len() - PNG_END.len());
        let chunk = chunk(Checksum::of(&bytes));
        bytes.extend(chunk);
    } else if begins(b"<svg") || begins(b"<?xml") || begins(b"<!doctype html") {
        if !bytes.ends_with(b"\n") {
            bytes.push(b'\n');
        }
        let comment = comment(Checksum::of(&bytes));
        bytes.extend(comment);
    } else if begins(GLTF)
        && let Some(digits) = gltf_digits(&bytes)
    {
        let sum = Checksum::of(&bytes).digits();
        bytes[digits..digits + DIGITS].copy_from_slice(sum.as_bytes());
    }
    bytes
}

/// Where the digits of the checksum stand in the JSON of a glTF file: quotation marks in its texts have a stroke before
/// them.
fn gltf_digits(bytes: &[u8]) -> Option<usize> {
    let (kind, _) = CHECKSUM_BLANK.split_at(CHECKSUM_BLANK.len() - DIGITS);
    let pattern = format!("\"{CHECKSUM_KEY}\":\"{kind}");
    let at = find(bytes, pattern.as_bytes())? + pattern.len();
    (at + DIGITS <= bytes.len()).then_some(at)
}

/// The last line of an SVG or HTML file.
fn comment(sum: Checksum) -> Vec<u8> {
    [COMMENT, sum.digits().as_bytes(), b" -->\n"].concat()
}

/// The last chunks of a PNG.
fn chunk(sum: Checksum) -> Vec<u8> {
    let chunk = [CHUNK, sum.digits().as_bytes()].concat();
    // The length counts neither itself nor the name.
    let length = (chunk.len() as u32 - 4).to_be_bytes();
    [&length[..], &chunk, &crc(&chunk).to_be_bytes(), PNG_END].concat()
}

/// What the mark of a file says.
pub fn mark_of(path: &Path) -> io::Result<Mark> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    // Longer than any mark but that of Parquet.
    const TAIL: u64 = 96;
    let start = length.saturating_sub(TAIL);
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.by_ref().take(TAIL).read_to_end(&mut tail)?;
    if tail.ends_with(PARQUET) {
        return parquet_mark(file, length, &tail);
    }
    let mut head = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.by_ref().take(GLTF_HEADER).read_to_end(&mut head)?;
    if head.starts_with(GLTF) {
        return gltf_mark(file, &head);
    }
    type Form = fn(Checksum) -> Vec<u8>;
    let (end, form): (usize, Form) = match (find(&tail, COMMENT), find(&tail, CHUNK)) {
        (Some(at), _) => (at, comment),
        // In front of a chunk stands its length.
        (None, Some(at)) => (at.saturating_sub(4), chunk),
        (None, None) => return Ok(Mark::Absent),
    };
    file.seek(SeekFrom::Start(0))?;
    let sum = checksum(file.take(start + end as u64), |_, _| {})?;
    Ok(if form(sum) == tail[end..] { Mark::Whole } else { Mark::Changed })
}

/// Seals a Parquet file that is being written with [`CHECKSUM_BLANK`] in its metadata.
pub fn seal_parquet(file: &mut Unfinished) -> io::Result<()> {
    let (start, tail) = file.tail(8)?;
    let footer = footer_length(&tail).unwrap_or(0);
    let (start, tail) = file.tail((footer + 8).min(start + 8))?;
    let digits =
        parquet_digits(&tail).ok_or_else(|| io::Error::other("no place for a checksum"))?;
    let sum = file.checksum().digits();
    file.overwrite(start + digits as u64, sum.as_bytes())
}

fn parquet_mark(mut file: File, length: u64, tail: &[u8]) -> io::Result<Mark> {
    let footer = footer_length(tail).unwrap_or(0).saturating_add(8).min(length);
    let start = length - footer;
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.by_ref().take(footer).read_to_end(&mut bytes)?;
    let Some(digits) = parquet_digits(&bytes) else {
        return Ok(Mark::Absent);
    };
    let said = bytes[digits..digits + DIGITS].to_vec();
    blanked_mark(file, start + digits as u64, &said)
}

/// Whether the digits at a place are those of the file with zeros there.
fn blanked_mark(mut file: File, digits: u64, said: &[u8]) -> io::Result<Mark> {
    let blank = digits..digits + DIGITS as u64;
    file.seek(SeekFrom::Start(0))?;
    let sum = checksum(file, |at, byte| {
        if blank.contains(&at) {
            *byte = b'0';
        }
    })?;
    Ok(if sum.digits().as_bytes() == said { Mark::Whole } else { Mark::Changed })
}

fn gltf_mark(mut file: File, head: &[u8]) -> io::Result<Mark> {
    let Some(length) = head.get(12..16).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes)
    else {
        return Ok(Mark::Absent);
    };
    let mut json = Vec::new();
    file.by_ref().take(length.into()).read_to_end(&mut json)?;
    match gltf_digits(&json) {
        Some(digits) => {
            let said = json[digits..digits + DIGITS].to_vec();
            blanked_mark(file, GLTF_HEADER + digits as u64, &said)
        }
        None => Ok(Mark::Absent),
    }
}

/// How long the metadata at the end of a Parquet file are.
fn footer_length(tail: &[u8]) -> Option<u64> {
    let [.., a, b, c, d, _, _, _, _] = tail else {
        return None;
    };
    Some(u32::from_le_bytes([*a, *b, *c, *d]).into())
}

/// Where the digits of the checksum stand in a Parquet file's metadata. Key and value are written there one after the
/// other, each behind its type and length, which are bytes that no text of a problem or sweep may hold.
fn parquet_digits(footer: &[u8]) -> Option<usize> {
    let (kind, _) = CHECKSUM_BLANK.split_at(CHECKSUM_BLANK.len() - DIGITS);
    let pattern = [CHECKSUM_KEY.as_bytes(), &[0x18, CHECKSUM_BLANK.len() as u8], kind.as_bytes()];
    let pattern = pattern.concat();
    let at = find(footer, &pattern)? + pattern.len();
    (at + DIGITS <= footer.len()).then_some(at)
}

fn find(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    bytes.windows(pattern.len()).rposition(|window| window == pattern)
}

/// The checksum of all that can be read, each byte seen with its place before.
fn checksum(reader: impl Read, mut see: impl FnMut(u64, &mut u8)) -> io::Result<Checksum> {
    let mut reader = BufReader::with_capacity(1 << 16, reader);
    let mut sum = Checksum::default();
    let mut at = 0;
    loop {
        let mut bytes = reader.fill_buf()?.to_vec();
        if bytes.is_empty() {
            return Ok(sum);
        }
        for byte in &mut bytes {
            see(at, byte);
            at += 1;
        }
        sum.update(&bytes);
        reader.consume(bytes.len());
    }
}

/// CRC-32, which PNG wants for each chunk.
fn crc(bytes: &[u8]) -> u32 {
    let bit = |c: u32, _| if c & 1 == 1 { (c >> 1) ^ 0xedb8_8320 } else { c >> 1 };
    !bytes.iter().fold(u32::MAX, |c, byte| (0..8).fold(c ^ u32::from(*byte), bit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_of_a_chunk_is_that_of_png() {
        assert_eq!(crc(b"IEND"), 0xae42_6082);
    }
}
