//! Counts that moved, in lines.

use crate::words::counted;
use tacho_diagnosis::MovedCount;

/// Lines that are shown.
const LINES: usize = 8;

/// A line a count; one that says so where all are alike.
#[must_use]
pub fn lines(counts: &[MovedCount]) -> Vec<String> {
    if counts.is_empty() {
        return vec!["the same, as far as it is counted".to_owned()];
    }
    counts.iter().take(LINES).map(line).collect()
}

fn line(count: &MovedCount) -> String {
    let shown = counted(&count.times);
    let mut text = format!(
        "{}: {} → {}",
        count.what,
        shown(count.times.baseline),
        shown(count.times.candidate)
    );
    if let Some(owner) = &count.owner {
        text += &format!(" ({owner})");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_diagnosis::Pair;

    #[test]
    fn each_count_is_a_line() {
        let count = MovedCount {
            what: "log lines".to_owned(),
            times: Pair {
                baseline: 0.0,
                candidate: 12.0,
                ..Pair::default()
            },
            owner: Some("shop.Orders.all".to_owned()),
            mostly: None,
            time_ms: None,
        };
        assert_eq!(lines(&[count]), ["log lines: 0 → 12 (shop.Orders.all)"]);
        assert_eq!(lines(&[]), ["the same, as far as it is counted"]);
    }
}
