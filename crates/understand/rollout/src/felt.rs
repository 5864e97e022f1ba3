//! What users felt, window by window.

use crate::{Request, Window};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tacho_clock::to_ms;

/// What users felt in one window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Felt {
    /// The window.
    pub window: Window,
    /// Requests that were due in the window.
    pub requests: u64,
    /// Those without a good answer.
    pub lost: u64,
    /// Good answers that took longer than any in the first window.
    pub slower_than_any_before: u64,
    /// Median response time of the good answers, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50_ms: Option<f64>,
    /// 99th percentile of the same; absent with fewer than 100 good answers, where it would be the
    /// longest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99_ms: Option<f64>,
    /// The longest of the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_ms: Option<f64>,
}

/// Below this many requests the 99th percentile would be the longest time.
pub(crate) const ENOUGH_FOR_P99: usize = 100;

/// Of each window.
#[must_use]
pub fn felt(requests: &[Request], windows: &[Window]) -> Vec<Felt> {
    let times = |window: &Window| {
        let within = requests.iter().filter(|one| window.holds(one.intended_ns));
        let good = within.filter(|one| one.is_good);
        let mut times: Vec<u64> = good.map(Request::response_ns).collect();
        times.sort_unstable();
        times
    };
    let longest_before = windows
        .first()
        .and_then(|first| times(first).last().copied());
    let of = |window: &Window| {
        let times = times(window);
        let wanted = requests.iter().filter(|one| window.holds(one.intended_ns));
        let requests = wanted.count();
        let slower = longest_before.map_or(0, |longest| {
            times.len() - times.partition_point(|time| *time <= longest)
        });
        Felt {
            window: window.clone(),
            requests: requests as u64,
            lost: (requests - times.len()) as u64,
            slower_than_any_before: slower as u64,
            p50_ms: quantile(&times, 0.5),
            p99_ms: quantile(&times, 0.99).filter(|_| times.len() >= ENOUGH_FOR_P99),
            longest_ms: times.last().copied().map(to_ms),
        }
    };
    windows.iter().map(of).collect()
}

/// A quantile of sorted times: the smallest time that is at least as long as this part of them.
pub(crate) fn quantile(sorted: &[u64], part: f64) -> Option<f64> {
    let rank = (part * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied().map(to_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(at_ms: u64, took_ms: u64, is_good: bool) -> Request {
        Request {
            intended_ns: at_ms * 1_000_000,
            sent_ns: Some(at_ms * 1_000_000),
            end_ns: (at_ms + took_ms) * 1_000_000,
            is_good,
            outcome: "200".to_owned(),
            ..Request::default()
        }
    }

    fn window(name: &str, from_ms: u64, to_ms: u64) -> Window {
        Window {
            name: name.to_owned(),
            from_ns: from_ms * 1_000_000,
            to_ns: to_ms * 1_000_000,
            is_change: name != "before",
        }
    }

    #[test]
    fn each_window_has_its_own_figures() {
        let requests: Vec<Request> = (0..200)
            .map(|n| match n {
                150 => request(n, 50, true),
                160 => request(n, 3, false),
                _ => request(n, 1 + n % 3, true),
            })
            .collect();
        let windows = [window("before", 0, 100), window("restart 1", 100, 200)];
        let felt = felt(&requests, &windows);
        assert_eq!((felt[0].requests, felt[0].lost), (100, 0));
        assert_eq!(felt[0].longest_ms, Some(3.0));
        assert_eq!(felt[0].p99_ms, Some(3.0));
        assert_eq!((felt[1].requests, felt[1].lost), (100, 1));
        assert_eq!(felt[1].slower_than_any_before, 1);
        assert_eq!(felt[1].longest_ms, Some(50.0));
        // Of 99 times it would be the longest.
        assert_eq!(felt[1].p99_ms, None);
        assert_eq!(felt[1].p50_ms, Some(2.0));
    }

    #[test]
    fn nothing_was_asked() {
        let felt = felt(&[], &[window("before", 0, 100)]);
        assert_eq!(felt[0].requests, 0);
        assert_eq!(felt[0].p50_ms, None);
    }
}
