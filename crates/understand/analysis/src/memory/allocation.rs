//! Spikes of the allocation rate: stretches in which far more is allocated than usual.

use super::{Finding, Heap, Outcome, Point, figure, series};
use tacho_figures as figures;
use tacho_run_folder::MemoryPattern;
use tacho_statistics::bootstrap::median;

/// The pattern that it looks for.
pub const NAME: MemoryPattern = MemoryPattern::AllocationSpikes;

/// A spike is this many times the usual rate, and this far outside of its spread.
const TIMES: f64 = 3.0;
const SPREADS: f64 = 6.0;
/// Makes a median absolute deviation comparable to a standard deviation (Rousseeuw and Croux,
/// 1993).
const MAD: f64 = 1.4826;
/// Fewer seconds show no usual rate.
const FEWEST_SECONDS: usize = 20;

/// Looks for it.
#[must_use]
pub fn look(heap: &Heap) -> Outcome {
    let rates = rates(heap);
    let values: Vec<f64> = rates.iter().map(|p| p.value).collect();
    let Some(usual) = median(&values).filter(|_| rates.len() >= FEWEST_SECONDS) else {
        return Outcome::NotEnoughData(format!(
            "the allocation rate is known for {} s, at least {FEWEST_SECONDS} are needed",
            rates.len()
        ));
    };
    let deviations: Vec<f64> = values.iter().map(|v| (v - usual).abs()).collect();
    let spread = MAD * median(&deviations).unwrap_or_default();
    let threshold = (TIMES * usual).max(usual + SPREADS * spread);
    let spikes = spikes(&rates, threshold);
    let Some(highest) = rates
        .iter()
        .filter(|p| p.value > threshold)
        .max_by(|a, b| a.value.total_cmp(&b.value))
    else {
        return Outcome::Absent;
    };
    let (from_s, to_s) = spikes
        .iter()
        .find(|(from, to)| (*from..=*to).contains(&highest.at_s))
        .copied()
        .unwrap_or((highest.at_s, highest.at_s));
    Outcome::Found(Finding {
        pattern: NAME,
        summary: format!(
            "{} of the allocation rate, the highest {} a second at {} where {} are usual",
            match spikes.len() {
                1 => "a spike".to_owned(),
                several => format!("{several} spikes"),
            },
            figures::bytes(highest.value),
            figures::seconds(highest.at_s),
            figures::bytes(usual)
        ),
        advice: "a request or a job that allocates at once what others spread: profile allocations in these seconds (JFR's jdk.ObjectAllocationSample), or stream what is built whole".to_owned(),
        from_s,
        to_s,
        figures: vec![
            figure("spikes", spikes.len() as f64),
            figure("highest_bytes_per_s", highest.value),
            figure("usual_bytes_per_s", usual),
        ],
        evidence: vec![series("allocation rate", "bytes/s", rates)],
    })
}

/// Looks for it in each stretch of time on its own: where the load is meant to be even. Between two
/// phases of different load the rate changes by design. Without stretches the whole time is one.
#[must_use]
pub fn look_within(heap: &Heap, stretches: &[(f64, f64)]) -> Outcome {
    if stretches.is_empty() {
        return look(heap);
    }
    let outcomes = stretches.iter().map(|(from_s, to_s)| {
        look(&Heap {
            collections: heap.between(*from_s, *to_s).copied().collect(),
            from_s: *from_s,
            to_s: *to_s,
            ..heap.clone()
        })
    });
    let order = |outcome: &Outcome| match outcome {
        Outcome::Found(_) => 0,
        Outcome::Absent => 1,
        Outcome::NotEnoughData(_) => 2,
    };
    outcomes.min_by_key(order).unwrap_or(Outcome::Absent)
}

/// Bytes allocated a second, for each second between the first collection and the last. What was
/// allocated between two collections is spread evenly over the time between them.
#[must_use]
pub fn rates(heap: &Heap) -> Vec<Point> {
    let (Some(first), Some(last)) = (heap.collections.first(), heap.collections.last()) else {
        return Vec::new();
    };
    let seconds = (last.at_s - first.at_s).floor().clamp(0.0, 1e7) as usize;
    let mut bytes = vec![0.0; seconds];
    for pair in heap.collections.windows(2) {
        let [before, after] = pair else { continue };
        let duration = after.at_s - before.at_s;
        if duration <= 0.0 {
            continue;
        }
        let rate = (after.before_bytes - before.after_bytes).max(0.0) / duration;
        let (from, to) = (before.at_s - first.at_s, after.at_s - first.at_s);
        let touched = from as usize..(to.ceil() as usize).min(seconds);
        for (second, sum) in bytes
            .iter_mut()
            .enumerate()
            .take(touched.end)
            .skip(touched.start)
        {
            let overlap = to.min(second as f64 + 1.0) - from.max(second as f64);
            *sum += rate * overlap.max(0.0);
        }
    }
    bytes
        .into_iter()
        .enumerate()
        .map(|(second, sum)| Point::new(first.at_s + second as f64, sum))
        .collect()
}

/// Seconds above the threshold that follow each other.
fn spikes(rates: &[Point], threshold: f64) -> Vec<(f64, f64)> {
    let mut spikes: Vec<(f64, f64)> = Vec::new();
    let mut inside = false;
    for point in rates {
        let above = point.value > threshold;
        match spikes.last_mut() {
            Some((_, to)) if above && inside => *to = point.at_s,
            _ if above => spikes.push((point.at_s, point.at_s)),
            _ => {}
        }
        inside = above;
    }
    spikes
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::{MIB, Model};
    use super::*;

    #[test]
    fn a_change_of_load_from_phase_to_phase_is_no_spike() {
        let heap = Model {
            rate: |t| if t < 250.0 { 20.0 * MIB } else { 200.0 * MIB },
            ..Model::default()
        }
        .run();
        assert!(look(&heap).found().is_some(), "taken as one stretch");
        let phases = [(0.0, 249.0), (251.0, 300.0)];
        assert_eq!(look_within(&heap, &phases), Outcome::Absent);
        let short = look_within(&heap, &[(0.0, 5.0), (290.0, 300.0)]);
        assert!(matches!(short, Outcome::NotEnoughData(_)));
    }

    #[test]
    fn planted_spikes_are_counted_and_dated() {
        let bursts = Model {
            young: 16.0 * MIB,
            rate: |t| {
                if (100.0..105.0).contains(&t) || (200.0..203.0).contains(&t) {
                    900.0 * MIB
                } else {
                    100.0 * MIB
                }
            },
            ..Model::default()
        };
        let outcome = look(&bursts.run());
        let finding = outcome.found().unwrap();
        assert_eq!(finding.figures[0].value, 2.0, "{finding:?}");
        let (highest, usual) = (
            finding.figures[1].value / MIB,
            finding.figures[2].value / MIB,
        );
        assert!((800.0..1000.0).contains(&highest), "{highest}");
        assert!((90.0..110.0).contains(&usual), "{usual}");
        assert!((98.0..206.0).contains(&finding.from_s), "{finding:?}");
    }

    #[test]
    fn a_rate_that_only_wobbles_or_doubles_has_none() {
        for rate in [
            |_: f64| 100.0 * MIB,
            |t: f64| (100.0 + 60.0 * (t / 20.0).sin()) * MIB,
            |t: f64| if t > 150.0 { 200.0 * MIB } else { 100.0 * MIB },
        ] {
            let steady = Model {
                rate,
                ..Model::default()
            };
            assert_eq!(look(&steady.run()), Outcome::Absent);
        }
    }

    #[test]
    fn what_was_allocated_is_what_the_rates_add_up_to() {
        let model = Model::default().run();
        let allocated: f64 = model
            .collections
            .windows(2)
            .map(|w| w[1].before_bytes - w[0].after_bytes)
            .sum();
        let sum: f64 = rates(&model).iter().map(|p| p.value).sum();
        assert!((sum / allocated - 1.0).abs() < 0.02, "{sum} {allocated}");
        assert!(matches!(look(&Heap::default()), Outcome::NotEnoughData(_)));
    }
}
