//! Where costs cross, in words.

use tacho_figures as figures;
use tacho_run_folder::{BreakEven, CostKind};

/// `processor time` or `users' waiting time`.
#[must_use]
pub fn cost(kind: CostKind) -> &'static str {
    match kind {
        CostKind::Cpu => "processor time",
        CostKind::Waiting => "users' waiting time",
    }
}

/// `aot is cheaper up to 12,300 requests (11,000–14,100), native beyond`.
///
/// A pair that does not cross always holds the baseline.
#[must_use]
pub fn break_even(point: &BreakEven, baseline: &str) -> String {
    let cost = cost(point.cost);
    let (before, after) = (&point.cheaper_before, &point.cheaper_after);
    match &point.requests {
        Some(requests) if before != after => format!(
            "{cost}: {before} is cheaper up to {} requests ({}–{}), {after} beyond",
            figures::requests(requests.value),
            figures::requests(requests.low),
            figures::requests(requests.high),
        ),
        _ if before == baseline => {
            format!("{cost}: {before} is cheaper than another variant from the first request on")
        }
        _ => format!("{cost}: {before} is cheaper than {baseline} from the first request on"),
    }
}

/// Every crossing, then in one line for each cost who is cheaper throughout.
#[must_use]
pub fn break_evens(points: &[&BreakEven], baseline: &str) -> Vec<String> {
    let crossing = points.iter().filter(|p| crosses(p));
    let mut lines: Vec<String> = crossing.map(|p| break_even(p, baseline)).collect();
    for kind in [CostKind::Waiting, CostKind::Cpu] {
        let throughout: Vec<&&BreakEven> = points
            .iter()
            .filter(|p| !crosses(p) && p.cost == kind)
            .collect();
        let winners: Vec<&str> = throughout
            .iter()
            .map(|p| p.cheaper_before.as_str())
            .filter(|winner| *winner != baseline)
            .collect();
        if let Some((last, others)) = winners.split_last() {
            let (names, verb) = match others {
                [] => ((*last).to_owned(), "is"),
                _ => (format!("{} and {last}", others.join(", ")), "are"),
            };
            lines.push(format!(
                "{}: {names} {verb} cheaper than {baseline} from the first request on",
                cost(kind)
            ));
        }
        let lost = throughout.len() - winners.len();
        if lost > 0 {
            lines.push(format!(
                "{}: {baseline} is cheaper from the first request on than {}",
                cost(kind),
                figures::counted(lost as u64, "1 other variant", "other variants")
            ));
        }
    }
    lines
}

/// The curves of the two cross.
#[must_use]
pub fn crosses(point: &BreakEven) -> bool {
    point.requests.is_some() && point.cheaper_before != point.cheaper_after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_never_cross_share_a_line() {
        let point = |before: &str, after: &str, at: Option<f64>| BreakEven {
            limits: "none".into(),
            cost: CostKind::Cpu,
            cheaper_before: before.into(),
            cheaper_after: after.into(),
            requests: at.map(|value| tacho_run_folder::Interval {
                value,
                low: value / 2.0,
                high: value * 2.0,
            }),
        };
        let points = [
            point("native", "jar", Some(1000.0)),
            point("cds", "cds", None),
            point("aot", "aot", None),
            point("jar", "jar", None),
        ];
        let points: Vec<&BreakEven> = points.iter().collect();
        assert_eq!(
            break_evens(&points, "jar"),
            [
                "processor time: native is cheaper up to 1,000 requests (500–2,000), jar beyond",
                "processor time: cds and aot are cheaper than jar from the first request on",
                "processor time: jar is cheaper from the first request on than 1 other variant",
            ]
        );
    }
}
