//! Response times over time, for a chart. Requests too close together to be told apart in a picture
//! share a column.

use crate::felt::quantile;
use crate::{Request, Window};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tacho_clock::{MILLISECOND, to_ms, to_seconds};

/// The most columns in a chart.
const COLUMNS: u64 = 600;

/// Widths of a column.
const WIDTHS: [u64; 10] = [
    100 * MILLISECOND,
    200 * MILLISECOND,
    500 * MILLISECOND,
    1_000 * MILLISECOND,
    2_000 * MILLISECOND,
    5_000 * MILLISECOND,
    10_000 * MILLISECOND,
    30_000 * MILLISECOND,
    60_000 * MILLISECOND,
    300_000 * MILLISECOND,
];

/// Response times over time.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Course {
    /// How long each column is, in seconds.
    pub column_s: f64,
    /// The columns; those in which no request was due are left out.
    pub columns: Vec<Column>,
}

/// Requests that were due within a short time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Column {
    /// Its beginning, in seconds since the first change.
    pub at_s: f64,
    /// Requests that were due in this column.
    pub requests: u64,
    /// Those without a good answer.
    pub lost: u64,
    /// Median response time of the good answers, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50_ms: Option<f64>,
    /// The longest of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_ms: Option<f64>,
}

/// Over all windows. Times count from `origin_ns`.
#[must_use]
pub fn course(requests: &[Request], windows: &[Window], origin_ns: u64) -> Course {
    let (Some(first), Some(last)) = (windows.first(), windows.last()) else {
        return Course::default();
    };
    let (from, to) = (first.from_ns, last.to_ns.max(first.from_ns));
    let wide = |width: &&u64| (to - from) / **width < COLUMNS;
    let width = WIDTHS.iter().find(wide).copied();
    let width = width.unwrap_or((to - from) / COLUMNS + 1);
    let mut within: Vec<&Request> = requests
        .iter()
        .filter(|one| (from..to).contains(&one.intended_ns))
        .collect();
    within.sort_by_key(|one| one.intended_ns);
    let number = |one: &Request| (one.intended_ns - from) / width;
    let columns = within
        .chunk_by(|a, b| number(a) == number(b))
        .filter_map(|chunk| {
            let at_ns = from + number(chunk.first()?) * width;
            Some(column(chunk, since(at_ns, origin_ns)))
        });
    Course {
        column_s: to_seconds(width),
        columns: columns.collect(),
    }
}

fn since(at_ns: u64, origin_ns: u64) -> f64 {
    match at_ns.checked_sub(origin_ns) {
        Some(after) => to_seconds(after),
        None => -to_seconds(origin_ns - at_ns),
    }
}

fn column(requests: &[&Request], at_s: f64) -> Column {
    let good = requests.iter().filter(|one| one.is_good);
    let mut times: Vec<u64> = good.map(|one| one.response_ns()).collect();
    times.sort_unstable();
    Column {
        at_s,
        requests: requests.len() as u64,
        lost: (requests.len() - times.len()) as u64,
        p50_ms: quantile(&times, 0.5),
        longest_ms: times.last().copied().map(to_ms),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tacho_clock::SECOND;

    fn window(from_s: u64, to_s: u64) -> Window {
        Window {
            name: "restart 1".to_owned(),
            from_ns: from_s * SECOND,
            to_ns: to_s * SECOND,
            is_change: true,
        }
    }

    fn request(at_ns: u64, ms: u64, is_good: bool) -> Request {
        Request {
            intended_ns: at_ns,
            end_ns: at_ns + ms * MILLISECOND,
            is_good,
            ..Request::default()
        }
    }

    #[test]
    fn columns_hold_what_was_wanted_in_them() {
        let requests = [
            request(10 * SECOND, 5, true),
            request(10 * SECOND + 50 * MILLISECOND, 9, true),
            request(11 * SECOND, 7, false),
        ];
        let course = course(&requests, &[window(10, 20)], 11 * SECOND);
        assert!((course.column_s - 0.1).abs() < 1e-12);
        let [first, second] = course.columns.as_slice() else {
            panic!("{course:?}");
        };
        assert_eq!((first.at_s, first.requests, first.lost), (-1.0, 2, 0));
        assert_eq!((first.p50_ms, first.longest_ms), (Some(5.0), Some(9.0)));
        assert_eq!((second.at_s, second.requests, second.lost), (0.0, 1, 1));
        assert_eq!(second.p50_ms, None);
    }

    #[test]
    fn nothing_has_no_course() {
        assert_eq!(course(&[], &[], 0), Course::default());
    }

    proptest! {
        #[test]
        fn every_request_is_in_one_column_and_there_are_not_too_many(
            at in proptest::collection::vec(0u64..20_000, 0..200), hours in 1u64..200,
        ) {
            let requests: Vec<Request> = at
                .iter()
                .map(|n| request(n * hours * SECOND / 10, 1, n % 3 > 0))
                .collect();
            let course = course(&requests, &[window(0, hours * 2_001)], 0);
            let counted: u64 = course.columns.iter().map(|column| column.requests).sum();
            prop_assert_eq!(counted, requests.len() as u64);
            prop_assert!(course.columns.len() as u64 <= COLUMNS);
        }
    }
}
