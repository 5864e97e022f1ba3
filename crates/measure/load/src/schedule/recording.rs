//! Recorded instants as text: one a line, or a column of a CSV file.

use std::io::Read;
use tacho_run_folder::TimeUnit;

/// 800 MB of instants; a day at a thousand a second is 86 million.
pub const MOST_INSTANTS: usize = 100_000_000;

/// The column that is meant when none is named: that of Tacho's own `requests.csv`.
const OWN_COLUMN: &str = "intended_ns";

/// A recording that cannot be replayed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordingError {
    /// The file could not be opened or read.
    #[error("cannot read the recording {path}: {reason}")]
    Unreadable {
        /// As it was given.
        path: String,
        /// The operating system's.
        reason: String,
    },
    /// It is no text in lines.
    #[error("the recording cannot be read as lines or CSV: {0}")]
    NotText(String),
    /// No line with an instant.
    #[error("the recording holds no instant; it needs one a line, or a column of them")]
    Empty,
    /// Several columns, and none was named.
    #[error("the recording has the columns {}; say which one holds the instants, for example `column: {}` (`--replay-column` of `tacho load`)", .0.join(", "), .0.first().map_or("", String::as_str))]
    WhichColumn(Vec<String>),
    /// The named column is not there.
    #[error("the recording has no column `{column}`; it has: {}", .known.join(", "))]
    NoColumn {
        /// The name that was asked for.
        column: String,
        /// The fields of the first line.
        known: Vec<String>,
    },
    /// Not a number of 0 or more in the range of 64-bit nanoseconds.
    #[error(
        "line {line} of the recording: `{text}` is no instant; write a number of seconds (1.25) or of the unit that `unit` names"
    )]
    NotAnInstant {
        /// Line of the recording, counted from 1.
        line: u64,
        /// The field as it stands in the recording.
        text: String,
    },
    /// A whole number may be seconds or nanoseconds.
    #[error(
        "the recording's instants are whole numbers such as `{0}`, without a unit; add `unit: s`, `ms`, `us` or `ns` (`--replay-unit` of `tacho load`)"
    )]
    WhichUnit(String),
    /// More than fit in memory.
    #[error(
        "the recording holds more than {MOST_INSTANTS} instants; split it and replay the parts in phases of their own"
    )]
    TooMany,
}

/// Reads the instants of a recording, in nanoseconds from whatever beginning it has.
///
/// The first line is a header when none of its fields is a number. Without a unit, that of the
/// column's name counts (`_s`, `_ms`, `_us`, `_ns`); without that too, a decimal point means
/// seconds.
///
/// # Errors
/// With the line and what to write instead.
pub fn read(
    input: impl Read,
    column: Option<&str>,
    unit: Option<TimeUnit>,
) -> Result<Vec<u64>, RecordingError> {
    let mut lines = Lines::of(input);
    if !lines.advance()? {
        return Err(RecordingError::Empty);
    }
    let source = column_in(&lines.record, column)?;
    let mut unit = unit;
    if is_header(&lines.record) {
        unit = unit.or_else(|| unit_in_name(lines.record.get(source).unwrap_or_default()));
        if !lines.advance()? {
            return Err(RecordingError::Empty);
        }
    }
    let unit = match unit {
        Some(unit) => unit,
        None => unit_of(lines.record.get(source).unwrap_or_default())?,
    };
    let mut instants = Vec::new();
    loop {
        if instants.len() == MOST_INSTANTS {
            return Err(RecordingError::TooMany);
        }
        instants.push(lines.instant(source, unit)?);
        if !lines.advance()? {
            return Ok(instants);
        }
    }
}

/// The file line by line, the fields of the present one taken apart.
struct Lines<R> {
    reader: csv::Reader<tacho_files::input::Rows<R>>,
    record: csv::StringRecord,
}

impl<R: Read> Lines<R> {
    fn of(input: R) -> Self {
        Self {
            reader: csv::ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .comment(Some(b'#'))
                .trim(csv::Trim::All)
                .from_reader(tacho_files::input::Rows::new(
                    input,
                    tacho_files::input::ROW,
                )),
            record: csv::StringRecord::new(),
        }
    }

    fn advance(&mut self) -> Result<bool, RecordingError> {
        self.reader.get_mut().row_was_taken();
        self.reader
            .read_record(&mut self.record)
            .map_err(|error| RecordingError::NotText(error.to_string()))
    }

    fn instant(&self, column: usize, unit: TimeUnit) -> Result<u64, RecordingError> {
        let text = self.record.get(column).unwrap_or_default();
        nanoseconds(text, unit).ok_or_else(|| RecordingError::NotAnInstant {
            line: self.record.position().map_or(0, csv::Position::line),
            text: text.to_owned(),
        })
    }
}

fn is_header(record: &csv::StringRecord) -> bool {
    record.iter().all(|field| field.parse::<f64>().is_err())
}

/// The place of the column with the instants.
fn column_in(first: &csv::StringRecord, wanted: Option<&str>) -> Result<usize, RecordingError> {
    let place = |name: &str| first.iter().position(|field| field == name);
    let known = || first.iter().map(str::to_owned).collect();
    match wanted {
        Some(name) => place(name).ok_or_else(|| RecordingError::NoColumn {
            column: name.to_owned(),
            known: known(),
        }),
        None if first.len() == 1 || !is_header(first) => Ok(0),
        None => place(OWN_COLUMN).ok_or_else(|| RecordingError::WhichColumn(known())),
    }
}

fn unit_in_name(name: &str) -> Option<TimeUnit> {
    let (_, unit) = name.rsplit_once('_')?;
    match unit {
        "s" => Some(TimeUnit::S),
        "ms" => Some(TimeUnit::Ms),
        "us" => Some(TimeUnit::Us),
        "ns" => Some(TimeUnit::Ns),
        _ => None,
    }
}

/// Nobody writes fractions of a nanosecond.
fn unit_of(first: &str) -> Result<TimeUnit, RecordingError> {
    if first.parse::<u64>().is_ok() {
        Err(RecordingError::WhichUnit(first.to_owned()))
    } else {
        Ok(TimeUnit::S)
    }
}

/// Exact: an instant since 1970 in f64 seconds would be known to 240 ns only.
fn nanoseconds(text: &str, unit: TimeUnit) -> Option<u64> {
    let digits = match unit {
        TimeUnit::S => 9,
        TimeUnit::Ms => 6,
        TimeUnit::Us => 3,
        TimeUnit::Ns => 0,
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) || whole.len() + fraction.len() == 0 {
        return from_exponent(text, digits);
    }
    let scale = 10u64.pow(digits);
    let whole = match whole {
        "" => 0,
        _ => whole.parse::<u64>().ok()?,
    };
    let fraction = fraction
        .bytes()
        .chain(std::iter::repeat(b'0'))
        .take(digits as usize)
        .fold(0, |value, digit| value * 10 + u64::from(digit - b'0'));
    whole.checked_mul(scale)?.checked_add(fraction)
}

/// `1.5e-3`, as some languages print small numbers.
fn from_exponent(text: &str, digits: u32) -> Option<u64> {
    if !text.contains(['e', 'E']) {
        return None;
    }
    let value = text.parse::<f64>().ok()? * 10f64.powi(digits as i32);
    (0.0..u64::MAX as f64)
        .contains(&value)
        .then(|| value.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn instants(text: &str) -> Result<Vec<u64>, RecordingError> {
        read(text.as_bytes(), None, None)
    }

    /// One row that never ends, as /dev/zero is; counts what was taken.
    struct Endless(u64, u8);

    impl Read for Endless {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            self.0 += into.len() as u64;
            assert!(self.0 < 64 << 20, "64 MiB were taken for one row");
            into.fill(self.1);
            Ok(into.len())
        }
    }

    #[test]
    fn a_row_without_an_end_is_refused() {
        for byte in [0, b'1', b'"', b','] {
            let error = read(Endless(0, byte), None, None).unwrap_err();
            assert!(error.to_string().contains("larger than 1 MiB"), "{error}");
        }
    }

    #[test]
    fn seconds_one_a_line() {
        assert_eq!(
            instants("0.5\n1.25\n\n# a remark\n 2 \n1e-3\n").unwrap(),
            [500_000_000, 1_250_000_000, 2_000_000_000, 1_000_000]
        );
    }

    #[test]
    fn an_instant_since_1970_keeps_its_nanoseconds() {
        assert_eq!(
            instants("1763769600.123456789\n").unwrap(),
            [1_763_769_600_123_456_789]
        );
        let ns = read(&b"1763769600123456789"[..], None, Some(TimeUnit::Ns));
        assert_eq!(ns.unwrap(), [1_763_769_600_123_456_789]);
    }

    #[test]
    fn tachos_own_rows_are_read_by_their_column() {
        let rows = "phase,request,intended_ns,dispatched_ns\n0,0,5000,5100\n0,0,7000,7100\n";
        assert_eq!(instants(rows).unwrap(), [5_000, 7_000]);
        let other = read(rows.as_bytes(), Some("dispatched_ns"), None);
        assert_eq!(other.unwrap(), [5_100, 7_100]);
    }

    #[test]
    fn a_log_without_a_header_is_read_by_its_first_column() {
        let log = "1763769600000000001,200,GET\n1763769600000000009,200,GET\n";
        let read = read(log.as_bytes(), None, Some(TimeUnit::Ns)).unwrap();
        assert_eq!(read, [1_763_769_600_000_000_001, 1_763_769_600_000_000_009]);
    }

    #[test]
    fn units_come_from_the_reader_then_from_the_name_of_the_column() {
        assert_eq!(instants("at_ms\n1.5\n2\n").unwrap(), [1_500_000, 2_000_000]);
        let read = read(&b"at_ms\n3\n"[..], None, Some(TimeUnit::Us));
        assert_eq!(read.unwrap(), [3_000]);
    }

    #[test]
    fn what_is_not_understood_is_named_with_the_way_out() {
        let message = |text, column, unit| {
            read(str::as_bytes(text), column, unit)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            message("12\n13\n", None, None),
            "the recording's instants are whole numbers such as `12`, without a unit; add `unit: s`, `ms`, `us` or `ns` (`--replay-unit` of `tacho load`)"
        );
        assert_eq!(
            message("1.0\noops\n", None, None),
            "line 2 of the recording: `oops` is no instant; write a number of seconds (1.25) or of the unit that `unit` names"
        );
        assert_eq!(
            message("at,status\n1.0,200\n", None, None),
            "the recording has the columns at, status; say which one holds the instants, for example `column: at` (`--replay-column` of `tacho load`)"
        );
        assert_eq!(
            message("at,status\n1.0,200\n", Some("time"), None),
            "the recording has no column `time`; it has: at, status"
        );
        for empty in ["", "\n\n", "at_ns\n", "# nothing\n"] {
            assert_eq!(instants(empty), Err(RecordingError::Empty), "{empty:?}");
        }
        for wrong in [
            "-1.0",
            "1.0\n99999999999999999999.0",
            "1.0\n.",
            "1.0\n1.2.3",
            "1e400",
        ] {
            assert!(
                matches!(instants(wrong), Err(RecordingError::NotAnInstant { .. })),
                "{wrong:?}"
            );
        }
        assert!(matches!(
            read(&b"1.0\n\xff\xfe\n"[..], None, None),
            Err(RecordingError::NotText(_))
        ));
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(instants in prop::collection::vec(any::<u64>(), 1..50)) {
            let lines: String = instants
                .iter()
                .map(|ns| format!("{}.{:09}\n", ns / 1_000_000_000, ns % 1_000_000_000))
                .collect();
            prop_assert_eq!(read(lines.as_bytes(), None, None).unwrap(), instants);
        }

        #[test]
        fn no_input_makes_it_panic(
            input in prop::collection::vec(any::<u8>(), 0..200),
            lines in "([0-9.,e\"#\\-a-z_]{0,8}\n){0,6}",
        ) {
            let _ = read(&input[..], None, None);
            let _ = read(lines.as_bytes(), None, Some(TimeUnit::Us));
            let _ = read(lines.as_bytes(), Some("a"), None);
        }
    }
}
