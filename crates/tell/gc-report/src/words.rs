//! The sentences: one for somebody who has a minute, and what stands out.

use tacho_figures::{self as figures, counted, times};
use tacho_gc_log::{GcSummary, LiveSet, LiveSource};
use tacho_run_folder::Collector;

/// Share of the time in pauses. Below `LITTLE` nobody notices them; above `MUCH` they dominate.
const LITTLE: f64 = 0.01;
const MUCH: f64 = 0.05;

fn bytes(bytes: u64) -> String {
    figures::bytes(bytes as f64)
}

/// How much garbage collection cost, and what the heap was for.
#[must_use]
pub fn sentence(summary: &GcSummary) -> String {
    if let Some(sentence) = no_log(summary) {
        return sentence;
    }
    [Some(pauses(summary)), heap(summary)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Says what the input is, if it is not a log of collections.
fn no_log(summary: &GcSummary) -> Option<String> {
    let lines = &summary.lines;
    let is_else = summary.is_something_else();
    if lines.events > 0 && lines.unknown == 0 && !is_else {
        return None;
    }
    if lines.events == 0 || is_else {
        let what = if lines.bytes == 0 {
            "The input is empty: a JVM writes its log there with -Xlog:gc*:file=gc.log (-Xloggc:gc.log up to JDK 8).".to_owned()
        } else if let Some(foreign) = lines.foreign.iter().next() {
            let instead = foreign.instead().map(|instead| format!(" {instead}"));
            format!(
                "This is {}, which is not read.{}",
                foreign.in_words(),
                instead.unwrap_or_default()
            )
        } else if lines.unknown > 0 {
            format!(
                "{} look like collections, and none was understood.",
                counted(lines.unknown, "1 line", "lines")
            )
        } else {
            "No line of this input belongs to a known garbage collection log.".to_owned()
        };
        return Some(what);
    }
    // Some lines were understood. Those that were not may hold any number of collections.
    let is_never = summary.settings.collector == Some(Collector::Epsilon);
    (summary.collections == 0 && summary.pauses.count == 0 && !is_never).then(|| {
        format!(
            "Whether a garbage collection happened is not told: {} of {} lines with figures {} not understood.",
            figures::count(lines.unknown),
            figures::count(lines.unknown + lines.events),
            if lines.unknown == 1 { "was" } else { "were" }
        )
    })
}

fn pauses(summary: &GcSummary) -> String {
    let pauses = &summary.pauses;
    let Some(quantiles) = pauses.quantiles_ms else {
        return match summary.collections {
            0 if summary.settings.collector == Some(Collector::Epsilon) => {
                "Epsilon hands memory out and never takes it back: no collection is to be expected."
                    .to_owned()
            }
            0 => "No garbage collection happened.".to_owned(),
            n => format!(
                "{} stopped it.",
                counted(
                    n,
                    "1 collection ran beside the program; this log does not say how long it",
                    "collections ran beside the program; this log does not say how long they",
                )
            ),
        };
    };
    let opening = match pauses.share {
        Some(share) if share < LITTLE && stands_still_only(summary) => {
            "Garbage collection was hardly noticeable: it"
        }
        Some(share) if share > MUCH => "Garbage collection took a lot of the time: it",
        _ => "Garbage collection",
    };
    let share = match (pauses.share, &summary.time) {
        (Some(share), Some(time)) => format!(
            ", {} of the {} that the log covers",
            figures::percent(share),
            figures::seconds(time.duration_s)
        ),
        _ => String::new(),
    };
    format!(
        "{opening} stopped the program {}, for {} altogether{share}; the longest pause was {}.",
        times(pauses.count as f64),
        figures::seconds(pauses.total_s),
        figures::ms(quantiles.max),
    )
}

/// Whether pauses are the only effect of garbage collection on the program.
fn stands_still_only(summary: &GcSummary) -> bool {
    summary.stalls.count == 0 && summary.failures.is_empty()
}

fn heap(summary: &GcSummary) -> Option<String> {
    let used = summary.heap.max_used_bytes?;
    let allowed = summary
        .settings
        .max_heap_bytes
        .or(summary.heap.max_capacity_bytes)
        // It is that of the last JVM; one before may have had more.
        .filter(|most| used <= *most)
        .map(|most| format!(" of {}", bytes(most)))
        .unwrap_or_default();
    let live = summary
        .heap
        .live_set
        .as_ref()
        .map(|live| format!("; {}", live_set(live)));
    Some(format!(
        "The heap was filled up to {}{allowed}{}.",
        bytes(used),
        live.unwrap_or_default()
    ))
}

fn live_set(live: &LiveSet) -> String {
    let needed = rounded(live.bytes);
    match live.source {
        LiveSource::Marked => format!("{needed} of it was alive at most, as the collector counted"),
        LiveSource::Full => format!("{needed} at most was left by a full collection"),
        LiveSource::Old | LiveSource::Young => format!(
            "no more than {needed} of it is needed all the time, by what collections have left"
        ),
    }
}

/// Logs round sizes down, mostly to whole MiB, so 0 means less than 1 MiB.
fn rounded(size: u64) -> String {
    if size == 0 {
        "less than 1 MiB".to_owned()
    } else {
        bytes(size)
    }
}

/// `G1 of JDK 25.0.3+9-LTS`, `heap up to 64.0 MiB`, ...: how the collector was set up.
#[must_use]
pub fn set_up(summary: &GcSummary) -> Vec<String> {
    if summary.is_something_else() {
        return Vec::new();
    }
    let settings = &summary.settings;
    let collector = match (&settings.collector, &settings.version) {
        (Some(collector), Some(version)) => Some(format!("{collector} of JDK {version}")),
        (Some(collector), None) => Some(collector.to_string()),
        (None, Some(version)) => Some(format!("JDK {version}")),
        (None, None) => None,
    };
    let workers = match (settings.parallel_workers, settings.concurrent_workers) {
        (None, None) => None,
        (parallel, concurrent) => Some(
            [
                parallel.map(|n| format!("{n} parallel")),
                concurrent.map(|n| format!("{n} concurrent")),
            ]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" and ")
                + match (parallel, concurrent) {
                    (Some(1), None) | (None, Some(1)) => " GC thread",
                    _ => " GC threads",
                },
        ),
    };
    [
        collector,
        settings
            .policy
            .as_ref()
            .map(|policy| format!("policy {policy}")),
        settings
            .max_heap_bytes
            .map(|most| format!("heap up to {}", bytes(most))),
        settings
            .region_bytes
            .map(|region| format!("regions of {}", bytes(region))),
        settings.cpus.map(|cpus| match cpus {
            1 => "1 CPU".to_owned(),
            cpus => format!("{cpus} CPUs"),
        }),
        workers,
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Rows of the table of the heap: what, how much, and what it means.
#[must_use]
pub fn heap_rows(summary: &GcSummary) -> Vec<(&'static str, String, String)> {
    let heap = &summary.heap;
    let mut rows = Vec::new();
    let mut row = |name, value: Option<String>, note: &str| {
        if let Some(value) = value {
            rows.push((name, value, note.to_owned()));
        }
    };
    row(
        "highest use",
        heap.max_used_bytes.map(bytes),
        "seen when a collection began or ended",
    );
    row(
        "highest capacity",
        heap.max_capacity_bytes.map(bytes),
        "committed; what the system gives",
    );
    row(
        "lowest after a collection",
        heap.min_after_bytes.map(rounded),
        "",
    );
    if let Some(live) = &heap.live_set {
        let note = match live.source {
            LiveSource::Marked => "the most that the collector has counted",
            LiveSource::Full => "the most that a full collection has left",
            LiveSource::Old | LiveSource::Young => {
                "the least that collections have left in the second half: an upper bound"
            }
        };
        row("live set", Some(rounded(live.bytes)), note);
        row("live set, at last", Some(rounded(live.last_bytes)), "");
    }
    let rate =
        |per_second: Option<f64>| per_second.map(|rate| format!("{}/s", figures::bytes(rate)));
    if let Some(allocation) = &summary.allocation {
        let note = if allocation.is_upper_bound {
            "an upper bound: copies of the collector are in it"
        } else {
            "between collections, by what the heap grew"
        };
        row("allocated", Some(bytes(allocation.bytes)), note);
        row("allocation rate", rate(allocation.bytes_per_s), "");
    }
    if let Some(promotion) = &summary.promotion {
        row(
            "promoted",
            Some(bytes(promotion.bytes)),
            "moved to the old generation",
        );
        row("promotion rate", rate(promotion.bytes_per_s), "");
    }
    if let Some(humongous) = &summary.humongous {
        let value = humongous.max_bytes.map_or_else(
            || counted(humongous.max_regions, "1 region", "regions"),
            bytes,
        );
        row(
            "humongous, highest",
            Some(value),
            "objects larger than half a region",
        );
    }
    row(
        "metaspace",
        summary.metaspace_bytes.map(rounded),
        "classes; outside the heap",
    );
    rows
}

/// What became of the lines: `753 lines: 371 understood, 382 known detail, ...`.
#[must_use]
pub fn lines(summary: &GcSummary) -> String {
    let lines = &summary.lines;
    let parts = [
        (lines.events, "with figures"),
        (lines.details, "known detail"),
        (lines.unknown, "not understood"),
        (lines.other_tags, "of other tags"),
        (lines.no_log, "no log lines"),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", figures::count(*count)))
        .collect();
    format!(
        "{} in {}: {}",
        counted(lines.all, "1 line", "lines"),
        bytes(lines.bytes),
        parts.join(", ")
    )
}
