//! Which course a launch took.

use super::outliers::without_single_values;
use super::segments::{Segment, first_of_the_end, segments, segments_of_medians};

/// An end that is shorter, as a share of the series, is no steady state (Barrett et al. 2017: 500
/// of 2,000 iterations).
const SHORTEST_END: f64 = 0.25;
/// A shorter series says nothing.
const FEWEST_VALUES: usize = 40;

/// How response times changed in the course of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shape {
    /// They did not change.
    Flat,
    /// They fell to a steady state, and were never lower before.
    WarmUp,
    /// They ended in a steady state that is higher than one before.
    Slowdown,
    /// They went on changing to the end.
    NoSteadyState,
}

impl Shape {
    /// Name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Flat => "flat",
            Self::WarmUp => "warm-up",
            Self::Slowdown => "slowdown",
            Self::NoSteadyState => "no steady state",
        }
    }
}

/// The course of one launch.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// What it is called.
    pub shape: Shape,
    /// The index from which it was steady; `None` without a steady state.
    pub steady_from: Option<usize>,
    /// Typical response time of the steady state, in milliseconds.
    pub steady_ms: Option<f64>,
    /// All its segments.
    pub segments: Vec<Segment>,
}

/// The course of a series of response times in milliseconds, in the order of their requests; `None`
/// of fewer than 40.
#[must_use]
pub fn course(response_ms: &[f64]) -> Option<Course> {
    if response_ms.len() < FEWEST_VALUES {
        return None;
    }
    course_of(segments(response_ms))
}

/// The course of medians of seconds, or of other intervals of one length, in milliseconds; `None`
/// for fewer than 40. A few slow seconds at the beginning are no outliers: they are what this looks
/// for. Only a single second that differs from both its neighbours is replaced.
#[must_use]
pub fn course_of_medians(medians_ms: &[f64]) -> Option<Course> {
    if medians_ms.len() < FEWEST_VALUES || medians_ms.iter().any(|ms| *ms <= 0.0) {
        return None;
    }
    course_of(segments_of_medians(&without_single_values(medians_ms)))
}

fn course_of(segments: Vec<Segment>) -> Option<Course> {
    let end = segments.get(first_of_the_end(&segments)?..)?;
    let steady_from = end.first()?.from;
    let steady_ms = typical_of(end);
    let before = &segments[..segments.len() - end.len()];
    let last = segments.last()?;
    let shape = if before.is_empty() {
        Shape::Flat
    } else if ((last.to - steady_from) as f64) < SHORTEST_END * last.to as f64 {
        Shape::NoSteadyState
    } else if before
        .iter()
        .any(|earlier| earlier.typical < last.typical && !earlier.is_like(last))
    {
        Shape::Slowdown
    } else {
        Shape::WarmUp
    };
    let is_steady = shape != Shape::NoSteadyState;
    Some(Course {
        shape,
        steady_from: is_steady.then_some(steady_from),
        steady_ms: is_steady.then_some(steady_ms),
        segments,
    })
}

fn typical_of(segments: &[Segment]) -> f64 {
    let values: usize = segments.iter().map(Segment::len).sum();
    let logarithms = segments.iter().map(|s| s.typical.ln() * s.len() as f64);
    (logarithms.sum::<f64>() / values as f64).exp()
}
