//! Whether the launches of a variant took the same course.

use super::course::Shape;
use std::collections::BTreeMap;

/// What the launches of a variant have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Agreement {
    /// All launches took this course.
    Consistent(Shape),
    /// They took different courses: how many launches took which. A sentence such as "it warms up
    /// within N requests" is then true of some launches only.
    Inconsistent(BTreeMap<Shape, usize>),
}

/// Compares the shapes of all launches; `None` without launches.
#[must_use]
pub fn agreement(shapes: &[Shape]) -> Option<Agreement> {
    let mut counts = BTreeMap::new();
    for shape in shapes {
        *counts.entry(*shape).or_insert(0) += 1;
    }
    let (first, _) = counts.first_key_value()?;
    Some(if counts.len() == 1 {
        Agreement::Consistent(*first)
    } else {
        Agreement::Inconsistent(counts)
    })
}
