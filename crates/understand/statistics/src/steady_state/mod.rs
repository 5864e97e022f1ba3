//! Steady state found, not assumed: where in a launch response times stop changing, and in which
//! way they changed until then.
//!
//! After Barrett et al., "Virtual Machine Warmup Blows Hot and Cold" (OOPSLA 2017): outliers are
//! set aside, change points of mean and variance are found by PELT, and the segments between them
//! are compared with the last one. What differs here: response times are compared by their
//! logarithms (their noise multiplies), and a series may be long, so that it is first thinned and
//! each change point then put to its exact place.
//!
//! ```text
//! response times -> outliers  -> logarithms without what is far from its neighbours
//!                -> pelt      -> change points
//!                -> segments  -> what lies between them, and which equal the last
//!                -> course    -> flat, warm-up, slowdown, no steady state
//! the same, while requests are sent:
//!                -> settling  -> go on, or settled
//! answers and processor time, a tenth of a second each:
//!                -> level     -> steady from when on, changing, or not to be told
//! the courses of all launches of a variant:
//!                -> agreement -> consistent or not
//! ```

mod agreement;
mod course;
mod level;
mod outliers;
mod pelt;
mod segments;
mod settling;
#[cfg(test)]
mod synthetic;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod vectors;

pub use agreement::{Agreement, agreement};
pub use course::{Course, Shape, course, course_of_medians};
pub use level::{Levelling, Steadiness, Window, steadiness};
pub use segments::{Segment, segments};
pub use settling::{Settled, Settling};
