//! Several launches' series as one band: the median over launches, and the lowest and highest
//! value that any of them had.

use super::data::{Band, Point};
use super::thin::{median, round};

/// Points on the axis of time.
const BUCKETS: usize = 150;

/// One launch in one bucket.
#[derive(Clone, Copy)]
struct Seen {
    low: f64,
    high: f64,
    last: f64,
}

impl Seen {
    fn only(value: f64) -> Self {
        let (low, high, last) = (value, value, value);
        Self { low, high, last }
    }
}

/// Puts all series on one grid of at most 150 buckets. The grid ends where half of the series have
/// ended. Each bucket keeps the lowest and the highest value of all launches, and the median of the
/// launches' last values. A launch without a value in a bucket keeps its previous one.
#[must_use]
pub fn band(launches: &[Vec<Point>]) -> Vec<Band> {
    let ends = launches
        .iter()
        .filter_map(|series| series.last())
        .map(|p| p[0]);
    let Some(end) = median(ends.collect()) else {
        return Vec::new();
    };
    let longest = launches.iter().map(Vec::len).max().unwrap_or(0);
    let buckets = longest.clamp(1, BUCKETS);
    let width = (end / buckets as f64).max(f64::MIN_POSITIVE);
    let rows: Vec<Vec<Option<Seen>>> = launches
        .iter()
        .map(|series| row(series, buckets, width))
        .collect();
    (0..buckets)
        .filter_map(|i| {
            let seen: Vec<Seen> = rows.iter().filter_map(|row| row[i]).collect();
            let mid = median(seen.iter().map(|s| s.last).collect())?;
            let low = seen.iter().map(|s| s.low).fold(f64::INFINITY, f64::min);
            let high = seen.iter().map(|s| s.high).fold(0.0, f64::max);
            let at = (i as f64 + 0.5) * width;
            Some([round(at), round(low), round(mid), round(high)])
        })
        .collect()
}

fn row(series: &[Point], buckets: usize, width: f64) -> Vec<Option<Seen>> {
    let mut row: Vec<Option<Seen>> = vec![None; buckets];
    for &[x, y] in series {
        let i = (x / width) as usize;
        // The end of the grid belongs to its last bucket.
        let i = if i == buckets && x <= width * buckets as f64 * (1.0 + 1e-9) {
            buckets - 1
        } else {
            i
        };
        if let Some(slot) = row.get_mut(i) {
            let seen = slot.unwrap_or(Seen::only(y));
            *slot = Some(Seen {
                low: seen.low.min(y),
                high: seen.high.max(y),
                last: y,
            });
        }
    }
    let last = series
        .last()
        .map_or(0, |p| ((p[0] / width) as usize).min(buckets - 1));
    for i in 1..=last {
        if row[i].is_none() {
            row[i] = row[i - 1].map(|seen| Seen::only(seen.last));
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_band_spans_the_launches_and_the_line_is_their_median() {
        let flat = |y: f64| (1..=10).map(|x| [f64::from(x), y]).collect::<Vec<_>>();
        let band = band(&[flat(1.0), flat(5.0), flat(2.0)]);
        // The first of the ten buckets ends before the first value.
        assert_eq!(band.len(), 9);
        assert!(band.iter().all(|b| b[1..] == [1.0, 2.0, 5.0]));
    }

    #[test]
    fn a_single_peak_stays_however_long_the_series() {
        let mut series: Vec<Point> = (0..100_000).map(|x| [f64::from(x), 10.0]).collect();
        series[77_777][1] = 99.0;
        let band = band(&[series]);
        assert!(band.len() <= BUCKETS);
        assert_eq!(band.iter().map(|b| b[3]).fold(0.0, f64::max), 99.0);
        assert_eq!(band.iter().map(|b| b[2]).fold(0.0, f64::max), 10.0);
    }

    #[test]
    fn the_grid_ends_where_half_of_the_launches_have_ended() {
        let until = |end: u32| (0..=end).map(|x| [f64::from(x), 1.0]).collect::<Vec<_>>();
        let band = band(&[until(10), until(20), until(1000)]);
        assert!(band.last().is_some_and(|b| b[0] < 20.0 && b[0] > 18.0));
        assert!(super::band(&[]).is_empty());
        assert!(super::band(&[vec![]]).is_empty());
    }
}
