//! The sentence of a run with several sets of limits.

use super::choice::{Choice, LostBy};
use super::clause::{open_questions, ready_in, versus_baseline};
use super::exception::less_memory_everywhere;
use super::sentence::{Costs, decided_by, shortcoming, too_few_launches};
use crate::distinct;
use tacho_run_folder::CellResult;

/// Why a variant is the one to ship under its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It is the only one.
    Alone,
    /// It is the baseline, and of the others nothing is told yet.
    Open,
    /// It is the baseline, and none of the others is better.
    Kept,
    /// It was told to be better than the baseline, or there is no valid launch of the baseline.
    Better,
    /// It is the best of those that all miss a check.
    MissesACheck,
}

impl Standing {
    fn of(choice: &Choice<'_>, pick: &CellResult) -> Self {
        let is_baseline = choice.baseline.is_some_and(|b| b.cell == pick.cell);
        let mut others = choice.others.iter();
        let is_tied = |lost_by: &LostBy<'_>| matches!(lost_by, LostBy::Nothing);
        let mut tied = choice.others.iter().filter(|o| is_tied(&o.lost_by));
        match is_baseline {
            _ if !choice.meets_checks => Self::MissesACheck,
            true if choice.others.is_empty() => Self::Alone,
            true if others.all(|o| is_tied(&o.lost_by))
                && tied.any(|o| open_questions(choice, o.cell).is_some()) =>
            {
                Self::Open
            }
            true => Self::Kept,
            false => Self::Better,
        }
    }
}

/// What to ship under each, without the full stop.
pub fn over_limits(choices: &[Choice<'_>]) -> String {
    let picks: Vec<(&Choice<'_>, &CellResult)> =
        choices.iter().filter_map(|c| Some((c, c.pick?))).collect();
    let Some((_, first)) = picks.first() else {
        return "There is nothing to advise: no launch was valid".to_owned();
    };
    let undecided = |(choice, pick): &(&Choice<'_>, &CellResult)| too_few_launches(choice, pick);
    if let Some(sentence) = picks.iter().find_map(undecided) {
        return sentence;
    }
    let everywhere =
        picks.len() == choices.len() && picks.iter().all(|(_, p)| p.variant == first.variant);
    let standings: Vec<Standing> = picks.iter().map(|(c, p)| Standing::of(c, p)).collect();
    let one = match standings[..] {
        [one, ref others @ ..] if everywhere && others.iter().all(|it| *it == one) => Some(one),
        // The baseline stays under all of them, and under some there is a reason.
        _ if everywhere
            && standings
                .iter()
                .all(|it| matches!(it, Standing::Kept | Standing::Open)) =>
        {
            Some(Standing::Kept)
        }
        _ => None,
    };
    let mut clauses = match one {
        Some(standing) => whatever_the_limits(standing, &first.variant, &picks),
        None => vec![depending_on_them(choices)],
    };
    if picks.iter().any(|(choice, _)| choice.baseline.is_none()) {
        clauses.push("the baseline has no valid launch to compare it with".to_owned());
    }
    let mut costs = Costs::default();
    for (choice, pick) in &picks {
        clauses.extend(costs.of(choice, pick, choice.baseline));
    }
    if let Some(other) = less_memory_everywhere(&picks) {
        let (choice, pick) = picks[0];
        clauses.push(other.clause);
        clauses.extend(costs.of(choice, other.cell, Some(pick)));
    }
    clauses.join("; ")
}

fn whatever_the_limits(
    standing: Standing,
    variant: &str,
    picks: &[(&Choice<'_>, &CellResult)],
) -> Vec<String> {
    let places = picks.iter().map(|(choice, pick)| at_limits(choice, pick));
    let places = places.collect::<Vec<String>>().join(", ");
    match standing {
        Standing::Better => vec![format!("Ship `{variant}` whatever the limits: {places}")],
        Standing::Kept => {
            let mut clauses = vec![format!("Keep `{variant}` whatever the limits: {places}")];
            let worse = shortcomings(picks);
            if worse.is_empty() {
                clauses.push("none of the others was shown to be better".to_owned());
            }
            clauses.extend(worse);
            clauses
        }
        Standing::Open => {
            let mut clauses = vec![format!(
                "Nothing was shown to be better than `{variant}` yet, whatever the limits: keep it, or measure more"
            )];
            clauses.extend(picks.iter().filter_map(|(choice, _)| open_at(choice)));
            clauses
        }
        Standing::Alone => vec![
            format!("`{variant}`: {places}"),
            "add a variant to compare it with".to_owned(),
        ],
        Standing::MissesACheck => vec![format!(
            "No variant meets every check, whatever the limits; the best of them is `{variant}`: {places}"
        )],
    }
}

fn depending_on_them(choices: &[Choice<'_>]) -> String {
    let of_each = choices.iter().map(|choice| {
        let Some(pick) = choice.pick else {
            return format!("nothing valid at {}", choice.limits);
        };
        let at = format!("`{}`, {}", pick.variant, at_limits(choice, pick));
        match Standing::of(choice, pick) {
            Standing::Better => format!("ship {at}"),
            Standing::Kept => format!("keep {at}"),
            Standing::Open => format!("keep {at}, where nothing was shown to be better yet"),
            Standing::Alone => format!("{at}, where there is no other"),
            Standing::MissesACheck => format!("{at}, the best where none meets every check"),
        }
    });
    let of_each: Vec<String> = of_each.collect();
    format!("It depends on the limits: {}", of_each.join("; "))
}

/// `ready in 770 ms (2.6 x sooner than `jar`) with 10 % less memory at 1cpu-256MiB`; before that
/// the metric by which it was preferred, where that is another one.
fn at_limits(choice: &Choice<'_>, pick: &CellResult) -> String {
    let criteria = choice.criteria;
    let is_other = |id: &String| *id != criteria.ready && *id != criteria.memory;
    let decided = decided_by(choice).filter(is_other);
    let decided = decided.and_then(|id| versus_baseline(choice, pick, &id));
    let decided = decided.map_or_else(String::new, |decided| format!("{decided}, "));
    let ready = ready_in(choice, pick).unwrap_or_else(|| "not timed".to_owned());
    let memory = versus_baseline(choice, pick, &criteria.memory);
    let memory = memory.map_or_else(String::new, |memory| format!(" with {memory}"));
    format!("{decided}{ready}{memory} at {}", choice.limits)
}

/// For each of the other variants, why it is worse, under the first limits where that was shown.
fn shortcomings(picks: &[(&Choice<'_>, &CellResult)]) -> Vec<String> {
    let others = picks.iter().flat_map(|(choice, _)| &choice.others);
    let names = distinct(others.map(|other| other.cell.variant.as_str()));
    let of = |name: &str| {
        picks.iter().find_map(|(choice, _)| {
            let mut others = choice.others.iter();
            let other = others.find(|other| other.cell.variant == name)?;
            let how = shortcoming(choice, other)?;
            Some(format!("{how} at {}", choice.limits))
        })
    };
    names.into_iter().filter_map(of).collect()
}

/// Under one set of limits: what was not told apart from the baseline, for the first other variant
/// with such an open question.
fn open_at(choice: &Choice<'_>) -> Option<String> {
    choice.others.iter().find_map(|other| {
        let open = open_questions(choice, other.cell)?;
        Some(format!(
            "`{}` at {}: {open}",
            other.cell.variant, choice.limits
        ))
    })
}
