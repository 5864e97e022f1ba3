//! Series whose cells may all be absent: one list of columns makes the type, the head of the file,
//! its lines and its reader.

use crate::RowError;
use std::collections::BTreeMap;
use std::io::BufRead;
use tacho_files::input::{Lines, ROW, WHOLE};

/// A number that may stand in a cell.
pub(crate) trait Cell: Copy + std::str::FromStr {
    fn write(self, to: &mut impl std::io::Write) -> std::io::Result<()>;
}

impl Cell for u64 {
    fn write(self, to: &mut impl std::io::Write) -> std::io::Result<()> {
        write!(to, "{self}")
    }
}

/// Seconds of processor or wall time, to the microsecond.
impl Cell for f64 {
    fn write(self, to: &mut impl std::io::Write) -> std::io::Result<()> {
        write!(to, "{self:.6}")
    }
}

/// Declares a series: `name: type` a column, in the order of the file, after `at_ms`.
macro_rules! series {
    ($(#[$about:meta])* pub struct $name:ident { $($(#[$column_about:meta])* $column:ident: $kind:ty,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Default)]
        pub struct $name {
            /// Since `exec`, in milliseconds.
            pub at_ms: f64,
            $($(#[$column_about])* pub $column: Option<$kind>,)*
        }

        impl $name {
            /// First line of the file.
            pub const HEADER: &'static str = concat!("at_ms", $(",", stringify!($column)),*);

            /// Appends the line, newline included.
            pub fn write(&self, to: &mut impl std::io::Write) -> std::io::Result<()> {
                write!(to, "{:.3}", self.at_ms)?;
                $(
                    to.write_all(b",")?;
                    if let Some(value) = self.$column {
                        $crate::series::Cell::write(value, to)?;
                    }
                )*
                to.write_all(b"\n")
            }

            /// Reads the file. Columns are found by their names, so that a file of an older or a
            /// newer Tacho is read, too; a last line that was cut off is left out.
            pub fn read(from: impl std::io::BufRead) -> Result<Vec<Self>, $crate::RowError> {
                $crate::series::read(from, |cells| {
                    Ok(Self {
                        at_ms: cells.get("at_ms")?.unwrap_or_default(),
                        $($column: cells.get(stringify!($column))?,)*
                    })
                })
            }
        }
    };
}
pub(crate) use series;

/// The cells of one line.
pub(crate) struct Cells<'a> {
    line: usize,
    columns: &'a BTreeMap<String, usize>,
    values: Vec<&'a str>,
}

impl Cells<'_> {
    /// Absent when the file has no such column, or the cell is empty.
    pub(crate) fn get<T: Cell>(&self, column: &str) -> Result<Option<T>, RowError> {
        let Some(text) = self
            .columns
            .get(column)
            .and_then(|index| self.values.get(*index))
            .filter(|text| !text.is_empty())
        else {
            return Ok(None);
        };
        text.parse().map(Some).map_err(|_| RowError::Field {
            line: self.line,
            what: format!("`{column}` is no number: `{text}`"),
        })
    }
}

pub(crate) fn read<T>(
    from: impl BufRead,
    parse: impl Fn(&Cells<'_>) -> Result<T, RowError>,
) -> Result<Vec<T>, RowError> {
    let mut text = String::new();
    let mut lines = Lines::new(from, ROW, WHOLE);
    lines.next_into(&mut text)?;
    let columns: BTreeMap<String, usize> = text
        .trim_end()
        .split(',')
        .map(str::to_owned)
        .zip(0..)
        .collect();
    let mut rows = Vec::new();
    for line in 2.. {
        if !lines.next_into(&mut text)? {
            break;
        }
        if let Some(whole) = text.strip_suffix('\n') {
            rows.push(parse(&Cells {
                line,
                columns: &columns,
                values: whole.split(',').collect(),
            })?);
        }
    }
    Ok(rows)
}
