//! Whether a series keeps growing: a line that is robust against outliers, with an interval.
//!
//! Theil-Sen: the slope is the median of the slopes between all pairs of points (Sen, J. Am. Stat.
//! Assoc. 63, 1968). Its interval comes from a moving-block bootstrap of the residuals, because
//! neighbours in time are alike (Kuensch, Ann. Stat. 17, 1989).

use crate::bootstrap::median;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Fewer points say nothing about a trend.
pub const FEWEST_POINTS: usize = 8;
/// Longer series are reduced to this many points: the lowest value, or the mean, of each stretch of
/// time.
const MOST_POINTS: usize = 60;
const RESAMPLES: usize = 200;
/// A series counts as growing only while the second half grows at least this fast, as a share of
/// the slope of the whole. Otherwise the growth is levelling off.
const SECOND_HALF: f64 = 1.0 / 3.0;

/// A value at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// In seconds, on the clock of its series.
    pub at_s: f64,
    /// The value, in most series bytes.
    pub value: f64,
}

impl Point {
    /// Makes a point from seconds and a value.
    #[must_use]
    pub fn new(at_s: f64, value: f64) -> Self {
        Self { at_s, value }
    }
}

/// How a series grows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trend {
    /// Growth in units of the value a second.
    pub slope: f64,
    /// 95 % interval of the slope.
    pub interval: (f64, f64),
    /// Slope of the second half.
    pub second_half: f64,
    /// 95 % interval of the slope of the second half.
    pub second_half_interval: (f64, f64),
    /// Value of the line at the first instant.
    pub begin: f64,
    /// Value of the line at the last instant.
    pub end: f64,
    /// Seconds from the first instant to the last.
    pub duration_s: f64,
}

impl Trend {
    /// Growth from the first instant to the last.
    #[must_use]
    pub fn growth(&self) -> f64 {
        self.end - self.begin
    }

    /// Whether the series grows, and the second half does not level off.
    #[must_use]
    pub fn is_unending(&self) -> bool {
        self.interval.0 > 0.0
            && self.second_half_interval.0 > 0.0
            && self.second_half >= SECOND_HALF * self.slope
    }
}

/// The trend of a series in the order of time; `None` with too few points.
#[must_use]
pub fn trend(points: &[Point]) -> Option<Trend> {
    let points = thinned(points);
    if points.len() < FEWEST_POINTS {
        return None;
    }
    let middle = points.len() / 2;
    // Half a series may have fewer points than a whole one needs.
    let (first, last) = (points.first()?, points.last()?);
    let line = Line::through(&points)?;
    let interval = interval(&points, line);
    let later = points.get(middle..)?;
    let second = Line::through(later)?;
    Some(Trend {
        slope: line.slope,
        interval,
        second_half: second.slope,
        second_half_interval: self::interval(later, second),
        begin: line.at(first.at_s),
        end: line.at(last.at_s),
        duration_s: last.at_s - first.at_s,
    })
}

#[derive(Debug, Clone, Copy)]
struct Line {
    slope: f64,
    /// Value of the line at 0 s.
    base: f64,
}

impl Line {
    fn through(points: &[Point]) -> Option<Self> {
        let mut slopes = Vec::with_capacity(points.len() * points.len() / 2);
        for (index, a) in points.iter().enumerate() {
            for b in points.iter().skip(index + 1) {
                if b.at_s > a.at_s {
                    slopes.push((b.value - a.value) / (b.at_s - a.at_s));
                }
            }
        }
        let slope = median(&slopes)?;
        let bases: Vec<f64> = points.iter().map(|p| p.value - slope * p.at_s).collect();
        Some(Self {
            slope,
            base: median(&bases)?,
        })
    }

    fn at(self, at_s: f64) -> f64 {
        self.base + self.slope * at_s
    }
}

fn interval(points: &[Point], line: Line) -> (f64, f64) {
    let residuals: Vec<f64> = points.iter().map(|p| p.value - line.at(p.at_s)).collect();
    // Long enough to keep neighbours that are alike together, and short enough for several blocks.
    let block = (residuals.len() as f64).sqrt().round().max(1.0) as usize;
    let starts = residuals.len() + 1 - block;
    let mut random = ChaCha8Rng::seed_from_u64(residuals.len() as u64);
    let mut slopes = Vec::with_capacity(RESAMPLES);
    let mut again = points.to_vec();
    for _ in 0..RESAMPLES {
        let mut drawn = Vec::with_capacity(residuals.len() + block);
        while drawn.len() < residuals.len() {
            let start = random.random_range(0..starts);
            drawn.extend_from_slice(&residuals[start..start + block]);
        }
        for ((point, original), residual) in again.iter_mut().zip(points).zip(&drawn) {
            point.value = line.at(original.at_s) + residual;
        }
        slopes.extend(Line::through(&again).map(|line| line.slope));
    }
    slopes.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = (share * slopes.len() as f64) as usize;
        slopes
            .get(index.min(slopes.len().saturating_sub(1)))
            .copied()
            .unwrap_or(line.slope)
    };
    (at(0.025), at(0.975))
}

/// The mean of each stretch of time, when there are too many points.
fn thinned(points: &[Point]) -> Vec<Point> {
    if points.len() <= MOST_POINTS {
        return points.to_vec();
    }
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return Vec::new();
    };
    let width = (last.at_s - first.at_s) / MOST_POINTS as f64;
    let mut means: Vec<(usize, Point, f64)> = Vec::new();
    for point in points {
        let stretch = ((point.at_s - first.at_s) / width) as usize;
        match means.last_mut().filter(|(s, ..)| *s == stretch) {
            Some((_, sum, count)) => {
                sum.at_s += point.at_s;
                sum.value += point.value;
                *count += 1.0;
            }
            None => means.push((stretch, *point, 1.0)),
        }
    }
    means
        .into_iter()
        .map(|(_, sum, count)| Point::new(sum.at_s / count, sum.value / count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::noise;

    fn series(count: usize, value: impl Fn(f64) -> f64) -> Vec<Point> {
        let noise = noise(count, 0.6, 7);
        (0..count)
            .map(|i| Point::new(i as f64, value(i as f64) + 20.0 * noise[i]))
            .collect()
    }

    #[test]
    fn a_planted_slope_is_within_its_interval_and_unending() {
        for count in [20, 60, 1000] {
            let trend = trend(&series(count, |t| 1000.0 + 10.0 * t)).unwrap();
            assert!(
                trend.interval.0 <= 10.5 && trend.interval.1 >= 9.5,
                "{count}: {trend:?}"
            );
            assert!(trend.is_unending(), "{count}: {trend:?}");
        }
    }

    #[test]
    fn the_interval_holds_the_truth_about_as_often_as_it_says() {
        let mut held = 0;
        for seed in 0..40 {
            let noise = noise(40, 0.6, seed);
            let points: Vec<_> = (0..40)
                .map(|i| Point::new(i as f64, 2.0 * i as f64 + 20.0 * noise[i]))
                .collect();
            let (low, high) = trend(&points).unwrap().interval;
            held += u32::from(low <= 2.0 && 2.0 <= high);
        }
        // With neighbours this much alike a bootstrap of blocks is somewhat too sure of itself.
        assert!((32..=40).contains(&held), "{held} of 40");
    }

    #[test]
    fn what_comes_to_its_end_or_only_moves_about_is_not_unending() {
        let saturating = trend(&series(100, |t| 1000.0 * (1.0 - (-t / 12.0).exp()))).unwrap();
        assert!(!saturating.is_unending(), "{saturating:?}");
        let step = trend(&series(100, |t| if t < 20.0 { 0.0 } else { 500.0 })).unwrap();
        assert!(!step.is_unending(), "{step:?}");
        let mut false_alarms = 0;
        for seed in 0..40 {
            let noise = noise(60, 0.6, seed);
            let points: Vec<_> = (0..60).map(|i| Point::new(i as f64, noise[i])).collect();
            false_alarms += u32::from(trend(&points).unwrap().is_unending());
        }
        assert!(false_alarms <= 2, "{false_alarms} of 40");
    }

    #[test]
    fn one_outlier_does_not_turn_the_line() {
        let mut points = series(30, |_| 100.0);
        points[29].value = 1e9;
        assert!(!trend(&points).unwrap().is_unending());
        assert_eq!(trend(&points[..7]), None);
    }
}
