//! Reads files that people write, field by field. Everything that is missing, unknown or not
//! understood is reported with its line and column, all of it at once.
//!
//! ```
//! use tacho_fields::{Fields, Problems, parse};
//! let problems = Problems::default();
//! let root = parse("launchs: 5", "begin with `launches:`").map_err(|problem| problem.message)?;
//! let mut fields = Fields::of(root, "the file", &problems).ok_or("no mapping")?;
//! assert_eq!(fields.count("launches"), None);
//! fields.finish();
//! let said = &problems.into_sorted()[0];
//! assert_eq!((said.place.line, said.message.contains("`launches`")), (1, true));
//! # Ok::<(), String>(())
//! ```

mod fields;
mod node;
mod problem;

pub use fields::{Fields, Problems, hint, items, said};
pub use node::parse;
pub use problem::{FileError, Problem, read};
pub use tacho_yaml::{Key, Node, Place, Value};
