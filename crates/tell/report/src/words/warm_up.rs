//! A sweep over warm-ups: one table and a few sentences, the same in every format.

use serde::Serialize;
use tacho_figures as figures;
use tacho_run_folder::{CellWarmUp, Interval, WarmUpEnd, WarmUpResult, WarmingEnd};

/// One set of limits.
#[derive(Debug, Clone, PartialEq)]
pub struct WarmUpTable {
    /// The label of the phase in which users were served.
    pub phase: String,
    /// Titles of all columns except the first, which holds the variant.
    pub titles: Vec<WarmUpTitle>,
    /// One a variant.
    pub rows: Vec<WarmUpRow>,
    /// Says which warm-up is the cheapest that is enough; absent if the advice already says so.
    pub sentence: Option<String>,
    /// What the variants were busy with.
    pub notes: Vec<String>,
}

/// Heading of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarmUpTitle {
    /// Text of the heading.
    pub text: String,
    /// It is shown where there is room for few.
    pub is_short: bool,
}

/// A value, and its interval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// With its unit.
    pub value: String,
    /// Where there is more than one launch.
    pub interval: Option<String>,
}

/// One way to warm, and what it led to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WarmUpRow {
    /// Name of the variant.
    pub variant: String,
    /// What was sent to warm it.
    pub how: String,
    /// The course of its launches.
    pub course: Option<String>,
    /// Values and their intervals, in the order of the titles.
    pub cells: Vec<Entry>,
}

/// The table of one set of limits; `None` without a cell of it.
#[must_use]
pub fn warm_up(result: &WarmUpResult, limits: &str) -> Option<WarmUpTable> {
    let cells: Vec<&CellWarmUp> = result.cells.iter().filter(|c| c.limits == limits).collect();
    if cells.is_empty() {
        return None;
    }
    let columns = columns(result.objective_ms);
    let filled: Vec<&Column> = columns
        .iter()
        .filter(|column| cells.iter().any(|cell| (column.read)(cell).is_some()))
        .collect();
    let choice = result.choices.iter().find(|choice| choice.limits == limits);
    Some(WarmUpTable {
        phase: result.phase.clone(),
        titles: filled
            .iter()
            .map(|column| WarmUpTitle {
                text: column.title.clone(),
                is_short: column.is_short,
            })
            .collect(),
        rows: cells.iter().map(|cell| row(cell, &filled)).collect(),
        sentence: choice.map(|choice| choice.sentence.clone()),
        notes: cells
            .iter()
            .flat_map(|cell| not_warmed(cell).chain(note(cell)))
            .chain(remedy(&cells))
            .chain(rests(&cells))
            .collect(),
    })
}

struct Column {
    title: String,
    is_short: bool,
    read: fn(&CellWarmUp) -> Option<Entry>,
}

fn of(interval: Option<Interval>, unit: &str) -> Option<Entry> {
    let interval = interval?;
    Some(Entry {
        value: figures::value(interval.value, unit),
        interval: figures::interval(&interval, unit),
    })
}

fn columns(objective_ms: Option<f64>) -> Vec<Column> {
    let column = |title: &str, is_short, read| Column {
        title: title.to_owned(),
        is_short,
        read,
    };
    let over = objective_ms.map_or_else(
        || "over".to_owned(),
        |ms| format!("over {}", figures::ms(ms)),
    );
    vec![
        column("requests", true, |c| of(c.requests, "1")),
        column("users after", true, |c| of(c.traffic_ms, "ms")),
        column("min", false, |c| of(c.response.min, "ms")),
        column("mean", false, |c| of(c.response.mean, "ms")),
        column("p50", true, |c| of(c.response.p50, "ms")),
        column("p90", false, |c| of(c.response.p90, "ms")),
        column("p95", false, |c| of(c.response.p95, "ms")),
        column("p99", true, |c| of(c.response.p99, "ms")),
        column("max", true, |c| of(c.response.max, "ms")),
        column(&over, true, |c| of(c.over_objective, "1")),
        column("debt", true, |c| of(c.debt_s, "s")),
    ]
}

fn row(cell: &CellWarmUp, columns: &[&Column]) -> WarmUpRow {
    let none = || Entry {
        value: "–".to_owned(),
        interval: None,
    };
    WarmUpRow {
        variant: cell.variant.clone(),
        how: cell.how.clone().unwrap_or_default(),
        course: cell.course.clone(),
        cells: columns
            .iter()
            .map(|column| (column.read)(cell).unwrap_or_else(none))
            .collect(),
    }
}

/// How a warm-up can have ended before the service was warm, and what is said of it.
static NOT_WARM: [(&[WarmingEnd], &str); 2] = [
    (
        &[WarmingEnd::Failing],
        "its warm-up failed, because its requests were not answered as expected",
    ),
    (
        &[
            WarmingEnd::RequestLimit,
            WarmingEnd::TimeLimit,
            WarmingEnd::NothingLeft,
        ],
        "response times had not settled when its warm-up came to its limit",
    ),
];

/// Says in how many launches a variant was not warmed as its recipe says.
fn not_warmed(cell: &CellWarmUp) -> impl Iterator<Item = String> {
    let all = figures::counted(launches(cell).into(), "1 launch", "launches");
    NOT_WARM.iter().filter_map(move |(such, what)| {
        let is_such = |end| matches!(end, WarmUpEnd::Watched(end) if such.contains(&end));
        let ends = cell.ends.iter();
        let ended_so = ends.filter(|(end, _)| end.known().is_some_and(is_such));
        let launches: u32 = ended_so.map(|(_, launches)| launches).sum();
        let name = &cell.variant;
        (launches > 0).then(|| format!("{name}: in {launches} of {all} {what}."))
    })
}

/// What a variant was busy with while it served its first users, if that was more than at the end.
/// Also says what starved it, if anything did.
fn note(cell: &CellWarmUp) -> Option<String> {
    let grown: Vec<String> = cell
        .causes
        .iter()
        .filter(|cause| cause.first > 2.0 * cause.last && cause.first >= least(&cause.unit))
        .map(|cause| {
            format!(
                "{} {} (at the end {})",
                cause.name,
                rate(cause.first, &cause.unit),
                rate(cause.last, &cause.unit)
            )
        })
        .collect();
    let busy = (!grown.is_empty())
        .then(|| format!("while its first users were served: {}", grown.join(", ")));
    let parts: Vec<String> = busy.into_iter().chain(cell.starved.clone()).collect();
    (!parts.is_empty()).then(|| format!("{}: {}.", cell.variant, parts.join("; ")))
}

/// Given once, even if several variants are starved.
fn remedy(cells: &[&CellWarmUp]) -> Option<String> {
    cells.iter().find(|cell| cell.starved.is_some()).map(|_| {
        "Slow requests keep a starved compiler from its work, and so they stay slow: fewer requests at a time, bursts with rests between them (`bursts`), or more processors until it is warm (`boost`) help.".to_owned()
    })
}

/// Compares variants that were sent the same number of requests with and without rests between
/// bursts. One sentence for each pair.
fn rests(cells: &[&CellWarmUp]) -> Vec<String> {
    let in_bursts = |cell: &CellWarmUp| {
        cell.how
            .as_deref()
            .is_some_and(|how| how.contains("in bursts of"))
    };
    let bursts = cells.iter().filter(|cell| in_bursts(cell));
    bursts
        .filter_map(|burst| {
            let without = cells
                .iter()
                .find(|cell| !in_bursts(cell) && are_alike(cell, burst))?;
            let (with, as_many) = (burst.response.p99.as_ref()?, without.response.p99.as_ref()?);
            let verdict = if launches(burst).min(launches(without)) < FEWEST_LAUNCHES {
                "too few launches to tell"
            } else if with.high < as_many.low {
                "better"
            } else if with.low > as_many.high {
                "worse"
            } else {
                "not told apart"
            };
            let p99 = |interval: &Interval| figures::ms(interval.value);
            let after = |cell: &CellWarmUp| {
                cell.traffic_ms.as_ref().map_or(String::new(), |ms| {
                    format!(" after {}", figures::ms(ms.value))
                })
            };
            Some(format!(
                "Rests between bursts: {} served its users with a p99 of {}{}, {} with as many requests and no rests {}{}: {verdict}.",
                burst.variant,
                p99(with),
                after(burst),
                without.variant,
                p99(as_many),
                after(without),
            ))
        })
        .collect()
}

/// With fewer, an interval is no more than what happened to come.
const FEWEST_LAUNCHES: u32 = 3;

fn launches(cell: &CellWarmUp) -> u32 {
    cell.ends.iter().map(|(_, launches)| launches).sum()
}

/// The same variant, before the name of its recipe followed its own, that was sent the same number
/// of requests.
fn are_alike(one: &CellWarmUp, other: &CellWarmUp) -> bool {
    let sent = |cell: &CellWarmUp| {
        cell.requests
            .as_ref()
            .map_or(0.0, |requests| requests.value)
    };
    without_recipe(one) == without_recipe(other)
        && sent(one) > 0.0
        && (sent(one) - sent(other)).abs() < 0.01 * sent(one)
}

/// The name of a variant without that of its recipe: `spring-boot` of `spring-boot-bursts-1000`. A
/// recipe that was given a name has one without hyphens, as far as anybody can tell.
fn without_recipe(cell: &CellWarmUp) -> &str {
    let name = cell.variant.as_str();
    let how = cell.how.as_deref().unwrap_or_default();
    let count = how.split(' ').next().unwrap_or_default();
    let usual = ["-bursts-", "-each-", "-"].map(|before| format!("{before}{count}"));
    usual
        .iter()
        .find_map(|end| name.strip_suffix(end.as_str()))
        .or_else(|| name.rsplit_once('-').map(|(before, _)| before))
        .unwrap_or(name)
}

/// The smallest rate that is mentioned.
fn least(unit: &str) -> f64 {
    match unit {
        "1/s" => 5.0,
        _ => 0.02,
    }
}

fn rate(value: f64, unit: &str) -> String {
    match unit {
        "s/s" => format!("{} a second", figures::ms(value * 1e3)),
        "1/s" => format!("{} a second", figures::number(value)),
        _ => figures::number(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_run_folder::{ResponseTimes, WarmUpChoice, WarmingCause, Word};

    fn interval(value: f64) -> Option<Interval> {
        Some(Interval {
            value,
            low: value,
            high: value,
        })
    }

    fn cell(variant: &str, limits: &str) -> CellWarmUp {
        CellWarmUp {
            cell: format!("{variant}@{limits}"),
            variant: variant.to_owned(),
            limits: limits.to_owned(),
            how: Some("100 requests".to_owned()),
            requests: interval(100.0),
            ends: vec![(WarmUpEnd::AllSent.into(), 3)],
            traffic_ms: interval(2_500.0),
            response: ResponseTimes {
                p99: interval(40.0),
                ..ResponseTimes::default()
            },
            over_objective: interval(3.0),
            users: interval(1_000.0),
            debt_s: None,
            steady_ms: None,
            course: None,
            courses: Vec::new(),
            causes: vec![
                WarmingCause {
                    name: "time spent compiling".to_owned(),
                    unit: "s/s".to_owned(),
                    first: 0.6,
                    last: 0.01,
                },
                WarmingCause {
                    name: "classes loaded".to_owned(),
                    unit: "1/s".to_owned(),
                    first: 1.0,
                    last: 0.0,
                },
            ],
            starved: None,
        }
    }

    fn result(limits: &[&str]) -> WarmUpResult {
        WarmUpResult {
            phase: "open".to_owned(),
            objective_ms: Some(50.0),
            cells: limits.iter().map(|name| cell("jar", name)).collect(),
            choices: limits
                .iter()
                .map(|name| WarmUpChoice {
                    limits: (*name).to_owned(),
                    cell: None,
                    sentence: format!("so with {name}."),
                })
                .collect(),
        }
    }

    #[test]
    fn only_what_somebody_has_is_a_column() {
        let table = warm_up(&result(&["1cpu"]), "1cpu").unwrap();
        let titles: Vec<&str> = table
            .titles
            .iter()
            .map(|title| title.text.as_str())
            .collect();
        assert_eq!(titles, ["requests", "users after", "p99", "over 50 ms"]);
        assert_eq!(table.rows[0].cells[2].value, "40 ms");
        assert_eq!(warm_up(&result(&["1cpu"]), "2cpu"), None);
    }

    #[test]
    fn each_set_of_limits_has_its_own_sentence() {
        let result = result(&["1cpu", "2cpu"]);
        assert_eq!(
            warm_up(&result, "2cpu").unwrap().sentence.as_deref(),
            Some("so with 2cpu.")
        );
        assert_eq!(warm_up(&result, "2cpu").unwrap().rows.len(), 1);
    }

    #[test]
    fn rests_are_compared_with_as_many_requests_without_them() {
        let mut result = result(&["1cpu"]);
        let mut burst = cell("jar-bursts", "1cpu");
        burst.how = Some("100 requests in bursts of 10, 200 ms apart".to_owned());
        burst.response.p99 = interval(12.0);
        burst.traffic_ms = interval(4_500.0);
        let mut more = cell("jar-1000", "1cpu");
        more.requests = interval(1_000.0);
        result.cells.extend([burst, more]);
        let notes = |result: &WarmUpResult| warm_up(result, "1cpu").unwrap().notes;
        let said = notes(&result).pop().unwrap();
        assert_eq!(
            said,
            "Rests between bursts: jar-bursts served its users with a p99 of 12 ms after 4.50 s, jar with as many requests and no rests 40 ms after 2.50 s: better."
        );
        result.cells[1].response.p99 = interval(40.0);
        assert!(notes(&result).pop().unwrap().ends_with("not told apart."));
        result.cells[1].response.p99 = interval(12.0);
        result.cells[1].ends = vec![(WarmUpEnd::AllSent.into(), 2)];
        let said = notes(&result).pop().unwrap();
        assert!(said.ends_with(": too few launches to tell."), "{said}");
        result.cells.remove(0);
        assert!(!notes(&result).pop().unwrap().contains("Rests"));
    }

    #[test]
    fn rests_are_compared_within_one_variant() {
        let named = |variant: &str, how: &str| {
            let mut cell = cell(variant, "1cpu");
            cell.how = Some(how.to_owned());
            cell
        };
        let bursts = "100 requests in bursts of 10, 200 ms apart";
        let compared = |other: &str, how: &str| {
            let mut result = result(&["1cpu"]);
            let burst = named("spring-boot-bursts-100", bursts);
            result.cells = vec![burst, named(other, how)];
            let notes = warm_up(&result, "1cpu").unwrap().notes;
            notes.iter().any(|note| note.starts_with("Rests"))
        };
        assert!(compared("spring-boot-100", "100 requests"));
        assert!(!compared("spring-native-100", "100 requests"));
        let boosted = "100 requests with 2 processors until warm";
        assert!(!compared("spring-boot-100-boost-2", boosted));
    }

    #[test]
    fn a_warm_up_that_did_not_warm_is_named() {
        let mut result = result(&["1cpu"]);
        let watched = |end| Word::from(WarmUpEnd::Watched(end));
        result.cells[0].causes.clear();
        result.cells[0].ends = vec![
            (watched(WarmingEnd::Settled), 1),
            (watched(WarmingEnd::TimeLimit), 2),
            (watched(WarmingEnd::Failing), 1),
            (watched(WarmingEnd::RequestLimit), 1),
        ];
        assert_eq!(
            warm_up(&result, "1cpu").unwrap().notes,
            [
                "jar: in 1 of 5 launches its warm-up failed, because its requests were not answered as expected.",
                "jar: in 3 of 5 launches response times had not settled when its warm-up came to its limit."
            ]
        );
    }

    #[test]
    fn what_kept_it_busy_is_said_and_what_did_not_is_not() {
        let table = warm_up(&result(&["1cpu"]), "1cpu").unwrap();
        assert_eq!(
            table.notes,
            [
                "jar: while its first users were served: time spent compiling 600 ms a second (at the end 10 ms a second)."
            ]
        );
    }
}
