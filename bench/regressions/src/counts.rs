//! What was planted as a count, held against what `dissection.json` of either build says.

use crate::truth::{Count, Truth};
use serde_json::Value;
use std::path::Path;

/// Counts are exact; a float's last digit is not.
const EXACT: f64 = 1e-6;

/// `2 of 2`; nothing where there is nothing to count, or neither build was looked into.
pub fn judge(truth: &Truth, run: &Path) -> String {
    let (Some(baseline), Some(candidate)) =
        (dissection(run, "baseline"), dissection(run, "candidate"))
    else {
        return String::new();
    };
    if truth.counts.is_empty() {
        return String::new();
    }
    let is_right = |count: &&Count| {
        (per_request(&baseline, count) - count.baseline).abs() < EXACT
            && (per_request(&candidate, count) - count.candidate).abs() < EXACT
    };
    let right = truth.counts.iter().filter(is_right).count();
    format!("{right} of {}", truth.counts.len())
}

pub fn dissection(run: &Path, cell: &str) -> Option<Value> {
    let folders = std::fs::read_dir(run.join("diagnosis")).ok()?.flatten();
    let texts =
        folders.filter_map(|f| std::fs::read_to_string(f.path().join("dissection.json")).ok());
    texts
        .filter_map(|text| serde_json::from_str::<Value>(&text).ok())
        .find(|seen| seen["cell"] == cell)
}

fn per_request(seen: &Value, count: &Count) -> f64 {
    match count.ledger.as_str() {
        "calls" => calls(seen, &count.key),
        ledger => entries(seen, ledger, &count.key),
    }
}

/// Of whatever was traced.
fn calls(seen: &Value, key: &str) -> f64 {
    let method = match key.strip_prefix("new ") {
        Some(class) => format!("{class}.<init>"),
        None => key.to_owned(),
    };
    each(&seen["traces"])
        .map(|trace| {
            let callees = each(&trace["callees"]).filter(|callee| callee["method"] == *method);
            sum(callees, "calls") / requests(trace)
        })
        .sum()
}

fn entries(seen: &Value, ledger: &str, key: &str) -> f64 {
    each(&seen["ledgers"])
        .filter(|seen| seen["kind"] == ledger)
        .map(|ledger| {
            let is_it = |entry: &&Value| entry["key"].as_str().unwrap_or_default().starts_with(key);
            sum(each(&ledger["entries"]).filter(is_it), "count") / requests(ledger)
        })
        .sum()
}

pub fn each(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

pub fn sum<'v>(values: impl Iterator<Item = &'v Value>, field: &str) -> f64 {
    values.filter_map(|value| value[field].as_f64()).sum()
}

pub fn requests(of: &Value) -> f64 {
    of["requests"].as_f64().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn counts_are_those_of_the_window() {
        let seen = json!({
            "ledgers": [{"kind": "queries", "requests": 10, "entries": [
                {"key": "select a", "count": 20},
                {"key": "select b", "count": 5}
            ]}],
            "traces": [{"requests": 10, "callees": [
                {"method": "lib.Mapper.<init>", "calls": 10},
                {"method": "lib.Mapper.read", "calls": 30}
            ]}]
        });
        let count = |ledger: &str, key: &str| Count {
            ledger: ledger.to_owned(),
            key: key.to_owned(),
            baseline: 0.0,
            candidate: 0.0,
        };
        assert_eq!(per_request(&seen, &count("queries", "select a")), 2.0);
        assert_eq!(per_request(&seen, &count("queries", "")), 2.5);
        assert_eq!(per_request(&seen, &count("regexes", "select a")), 0.0);
        assert_eq!(per_request(&seen, &count("calls", "new lib.Mapper")), 1.0);
        assert_eq!(per_request(&seen, &count("calls", "lib.Mapper.read")), 3.0);
    }
}
