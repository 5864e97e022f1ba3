//! Quantities and objectives as people write them: one grammar for flags, files and reports.
//!
//! ```
//! use tacho_quantity::{Bytes, Duration, Objective, Rate};
//! let rate: Rate = "2_000/s".parse()?;
//! assert_eq!(rate, "120,000/min".parse()?);
//! assert_eq!("1.5s".parse::<Duration>()?.to_string(), "1500ms");
//! let refused = "256".parse::<Bytes>().unwrap_err().to_string();
//! assert_eq!(refused, "`256` has no unit; write a size such as 256MiB, 512M or 1GiB");
//! let objective: Objective = "jar: open.p99 < 50ms".parse()?;
//! assert_eq!(objective.to_string(), "open.p99<50ms@jar");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//! quantity = number [ unit ]          with or without spaces between and around
//! number   = digits, `_` anywhere, `,` between groups of three, a decimal point, exponent (`1e3`)
//! duration = us, µs, ms, s, m, min, h             at most 104 days
//! size     = B, k, K, kB, KB, Ki, KiB, M, MB, Mi, MiB, G, GB, Gi, GiB
//! rate     = none, /s, rps, /m, /min              at most 10 million a second
//! share    = none (0 to 1), %
//! cpus     = none, m (thousandths)
//! count    = none, k
//! factor   = none, x
//! ```
//!
//! What is printed is read as the same value again.
//!
//! | module | idea |
//! |---|---|
//! | `number` | digits as people write them, and the unit after them |
//! | `unit` | the units of each dimension |
//! | `values` | a type for each quantity |
//! | `objective` | `jar: open.p99 of login < 50ms over every 10s` |
//! | `part` | parts of a text with their places, so that an error can point at one |
//! | `nearest` | the known word that was probably meant |
//! | `flags` | the same for command lines, as bare values |

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod error;
pub mod flags;
mod nearest;
mod number;
mod objective;
mod part;
mod unit;
mod values;

pub use error::{QuantityError, Slip};
pub use nearest::{nearest, one_of, suggestion, suggestion_or_all};
pub use objective::{
    Bound, Errors, Metric, Objective, ObjectiveError, ObjectiveProblem, Operator, Statistic, Time,
    objectives,
};
pub use part::{Misread, Part};
pub use unit::{Dimension, Unit};
pub use values::{Bytes, Count, Cpus, Duration, Factor, PositiveDuration, Rate, RateOrNone, Share};
