//! Whether more launches would change the advice: asked at each look of a run whose number of
//! launches is not set beforehand.
//!
//! Looking several times is looking for chance several times. So each look gets its share of the
//! error that the run is allowed ([`crate::told_apart`]): by Bonferroni's inequality all of them
//! together stay within it, whatever the looks have to do with each other. (Bounds that know how
//! they depend, as those of Pocock 1977 or Lan and DeMets 1983, would gain little with so few
//! launches, and rest on normal scatter.) To end because nothing more can be decided costs no
//! error: it says nothing.

use super::Grounds;
use super::choice::{best, by_checks, metric, parted};
use crate::distinct;
use crate::told_apart::ToldApart;
use std::fmt;
use tacho_run_folder::CellResult;

/// At the first look, what would need more than this many times the greatest number is out of
/// reach: the scatter of five launches of each is known to a factor of two at best, and the number
/// that is needed grows with its square.
const FAR: u32 = 3;

/// Why no more launches are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enough {
    /// Whatever the advice rests on was told apart, or shown to be the same.
    Decided {
        /// Launches of each cell.
        after: u32,
        /// The greatest number of them.
        of: u32,
    },
    /// What is not told apart yet would not be with the greatest number of launches either.
    OutOfReach {
        /// Launches of each cell.
        after: u32,
        /// The greatest number of them.
        of: u32,
    },
}

impl fmt::Display for Enough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decided { after, of } => write!(
                f,
                "the advice was decided after {after} launches of each, of at most {of}: no more were made"
            ),
            Self::OutOfReach { after, of } => write!(
                f,
                "after {after} launches of each, what was not told apart would not have been with {of} either, as it scatters: no more were made"
            ),
        }
    }
}

/// Asked after so many launches of each cell.
pub fn enough(grounds: &Grounds<'_>, after: u32) -> Option<Enough> {
    let looks = &grounds.plan.looks;
    let of = looks.last().copied().unwrap_or(after);
    let limits = distinct(grounds.cells.iter().map(|cell| cell.limits.as_str()));
    let open: Vec<Option<u32>> = limits
        .into_iter()
        .flat_map(|limits| open_questions(grounds, limits, after))
        .collect();
    if open.is_empty() {
        return Some(Enough::Decided { after, of });
    }
    // How much it scatters is not known well at the first look.
    let is_first = looks.first().is_none_or(|first| after <= *first);
    let reach = if is_first { of * FAR } else { of };
    let is_out_of_reach = open.iter().all(|needed| needed.is_none_or(|n| n > reach));
    is_out_of_reach.then_some(Enough::OutOfReach { after, of })
}

/// Of each comparison that the choice needs and that is not answered, how many launches would
/// answer it.
fn open_questions(grounds: &Grounds<'_>, limits: &str, after: u32) -> Vec<Option<u32>> {
    let of_limits = |cell: &&CellResult| cell.limits == limits && cell.valid > 0;
    let measured: Vec<&CellResult> = grounds.cells.iter().filter(of_limits).collect();
    // What misses a check is not chosen, however good it is, unless each misses one.
    let (meeting, _) = by_checks(&measured, grounds.checks);
    let mut left = if meeting.is_empty() {
        measured
    } else {
        meeting
    };
    let mut open = Vec::new();
    for id in grounds.criteria.in_order() {
        let Some((_, good)) = best(&left, id) else {
            continue;
        };
        (left, _) = parted(&left, (id.as_str(), good), grounds.told_apart);
        if let Some((best, _)) = best(&left, id) {
            // Of what was not measured, or was late, more launches would tell no more.
            let is_known = |cell: &CellResult| metric(cell, id).is_some_and(|m| !m.is_late());
            let others = left.iter().filter(|cell| cell.cell != best.cell);
            let others = others.filter(|cell| is_known(cell));
            let told_apart = grounds.told_apart;
            let question = |cell: &CellResult| question(told_apart, id, [cell, best], after);
            open.extend(others.filter_map(|cell| question(cell)));
        }
        if left.len() < 2 {
            break;
        }
    }
    open
}

/// How many launches would tell how two cells compare in a metric; `None` where that is known.
fn question(
    told_apart: &ToldApart,
    id: &str,
    [cell, best]: [&CellResult; 2],
    after: u32,
) -> Option<Option<u32>> {
    if !told_apart.is_asked(id, &cell.cell, &best.cell) {
        // Too few launches of both came to their end for their scatter to be known.
        return Some(Some(after + 1));
    }
    let told = told_apart.of_metric(id, &cell.cell, &best.cell);
    (!told.is_within).then_some(told.launches_needed)
}
