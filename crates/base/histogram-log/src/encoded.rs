//! One histogram in HdrHistogram's V2 encoding, from a file that anybody may have written.
//!
//! The library allocates what the header declares before it checks whether the bytes are there: 52
//! characters once took 1.5 GB. So all declared sizes are checked here first, and nothing is
//! inflated beyond what the declared layout can need.

use flate2::read::ZlibDecoder;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use std::io::Read;

/// Cookies of the encoding (`AbstractHistogram.java` of HdrHistogram: base `0x1c849303` and
/// `0x1c849304`, word size 1).
const PLAIN: u32 = 0x1c84_9313;
const DEFLATED: u32 = 0x1c84_9314;
/// Length of the header in bytes: cookie, length of the payload, normalizing offset, digits, lowest
/// and highest value, ratio.
const HEAD: usize = 40;
/// Most counts of a histogram. The whole range of 64 bits with the three digits that Tacho writes
/// has 56,320 counts: half a megabyte.
const MOST_COUNTS: u64 = 1 << 16;
/// The most bytes of one number in the payload (LEB128-64b9B).
const LONGEST_NUMBER: u64 = 9;
/// Nothing gives more answers than this in one second. The bound also keeps sums over the lines of
/// a log far below 64 bits.
const MOST_ANSWERS: u64 = 1 << 40;

/// The histogram; `None` when it is damaged, or larger than any that Tacho writes.
pub(super) fn histogram(bytes: &[u8], decoder: &mut Deserializer) -> Option<Histogram<u64>> {
    let (cookie, rest) = bytes.split_first_chunk()?;
    let plain = match u32::from_be_bytes(*cookie) {
        PLAIN => read_plain(bytes)?,
        DEFLATED => {
            let (length, deflated) = rest.split_first_chunk()?;
            let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
            read_plain(ZlibDecoder::new(deflated.get(..length)?))?
        }
        _ => return None,
    };
    decoder.deserialize(&mut &plain[..]).ok()
}

/// Reads the head, and as much payload as it declares. `None` when the layout cannot need that
/// much.
fn read_plain(mut from: impl Read) -> Option<Vec<u8>> {
    let mut plain = vec![0; HEAD];
    from.read_exact(&mut plain).ok()?;
    let word = |at: usize| Some(u32::from_be_bytes(*plain.get(at..)?.first_chunk()?));
    let long = |at: usize| Some(u64::from_be_bytes(*plain.get(at..)?.first_chunk()?));
    let (payload, digits) = (u64::from(word(4)?), word(12)?);
    let counts = counts(long(16)?, long(24)?, digits).filter(|&counts| counts <= MOST_COUNTS)?;
    if payload > counts * LONGEST_NUMBER {
        return None;
    }
    let read = from.take(payload).read_to_end(&mut plain).ok()?;
    let whole = u64::try_from(read) == Ok(payload);
    (whole && can_be_counted(plain.get(HEAD..)?, counts)).then_some(plain)
}

/// How many counts the library allocates for a layout; `None` for one that it refuses.
fn counts(low: u64, high: u64, digits: u32) -> Option<u64> {
    if low == 0 || digits > 5 || high < low.checked_mul(2)? {
        return None;
    }
    let sub_buckets = (2 * 10_u64.pow(digits)).next_power_of_two();
    let mut beyond = u128::from(sub_buckets) << low.ilog2();
    let mut buckets = 1;
    while beyond <= u128::from(high) {
        beyond <<= 1;
        buckets += 1;
    }
    Some((buckets + 1) * (sub_buckets / 2))
}

/// Whether the payload stays inside the layout and its sum is plausible for one second. Each number
/// is a count; a negative one says how many counts are zero.
fn can_be_counted(mut payload: &[u8], counts: u64) -> bool {
    let (mut index, mut answers) = (0_u64, 0_u64);
    while !payload.is_empty() {
        let Some((number, rest)) = number(payload) else {
            return false;
        };
        payload = rest;
        if number < 0 {
            index = index.saturating_add(number.unsigned_abs());
        } else {
            answers = answers.saturating_add(number.unsigned_abs());
            index += 1;
        }
        if index > counts || answers > MOST_ANSWERS {
            return false;
        }
    }
    true
}

/// A number in LEB128-64b9B with its sign in the lowest bit: seven bits a byte, the ninth byte
/// whole.
fn number(bytes: &[u8]) -> Option<(i64, &[u8])> {
    let mut value = 0_u64;
    for (place, &byte) in bytes.iter().enumerate().take(9) {
        let last = place == 8 || byte < 0x80;
        let bits = if last { byte } else { byte & 0x7f };
        value |= u64::from(bits) << (7 * place);
        if last {
            let magnitude = i64::try_from(value >> 1).ok()?;
            let number = if value & 1 == 0 {
                magnitude
            } else {
                !magnitude
            };
            return Some((number, bytes.get(place + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_layout_is_the_librarys(low in 1_u64..1 << 20, factor in 2_u64..1 << 40, digits in 0_u32..4) {
            let high = low.saturating_mul(factor);
            let theirs = Histogram::<u64>::new_with_bounds(low, high, digits as u8).unwrap();
            prop_assert_eq!(counts(low, high, digits), Some(theirs.distinct_values() as u64));
        }
    }

    #[test]
    fn the_widest_that_tacho_writes_fits() {
        assert_eq!(counts(1, u64::MAX, 3), Some(56_320));
        let library = Histogram::<u64>::new_with_bounds(1, u64::MAX, 3).unwrap();
        assert_eq!(library.distinct_values(), 56_320);
    }
}
