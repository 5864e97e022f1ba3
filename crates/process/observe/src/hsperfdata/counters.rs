//! Counters by name.

use super::layout::{LayoutError, RawEntry, Reader, entries};
use std::collections::BTreeMap;

/// All counters of a JVM at one instant.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Counters {
    by_name: BTreeMap<String, Counter>,
}

/// One counter of the performance memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Counter {
    /// What it shows.
    pub value: Value,
    /// How it may change.
    pub variability: Variability,
}

/// The value of a counter, by its type in the performance memory.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A 64-bit number.
    Long(i64),
    /// A text of bounded length.
    Text(String),
}

/// How a counter may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variability {
    /// It is set once.
    Constant,
    /// It never falls.
    Monotonic,
    /// In any way.
    Variable,
    /// Not known to us.
    Other(u8),
}

impl Counters {
    /// Parses the content of a performance memory. Counters of a type that no HotSpot JVM writes
    /// are left out.
    ///
    /// # Errors
    /// See [`LayoutError`].
    pub fn parse(bytes: &[u8]) -> Result<Self, LayoutError> {
        let mut by_name = BTreeMap::new();
        entries(bytes, |entry, data| {
            if let Some(value) = value(&entry, data) {
                let counter = Counter {
                    value,
                    variability: variability(entry.variability),
                };
                by_name.insert(entry.name.to_owned(), counter);
            }
        })?;
        Ok(Self { by_name })
    }

    /// The counter of this name, whatever its type.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Counter> {
        self.by_name.get(name)
    }

    /// The value of this name when it is a number.
    #[must_use]
    pub fn long(&self, name: &str) -> Option<i64> {
        match self.get(name)?.value {
            Value::Long(number) => Some(number),
            Value::Text(_) => None,
        }
    }

    /// A number that counts something and so is not negative.
    #[must_use]
    pub fn count(&self, name: &str) -> Option<u64> {
        u64::try_from(self.long(name)?).ok()
    }

    /// The value of this name when it is a text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        match &self.get(name)?.value {
            Value::Text(text) => Some(text),
            Value::Long(_) => None,
        }
    }

    /// A number of ticks in seconds.
    #[must_use]
    pub fn seconds(&self, name: &str) -> Option<f64> {
        let frequency = self.long("sun.os.hrt.frequency").filter(|f| *f > 0)?;
        Some(self.long(name)? as f64 / frequency as f64)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Counter)> {
        self.by_name.iter().map(|(name, c)| (name.as_str(), c))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_name.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }
}

/// HotSpot writes longs and arrays of bytes, which are texts that end with a zero.
fn value(entry: &RawEntry<'_>, data: Reader<'_>) -> Option<Value> {
    match (entry.kind, entry.length) {
        (b'J', 0) => data.long(0).map(Value::Long),
        (b'I', 0) => data.int(0).map(|v| Value::Long(v.into())),
        (b'B', 1..) => {
            let room = entry.data.get(..entry.length.min(entry.data.len()))?;
            let text = room.split(|byte| *byte == 0).next()?;
            Some(Value::Text(String::from_utf8_lossy(text).into_owned()))
        }
        _ => None,
    }
}

fn variability(raw: u8) -> Variability {
    match raw {
        1 => Variability::Constant,
        2 => Variability::Monotonic,
        3 => Variability::Variable,
        other => Variability::Other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Writes a memory as a JVM on a machine of either byte order does.
    fn memory(little: bool, counters: &[(&str, Value)]) -> Vec<u8> {
        let int = |v: usize| {
            let v = i32::try_from(v).unwrap();
            if little {
                v.to_le_bytes()
            } else {
                v.to_be_bytes()
            }
        };
        let mut bytes = 0xcafe_c0c0_u32.to_be_bytes().to_vec();
        bytes.extend([u8::from(little), 2, 0, 1]);
        bytes.extend([0; 16]);
        bytes.extend(int(32));
        bytes.extend(int(counters.len()));
        for (name, value) in counters {
            let data_offset = (20 + name.len() + 1).next_multiple_of(8);
            let (kind, unit, length, data) = match value {
                Value::Long(v) => {
                    let raw = if little {
                        v.to_le_bytes()
                    } else {
                        v.to_be_bytes()
                    };
                    (b'J', 4, 0, raw.to_vec())
                }
                Value::Text(text) => {
                    let mut raw = text.clone().into_bytes();
                    raw.push(0);
                    (b'B', 5, raw.len(), raw)
                }
            };
            let size = (data_offset + data.len()).next_multiple_of(8);
            let start = bytes.len();
            for number in [size, 20, length] {
                bytes.extend(int(number));
            }
            bytes.extend([kind, 0, unit, 2]);
            bytes.extend(int(data_offset));
            bytes.extend(name.as_bytes());
            bytes.resize(start + data_offset, 0);
            bytes.extend(data);
            bytes.resize(start + size, 0);
        }
        bytes
    }

    fn example(little: bool) -> Vec<u8> {
        memory(
            little,
            &[
                ("java.cls.loadedClasses", Value::Long(427)),
                ("java.rt.vmArgs", Value::Text("-Xmx1g".into())),
                ("sun.os.hrt.frequency", Value::Long(1_000_000_000)),
                ("sun.gc.collector.0.time", Value::Long(1_500_000_000)),
            ],
        )
    }

    #[test]
    fn both_byte_orders_are_read() {
        for little in [true, false] {
            let counters = Counters::parse(&example(little)).unwrap();
            assert_eq!(counters.len(), 4);
            assert_eq!(counters.count("java.cls.loadedClasses"), Some(427));
            assert_eq!(counters.text("java.rt.vmArgs"), Some("-Xmx1g"));
            assert_eq!(counters.seconds("sun.gc.collector.0.time"), Some(1.5));
            assert_eq!(counters.long("java.rt.vmArgs"), None);
            assert_eq!(counters.text("missing"), None);
            let counter = counters.get("java.cls.loadedClasses").unwrap();
            assert_eq!(counter.variability, Variability::Monotonic);
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let good = example(true);
        let with = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[at] = byte;
            Counters::parse(&bytes).unwrap_err()
        };
        assert_eq!(with(0, 0), LayoutError::Magic);
        assert_eq!(with(5, 1), LayoutError::Version(1, 0));
        assert_eq!(with(7, 0), LayoutError::NotYet);
        assert_eq!(with(35, 0x7f), LayoutError::Damaged(0));
        assert_eq!(Counters::parse(&good[..16]), Err(LayoutError::Magic));
    }

    #[test]
    fn an_entry_that_is_being_added_ends_the_reading_and_is_no_error() {
        let mut bytes = example(true);
        bytes[28] = 5; // Counted already, but its bytes are still zero.
        bytes.extend([0; 64]);
        assert_eq!(Counters::parse(&bytes).unwrap().len(), 4);
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_parser_panic(
            at in 0usize..300, byte: u8, cut in 0usize..400, noise in proptest::collection::vec(any::<u8>(), 0..200),
        ) {
            let _ = Counters::parse(&noise);
            let mut bytes = example(true);
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            let _ = Counters::parse(&bytes);
            bytes.truncate(cut);
            let _ = Counters::parse(&bytes);
            let mut noisy = example(false)[..32].to_vec();
            noisy.extend(noise);
            let _ = Counters::parse(&noisy);
        }

        #[test]
        fn what_is_written_is_read(value: i64, text in "[ -~]{0,60}", little: bool) {
            let bytes = memory(little, &[("a.b", Value::Long(value)), ("c", Value::Text(text.clone()))]);
            let counters = Counters::parse(&bytes).unwrap();
            prop_assert_eq!(counters.long("a.b"), Some(value));
            prop_assert_eq!(counters.text("c"), Some(text.as_str()));
        }
    }
}
