//! What was planted as an amount of processor time or memory for each request, held against what
//! `dissection.json` of both builds gives to its owner.

use crate::counts::{dissection, each, requests, sum};
use crate::truth::{Size, Truth};
use serde_json::Value;
use std::path::Path;

/// Samples are not counts.
const WITHIN: f64 = 0.1;

/// What was seen of each planted size: in words, and whether it is right.
pub fn judge(truth: &Truth, run: &Path) -> Vec<(String, bool)> {
    let (Some(baseline), Some(candidate)) =
        (dissection(run, "baseline"), dissection(run, "candidate"))
    else {
        return Vec::new();
    };
    let owner = truth.owners.first().map_or("", String::as_str);
    let more =
        |size: &Size| per_request(&candidate, size, owner) - per_request(&baseline, size, owner);
    let sizes = truth.sizes.iter();
    sizes.map(|size| told(size, more(size))).collect()
}

fn told(size: &Size, seen: f64) -> (String, bool) {
    let text = format!("{seen:.2} of {:.2} {}", size.planted, size.unit);
    (text, (seen / size.planted - 1.0).abs() <= WITHIN)
}

/// Everything below a frame of the owner.
fn per_request(seen: &Value, size: &Size, owner: &str) -> f64 {
    let frame = format!("{owner}:");
    let is_owners = |entry: &&Value| {
        each(&entry["frames"]).any(|f| f.as_str().is_some_and(|f| f.starts_with(&frame)))
    };
    let ledgers = each(&seen["ledgers"]).filter(|ledger| ledger["kind"] == size.ledger);
    ledgers
        .map(|ledger| sum(each(&ledger["entries"]).filter(is_owners), "cost") / requests(ledger))
        .sum::<f64>()
        / size.units
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn sizes_are_those_of_the_owner_and_bounded() {
        let seen = json!({"ledgers": [{"kind": "processor", "requests": 10, "entries": [
            {"frames": ["java.lang.Math.sin:1", "shop.Tax.burn:7", "shop.Web.get:1"], "cost": 12e6},
            {"frames": ["shop.Tax.burnt:9"], "cost": 99e6},
            {"frames": ["shop.Tax.burn:8"], "cost": 6e6}
        ]}]});
        let size = Size {
            ledger: "processor",
            units: 1e6,
            unit: "ms",
            planted: 2.0,
        };
        let seen = per_request(&seen, &size, "shop.Tax.burn");
        assert_eq!(told(&size, seen), ("1.80 of 2.00 ms".to_owned(), true));
        assert!(!told(&size, 1.79).1 && !told(&size, 2.21).1);
    }
}
