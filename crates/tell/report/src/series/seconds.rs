//! Response times second by second, for analyses that need them.

use super::hlog::{Clock, LogLine, intervals};
use super::launch::merge;
use hdrhistogram::Histogram;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, ErrorKind};
use tacho_run_folder::{FolderError, RunData, RunFolder, Second};

/// Reads the histograms of every launch into [`tacho_run_folder::LaunchData::seconds`], where the plan asks for a sweep over
/// warm-ups; other runs need none of it.
///
/// # Errors
/// When a histogram log is there but cannot be read.
pub fn load_seconds(folder: &RunFolder, run: &mut RunData) -> Result<(), FolderError> {
    let Some(sweep) = run.plan.warm_up else {
        return Ok(());
    };
    let objective_ns = sweep.objective_ms.map(|ms| (ms * 1e6) as u64);
    for (dir, launch) in folder.launches()?.iter().zip(&mut run.launches) {
        let path = dir.histograms();
        let log = match tacho_files::open(&path) {
            Ok(log) => log,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(FolderError::io(&path, error)),
        };
        launch.seconds = seconds(BufReader::new(log), objective_ns);
    }
    Ok(())
}

#[derive(Default)]
struct Counted {
    answered: Option<Histogram<u64>>,
    failed: u64,
}

/// In the order of their time; those of one phase follow one another.
fn seconds(log: impl BufRead, objective_ns: Option<u64>) -> Vec<Second> {
    // By start in milliseconds, and phase.
    let mut counted: BTreeMap<(u64, String), Counted> = BTreeMap::new();
    for line in intervals(log) {
        let LogLine::Interval(interval) = line else {
            continue;
        };
        if interval.clock != Clock::Response {
            continue;
        }
        let start_ms = (interval.start_s * 1e3).round() as u64;
        let second = counted.entry((start_ms, interval.phase)).or_default();
        if interval.ok {
            merge(&mut second.answered, &interval.histogram);
        } else {
            second.failed += interval.histogram.len();
        }
    }
    counted
        .into_iter()
        .map(|((start_ms, phase), second)| {
            let answered = second.answered.filter(|h| !h.is_empty());
            let ms =
                |read: fn(&Histogram<u64>) -> f64| answered.as_ref().map_or(0.0, |h| read(h) / 1e6);
            let over = |h: &Histogram<u64>| {
                objective_ns.map_or(0, |objective| h.len() - h.count_between(0, objective))
            };
            Second {
                phase,
                start_s: start_ms as f64 / 1e3,
                answered: answered.as_ref().map_or(0, Histogram::len),
                failed: second.failed,
                mean_ms: ms(Histogram::mean),
                p50_ms: ms(|h| h.value_at_quantile(0.5) as f64),
                p99_ms: ms(|h| h.value_at_quantile(0.99) as f64),
                over_objective: answered.as_ref().map_or(0, over),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdrhistogram::serialization::V2DeflateSerializer;
    use hdrhistogram::serialization::interval_log::{IntervalLogWriterBuilder, Tag};
    use std::time::{Duration, UNIX_EPOCH};

    /// Of each line: second, tag, times in milliseconds.
    fn log(lines: &[(u64, &str, &[u64])]) -> Vec<u8> {
        let mut log = Vec::new();
        let mut serializer = V2DeflateSerializer::new();
        let origin = UNIX_EPOCH + Duration::from_secs(1_790_000_000);
        let mut writer = IntervalLogWriterBuilder::new()
            .with_start_time(origin)
            .with_base_time(origin)
            .begin_log_with(&mut log, &mut serializer)
            .unwrap();
        for (second, tag, times) in lines {
            let mut histogram = Histogram::<u64>::new(3).unwrap();
            times
                .iter()
                .for_each(|ms| histogram.record(ms * 1_000_000).unwrap());
            let start = Duration::from_secs(*second);
            writer
                .write_histogram(&histogram, start, Duration::from_secs(1), Tag::new(tag))
                .unwrap();
        }
        log
    }

    #[test]
    fn kinds_of_request_are_merged_second_by_second() {
        let log = log(&[
            (3, "open:0:ok:response", &[10, 20, 80]),
            (3, "open:1:ok:response", &[100]),
            (3, "open:1:error:response", &[1, 1]),
            (3, "open:0:ok:service", &[1, 1, 1]),
            (4, "open:0:ok:response", &[10]),
        ]);
        let seconds = seconds(&log[..], Some(50_000_000));
        assert_eq!(seconds.len(), 2);
        let first = &seconds[0];
        assert_eq!(
            (first.answered, first.failed, first.over_objective),
            (4, 2, 2)
        );
        assert!((first.mean_ms - 52.5).abs() < 0.1, "{}", first.mean_ms);
        assert_eq!(seconds[1].over_objective, 0);
        assert_eq!(super::seconds(&log[..], None)[0].over_objective, 0);
    }
}
