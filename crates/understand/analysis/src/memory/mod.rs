//! Memory over time: what its course shows. Each pattern is a pure function of a small input to an
//! [`Outcome`].
//!
//! | pattern | looks at |
//! |---|---|
//! | [`saw_tooth`] | old garbage that only full collections clear |
//! | [`growth`] | a live set that grows without end |
//! | [`thrashing`] | collecting most of the time for little |
//! | [`oversized`] | a heap much larger than its live set |
//! | [`allocation`] | spikes of the allocation rate |
//! | [`humongous`] | objects so large that G1 gives them regions of their own |
//! | [`beside_heap`] | metaspace, compiled code, or anything outside the heap that grows without end |
//! | [`page_cache`] | a limit that is hit by page cache and not by the heap |
//!
//! "Not enough data" is a result of its own: a pattern that could not be looked for is not one that
//! is not there.

pub mod allocation;
pub mod beside_heap;
mod diagnosis;
pub mod growth;
mod history;
pub mod humongous;
mod of_cell;
pub mod oversized;
pub mod page_cache;
pub mod saw_tooth;
pub mod split;
#[cfg(test)]
mod synthetic;
pub mod thrashing;

use beside_heap::{Area, CODE_CACHE, METASPACE, OUTSIDE_HEAP};
use tacho_run_folder::{
    HumongousRegions, JvmSample, LaunchData, MemoryFigure, MemoryPattern, MemorySample, PhaseTag,
};

pub use history::{Heap, heap_of_samples};
pub use of_cell::of_cell;
pub use tacho_run_folder::{Collection, CollectionKind as Kind};
pub use tacho_statistics::trend::Point;

/// What looking for a pattern gave.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It cannot be told: what is missing, in a sentence.
    NotEnoughData(String),
    /// It is not there.
    Absent,
    /// It is there.
    Found(Finding),
}

impl Outcome {
    /// The finding, if there is one.
    #[must_use]
    pub fn found(&self) -> Option<&Finding> {
        match self {
            Self::Found(finding) => Some(finding),
            _ => None,
        }
    }
}

/// A pattern that was found, with its evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Which.
    pub pattern: MemoryPattern,
    /// What was seen and what it means, in one or two sentences.
    pub summary: String,
    /// What to do.
    pub advice: String,
    /// From when to when, in seconds.
    pub from_s: f64,
    /// Its end; see `from_s`.
    pub to_s: f64,
    /// The numbers that the summary rests on.
    pub figures: Vec<MemoryFigure>,
    /// What to draw.
    pub evidence: Vec<Series>,
}

/// One number of a finding. Its unit stands in its name.
fn figure(name: &str, value: f64) -> MemoryFigure {
    MemoryFigure {
        name: name.to_owned(),
        value,
        interval: None,
    }
}

/// Points to draw.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// For the legend.
    pub name: &'static str,
    /// `bytes`, `bytes/s`, or `1` for a share.
    pub unit: &'static str,
    /// In the order of time.
    pub points: Vec<Point>,
}

fn series(name: &'static str, unit: &'static str, points: Vec<Point>) -> Series {
    Series { name, unit, points }
}

/// Everything that is known of one launch's memory; any part may be empty.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct History {
    /// The heap and its collections.
    pub heap: Heap,
    /// Humongous objects, from a log of G1; `None` when nothing says.
    pub humongous: Option<HumongousRegions>,
    /// Metaspace in use, in bytes.
    pub metaspace: Vec<Point>,
    /// Code cache in use, in bytes.
    pub code: Vec<Point>,
    /// Resident memory that is not the heap.
    pub outside_heap: Vec<Point>,
    /// The control group.
    pub group: page_cache::Group,
    /// When the load was even: from when to when, in seconds. None when nothing is known of it.
    pub even_load: Vec<(f64, f64)>,
    /// When the service was ready, in seconds: before that, everything grows. `None` when nothing
    /// says, as where there is a log alone.
    pub ready_s: Option<f64>,
}

impl History {
    /// Everything that a launch has left: its series, and the log of its collections where there is
    /// one, which knows every collection.
    #[must_use]
    pub fn of_launch(launch: &LaunchData) -> Self {
        let limits = Limits {
            max_heap_bytes: launch.record.jvm.as_ref().and_then(|j| j.max_heap_bytes),
            memory_bytes: launch.record.limits.as_ref().and_then(|l| l.memory_bytes),
        };
        let mut history = Self::of_samples(&launch.jvm, &launch.memory, &limits);
        history.ready_s = launch.record.time_line.ready_ms.map(|ms| ms / 1e3);
        let even = |kind| matches!(kind, PhaseTag::Closed | PhaseTag::Open);
        let phases = launch.record.phases.iter().filter(|p| even(p.kind));
        history.even_load = phases
            .map(|p| (p.started_ms / 1e3, p.started_ms / 1e3 + p.duration_s))
            .collect();
        let Some(log) = &launch.collections else {
            return history;
        };
        if !log.collections.is_empty() {
            let to_s = launch.samples.last().map_or(0.0, |s| s.at_ms / 1e3);
            let max_bytes = log.max_heap_bytes.map(|bytes| bytes as f64);
            history.heap = Heap {
                collections: log.collections.clone(),
                max_bytes: max_bytes.or(history.heap.max_bytes),
                from_s: 0.0,
                to_s: to_s.max(log.to_s),
            };
        }
        history.humongous.clone_from(&log.humongous);
        history
    }

    /// What the series of a measured launch show. The log of its collections shows more: it has
    /// every collection, and humongous objects.
    #[must_use]
    pub fn of_samples(jvm: &[JvmSample], memory: &[MemorySample], limits: &Limits) -> Self {
        let max_bytes = limits.max_heap_bytes.map(|bytes| bytes as f64);
        let of_jvm = |value: fn(&JvmSample) -> Option<u64>| points(jvm, |s| s.at_ms, value);
        Self {
            heap: heap_of_samples(jvm, max_bytes),
            humongous: None,
            metaspace: of_jvm(|s| s.metaspace_used_bytes),
            code: of_jvm(|s| s.compiled_bytes),
            outside_heap: points(
                memory,
                |s| s.at_ms,
                |s| Some(s.rss_bytes?.saturating_sub(s.java_heap_bytes?)),
            ),
            group: page_cache::Group {
                limit_bytes: limits.memory_bytes.map(|bytes| bytes as f64),
                usage: memory
                    .iter()
                    .filter_map(|s| {
                        Some(page_cache::Usage {
                            at_s: s.at_ms / 1e3,
                            usage_bytes: s.cgroup_bytes? as f64,
                            file_bytes: s.cgroup_file_bytes? as f64,
                            working_set_bytes: s.working_set_bytes? as f64,
                        })
                    })
                    .collect(),
                oom_kills: memory.iter().filter_map(|s| s.oom_kills).max().unwrap_or(0),
            },
            even_load: Vec::new(),
            ready_s: None,
        }
    }
}

/// What a launch was allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The largest heap that the JVM allowed itself.
    pub max_heap_bytes: Option<u64>,
    /// The control group's limit.
    pub memory_bytes: Option<u64>,
}

fn points<T>(samples: &[T], at_ms: fn(&T) -> f64, value: fn(&T) -> Option<u64>) -> Vec<Point> {
    samples
        .iter()
        .filter_map(|s| Some(Point::new(at_ms(s) / 1e3, value(s)? as f64)))
        .collect()
}

/// The points from an instant on, in the order of time; all of them where it is not known.
fn since(points: &[Point], from_s: Option<f64>) -> &[Point] {
    let first = points.partition_point(|p| from_s.is_some_and(|from_s| p.at_s < from_s));
    points.get(first..).unwrap_or_default()
}

/// Looks for every pattern, in the order of the table above.
#[must_use]
pub fn look(history: &History) -> Vec<(MemoryPattern, Outcome)> {
    let beside_heap = |area: &Area, points: &[Point]| {
        let outcome = beside_heap::look(area, points, history.ready_s);
        (area.pattern, outcome)
    };
    vec![
        (saw_tooth::NAME, saw_tooth::look(&history.heap)),
        (growth::NAME, growth::look(&history.heap, history.ready_s)),
        (thrashing::NAME, thrashing::look(&history.heap)),
        (oversized::NAME, oversized::look(&history.heap)),
        (
            allocation::NAME,
            allocation::look_within(&history.heap, &history.even_load),
        ),
        (
            humongous::NAME,
            humongous::look(&history.heap, history.humongous.as_ref()),
        ),
        beside_heap(&METASPACE, &history.metaspace),
        beside_heap(&CODE_CACHE, &history.code),
        beside_heap(&OUTSIDE_HEAP, &history.outside_heap),
        (page_cache::NAME, page_cache::look(&history.group)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten lines a second of a JVM whose metaspace leaks while its heap does not.
    fn launch() -> (Vec<JvmSample>, Vec<MemorySample>) {
        const MIB: u64 = 1 << 20;
        let jvm = (0..3000_u64)
            .map(|i| JvmSample {
                at_ms: i as f64 * 100.0,
                // A collection every three seconds, a full one every fifteen.
                heap_used_bytes: Some((50 + i % 30) * MIB),
                heap_capacity_bytes: Some(128 * MIB),
                young_collections: Some(i / 30 - i / 150),
                full_collections: Some(i / 150),
                young_s: Some((i / 30) as f64 * 0.002),
                full_s: Some((i / 150) as f64 * 0.04),
                metaspace_used_bytes: Some(40 * MIB + i * 10_000),
                compiled_bytes: Some(10 * MIB),
                ..JvmSample::default()
            })
            .collect();
        let memory = (0..300_u64)
            .map(|i| MemorySample {
                at_ms: i as f64 * 1000.0,
                rss_bytes: Some((200 + i % 3) * MIB),
                java_heap_bytes: Some(128 * MIB),
                cgroup_bytes: Some(210 * MIB),
                cgroup_file_bytes: Some(5 * MIB),
                working_set_bytes: Some(208 * MIB),
                ..MemorySample::default()
            })
            .collect();
        (jvm, memory)
    }

    #[test]
    fn growth_before_the_service_was_ready_is_its_start_up() {
        let (jvm, memory) = launch();
        let mut history = History::of_samples(&jvm, &memory, &Limits::default());
        for (ready_s, is_found) in [(30.0, true), (200.0, true), (250.0, false), (300.0, false)] {
            history.ready_s = Some(ready_s);
            let seen = look(&history);
            let (_, metaspace) = seen.iter().find(|(n, _)| *n == METASPACE.pattern).unwrap();
            assert_eq!(
                metaspace.found().is_some(),
                is_found,
                "{ready_s}: {metaspace:?}"
            );
            match metaspace {
                Outcome::Found(found) => {
                    assert!(found.from_s > ready_s, "{found:?}");
                    assert_eq!(found.evidence[0].points.len(), jvm.len(), "all is drawn");
                }
                Outcome::NotEnoughData(why) => assert!(why.contains("after ready"), "{why}"),
                Outcome::Absent => panic!("{ready_s}: it grows all the time"),
            }
        }
    }

    #[test]
    fn the_series_of_a_launch_show_what_was_planted_and_nothing_else() {
        let (jvm, memory) = launch();
        let limits = Limits {
            max_heap_bytes: Some(256 << 20),
            memory_bytes: Some(512 << 20),
        };
        let seen = look(&History::of_samples(&jvm, &memory, &limits));
        let found: Vec<_> = seen
            .iter()
            .filter(|(_, o)| o.found().is_some())
            .map(|(n, _)| *n)
            .collect();
        assert_eq!(found, [METASPACE.pattern], "{seen:?}");
        let untold: Vec<_> = seen
            .iter()
            .filter(|(_, o)| matches!(o, Outcome::NotEnoughData(_)))
            .map(|(n, _)| *n)
            .collect();
        assert_eq!(untold, [humongous::NAME], "{seen:?}");
    }
}
