//! The sentences.

use super::Grounds;
use super::choice::{Choice, LostBy, Other, metric};
use super::clause::{amount, and, headlines, open_questions, ready_in, verdict, versus_baseline};
use crate::verdict::FEWEST_LAUNCHES;
use crate::words::{about, launches as count_of_launches, percent};
use tacho_run_folder::{BreakEven, CellResult, CostKind, Verdict};

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
    clauses.extend(failed_check(choice));
    clauses.extend(exception(grounds, choice, pick));
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

fn over_limits(choices: &[Choice<'_>]) -> String {
    let picks: Vec<(&Choice<'_>, &CellResult)> =
        choices.iter().filter_map(|c| Some((c, c.pick?))).collect();
    let Some((_, first)) = picks.first() else {
        return "There is nothing to advise: no launch was valid".to_owned();
    };
    let undecided = |(choice, pick): &(&Choice<'_>, &CellResult)| too_few_launches(choice, pick);
    if let Some(sentence) = picks.iter().find_map(undecided) {
        return sentence;
    }
    let place = |(choice, pick): &(&Choice<'_>, &CellResult)| {
        let ready = ready_in(choice, pick).unwrap_or_else(|| "not timed".to_owned());
        format!("{ready} at {}", choice.limits)
    };
    if picks.len() == choices.len() && picks.iter().all(|(_, p)| p.variant == first.variant) {
        let places: Vec<String> = picks.iter().map(place).collect();
        return format!(
            "Ship `{}` whatever the limits: {}",
            first.variant,
            places.join(", ")
        );
    }
    let of_each = choices.iter().map(|choice| match choice.pick {
        Some(pick) => format!("`{}`, {}", pick.variant, place(&(choice, pick))),
        None => format!("nothing valid at {}", choice.limits),
    });
    let of_each: Vec<String> = of_each.collect();
    format!("It depends on the limits: ship {}", of_each.join("; "))
}

/// Without verdicts only sizes could decide, and they are not what the run was made for.
fn too_few_launches(choice: &Choice<'_>, pick: &CellResult) -> Option<String> {
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

/// The only variant: its own numbers.
fn alone(choice: &Choice<'_>, pick: &CellResult) -> String {
    let numbers = own_numbers(choice, pick);
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    format!(
        "`{}`: {}; add a variant to compare it with",
        pick.variant,
        and(&numbers)
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
fn decided_by(choice: &Choice<'_>) -> Option<String> {
    let baseline = choice.baseline?;
    let other = choice
        .others
        .iter()
        .find(|o| o.cell.cell == baseline.cell)?;
    match &other.lost_by {
        LostBy::Metric(id) => Some(id.clone()),
        _ => None,
    }
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
        .filter(|o| o.lost_by == LostBy::Nothing)
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
    let quoted: Vec<String> = others
        .iter()
        .map(|o| format!("`{}`", o.cell.variant))
        .collect();
    and(&quoted.iter().map(String::as_str).collect::<Vec<_>>())
}

/// `` `native` has 30 % less throughput ``
fn shortcoming(choice: &Choice<'_>, other: &Other<'_>) -> Option<String> {
    let LostBy::Metric(id) = &other.lost_by else {
        return None;
    };
    let variant = &other.cell.variant;
    let how = versus_baseline(choice, other.cell, id)
        .filter(|_| metric(other.cell, id).and_then(verdict) == Some(Verdict::Worse));
    Some(match how {
        Some(how) => format!("`{variant}`: {how}"),
        None => format!("`{variant}` was worse than the best in {id}"),
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

/// When another variant is the cheaper one: for short lives or for long ones; else for memory.
fn exception(grounds: &Grounds<'_>, choice: &Choice<'_>, pick: &CellResult) -> Option<String> {
    let of_pick = |b: &&BreakEven| {
        b.limits == choice.limits
            && b.cost == CostKind::Cpu
            // From below one request on it is not certain that they cross at all.
            && b.requests.is_some_and(|r| r.low >= 1.0)
            && [&b.cheaper_before, &b.cheaper_after].contains(&&pick.variant)
    };
    let found = grounds.break_evens.iter().filter(of_pick).max_by(|a, b| {
        let requests = |e: &BreakEven| e.requests.map_or(0.0, |r| r.value);
        let measured = |e: &BreakEven| !e.extrapolated;
        let by_measured = measured(a).cmp(&measured(b));
        by_measured.then(requests(a).total_cmp(&requests(b)))
    });
    let Some(found) = found else {
        return memory_exception(choice, pick);
    };
    let crossing = found.requests?;
    let requests = about(crossing.value);
    let remark = match (crossing.high > WIDE * crossing.low, found.extrapolated) {
        (false, false) => String::new(),
        (false, true) => " (extrapolated)".to_owned(),
        (true, _) => format!(
            " (95 %: {} to {})",
            about(crossing.low),
            about(crossing.high)
        ),
    };
    Some(if found.cheaper_after == pick.variant {
        format!(
            "`{}` costs less CPU time only for instances that serve fewer than {requests} requests{remark}",
            found.cheaper_before
        )
    } else {
        format!(
            "`{}` costs less CPU time for instances that serve more than {requests} requests{remark}",
            found.cheaper_after
        )
    })
}

/// Another variant with so much less memory that it may be the better buy.
fn memory_exception(choice: &Choice<'_>, pick: &CellResult) -> Option<String> {
    let id = &choice.criteria.memory;
    let mine = metric(pick, id)?.estimate;
    let least = choice
        .others
        .iter()
        .filter_map(|o| Some((o, metric(o.cell, id)?)))
        .filter(|(_, m)| m.values.len() >= FEWEST_LAUNCHES)
        .min_by(|a, b| a.1.estimate.value.total_cmp(&b.1.estimate.value))?;
    let (other, theirs) = least;
    let saving = 1.0 - theirs.estimate.value / mine.value;
    let clear = theirs.estimate.high < mine.low && saving > NOTABLE_SAVING;
    clear.then(|| {
        format!(
            "where memory is what counts, `{}` needs {} less",
            other.cell.variant,
            percent(saving)
        )
    })
}

/// Less than a quarter is not worth a second thought in one sentence.
const NOTABLE_SAVING: f64 = 0.25;
/// A break-even whose interval reaches further than this factor is told with it.
const WIDE: f64 = 2.0;
