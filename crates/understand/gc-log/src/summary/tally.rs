//! Counts and times by name; names beyond the hundredth are counted together.

use super::{CauseTotal, HistogramBar, KindTotal, NamedTotal, milliseconds, seconds};
use crate::event::Pause;
use hdrhistogram::Histogram;
use tacho_run_folder::Quantiles;

/// Names that are told apart.
const MOST_NAMES: usize = 100;
/// Bytes of a name that are kept.
const LONGEST_NAME: usize = 200;
const OTHERS: &str = "others";

#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    count: u64,
    total: u64,
    max: u64,
}

impl Sum {
    fn add(&mut self, duration: u64) {
        self.count += 1;
        self.total = self.total.saturating_add(duration);
        self.max = self.max.max(duration);
    }
}

pub fn kept(name: &str) -> String {
    name.chars().take(LONGEST_NAME).collect()
}

/// Of one name after the other the same comes again and again: the last one is looked at first.
fn place<T>(entries: &mut Vec<T>, is: impl Fn(&T) -> bool, make: impl FnOnce(bool) -> T) -> usize {
    if let Some(i) = entries.iter().position(is) {
        return i;
    }
    if entries.len() < MOST_NAMES {
        entries.push(make(false));
    } else if entries.len() == MOST_NAMES {
        entries.push(make(true));
    }
    entries.len() - 1
}

/// Times by name.
#[derive(Debug, Default)]
pub struct Names {
    entries: Vec<(String, Sum)>,
}

impl Names {
    pub fn add(&mut self, name: &str, duration: u64) {
        let i = place(
            &mut self.entries,
            |(known, _)| known == name,
            |is_full| (kept(if is_full { OTHERS } else { name }), Sum::default()),
        );
        self.entries[i].1.add(duration);
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn count(&self) -> u64 {
        self.entries.iter().map(|(_, sum)| sum.count).sum()
    }

    pub fn total(&self) -> u64 {
        self.entries.iter().map(|(_, sum)| sum.total).sum()
    }

    /// The most time first.
    pub fn totals(&self) -> Vec<NamedTotal> {
        let mut totals: Vec<NamedTotal> = self
            .entries
            .iter()
            .map(|(name, sum)| NamedTotal {
                name: name.clone(),
                count: sum.count,
                total_s: seconds(sum.total),
                max_ms: milliseconds(sum.max),
            })
            .collect();
        totals.sort_by(|a, b| b.total_s.total_cmp(&a.total_s));
        totals
    }
}

/// Times by kind and cause.
#[derive(Debug, Default)]
pub struct Causes {
    entries: Vec<(String, Option<String>, Sum)>,
}

impl Causes {
    pub fn add(&mut self, kind: &str, cause: Option<&str>, duration: u64) {
        let i = place(
            &mut self.entries,
            |(known, its, _)| known == kind && its.as_deref() == cause,
            |is_full| {
                let kind = if is_full { OTHERS } else { kind };
                let cause = cause.filter(|_| !is_full).map(kept);
                (kept(kind), cause, Sum::default())
            },
        );
        self.entries[i].2.add(duration);
    }

    pub fn count(&self) -> u64 {
        self.entries.iter().map(|(_, _, sum)| sum.count).sum()
    }

    /// The most time first.
    pub fn finish(&self) -> Vec<CauseTotal> {
        let mut totals: Vec<CauseTotal> = self
            .entries
            .iter()
            .map(|(kind, cause, sum)| CauseTotal {
                kind: kind.clone(),
                cause: cause.clone(),
                count: sum.count,
                total_s: seconds(sum.total),
                max_ms: milliseconds(sum.max),
            })
            .collect();
        totals.sort_by(|a, b| b.total_s.total_cmp(&a.total_s).then(b.count.cmp(&a.count)));
        totals
    }
}

/// Pauses by kind, each with its distribution.
#[derive(Debug, Default)]
pub struct Kinds {
    entries: Vec<Kind>,
    all: Times,
}

#[derive(Debug)]
struct Kind {
    name: String,
    is_collection: bool,
    is_last_resort: bool,
    times: Times,
}

impl Kinds {
    pub fn add(&mut self, pause: &Pause<'_>) {
        self.all.add(pause.duration);
        let i = place(
            &mut self.entries,
            |kind| kind.name == pause.name,
            |is_full| Kind {
                name: kept(if is_full { OTHERS } else { pause.name }),
                is_collection: pause.kind.is_collection(),
                is_last_resort: pause.kind.is_last_resort(),
                times: Times::default(),
            },
        );
        self.entries[i].times.add(pause.duration);
    }

    pub fn count(&self) -> u64 {
        self.all.sum.count
    }

    pub fn total(&self) -> u64 {
        self.all.sum.total
    }

    pub fn quantiles(&self) -> Option<Quantiles> {
        self.all.quantiles()
    }

    pub fn histogram(&self) -> Vec<HistogramBar> {
        self.all.bars()
    }

    /// Pauses that are collections by themselves.
    pub fn collections(&self) -> u64 {
        let collections = self.entries.iter().filter(|kind| kind.is_collection);
        collections.map(|kind| kind.times.sum.count).sum()
    }

    /// The most time first.
    pub fn finish(&self) -> Vec<KindTotal> {
        let mut totals: Vec<KindTotal> = self
            .entries
            .iter()
            .map(|kind| KindTotal {
                kind: kind.name.clone(),
                is_collection: kind.is_collection,
                is_last_resort: kind.is_last_resort,
                count: kind.times.sum.count,
                total_s: seconds(kind.times.sum.total),
                quantiles_ms: kind.times.quantiles(),
            })
            .collect();
        totals.sort_by(|a, b| b.total_s.total_cmp(&a.total_s));
        totals
    }
}

/// A distribution of durations: sum, least and most are exact, quantiles have three digits of a
/// microsecond or more.
#[derive(Debug, Default)]
struct Times {
    sum: Sum,
    min: u64,
    histogram: Option<Histogram<u64>>,
}

/// Longer than any pause: a day, in microseconds. What is longer counts as this in the quantiles.
const LONGEST: u64 = 86_400_000_000;

impl Times {
    fn add(&mut self, duration: u64) {
        self.min = if self.sum.count == 0 {
            duration
        } else {
            self.min.min(duration)
        };
        self.sum.add(duration);
        if self.histogram.is_none() {
            self.histogram = Histogram::new(3).ok();
        }
        if let Some(histogram) = &mut self.histogram {
            histogram.auto(true);
            // A histogram that grows by itself takes any value; should it fail, the sum has the
            // pause all the same.
            let _ = histogram.record((duration / 1000).min(LONGEST));
        }
    }

    /// Bars whose bounds are 1, 2 and 5 of each power of ten, from the shortest to the longest.
    fn bars(&self) -> Vec<HistogramBar> {
        let Some(histogram) = &self.histogram else {
            return Vec::new();
        };
        let mut bars = Vec::new();
        let mut from = 0;
        let mut seen = 0;
        for up_to in bounds() {
            if seen >= self.sum.count {
                break;
            }
            let inside = histogram
                .iter_recorded()
                .map(|value| (value.value_iterated_to(), value.count_at_value()))
                .filter(|(micros, _)| {
                    *micros > from && *micros <= up_to || from == 0 && *micros == 0
                });
            let (count, micros) = inside.fold((0, 0), |(count, sum), (micros, more)| {
                (count + more, sum + micros * more)
            });
            seen += count;
            if count > 0 || !bars.is_empty() {
                bars.push(HistogramBar {
                    up_to_ms: up_to as f64 / 1e3,
                    count,
                    total_s: micros as f64 / 1e6,
                });
            }
            from = up_to;
        }
        bars
    }

    fn quantiles(&self) -> Option<Quantiles> {
        let histogram = self.histogram.as_ref()?;
        let longest = milliseconds(self.sum.max);
        let mut found = histogram.value_at_quantiles([0.5, 0.9, 0.95, 0.99, 0.999]);
        // A value of a histogram is that of its range's end, which may lie above the longest.
        let mut next = || {
            found
                .next()
                .map_or(longest, |us| (us as f64 / 1000.0).min(longest))
        };
        Some(Quantiles {
            count: self.sum.count,
            min: milliseconds(self.min),
            mean: milliseconds(self.sum.total) / self.sum.count.max(1) as f64,
            p50: next(),
            p90: next(),
            p95: next(),
            p99: next(),
            p99_9: next(),
            max: longest,
        })
    }
}

/// 10 us, 20 us, 50 us, 100 us, ... to beyond a day, in microseconds.
fn bounds() -> impl Iterator<Item = u64> {
    (1..=11).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u64.pow(power)))
}

#[cfg(test)]
mod tests {
    use super::Times;

    #[test]
    fn every_pause_is_in_one_bar() {
        let mut times = Times::default();
        for ms in [0, 1, 2, 3, 7, 40, 40, 3_000] {
            times.add(ms * 1_000_000);
        }
        let bars = times.bars();
        let counted: u64 = bars.iter().map(|bar| bar.count).sum();
        assert_eq!(counted, 8);
        let of = |up_to_ms: f64| {
            bars.iter()
                .find(|bar| bar.up_to_ms == up_to_ms)
                .unwrap()
                .count
        };
        assert_eq!((of(2.0), of(5.0), of(50.0)), (1, 1, 2));
        assert_eq!(bars.last().unwrap().count, 1);
    }
}
