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
#[must_use]
pub fn break_even(point: &BreakEven) -> String {
    let cost = cost(point.cost);
    let (before, after) = (&point.cheaper_before, &point.cheaper_after);
    match &point.requests {
        Some(requests) if before != after => format!(
            "{cost}: {before} is cheaper up to {} requests ({}–{}), {after} beyond",
            figures::requests(requests.value),
            figures::requests(requests.low),
            figures::requests(requests.high),
        ),
        _ => format!(
            "{cost}: {before} is cheaper than {} from the first request on",
            costlier(point)
        ),
    }
}

fn costlier(point: &BreakEven) -> &str {
    let other = point.costlier_before.as_deref();
    other.unwrap_or("another variant")
}

/// First all crossings, then which variant is cheaper throughout. Variants that are cheaper than
/// the baseline share a line, and so do variants that are costlier than it.
#[must_use]
pub fn break_evens(points: &[&BreakEven], baseline: &str) -> Vec<String> {
    // A pair of others is told by itself. Runs of before do not say which the costlier one was.
    let is_of_others = |p: &BreakEven| {
        let other = p.costlier_before.as_deref();
        p.cheaper_before != baseline && other.is_some_and(|other| other != baseline)
    };
    let by_itself = points.iter().filter(|p| crosses(p) || is_of_others(p));
    let mut lines: Vec<String> = by_itself.map(|p| break_even(p)).collect();
    for kind in [CostKind::Waiting, CostKind::Cpu] {
        let throughout = points.iter();
        let throughout = throughout.filter(|p| !crosses(p) && !is_of_others(p) && p.cost == kind);
        let (lost, won): (Vec<&&BreakEven>, Vec<&&BreakEven>) =
            throughout.partition(|p| p.cheaper_before == baseline);
        let cost = cost(kind);
        if !won.is_empty() {
            let winners: Vec<&str> = won.iter().map(|p| p.cheaper_before.as_str()).collect();
            let verb = if winners.len() == 1 { "is" } else { "are" };
            lines.push(format!(
                "{cost}: {} {verb} cheaper than {baseline} from the first request on",
                figures::listed(&winners)
            ));
        }
        if !lost.is_empty() {
            let losers: Vec<&str> = lost.iter().map(|p| costlier(p)).collect();
            lines.push(format!(
                "{cost}: {baseline} is cheaper than {} from the first request on",
                figures::listed(&losers)
            ));
        }
    }
    lines
}

/// Whether the two cost curves cross.
#[must_use]
pub fn crosses(point: &BreakEven) -> bool {
    point.requests.is_some() && point.cheaper_before != point.cheaper_after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_never_cross_share_a_line() {
        let point = |before: &str, other: &str, after: &str, at: Option<f64>| BreakEven {
            limits: "none".into(),
            cost: CostKind::Cpu,
            cheaper_before: before.into(),
            costlier_before: Some(other.into()),
            cheaper_after: after.into(),
            requests: at.map(|value| tacho_run_folder::Interval {
                value,
                low: value / 2.0,
                high: value * 2.0,
            }),
        };
        let points = [
            point("native", "jar", "jar", Some(1000.0)),
            point("cds", "jar", "cds", None),
            point("aot", "jar", "aot", None),
            point("jar", "war", "jar", None),
            point("aot", "lazy", "aot", None),
        ];
        let points: Vec<&BreakEven> = points.iter().collect();
        assert_eq!(
            break_evens(&points, "jar"),
            [
                "processor time: native is cheaper up to 1,000 requests (500–2,000), jar beyond",
                "processor time: aot is cheaper than lazy from the first request on",
                "processor time: cds and aot are cheaper than jar from the first request on",
                "processor time: jar is cheaper than war from the first request on",
            ]
        );
    }
}
