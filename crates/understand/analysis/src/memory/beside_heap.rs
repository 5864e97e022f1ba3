//! Memory beside the heap that grows without end: metaspace, compiled code, everything outside the
//! heap. One rule, three things to look at.

use super::growth::unending;
use super::{Outcome, Point, since};
use tacho_figures as figures;
use tacho_run_folder::MemoryPattern;
use tacho_statistics::trend::{FEWEST_POINTS, trend};

/// The shortest observation that is judged: during warm-up everything beside the heap grows.
const SHORTEST_S: f64 = 60.0;
/// The first part of an observation, which is left out as warm-up,
const WARM_UP: f64 = 1.0 / 3.0;
/// but never more than this: from a log of days a third is too much to leave out.
const LONGEST_WARM_UP_S: f64 = 600.0;
const MIB: f64 = 1_048_576.0;

/// What may grow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// What its growth without end is called.
    pub pattern: MemoryPattern,
    /// For people, at the beginning of a sentence.
    what: &'static str,
    /// Growth by fewer bytes does not matter.
    least_bytes: f64,
    advice: &'static str,
    /// Why there may be no values of it.
    unknown: &'static str,
}

const NO_COUNTERS: &str =
    "the JVM's counters are missing: there is no JVM, or it runs with `-XX:-UsePerfData`";

/// Classes are made or loaded again and again and never unloaded.
pub const METASPACE: Area = Area {
    pattern: MemoryPattern::MetaspaceGrowth,
    what: "metaspace",
    least_bytes: 2.0 * MIB,
    advice: "classes are loaded again and again, and not unloaded: look for proxies, lambdas or class loaders that are made for each request (`jcmd PID VM.classloader_stats`, `jcmd PID VM.metaspace`)",
    unknown: NO_COUNTERS,
};

/// Methods are compiled again and again, or code is generated.
pub const CODE_CACHE: Area = Area {
    pattern: MemoryPattern::CodeCacheGrowth,
    what: "compiled code",
    least_bytes: 2.0 * MIB,
    advice: "code is compiled without end: look for classes generated at run time and for methods that are thrown away and compiled again (`jcmd PID Compiler.codecache`, `-Xlog:jit+compilation=debug`)",
    unknown: NO_COUNTERS,
};

/// Direct buffers, native libraries, threads, or libc that does not return memory.
pub const OUTSIDE_HEAP: Area = Area {
    pattern: MemoryPattern::GrowthOutsideTheHeap,
    what: "resident memory outside the heap",
    least_bytes: 4.0 * MIB,
    advice: "`tacho memory PID` says what it is (start the JVM with `-XX:NativeMemoryTracking=detail`): direct buffers are bounded by `-XX:MaxDirectMemorySize`, arenas of glibc by `MALLOC_ARENA_MAX`, threads by their pools",
    unknown: "nothing says where the heap lies, so that it cannot be told from other memory",
};

/// Looks whether an area grows without end from when the service was ready, in seconds, or where
/// that is not known from the first point. All points are drawn.
#[must_use]
pub fn look(area: &Area, points: &[Point], ready_s: Option<f64>) -> Outcome {
    if points.is_empty() {
        return Outcome::NotEnoughData(area.unknown.to_owned());
    }
    let served = since(points, ready_s);
    let begin_s = served.first().map_or(0.0, |p| p.at_s);
    let duration = served.last().map_or(0.0, |p| p.at_s) - begin_s;
    let settled_s = begin_s + (WARM_UP * duration).min(LONGEST_WARM_UP_S);
    let settled = since(served, Some(settled_s));
    let Some(trend) = trend(settled).filter(|_| duration >= SHORTEST_S) else {
        return Outcome::NotEnoughData(format!(
            "{} values over {}{}; at least {FEWEST_POINTS} over {} are needed",
            served.len(),
            figures::seconds(duration),
            ready_s.map_or("", |_| " after ready"),
            figures::seconds(SHORTEST_S)
        ));
    };
    let settled = settled.to_vec();
    let Some(mut finding) = unending(area.pattern, &trend, settled, area.least_bytes) else {
        return Outcome::Absent;
    };
    if let Some(measured) = finding.evidence.first_mut() {
        measured.points = points.to_vec();
    }
    finding.summary = format!(
        "{} grows by {} an hour ({} to {}), from {} to {}, and does not come to its end",
        area.what,
        figures::bytes(trend.slope * 3600.0),
        figures::bytes(trend.interval.0 * 3600.0),
        figures::bytes(trend.interval.1 * 3600.0),
        figures::bytes(trend.begin.max(0.0)),
        figures::bytes(trend.end),
    );
    finding.advice = area.advice.to_owned();
    Outcome::Found(finding)
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::MIB;
    use super::*;
    use tacho_statistics::testkit::noise;

    fn series(value: impl Fn(f64) -> f64) -> Vec<Point> {
        let noise = noise(300, 0.8, 3);
        (0..300)
            .map(|i| Point::new(i as f64, (value(i as f64) + 0.3 * noise[i]) * MIB))
            .collect()
    }

    #[test]
    fn a_planted_leak_is_found_and_start_up_is_not() {
        for area in [METASPACE, CODE_CACHE, OUTSIDE_HEAP] {
            let outcome = look(&area, &series(|t| 80.0 + 0.1 * t), None);
            let finding = outcome.found().unwrap();
            assert_eq!(finding.pattern, area.pattern);
            let slope = finding.figures[0].value / MIB;
            assert!((0.095..0.105).contains(&slope), "{slope}");
            let warming = series(|t| 80.0 - 60.0 * (-t / 25.0).exp());
            assert_eq!(look(&area, &warming, None), Outcome::Absent);
            assert_eq!(look(&area, &series(|_| 80.0), None), Outcome::Absent);
            assert_eq!(finding.evidence[0].points.len(), 300, "all of it is drawn");
            assert!(
                (95.0..105.0).contains(&finding.from_s),
                "{}",
                finding.from_s
            );
            let start = look(&area, &warming[..50], None);
            assert!(matches!(start, Outcome::NotEnoughData(_)));
        }
    }

    #[test]
    fn what_does_not_matter_is_not_spoken_of() {
        // 3 MiB after warming up: enough for metaspace, not for everything outside the heap.
        let slow = series(|t| 40.0 + 0.015 * t);
        assert!(look(&METASPACE, &slow, None).found().is_some());
        assert_eq!(look(&OUTSIDE_HEAP, &slow, None), Outcome::Absent);
    }
}
