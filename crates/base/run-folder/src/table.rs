//! Files of rows: one list of columns makes the type, the head of the file, its lines and its
//! reader.

use std::io::{self, BufRead, Write};
use tacho_files::input::{Lines, ROW, WHOLE};

/// A line that could not be read.
#[derive(Debug, thiserror::Error)]
pub enum RowError {
    /// The file could not be read to its end.
    #[error("cannot read on: {0}")]
    Io(#[from] io::Error),
    /// A field is missing or is no number.
    #[error("line {line}: {what}; the file was damaged after it was written")]
    Field {
        /// Line of the file, counted from 1; its header is the first.
        line: usize,
        /// Which field, and what is wrong with it.
        what: String,
    },
}

/// What stands in a cell. Without one, and in an empty one, there is nothing.
pub(crate) trait Cell: Sized {
    /// Numbers that are not whole have so many decimals.
    fn write(&self, decimals: usize, to: &mut impl Write) -> io::Result<()>;

    /// Or what is wrong with it.
    fn read(text: &str) -> Result<Self, String>;
}

/// Of a number that has to be there.
fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    match text.parse() {
        Ok(number) => Ok(number),
        Err(_) if text.is_empty() => Err("is missing".to_owned()),
        Err(_) => Err(format!("is no number: `{text}`")),
    }
}

macro_rules! whole_numbers {
    ($($kind:ty)*) => {$(
        impl Cell for $kind {
            fn write(&self, _: usize, to: &mut impl Write) -> io::Result<()> {
                write!(to, "{self}")
            }

            fn read(text: &str) -> Result<Self, String> {
                number(text)
            }
        }
    )*};
}
whole_numbers!(u32 u64);

impl Cell for f64 {
    fn write(&self, decimals: usize, to: &mut impl Write) -> io::Result<()> {
        write!(to, "{self:.decimals$}")
    }

    fn read(text: &str) -> Result<Self, String> {
        number(text)
    }
}

impl<T: Cell> Cell for Option<T> {
    fn write(&self, decimals: usize, to: &mut impl Write) -> io::Result<()> {
        self.as_ref()
            .map_or(Ok(()), |value| value.write(decimals, to))
    }

    fn read(text: &str) -> Result<Self, String> {
        (!text.is_empty()).then(|| T::read(text)).transpose()
    }
}

/// Declares a table: `name: type [decimals]` a column, in the order of the file; six decimals where
/// none are said: seconds to the microsecond.
macro_rules! table {
    ($(#[$about:meta])* pub struct $name:ident {
        $($(#[$column_about:meta])* $column:ident: $kind:ty $([$decimals:literal])?,)*
    }) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct $name {
            $($(#[$column_about])* pub $column: $kind,)*
        }

        impl $name {
            /// First line of the file.
            pub const HEADER: &'static str = {
                let all = concat!($(stringify!($column), ","),*);
                all.split_at(all.len() - 1).0
            };

            /// Appends the line, newline included.
            pub fn write(&self, to: &mut impl std::io::Write) -> std::io::Result<()> {
                let mut comma: &[u8] = b"";
                $(
                    to.write_all(comma)?;
                    $crate::table::Cell::write(&self.$column, $crate::table::decimals!($($decimals)?), to)?;
                    comma = b",";
                )*
                let _ = comma;
                to.write_all(b"\n")
            }

            /// Reads the file; an error names the first line that is damaged. Columns are found
            /// by their names: those whose cells may be empty may be missing, as in a file of an
            /// older Tacho, and others may be there. A last line that was cut off when Tacho was
            /// killed or the disk was full is left out.
            pub fn read(from: impl std::io::BufRead) -> Result<Vec<Self>, $crate::RowError> {
                $crate::table::read(from, &[$(stringify!($column)),*], |cells| {
                    Ok(Self { $($column: cells.next()?,)* })
                })
            }
        }
    };
}
macro_rules! decimals {
    () => {
        6
    };
    ($decimals:literal) => {
        $decimals
    };
}
pub(crate) use {decimals, table};

/// The cells of one line, in the order in which they were asked for.
pub(crate) struct Cells<'a> {
    line: usize,
    text: &'a str,
    /// Where each cell of the line ends.
    ends: &'a [usize],
    /// Of each wanted column, its name and which cell it is.
    wanted: std::slice::Iter<'a, (&'static str, Option<usize>)>,
}

impl Cells<'_> {
    /// The next of the wanted ones.
    pub(crate) fn next<T: Cell>(&mut self) -> Result<T, RowError> {
        let (name, place) = self.wanted.next().copied().unwrap_or_default();
        let text = place.and_then(|place| {
            let begin = match place {
                0 => 0,
                _ => self.ends.get(place - 1)? + 1,
            };
            self.text.get(begin..*self.ends.get(place)?)
        });
        T::read(text.unwrap_or_default()).map_err(|what| RowError::Field {
            line: self.line,
            what: format!("`{name}` {what}"),
        })
    }
}

pub(crate) fn read<T>(
    from: impl BufRead,
    columns: &[&'static str],
    parse: impl Fn(&mut Cells<'_>) -> Result<T, RowError>,
) -> Result<Vec<T>, RowError> {
    let mut text = String::new();
    let mut lines = Lines::new(from, ROW, WHOLE);
    lines.next_into(&mut text)?;
    let head: Vec<&str> = text.trim_end().split(',').collect();
    let place = |column: &&'static str| (*column, head.iter().position(|name| name == column));
    let wanted: Vec<_> = columns.iter().map(place).collect();
    let (mut rows, mut ends) = (Vec::new(), Vec::new());
    for line in 2.. {
        if !lines.next_into(&mut text)? {
            break;
        }
        if let Some(text) = text.strip_suffix('\n') {
            ends.clear();
            ends.extend(text.match_indices(',').map(|(at, _)| at));
            ends.push(text.len());
            rows.push(parse(&mut Cells {
                line,
                text,
                ends: &ends,
                wanted: wanted.iter(),
            })?);
        }
    }
    Ok(rows)
}
