//! The segments of a series, from one change point to the next.

use super::outliers::smoothed_logarithms;
use super::pelt::{change_points, change_points_of_medians};

/// Segments whose typical values differ by less than this share are alike.
const ALIKE: f64 = 0.05;
/// Segments whose typical values differ by less than this are alike, too; milliseconds. No user
/// notices it, and clocks and wake-ups vary by more.
const ALIKE_MS: f64 = 0.02;

/// Neighbouring values that are alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// Index of its first value.
    pub from: usize,
    /// Index after its last.
    pub to: usize,
    /// Geometric mean without outliers, in the unit of the values.
    pub typical: f64,
    /// Values are typically this factor above or below: the exponential of the standard deviation
    /// of their logarithms.
    pub spread: f64,
}

impl Segment {
    /// Whether the difference between both is too small to matter.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let difference = (self.typical - other.typical).abs();
        difference <= ALIKE_MS || difference <= ALIKE * self.typical.min(other.typical)
    }

    /// Number of values.
    pub(super) fn len(&self) -> usize {
        self.to - self.from
    }
}

/// The segments of a series of response times in milliseconds, in the order of their requests. An
/// empty series has none.
#[must_use]
pub fn segments(response_ms: &[f64]) -> Vec<Segment> {
    segments_of(&smoothed_logarithms(response_ms))
}

/// The segments of a series of logarithms of medians.
pub(super) fn segments_of_medians(logarithms: &[f64]) -> Vec<Segment> {
    between(logarithms, change_points_of_medians(logarithms))
}

/// The segments of a series of smoothed logarithms.
pub(super) fn segments_of(logarithms: &[f64]) -> Vec<Segment> {
    between(logarithms, change_points(logarithms))
}

fn between(logarithms: &[f64], mut points: Vec<usize>) -> Vec<Segment> {
    points.push(logarithms.len());
    let mut from = 0;
    let mut segments = Vec::new();
    for to in points {
        if to > from {
            segments.push(segment(logarithms, from, to));
        }
        from = to;
    }
    segments
}

fn segment(logarithms: &[f64], from: usize, to: usize) -> Segment {
    let values = &logarithms[from..to];
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
    Segment {
        from,
        to,
        typical: mean.exp(),
        spread: variance.sqrt().exp(),
    }
}

/// The index of the segment from which on all segments are like the last one.
pub(super) fn first_of_the_end(segments: &[Segment]) -> Option<usize> {
    let last = segments.last()?;
    let unlike = segments.iter().rposition(|segment| !segment.is_like(last));
    Some(unlike.map_or(0, |index| index + 1))
}
