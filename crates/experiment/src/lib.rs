//! The experiment: the file that says what to compare, its defaults, and the plan of launches.

mod model;

pub use model::*;
