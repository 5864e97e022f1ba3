//! The sentences.

use super::Grounds;
use super::choice::{Choice, LostBy, Other, metric};
use super::clause::{
    amount, and, headlines, name, open_questions, ready_in, verdict, versus_baseline, versus_best,
};
use super::exception::{building, exceptions};
use super::over_limits::over_limits;
use crate::verdict::FEWEST_LAUNCHES;
use tacho_figures::{launches as count_of_launches, percent};
use tacho_run_folder::{CellResult, Verdict};

/// One set of limits, without the full stop.
pub fn for_limits(grounds: &Grounds<'_>, choice: &Choice<'_>) -> String {
    let Some(pick) = choice.pick else {
        return format!(
            "There is nothing to advise at {}: no launch was valid",
            choice.limits
        );
    };
    if choice.others.is_empty() && choice.baseline.is_some_and(|b| b.cell == pick.cell) {
        return alone(choice, pick);
    }
    if let Some(sentence) = too_few_launches(choice, pick) {
        return sentence;
    }
    let is_baseline = choice.baseline.is_some_and(|b| b.cell == pick.cell);
    let mut clauses = if is_baseline {
        stay(grounds, choice, pick)
    } else {
        change(choice, pick)
    };
    clauses.extend(runner_up(choice, pick));
    clauses.extend(no_better(choice));
    clauses.extend(failed_check(choice));
    clauses.extend(instead_of(grounds, choice, pick));
    clauses.join("; ")
}

/// The whole run, without the full stop.
pub fn for_run(grounds: &Grounds<'_>, choices: &[Choice<'_>]) -> String {
    match choices {
        [] => "There is nothing to advise: the plan has no cells".to_owned(),
        [only] => for_limits(grounds, only),
        several => over_limits(several),
    }
}

/// Whether there is something to choose from, and enough launches to choose by.
pub fn is_decided(choice: &Choice<'_>, pick: &CellResult) -> bool {
    !choice.others.is_empty() && too_few_launches(choice, pick).is_none()
}

/// Without verdicts nothing can decide.
pub fn too_few_launches(choice: &Choice<'_>, pick: &CellResult) -> Option<String> {
    let others = choice.others.iter().map(|other| other.cell);
    let cells: Vec<&CellResult> = std::iter::once(pick).chain(others).collect();
    let most = cells.iter().map(|cell| cell.valid as usize).max()?;
    if most >= FEWEST_LAUNCHES {
        return None;
    }
    let first = cells
        .iter()
        .filter_map(|cell| Some((*cell, metric(cell, &choice.criteria.ready)?)))
        .min_by(|(_, a), (_, b)| a.estimate.value.total_cmp(&b.estimate.value));
    let so_far = first.map_or_else(String::new, |(cell, ready)| {
        format!(
            "; so far `{}` was ready first, in {}",
            cell.variant,
            amount(ready)
        )
    });
    Some(format!(
        "No verdict yet: {} of each variant cannot tell a difference from chance, make at least {FEWEST_LAUNCHES}, better 5{so_far}",
        count_of_launches(most)
    ))
}

/// What is said beside a choice among so few launches of each that chance may have made it.
pub fn too_few_to_tell(cells: &[CellResult], limits: &str) -> Option<String> {
    let cells = cells.iter().filter(|cell| cell.limits == limits);
    let most = cells.map(|cell| cell.valid as usize).max()?;
    (most < FEWEST_LAUNCHES).then(|| {
        format!(
            "; {} of each cannot tell that from chance, make at least {FEWEST_LAUNCHES}, better 5",
            count_of_launches(most)
        )
    })
}

/// The only variant: its own numbers.
fn alone(choice: &Choice<'_>, pick: &CellResult) -> String {
    format!(
        "`{}`: {}; add a variant to compare it with",
        pick.variant,
        and(&own_numbers(choice, pick))
    )
}

fn own_numbers(choice: &Choice<'_>, cell: &CellResult) -> Vec<String> {
    let criteria = &choice.criteria;
    let capacity = criteria.capacity.as_deref();
    let of = |id: &str| metric(cell, id).map(amount);
    let ready = ready_in(choice, cell);
    let first = of(&criteria.first_request).map(|t| format!("first request {t}"));
    let memory = of(&criteria.memory).map(|m| format!("{m} of memory at its peak"));
    [ready, first, capacity.and_then(of), memory]
        .into_iter()
        .flatten()
        .collect()
}

/// Leave the baseline.
fn change(choice: &Choice<'_>, pick: &CellResult) -> Vec<String> {
    let mut reasons: Vec<String> = ready_in(choice, pick).into_iter().collect();
    if choice.baseline.is_none() {
        reasons = own_numbers(choice, pick);
    }
    let told = headlines(choice);
    reasons.extend(
        told.iter()
            .filter_map(|id| versus_baseline(choice, pick, id)),
    );
    // The metric that made the baseline leave is a reason, whichever it is.
    let ids = [told, vec![choice.criteria.ready.clone()]].concat();
    reasons.extend(
        decided_by(choice)
            .filter(|id| !ids.contains(id))
            .and_then(|id| versus_baseline(choice, pick, &id)),
    );
    let ship = if choice.meets_checks {
        "Ship"
    } else {
        "No variant meets every check; the best of them is"
    };
    let mut clauses = vec![format!("{ship} `{}`: {}", pick.variant, reasons.join(", "))];
    if choice.baseline.is_none() {
        clauses.push("the baseline has no valid launch to compare it with".to_owned());
    }
    clauses.extend(open_questions(choice, pick));
    clauses
}

/// The metric by which the baseline lost.
pub fn decided_by(choice: &Choice<'_>) -> Option<String> {
    let baseline = choice.baseline?;
    let mut others = choice.others.iter();
    let other = others.find(|o| o.cell.cell == baseline.cell)?;
    other.lost_by.metric().map(str::to_owned)
}

/// Keep the baseline, because the others are worse, the same, or not told apart.
fn stay(grounds: &Grounds<'_>, choice: &Choice<'_>, pick: &CellResult) -> Vec<String> {
    let worse: Vec<String> = choice
        .others
        .iter()
        .filter_map(|o| shortcoming(choice, o))
        .collect();
    let tied: Vec<&Other<'_>> = choice
        .others
        .iter()
        .filter(|o| matches!(o.lost_by, LostBy::Nothing))
        .collect();
    let is_open = |o: &&&Other<'_>| open_questions(choice, o.cell).is_some();
    let open: Vec<&&Other<'_>> = tied.iter().filter(is_open).collect();
    if worse.is_empty() && !open.is_empty() {
        let (first, others) = (open[0], &open[1..]);
        let mut clauses = vec![format!(
            "Nothing was shown to be better than `{}` yet: keep it, or measure more",
            pick.variant
        )];
        clauses.extend(
            open_questions(choice, first.cell).map(|q| format!("`{}`: {q}", first.cell.variant)),
        );
        if !others.is_empty() {
            clauses.push(format!("nor is {} told apart", listed(others)));
        }
        return clauses;
    }
    let keep = if choice.meets_checks {
        "Keep"
    } else {
        "No variant meets every check; the best of them is"
    };
    let mut clauses = vec![format!(
        "{keep} `{}`: {}",
        pick.variant,
        own_numbers(choice, pick).join(", ")
    )];
    clauses.extend(worse);
    if !tied.is_empty() {
        let names = listed(&tied.iter().collect::<Vec<_>>());
        let threshold = percent(grounds.plan.threshold);
        clauses.push(if open.is_empty() {
            format!("{names} did no better by more than {threshold}")
        } else {
            format!("{names} was not shown to be better")
        });
    }
    clauses
}

fn listed(others: &[&&Other<'_>]) -> String {
    let quoted = others.iter().map(|o| format!("`{}`", o.cell.variant));
    and(&quoted.collect::<Vec<_>>())
}

/// `` `native`: 30 % less throughput ``, and of which variant where it was not told apart from the
/// baseline: a third one was better than it.
pub fn shortcoming(choice: &Choice<'_>, other: &Other<'_>) -> Option<String> {
    let LostBy::Metric { id, best } = &other.lost_by else {
        return None;
    };
    let how = versus_baseline(choice, other.cell, id)
        .filter(|_| metric(other.cell, id).and_then(verdict) == Some(Verdict::Worse))
        .or_else(|| versus_best(choice, other.cell, best, id))?;
    Some(format!("`{}`: {how}", other.cell.variant))
}

/// Who stayed longest beside the pick, and what decided between the two. The baseline that stays
/// says of each other variant why.
fn runner_up(choice: &Choice<'_>, pick: &CellResult) -> Option<String> {
    if choice.baseline.is_some_and(|b| b.cell == pick.cell) {
        return None;
    }
    let last = choice.runner_up()?;
    let variant = &last.cell.variant;
    match &last.lost_by {
        LostBy::Metric { id, .. } => Some(format!(
            "{} decided, `{variant}` is the runner-up",
            name(choice, id)
        )),
        LostBy::Nothing => Some(format!(
            "`{variant}` was not told apart from it, and stands after it in the plan"
        )),
        LostBy::Check(_) | LostBy::NoBetter => None,
    }
}

/// Who was not shown to be better than the baseline, where another was.
fn no_better(choice: &Choice<'_>) -> Option<String> {
    let others = choice.others.iter();
    let others = others.filter(|other| matches!(other.lost_by, LostBy::NoBetter));
    let names: Vec<String> = others
        .map(|other| format!("`{}`", other.cell.variant))
        .collect();
    let baseline = &choice.baseline?.variant;
    (!names.is_empty()).then(|| {
        format!(
            "{} was not shown to be better than `{baseline}`",
            and(&names)
        )
    })
}

/// Who was left out for a check.
fn failed_check(choice: &Choice<'_>) -> Vec<String> {
    let left_out = choice
        .others
        .iter()
        .filter_map(|other| match &other.lost_by {
            LostBy::Check(check) => {
                Some(format!("`{}` does not meet `{check}`", other.cell.variant))
            }
            _ => None,
        });
    left_out.collect()
}

/// When another variant is the better buy, and what building costs of those that were named.
fn instead_of(grounds: &Grounds<'_>, choice: &Choice<'_>, pick: &CellResult) -> Vec<String> {
    let exceptions = exceptions(grounds, choice, pick);
    let mut clauses: Vec<String> = exceptions.iter().map(|e| e.clause.clone()).collect();
    let mut costs = Costs::default();
    clauses.extend(costs.of(choice, pick, choice.baseline));
    for other in &exceptions {
        clauses.extend(costs.of(choice, other.cell, Some(pick)));
    }
    clauses
}

/// What building costs is told of each variant once.
#[derive(Default)]
pub struct Costs<'a> {
    told: Vec<&'a str>,
}

impl<'a> Costs<'a> {
    pub fn of(
        &mut self,
        choice: &Choice<'_>,
        cell: &'a CellResult,
        instead: Option<&CellResult>,
    ) -> Option<String> {
        if self.told.contains(&cell.variant.as_str()) {
            return None;
        }
        self.told.push(&cell.variant);
        building(choice, cell, instead)
    }
}
