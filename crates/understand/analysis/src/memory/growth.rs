//! Growth without end: what is left after old garbage was collected grows, and goes on growing. A
//! leak is suspected.

use super::{Finding, Heap, Outcome, Point, figure, series, since};
use tacho_figures as figures;
use tacho_run_folder::{MemoryFigure, MemoryPattern};
use tacho_statistics::trend::{self, FEWEST_POINTS, trend};

/// The pattern that it looks for.
pub const NAME: MemoryPattern = MemoryPattern::GrowthWithoutEnd;

/// Less is no matter: a share of the level, and bytes.
const LEAST_SHARE: f64 = 0.05;
const LEAST_BYTES: f64 = 1_048_576.0;
/// A cache that fills grows for a while, and nobody can tell it from a leak meanwhile.
const SHORTEST_S: f64 = 60.0;

/// Looks for it, from when the service was ready where that is known, in seconds.
#[must_use]
pub fn look(heap: &Heap, ready_s: Option<f64>) -> Outcome {
    let floor = since(&heap.floor(), ready_s).to_vec();
    let Some(trend) = trend(&floor) else {
        return Outcome::NotEnoughData(format!(
            "{} collections of old garbage, at least {FEWEST_POINTS} are needed: before them nobody knows what of the heap is alive. A longer launch, a smaller heap, or a collector that works beside the application shows it",
            floor.len()
        ));
    };
    let Some(mut finding) = unending(NAME, &trend, floor, LEAST_BYTES) else {
        return Outcome::Absent;
    };
    if trend.duration_s < SHORTEST_S {
        return Outcome::NotEnoughData(format!(
            "what survives the collection of old garbage grows over {}, the time between the first and the last of them; a cache that fills does so too. A launch in which they are {} apart tells",
            figures::seconds(trend.duration_s),
            figures::seconds(SHORTEST_S)
        ));
    }
    let hour = trend.slope * 3600.0;
    finding.summary = format!(
        "what survives the collection of old garbage grows by {} an hour ({} to {}), from {} to {}: a leak is suspected",
        figures::bytes(hour),
        figures::bytes(trend.interval.0 * 3600.0),
        figures::bytes(trend.interval.1 * 3600.0),
        figures::bytes(trend.begin.max(0.0)),
        figures::bytes(trend.end),
    );
    if let Some(max) = heap.max_bytes.filter(|max| *max > trend.end) {
        let left_s = (max - trend.end) / trend.slope;
        finding.figures.push(figure("until_full_s", left_s));
        finding.summary += &format!(
            "; at this rate the heap is full after {} more",
            figures::seconds(left_s)
        );
    }
    finding.advice = "compare two class histograms (`jcmd PID GC.class_histogram`) taken some minutes apart, or record old object samples by JFR: what grows in both is what is kept".to_owned();
    Outcome::Found(finding)
}

/// A finding of growth that matters and does not come to its end, with its words still to be filled
/// in.
pub(super) fn unending(
    pattern: MemoryPattern,
    trend: &trend::Trend,
    points: Vec<Point>,
    least_bytes: f64,
) -> Option<Finding> {
    let growth = trend.growth();
    let matters = growth >= least_bytes && growth >= LEAST_SHARE * trend.end.max(0.0);
    if !trend.is_unending() || !matters {
        return None;
    }
    let (from_s, to_s) = (points.first()?.at_s, points.last()?.at_s);
    Some(Finding {
        pattern,
        summary: String::new(),
        advice: String::new(),
        from_s,
        to_s,
        figures: vec![
            MemoryFigure {
                interval: Some(trend.interval),
                ..figure("slope_bytes_per_s", trend.slope)
            },
            figure("growth_bytes", growth),
        ],
        evidence: vec![
            series("measured", "bytes", points),
            series(
                "trend",
                "bytes",
                vec![Point::new(from_s, trend.begin), Point::new(to_s, trend.end)],
            ),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::{Cleaner, MIB, Model};
    use super::*;

    #[test]
    fn a_planted_leak_is_found_with_its_slope_whoever_collects() {
        for cleaner in [Cleaner::Cycle, Cleaner::Full] {
            let heap = Model {
                live: |t| (60.0 + 0.2 * t) * MIB,
                cleaner,
                duration_s: 600.0,
                ..Model::default()
            }
            .run();
            let outcome = look(&heap, None);
            let finding = outcome
                .found()
                .unwrap_or_else(|| panic!("{cleaner:?}: {outcome:?}"));
            let slope = finding.figures[0].value / MIB;
            assert!((0.17..0.23).contains(&slope), "{cleaner:?}: {slope}");
            let (low, high) = finding.figures[0].interval.unwrap();
            assert!(low <= 0.21 * MIB && 0.19 * MIB <= high, "{low} {high}");
        }
    }

    #[test]
    fn a_heap_that_fills_up_first_is_not_one_that_leaks() {
        for seed in 0..6 {
            let steady = Model {
                seed,
                ..Model::default()
            };
            assert_eq!(look(&steady.run(), None), Outcome::Absent, "{seed}");
            let filling = Model {
                live: |t| (150.0 - 100.0 * (-t / 30.0).exp()) * MIB,
                seed,
                ..Model::default()
            };
            assert_eq!(look(&filling.run(), None), Outcome::Absent, "{seed}");
        }
    }

    #[test]
    fn a_live_set_that_grows_until_the_service_is_ready_does_not_leak() {
        let starting = Model {
            live: |t| (40.0 + 0.5 * t.min(120.0)) * MIB,
            duration_s: 140.0,
            ..Model::default()
        }
        .run();
        assert!(look(&starting, None).found().is_some());
        assert_eq!(look(&starting, Some(120.0)).found(), None);
    }

    #[test]
    fn half_a_minute_of_growth_may_be_a_cache_that_fills() {
        let short = Model {
            live: |t| (40.0 + 1.5 * t) * MIB,
            rate: |_| 800.0 * MIB,
            duration_s: 40.0,
            ..Model::default()
        };
        let outcome = look(&short.run(), None);
        let Outcome::NotEnoughData(why) = &outcome else {
            panic!("{outcome:?}");
        };
        assert!(why.contains("a cache that fills"), "{why}");
    }

    #[test]
    fn garbage_that_was_never_collected_is_no_growth() {
        let never = Model {
            heap: 100_000.0 * MIB,
            cleaner: Cleaner::Full,
            ..Model::default()
        };
        assert!(matches!(
            look(&never.run(), None),
            Outcome::NotEnoughData(_)
        ));
    }
}
