//! Which change is the cause: the candidate is launched with changes put back, one at a time or in
//! groups, and the group that recovers the loss is split. Group testing (Dorfman 1943), the most
//! suspected first.
//!
//! What is found here was chosen because it looked best, and so looks better than it is: it is
//! confirmed by launches of its own, which are what is reported.

use crate::finding::Findings;
use crate::frame::Frame;
use tacho_run_folder::PutBack;

/// So many are launched in a round.
const GROUPS: usize = 6;
/// Suspects that are put back alone in the first round.
const ALONE: usize = 3;
/// Suspects of which findings explain so much are put back before all others.
const POINTED_AT: f64 = 0.3;
/// So many of them at most.
const FIRST: usize = 2;
/// More rounds do not find more.
const ROUNDS: usize = 5;
/// A group that gives back at least this share of the loss holds the cause.
const A_CAUSE: f64 = 0.4;
/// Another change that gives back at least this share is confirmed as well.
const A_PART: f64 = 0.25;
/// Changes that are confirmed.
const CONFIRMED: usize = 2;

/// What putting a group back gave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outcome {
    /// Its share of the loss; 1 is all of it.
    GivesBack(f64),
    /// It did not start, or did not answer as it should.
    Failed,
    /// It ran, and no figure of the loss could be had of it: the machine was too busy.
    NotMeasured,
}

/// A search among changes, the most suspected first.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// To be looked at in the next round, each a group.
    next: Vec<Vec<usize>>,
    /// Looked at where those of the first round are not the cause.
    later: Vec<usize>,
    rounds: usize,
    alone: Vec<(usize, f64)>,
    /// Changes that could not be put back alone.
    pub failed: Vec<usize>,
    /// Changes that were launched and of which nothing is known.
    pub not_measured: Vec<usize>,
}

impl Search {
    /// Of changes in the order of suspicion; findings point at the first of them.
    #[must_use]
    pub fn among(ordered: &[usize], pointed_at: usize) -> Self {
        if ordered.len() <= CONFIRMED {
            return Self::sure(ordered);
        }
        let (first, later) = ordered.split_at(pointed_at.min(FIRST));
        let mut search = Self {
            next: first.iter().map(|one| vec![*one]).collect(),
            later: later.to_vec(),
            rounds: 0,
            alone: Vec::new(),
            failed: Vec::new(),
            not_measured: Vec::new(),
        };
        if search.next.is_empty() {
            search.look_at_all_others();
        }
        search
    }

    /// The most suspected alone, the others in groups.
    fn look_at_all_others(&mut self) {
        let ordered = std::mem::take(&mut self.later);
        let alone = if ordered.len() <= GROUPS {
            ordered.len()
        } else {
            ALONE
        };
        let (first, rest) = ordered.split_at(alone);
        self.next = first.iter().map(|one| vec![*one]).collect();
        self.next.extend(split(rest, GROUPS - ALONE));
    }

    /// So few that all of them are confirmed at once.
    fn sure(ordered: &[usize]) -> Self {
        Self {
            next: Vec::new(),
            later: Vec::new(),
            rounds: 0,
            alone: ordered
                .iter()
                .map(|one| (*one, 1.0 / ordered.len() as f64))
                .collect(),
            failed: Vec::new(),
            not_measured: Vec::new(),
        }
    }

    /// Groups to be launched; none when the search is over.
    #[must_use]
    pub fn groups(&self) -> &[Vec<usize>] {
        match self.rounds < ROUNDS {
            true => &self.next,
            false => &[],
        }
    }

    /// Takes what the groups of this round gave.
    pub fn take(&mut self, outcomes: &[Outcome]) {
        self.rounds += 1;
        let groups = std::mem::take(&mut self.next);
        let mut best: Option<(f64, &Vec<usize>)> = None;
        let mut again: Vec<&Vec<usize>> = Vec::new();
        for (group, outcome) in groups.iter().zip(outcomes) {
            match (outcome, group.as_slice()) {
                (Outcome::Failed, [one]) => self.failed.push(*one),
                (Outcome::NotMeasured, [one]) => self.not_measured.push(*one),
                (Outcome::Failed | Outcome::NotMeasured, _) => again.push(group),
                (Outcome::GivesBack(share), [one]) => self.alone.push((*one, *share)),
                (Outcome::GivesBack(share), _) => {
                    if *share >= A_PART && best.is_none_or(|(most, _)| *share > most) {
                        best = Some((*share, group));
                    }
                }
            }
        }
        let found = self.alone.iter().any(|(_, share)| *share >= A_CAUSE);
        if found {
            return;
        }
        // Where the loss is, or where nobody could look yet.
        let looked_into = best.map_or(again, |(_, group)| vec![group]);
        for group in looked_into {
            let pieces = if group.len() <= GROUPS {
                group.len()
            } else {
                GROUPS
            };
            self.next.extend(split(group, pieces));
        }
        if self.next.is_empty() {
            self.look_at_all_others();
        }
    }

    /// Changes to be confirmed, that which gave back most first.
    #[must_use]
    pub fn found(&self) -> Vec<usize> {
        let mut found = self.alone.clone();
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        let Some((_, most)) = found.first().copied() else {
            return Vec::new();
        };
        if most < A_PART {
            return Vec::new();
        }
        // If both give back the whole loss, one contains the other, and the first is enough.
        let beside = |share: f64| share >= A_PART && most + share <= 1.3;
        let (first, rest) = found.split_at(1);
        let rest = rest.iter().filter(|(_, share)| beside(*share));
        first
            .iter()
            .chain(rest)
            .take(CONFIRMED)
            .map(|(one, _)| *one)
            .collect()
    }
}

fn split(group: &[usize], pieces: usize) -> Vec<Vec<usize>> {
    if group.is_empty() || pieces == 0 {
        return Vec::new();
    }
    let size = group.len().div_ceil(pieces);
    group.chunks(size).map(<[usize]>::to_vec).collect()
}

/// Changes in the order in which they are looked at: what findings point to, then what changes
/// behaviour most often. And at how many of them findings point.
#[must_use]
pub fn by_suspicion(changes: &[PutBack], findings: Option<&Findings>) -> (Vec<usize>, usize) {
    let suspicion: Vec<f64> = changes
        .iter()
        .map(|change| suspicion(change, findings))
        .collect();
    let mut order: Vec<usize> = (0..changes.len()).collect();
    order.sort_by(|a, b| suspicion[*b].total_cmp(&suspicion[*a]));
    let is_pointed_at = |at: &&usize| {
        matches!(changes[**at], PutBack::Classes { .. }) && suspicion[**at] >= POINTED_AT
    };
    let pointed_at = order.iter().take_while(is_pointed_at).count();
    (order, pointed_at)
}

fn suspicion(change: &PutBack, findings: Option<&Findings>) -> f64 {
    match change {
        PutBack::Classes {
            classes,
            with,
            unused,
        } => {
            let all: Vec<&String> = classes.iter().chain(with).chain(unused).collect();
            // Those that drag others along are looked at after them.
            0.1 + evidence(&all, findings) - 0.001 * with.len() as f64
        }
        PutBack::Launch { .. } => 0.3,
        PutBack::Settings { .. } | PutBack::Lines { .. } => 0.25,
        PutBack::Library { .. } => 0.08,
        PutBack::File { .. } => 0.05,
    }
}

/// Of classes that are put back together those first that findings point to.
#[must_use]
pub fn nearest_first(what: PutBack, findings: Option<&Findings>) -> PutBack {
    match what {
        PutBack::Classes {
            mut classes,
            with,
            mut unused,
        } => {
            let of = |class: &String| evidence(&[class], findings);
            for list in [&mut classes, &mut unused] {
                list.sort_by(|a, b| of(b).total_cmp(&of(a)));
            }
            PutBack::Classes {
                classes,
                with,
                unused,
            }
        }
        other => other,
    }
}

/// How much findings explain by these classes: their owners, and half of it where they are on the
/// stack.
fn evidence(classes: &[&String], findings: Option<&Findings>) -> f64 {
    let of = |frame: &str| {
        let class = Frame::parse(frame).class;
        let outer = class.split('$').next().unwrap_or_default();
        classes.iter().any(|c| *c == outer)
    };
    let found = findings.map_or(&[][..], |findings| &findings.findings);
    let shares = found.iter().map(|finding| {
        let owner = of(&finding.owner);
        let on_stack = finding.stack.iter().any(|frame| of(frame));
        match (owner, on_stack) {
            (true, _) => finding.explains,
            (false, true) => 0.5 * finding.explains,
            _ => 0.0,
        }
    });
    shares.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches among `n` changes of which some give back a share each, and some cannot be put
    /// back at all; returns what is confirmed and the launches that it took.
    fn searched(n: usize, causes: &[(usize, f64)], broken: &[usize]) -> (Vec<usize>, usize) {
        searched_from(n, 0, causes, broken)
    }

    /// The same where findings point at the first of them.
    fn searched_from(
        n: usize,
        pointed_at: usize,
        causes: &[(usize, f64)],
        broken: &[usize],
    ) -> (Vec<usize>, usize) {
        let order: Vec<usize> = (0..n).collect();
        let mut search = Search::among(&order, pointed_at);
        let mut launches = 0;
        while !search.groups().is_empty() {
            let outcome = |group: &Vec<usize>| {
                if group.iter().any(|one| broken.contains(one)) {
                    return Outcome::Failed;
                }
                let of = |one: &usize| {
                    causes
                        .iter()
                        .filter(|c| c.0 == *one)
                        .map(|c| c.1)
                        .sum::<f64>()
                };
                Outcome::GivesBack(group.iter().map(of).sum())
            };
            let outcomes: Vec<Outcome> = search.groups().iter().map(outcome).collect();
            launches += outcomes.len();
            search.take(&outcomes);
        }
        (search.found(), launches)
    }

    #[test]
    fn the_first_suspect_takes_one_round() {
        assert_eq!(searched(5, &[(0, 1.0)], &[]), (vec![0], 5));
    }

    #[test]
    fn what_findings_point_at_is_looked_at_first_and_the_others_where_it_is_not_the_cause() {
        assert_eq!(searched_from(6, 1, &[(0, 0.9)], &[]), (vec![0], 1));
        assert_eq!(searched_from(6, 4, &[(1, 0.9)], &[]), (vec![1], 2));
        assert_eq!(searched_from(6, 2, &[(4, 0.9)], &[]), (vec![4], 6));
        for cause in 0..60 {
            let (found, launches) = searched_from(60, 2, &[(cause, 0.95)], &[]);
            assert_eq!(found, [cause]);
            assert!(launches <= 20, "{cause}: {launches}");
        }
    }

    #[test]
    fn what_is_confirmed_in_any_case_is_not_searched() {
        assert_eq!(searched(1, &[(0, 1.0)], &[]), (vec![0], 0));
        assert_eq!(searched(2, &[(1, 1.0)], &[]), (vec![0, 1], 0));
    }

    #[test]
    fn one_among_many_is_found_by_halving() {
        for cause in 0..60 {
            let (found, launches) = searched(60, &[(cause, 0.95)], &[]);
            assert_eq!(found, [cause]);
            assert!(launches <= 18, "{cause}: {launches}");
        }
    }

    #[test]
    fn what_cannot_be_put_back_hides_nothing_else() {
        for cause in 0..20 {
            let (found, _) = searched(20, &[(cause, 1.0)], &[(cause + 7) % 20]);
            assert_eq!(found, [cause], "{cause}");
        }
    }

    #[test]
    fn two_causes_are_both_confirmed_and_none_is_invented() {
        assert_eq!(searched(4, &[(1, 0.4), (3, 0.6)], &[]).0, [3, 1]);
        assert!(searched(30, &[], &[]).0.is_empty());
        assert!(searched(0, &[], &[]).0.is_empty());
    }
}
