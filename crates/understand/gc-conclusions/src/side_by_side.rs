//! Two logs beside each other: what differs by more than either of them varies within itself.
//!
//! A log is one launch. Its time is cut into [`BATCHES`] stretches of equal length, and the means
//! of the stretches are what is compared (batch means; Law, Simulation Modeling and Analysis,
//! section 9.5.3). Neighbours that are alike count for less. Each interval is wide enough that over
//! all rows together at most one comparison in twenty says something false of two logs of one
//! process.
//!
//! What differs between two launches of the same program is in none of these intervals, and neither
//! is a different load: a verdict is one on two logs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};
use tacho_gc_log::Course;
use tacho_run_folder::Collection;

/// Stretches of time that a log is cut into.
const BATCHES: usize = 20;
/// Fewer collections say nothing of a stretch.
const FEWEST_COLLECTIONS: usize = 40;
/// Differences below it are none, as a fraction.
const THRESHOLD: f64 = 0.1;
/// The chance that anything false is said of two logs of one process.
const ERROR_RATE: f64 = 0.05;

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Share of the time that the program stood still.
    PauseShare,
    /// Mean pause of a collection.
    MeanPause,
    /// The longest pause in a twentieth of the time: the mean over the twentieths that have a
    /// collection.
    LongestPause,
    /// Collections a minute.
    Collections,
    /// Bytes allocated a second.
    Allocation,
    /// Bytes in use after collections.
    AfterCollections,
}

const QUANTITIES: [Quantity; 6] = [
    Quantity::PauseShare,
    Quantity::MeanPause,
    Quantity::LongestPause,
    Quantity::Collections,
    Quantity::Allocation,
    Quantity::AfterCollections,
];

impl Quantity {
    /// Name of the quantity, for tables and sentences.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::PauseShare => "time in pauses",
            Self::MeanPause => "mean pause",
            Self::LongestPause => "longest pause of a twentieth of the time",
            Self::Collections => "collections a minute",
            Self::Allocation => "allocation rate",
            Self::AfterCollections => "in use after collections",
        }
    }
}

/// What is said of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The second log's value is lower: even at the upper end of the interval, the first is more
    /// than 10 % higher.
    Lower,
    /// The second log's value is higher by more than 10 %, even at the lower end of the interval.
    Higher,
    /// They differ by less than 10 %, over the whole interval.
    Alike,
    /// Not decided: the interval lies partly inside and partly outside of 10 %.
    NotTold,
    /// One of the logs holds too little to compare: too few collections, or nothing of this
    /// quantity.
    TooFew,
}

/// One quantity of both logs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// What is compared.
    pub quantity: Quantity,
    /// Value of the first log: a share, seconds, a number a minute, bytes a second, or bytes,
    /// depending on the quantity. Null where the log has too few collections.
    pub old: Option<f64>,
    /// Value of the second log, likewise.
    pub new: Option<f64>,
    /// Second value divided by the first, and the lower and the upper end of its interval; null
    /// where it cannot be computed.
    pub ratio: Option<(f64, f64, f64)>,
    /// What is said of it.
    pub verdict: Verdict,
}

/// Compares two logs.
#[must_use]
pub fn compare(old: &Course, new: &Course) -> Vec<Row> {
    let (old, new) = (Batches::of(old), Batches::of(new));
    QUANTITIES
        .into_iter()
        .map(|quantity| row(quantity, &old, &new))
        .collect()
}

fn row(quantity: Quantity, old: &Batches<'_>, new: &Batches<'_>) -> Row {
    let (a, b) = (old.means(quantity), new.means(quantity));
    let ratio = ratio(&a, &b, 1.0 - ERROR_RATE / QUANTITIES.len() as f64);
    Row {
        quantity,
        old: mean(&a),
        new: mean(&b),
        verdict: match ratio {
            None => Verdict::TooFew,
            Some((_, low, _)) if low > 1.0 + THRESHOLD => Verdict::Higher,
            Some((_, _, high)) if high < 1.0 / (1.0 + THRESHOLD) => Verdict::Lower,
            Some((_, low, high)) if low >= 1.0 / (1.0 + THRESHOLD) && high <= 1.0 + THRESHOLD => {
                Verdict::Alike
            }
            Some(_) => Verdict::NotTold,
        },
        ratio,
    }
}

/// The stretches of a log.
struct Batches<'a> {
    /// The collections of each; empty when there are too few in all.
    batches: Vec<Vec<&'a Collection>>,
    width_s: f64,
    /// Bytes allocated in each.
    allocated: Vec<f64>,
    /// The log has pauses. That of a ZGC may have collections alone.
    has_pauses: bool,
}

impl<'a> Batches<'a> {
    fn of(course: &'a Course) -> Self {
        let all = &course.log.collections;
        let none = Self {
            batches: Vec::new(),
            width_s: 0.0,
            allocated: Vec::new(),
            has_pauses: false,
        };
        let (Some(first), Some(last)) = (all.first(), all.last()) else {
            return none;
        };
        let width_s = (last.at_s - first.at_s) / BATCHES as f64;
        if all.len() < FEWEST_COLLECTIONS || width_s <= 0.0 {
            return none;
        }
        let mut batches = vec![Vec::new(); BATCHES];
        let mut allocated = vec![0.0; BATCHES];
        let mut left: Option<f64> = None;
        for collection in all {
            let at = (collection.at_s - first.at_s) / width_s;
            let place = (at.max(0.0) as usize).min(BATCHES - 1);
            if let Some(left) = left {
                allocated[place] += (collection.before_bytes - left).max(0.0);
            }
            left = Some(collection.after_bytes);
            batches[place].push(collection);
        }
        Self {
            batches,
            width_s,
            allocated,
            has_pauses: all.iter().any(|collection| collection.pause_s > 0.0),
        }
    }

    fn means(&self, quantity: Quantity) -> Vec<f64> {
        let of_each = |value: &dyn Fn(&[&Collection]) -> Option<f64>| -> Vec<f64> {
            let batches = self.batches.iter();
            batches.filter_map(|batch| value(batch)).collect()
        };
        let pauses = |batch: &[&Collection]| batch.iter().map(|c| c.pause_s).sum::<f64>();
        let of_some =
            |batch: &[&Collection], sum: f64| (!batch.is_empty()).then(|| sum / batch.len() as f64);
        match quantity {
            // What is not in the log is not 0.
            Quantity::PauseShare | Quantity::MeanPause | Quantity::LongestPause
                if !self.has_pauses =>
            {
                Vec::new()
            }
            Quantity::PauseShare => of_each(&|batch| Some(pauses(batch) / self.width_s)),
            Quantity::MeanPause => of_each(&|batch| of_some(batch, pauses(batch))),
            Quantity::LongestPause => of_each(&|batch| {
                let pauses = batch.iter().map(|c| c.pause_s);
                pauses.reduce(f64::max)
            }),
            Quantity::Collections => {
                of_each(&|batch| Some(batch.len() as f64 / self.width_s * 60.0))
            }
            Quantity::Allocation => self
                .allocated
                .iter()
                .map(|bytes| bytes / self.width_s)
                .collect(),
            Quantity::AfterCollections => {
                of_each(&|batch| of_some(batch, batch.iter().map(|c| c.after_bytes).sum::<f64>()))
            }
        }
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Mean, its relative standard error, and the degrees of freedom that are left when neighbours that
/// are alike count for less.
fn relative_error(values: &[f64]) -> Option<(f64, f64, f64)> {
    let count = values.len() as f64;
    let mean = mean(values).filter(|mean| *mean > 0.0)?;
    if values.len() < BATCHES / 2 {
        return None;
    }
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    let neighbours: f64 = values
        .windows(2)
        .map(|w| (w[0] - mean) * (w[1] - mean))
        .sum();
    let alike = if squares > 0.0 {
        (neighbours / squares).clamp(0.0, 0.9)
    } else {
        0.0
    };
    let effective = (count * (1.0 - alike) / (1.0 + alike)).max(2.0);
    let error = (squares / (count - 1.0) / effective).sqrt() / mean;
    Some((mean, error, effective - 1.0))
}

/// The ratio of two means with its interval, on the scale of logarithms, with Welch's degrees of
/// freedom.
fn ratio(old: &[f64], new: &[f64], confidence: f64) -> Option<(f64, f64, f64)> {
    let (a, error_a, degrees_a) = relative_error(old)?;
    let (b, error_b, degrees_b) = relative_error(new)?;
    let variance = error_a.powi(2) + error_b.powi(2);
    let degrees = if variance > 0.0 {
        variance.powi(2) / (error_a.powi(4) / degrees_a + error_b.powi(4) / degrees_b)
    } else {
        degrees_a + degrees_b
    };
    let t = StudentsT::new(0.0, 1.0, degrees.max(1.0))
        .ok()?
        .inverse_cdf(f64::midpoint(1.0, confidence));
    let half = t * variance.sqrt();
    let estimate = b / a;
    Some((estimate, estimate * (-half).exp(), estimate * half.exp()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use tacho_run_folder::{CollectionKind, CollectionLog, PauseTotals};

    /// A log whose pauses and allocation go up and down together for a while, as loads do.
    fn course(seed: u64, pause_s: f64) -> Course {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut mood = 0.0;
        let mut at_s = 0.0;
        let collections = (0..600)
            .map(|_| {
                mood = 0.9 * mood + 0.1 * random.random_range(-1.0..1.0);
                at_s += 1.0 * (1.0 - mood) * random.random_range(0.5..1.5);
                Collection {
                    at_s,
                    kind: CollectionKind::Young,
                    before_bytes: 100e6 * random.random_range(0.9..1.1),
                    after_bytes: 20e6 * random.random_range(0.9..1.1),
                    capacity_bytes: Some(128e6),
                    pause_s: pause_s * (1.0 + mood) * random.random_range(0.5..1.5),
                }
            })
            .collect();
        Course {
            log: CollectionLog {
                file: String::new(),
                collector: None,
                max_heap_bytes: None,
                collections,
                to_s: at_s,
                left_out: 0,
                pauses: PauseTotals::default(),
                humongous: None,
                unknown_lines: 0,
            },
            metaspace: Vec::new(),
            pauses: Vec::new(),
        }
    }

    fn is_told(verdict: Verdict) -> bool {
        matches!(verdict, Verdict::Lower | Verdict::Higher)
    }

    #[test]
    fn of_one_process_hardly_anything_is_said() {
        let false_ones = (0..200)
            .filter(|seed| {
                let rows = compare(&course(2 * seed, 0.01), &course(2 * seed + 1, 0.01));
                rows.iter().any(|row| is_told(row.verdict))
            })
            .count();
        assert!(false_ones <= 10, "{false_ones} of 200");
    }

    #[test]
    fn twice_the_pauses_are_told_and_nothing_else() {
        let rows = compare(&course(1, 0.01), &course(2, 0.02));
        for row in rows {
            let expected = matches!(
                row.quantity,
                Quantity::PauseShare | Quantity::MeanPause | Quantity::LongestPause
            );
            assert_eq!(row.verdict == Verdict::Higher, expected, "{row:?}");
        }
    }

    #[test]
    fn pauses_that_are_not_in_a_log_are_not_0() {
        let rows = compare(&course(1, 0.0), &course(2, 0.02));
        for row in rows {
            let is_of_pauses = matches!(
                row.quantity,
                Quantity::PauseShare | Quantity::MeanPause | Quantity::LongestPause
            );
            assert_eq!(row.old.is_none(), is_of_pauses, "{row:?}");
            assert_eq!(row.verdict == Verdict::TooFew, is_of_pauses, "{row:?}");
            assert!(row.new.is_some(), "{row:?}");
        }
    }

    #[test]
    fn a_few_collections_say_nothing() {
        let mut few = course(1, 0.01);
        few.log.collections.truncate(30);
        let rows = compare(&few, &course(2, 0.02));
        assert!(rows.iter().all(|row| row.verdict == Verdict::TooFew));
    }
}
