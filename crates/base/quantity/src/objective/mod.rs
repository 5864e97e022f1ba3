//! Objectives: `p99<50ms`, `jar: open.p99.9<1s`, `ramp.service-p99 of login < 20ms over every 10s`.
//!
//! ```text
//! objectives = objective { "," objective }
//! objective  = [ cells ":" ] [ phase "." ] metric [ "of" request ] op quantity
//!              [ "over" ("every" | "any") duration ] [ "@" cells ]
//! metric     = [ "response-" | "service-" | "dispatch-" | "lag-" ]
//!              ( "p" number | "min" | "mean" | "max" )
//!            | "rate" | "throughput" | "errors" | word
//! op         = "<" | "<=" | ">" | ">="
//! ```
//! All objectives are written in this way. Which metrics exist, and whether there are requests,
//! windows and cells to choose from, depends on the command: `tacho run` has cells and whole
//! launches, `tacho load` has requests and windows, a search has the response times of a trial. The
//! commands get each part with its position, so that an error can point at it.

mod parse;
#[cfg(test)]
mod tests;

use crate::nearest::{nearest, one_of};
use crate::number::Number;
use crate::part::{Misread, Part};
use crate::unit::{Dimension, Unit};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::time::Duration;

/// An objective. Two are equal when they mean the same, however they are written.
#[derive(Debug, Clone)]
pub struct Objective {
    text: String,
    cells: Option<Range<usize>>,
    phase: Option<Range<usize>>,
    word: Range<usize>,
    /// The metric.
    pub metric: Metric,
    request: Option<Range<usize>>,
    /// How it is compared.
    pub operator: Operator,
    /// Position of the bound: the number with its unit.
    bound: Range<usize>,
    number: f64,
    unit: Range<usize>,
    /// Length of the windows, in each of which the objective has to hold; a whole number of
    /// seconds.
    pub window: Option<Duration>,
}

/// What is looked at.
#[derive(Debug, Clone, PartialEq)]
pub enum Metric {
    /// Times of requests.
    Time(Time, Statistic),
    /// Requests that succeeded, a second.
    Rate,
    /// Requests that failed.
    Errors,
    /// Something else that was measured: `ready`, `peak_rss`.
    Word(String),
}

/// The two instants of a request between which the time is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// From the intended instant to the end.
    Response,
    /// From the sent instant to the end.
    Service,
    /// From the intended instant to the sent one.
    Dispatch,
    /// From the intended instant to the dispatched one.
    Lag,
}

/// How one value is made of many times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Statistic {
    /// Above 0 and below 1.
    Quantile(f64),
    /// The shortest time.
    Min,
    /// The arithmetic mean.
    Mean,
    /// The longest time.
    Max,
}

/// How a value and a bound are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// The value has to be below the bound: `<`.
    Less,
    /// The value has to be at most the bound: `<=`.
    LessOrEqual,
    /// The value has to be above the bound: `>`.
    Greater,
    /// The value has to be at least the bound: `>=`.
    GreaterOrEqual,
}

/// A bound in the unit in which it was written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    /// The number as it was written, in `unit`.
    pub number: f64,
    /// The unit in which `number` was written.
    pub unit: &'static Unit,
}

/// Why an objective cannot be read. The text shows the place.
pub type ObjectiveError = Misread<ObjectiveProblem>;

/// What is wrong with an objective, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ObjectiveProblem {
    /// Neither `<` nor `>`.
    #[error("a check compares, as in `p99<50ms`: write <, <=, > or >=")]
    NoOperator,
    /// Nothing before the operator.
    #[error("the metric is missing, as in `p99<50ms`")]
    NoMetric,
    /// Nothing before `:` or after `@`.
    #[error("the name of a variant, of limits or of a cell is missing here")]
    NoCells,
    /// Nothing before the point.
    #[error("the name of a phase is missing before the point, as in `open.p99<50ms`")]
    NoPhase,
    /// Nothing after `of`.
    #[error("the name of a request is missing after `of`, as in `p99 of login < 50ms`")]
    NoRequest,
    /// `p0`, `p100`, `p101`.
    #[error(
        "`{word}` is no quantile: write a number between 0 and 100, as in `p99` or `p99.9`, or `min` or `max`"
    )]
    NoQuantile {
        /// The word that stands where a quantile belongs.
        word: String,
    },
    /// No number after the operator.
    #[error("a number is missing here, as in `p99<50ms`")]
    NoNumber,
    /// A comma that groups no thousands, a number beyond all numbers.
    #[error("the number {slip}; write it as in `p99<50ms`")]
    BadNumber {
        /// What is wrong.
        slip: crate::Slip,
    },
    /// `errors<1.5`, `errors<150%`: neither a number of errors nor a share.
    #[error(
        "`{found}` is no share of the requests and no number of them: write a share such as `0.1%`, or a whole number"
    )]
    NoErrors {
        /// The number with its unit.
        found: String,
    },
    /// A unit that does not belong to the metric, or none.
    #[error("`{metric}` needs {}{}", units(expected), written(found))]
    WrongUnit {
        /// The metric as it was written.
        metric: String,
        /// What was written.
        found: String,
        /// The right units.
        expected: Vec<String>,
    },
    /// Something after the bound that is no window.
    #[error("`{found}` is not understood here; a window is written `over every 10s`")]
    NoWindow {
        /// What stands there.
        found: String,
    },
    /// A window of half a second, of 10 parsecs, or of nothing.
    #[error(
        "`{found}` is no length of a window: write whole seconds or minutes, as in `over every 10s` or `over every 2min`"
    )]
    WindowLength {
        /// What stands there.
        found: String,
    },
}

fn units(expected: &[String]) -> String {
    let named: Vec<String> = expected.iter().filter(|u| !u.is_empty()).cloned().collect();
    if named.is_empty() {
        return "no unit".to_owned();
    }
    if named.len() < expected.len() {
        return format!("no unit or {}", one_of(&named));
    }
    format!("a unit: {}", one_of(&named))
}

fn written(found: &str) -> String {
    if found.is_empty() {
        return String::new();
    }
    format!(", not `{found}`")
}

impl Operator {
    /// The operator at the beginning of a text that begins with `<` or `>`, and its length.
    fn read(text: &str) -> (Self, usize) {
        match text.as_bytes() {
            [b'<', b'=', ..] => (Self::LessOrEqual, 2),
            [b'>', b'=', ..] => (Self::GreaterOrEqual, 2),
            [b'<', ..] => (Self::Less, 1),
            _ => (Self::Greater, 1),
        }
    }

    /// Whether the value has to be less than the bound, or at most the bound.
    #[must_use]
    pub fn asks_for_less(self) -> bool {
        matches!(self, Self::Less | Self::LessOrEqual)
    }

    /// `value operator bound`
    #[must_use]
    pub fn holds(self, value: f64, bound: f64) -> bool {
        match self {
            Self::Less => value < bound,
            Self::LessOrEqual => value <= bound,
            Self::Greater => value > bound,
            Self::GreaterOrEqual => value >= bound,
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        })
    }
}

impl Objective {
    /// As the user wrote it, without the space around it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The variant, limits or cell that it is about; `None` means all of them.
    #[must_use]
    pub fn cells(&self) -> Option<Part<'_>> {
        self.part(self.cells.as_ref())
    }

    /// The phase that it is about.
    #[must_use]
    pub fn phase(&self) -> Option<Part<'_>> {
        self.part(self.phase.as_ref())
    }

    /// The metric as it was written.
    #[must_use]
    pub fn word(&self) -> Part<'_> {
        Part::of(&self.text, self.word.start, self.word.end)
    }

    /// The request that it is about.
    #[must_use]
    pub fn request(&self) -> Option<Part<'_>> {
        self.part(self.request.as_ref())
    }

    /// The whole objective, for a problem that concerns no single part.
    #[must_use]
    pub fn whole(&self) -> Part<'_> {
        Part::of(&self.text, 0, self.text.len())
    }

    /// Number and unit as they were written.
    #[must_use]
    pub fn bound_as_written(&self) -> Part<'_> {
        Part::of(&self.text, self.bound.start, self.bound.end)
    }

    /// The unit as it was written; may be empty.
    #[must_use]
    pub fn unit_as_written(&self) -> &str {
        &self.text[self.unit.clone()]
    }

    fn part(&self, range: Option<&Range<usize>>) -> Option<Part<'_>> {
        range.map(|range| Part::of(&self.text, range.start, range.end))
    }

    /// The bound as a quantity of the metric's dimension.
    ///
    /// # Errors
    /// When its unit is that of another, with the nearest right ones.
    pub fn bound(&self, dimension: Dimension) -> Result<Bound, ObjectiveError> {
        let unit = Part::of(&self.text, self.unit.start, self.unit.end);
        if let Some(mut unit) = dimension.unit(unit.text()) {
            // `500`, `500rps` and `500/s` are told in one way.
            if dimension == Dimension::Rate && unit.size == 1.0 {
                unit = &dimension.units()[0];
            }
            let number = self.number;
            return Ok(Bound { number, unit });
        }
        let usual = || dimension.usual().iter().map(|unit| unit.name);
        let near = match unit.text() {
            "" => Vec::new(),
            text => nearest(text, usual().filter(|name| !name.is_empty())),
        };
        Err(unit.error(ObjectiveProblem::WrongUnit {
            metric: self.word().text().to_owned(),
            found: unit.text().to_owned(),
            expected: if near.is_empty() {
                usual().map(str::to_owned).collect()
            } else {
                near
            },
        }))
    }
}

/// How many may fail.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Errors {
    /// Of all requests, 0 to 1: `1%`, `0.01`.
    Share(Bound),
    /// A whole number without a unit: `3`.
    Count(f64),
}

impl Objective {
    /// The bound of errors.
    ///
    /// # Errors
    /// When it is neither a share nor a whole number.
    pub fn errors(&self) -> Result<Errors, ObjectiveError> {
        let bound = self.bound(Dimension::Share)?;
        match bound.unit.name {
            "" if bound.number.fract() == 0.0 => Ok(Errors::Count(bound.number)),
            _ if bound.value() <= 1.0 => Ok(Errors::Share(bound)),
            _ => {
                let written = self.bound_as_written();
                Err(written.error(ObjectiveProblem::NoErrors {
                    found: written.text().to_owned(),
                }))
            }
        }
    }
}

impl Bound {
    /// In the base unit of its dimension.
    #[must_use]
    pub fn value(&self) -> f64 {
        match self.unit.size {
            // Dividing by the inverse makes 7 % exactly 0.07.
            size if size < 1.0 => self.number / (1.0 / size).round(),
            size => self.number * size,
        }
    }

    /// Converts a value from the base unit into the unit of the bound. A value in milliseconds
    /// stays unchanged where the bound is in milliseconds.
    #[must_use]
    pub fn convert(&self, value: f64, is_in_ms: bool) -> f64 {
        // Divided by the inverse, 250 ms are exactly 0.25 s, and 1 ms is exactly 1 ms.
        match (is_in_ms, self.unit.name) {
            (true, "ms") => value,
            (true, _) => value / 1e3 / self.unit.size,
            (false, _) => value / self.unit.size,
        }
    }
}

impl FromStr for Objective {
    type Err = ObjectiveError;

    fn from_str(text: &str) -> Result<Self, ObjectiveError> {
        parse::parse(text)
    }
}

/// The objectives of a comma-separated list. A comma within a number or the name of a request does
/// not separate.
pub fn objectives(list: &str) -> impl Iterator<Item = &str> {
    parse::split(list).into_iter()
}

/// The meaning of an objective, without positions.
type Said<'a> = (
    [Option<&'a str>; 3],
    &'a Metric,
    Operator,
    f64,
    &'a str,
    Option<Duration>,
);

impl Objective {
    fn said(&self) -> Said<'_> {
        let text = |range: &Option<Range<usize>>| range.clone().map(|range| &self.text[range]);
        (
            [&self.cells, &self.phase, &self.request].map(text),
            &self.metric,
            self.operator,
            self.number,
            self.unit_as_written(),
            self.window,
        )
    }
}

impl PartialEq for Objective {
    fn eq(&self, other: &Self) -> bool {
        self.said() == other.said()
    }
}

impl fmt::Display for Objective {
    /// Writes it in the one standard form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([cells, phase, request], _, operator, number, unit, window) = self.said();
        if let Some(phase) = phase {
            write!(f, "{phase}.")?;
        }
        f.write_str(self.word().text())?;
        match request {
            Some(request) => write!(f, " of {request} {operator} ")?,
            None => write!(f, "{operator}")?,
        }
        // A wrong unit may look like more of the number.
        let goes_on = |c: char| c.is_ascii_digit() || matches!(c, 'e' | 'E' | '_' | '.' | ',');
        let space = if unit.starts_with(goes_on) { " " } else { "" };
        write!(f, "{number}{space}{unit}")?;
        if let Some(window) = window {
            write!(f, " over every {}", crate::Duration(window))?;
        }
        // The cells come last, where any name is possible.
        match cells {
            Some(cells) => write!(f, "@{cells}"),
            None => Ok(()),
        }
    }
}
