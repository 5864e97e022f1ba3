//! Every reader of bytes from outside, as a function of bytes that must neither panic nor run on for ever.
//!
//! `cargo test -p tacho-fuzz` feeds them the seeds and what is made of the seeds by chance (in CI); `scripts/fuzz NAME` has
//! libFuzzer look for more, guided by coverage.

use std::io::Cursor;
use std::path::Path;
use tacho_import::{Format, TargetSyntax, Targets};
use tacho_load::schedule::{Replay, Schedule, read_recording};
use tacho_load::transport::Keep;
use tacho_load::transport::http1::{AnswerReader, Progress, RecentHead};
use tacho_load_report::Check;
use tacho_run_folder::{Objective, Quantiles, TimeUnit};
use tacho_workload::{FeedFormat, JsonPath, SetCookie, Template};

/// One reader.
pub struct Target {
    /// Name of the folder of its seeds.
    pub name: &'static str,
    /// Reads.
    pub run: fn(&[u8]),
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target {
        name: "http1-answer",
        run: http1_answer,
    },
    Target {
        name: "url",
        run: |bytes| with_text(bytes, |text| drop(tacho_load::Endpoint::parse_url(text))),
    },
    Target {
        name: "vegeta",
        run: |bytes| import(Format::Vegeta, bytes),
    },
    Target {
        name: "vegeta-json",
        run: |bytes| import(Format::VegetaJson, bytes),
    },
    Target {
        name: "vegeta-stream",
        run: vegeta_stream,
    },
    Target {
        name: "curl",
        run: |bytes| import(Format::Curl, bytes),
    },
    Target {
        name: "jmx",
        run: |bytes| import(Format::Jmx, bytes),
    },
    Target {
        name: "openapi",
        run: |bytes| import(Format::OpenApi, bytes),
    },
    Target {
        name: "template",
        run: |bytes| with_text(bytes, |text| drop(Template::parse(text))),
    },
    Target {
        name: "csv",
        run: csv,
    },
    Target {
        name: "json-lines",
        run: json_lines,
    },
    Target {
        name: "set-cookie",
        run: |bytes| drop(SetCookie::parse(bytes)),
    },
    Target {
        name: "json-path",
        run: |bytes| with_text(bytes, |text| drop(JsonPath::parse(text))),
    },
    Target {
        name: "recording",
        run: recording,
    },
    Target {
        name: "objective",
        run: |bytes| with_text(bytes, objective),
    },
    Target {
        name: "check",
        run: |bytes| with_text(bytes, check),
    },
    Target {
        name: "experiment",
        run: experiment,
    },
    Target {
        name: "requests-csv",
        run: |bytes| drop(tacho_run_folder::read_requests(bytes)),
    },
    Target {
        name: "samples-csv",
        run: |bytes| drop(tacho_run_folder::read_samples(bytes)),
    },
    Target {
        name: "memory-csv",
        run: |bytes| drop(tacho_run_folder::MemorySample::read(bytes)),
    },
    Target {
        name: "jvm-csv",
        run: |bytes| drop(tacho_run_folder::JvmSample::read(bytes)),
    },
    Target {
        name: "hsperfdata",
        run: hsperfdata,
    },
    Target {
        name: "gc-init",
        run: |bytes| {
            with_text(bytes, |text| {
                drop(tacho_observe::gc_init::GcInit::parse(text))
            })
        },
    },
    Target {
        name: "smaps",
        run: smaps,
    },
    Target {
        name: "native-memory",
        run: native_memory,
    },
    Target {
        name: "class-histogram",
        run: class_histogram,
    },
    Target {
        name: "jfr-lines",
        run: jfr_lines,
    },
    Target {
        name: "agent-snapshot",
        run: |bytes| {
            with_text(bytes, |text| {
                let lines: Vec<&str> = text.lines().collect();
                drop(tacho_jvm_agent::read_snapshot(&lines));
            })
        },
    },
    Target {
        name: "attach-answer",
        run: |bytes| drop(tacho_attach::read_answer(bytes)),
    },
    Target {
        name: "gc-log",
        run: gc_log,
    },
    Target {
        name: "hlog",
        run: hlog,
    },
    Target {
        name: "jar",
        run: jar,
    },
    Target {
        name: "elf-sections",
        run: |bytes| {
            let names = tacho_attach::section_names(Cursor::new(bytes));
            assert!(names.is_none_or(|names| names.len() <= bytes.len()));
        },
    },
    Target {
        name: "lease",
        run: |bytes| {
            let named = tacho_launch::read_lease(bytes).unwrap_or_default();
            assert!(named <= bytes.len(), "more than a byte has");
        },
    },
    Target {
        name: "ready-answer",
        run: ready_answer,
    },
    Target {
        name: "socket-diagnosis",
        run: |bytes| {
            let found = tacho_launch::sockets::read_reply(bytes);
            assert!(found <= bytes.len() / 16, "a header has 16 bytes");
        },
    },
    Target {
        name: "gate-request",
        run: |bytes| {
            if let Ok(Some(path)) = tacho_warm_up::asked_path(&mut &bytes[..]) {
                assert!(path.len() <= bytes.len() && !path.contains('?'));
            }
        },
    },
    Target {
        name: "run-folder-json",
        run: run_folder_json,
    },
    Target {
        name: "http2-frames",
        run: |bytes| {
            let _ = tacho_load::transport::read_frames(bytes);
        },
    },
    Target {
        name: "process-stat",
        run: |bytes| {
            with_text(bytes, |text| {
                let _ = tacho_observe::process::parse_stat(text);
                let _ = tacho_observe::process::parse_statm_rss_pages(text);
                let _ = tacho_observe::process::parse_smaps_rollup_pss(text);
            })
        },
    },
];

/// A target by its name.
#[must_use]
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

fn with_text(bytes: &[u8], read: impl Fn(&str)) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        read(text);
    }
}

/// The first byte says how the rest is split and what is kept; however it is split, as much is taken.
fn http1_answer(bytes: &[u8]) {
    let Some((&how, stream)) = bytes.split_first() else {
        return;
    };
    let mut recent = RecentHead::default();
    let mut read = |piece: usize| {
        let mut reader = AnswerReader::default();
        let keep = if how & 1 == 0 {
            Keep::Nothing
        } else {
            Keep::HeadAndBody { limit: 100 }
        };
        reader.expect(how & 2 != 0, keep);
        let mut taken = 0;
        for part in stream.chunks(piece.max(1)) {
            match reader.read(part, &mut recent) {
                Ok(Progress::Complete { consumed, .. }) => {
                    assert!(consumed <= part.len(), "more than there was");
                    return Some(taken + consumed);
                }
                Ok(Progress::Incomplete) => taken += part.len(),
                Err(_) => return None,
            }
        }
        let _ = reader.end_of_stream();
        None
    };
    let whole = read(stream.len());
    assert_eq!(
        whole,
        read(usize::from(how >> 2)),
        "the split must not matter"
    );
    assert_eq!(
        whole,
        read(stream.len()),
        "a head known from before must not matter"
    );
}

fn import(format: Format, bytes: &[u8]) {
    // A folder in which nothing is found.
    let nowhere = Path::new("/nonexistent");
    if let Ok(imported) = tacho_import::read(format, bytes, nowhere) {
        for scenario in &imported.workload.scenarios {
            assert!(!scenario.steps.is_empty(), "a scenario without steps");
        }
    }
}

fn vegeta_stream(bytes: &[u8]) {
    for syntax in [TargetSyntax::Text, TargetSyntax::Json] {
        let targets = Targets::new(bytes, syntax, Path::new("/nonexistent"));
        // Each target takes a byte at least, and reading ends.
        assert!(targets.count() <= bytes.len() + 1);
    }
}

fn csv(bytes: &[u8]) {
    let format = FeedFormat::Csv {
        delimiter: b',',
        columns: None,
    };
    drop(tacho_workload::read_rows(bytes, &format, &["a".to_owned()]));
}

fn json_lines(bytes: &[u8]) {
    drop(tacho_workload::read_rows(
        bytes,
        &FeedFormat::JsonLines,
        &["a".to_owned()],
    ));
}

/// The first byte says how the rest is split; however it is split, the same is told, and every line is counted once.
fn gc_log(bytes: &[u8]) {
    let Some((&how, log)) = bytes.split_first() else {
        return;
    };
    let read = |piece: usize| {
        let mut reader = tacho_gc_log::Reader::default();
        let mut summary = tacho_gc_log::Summary::default();
        let mut take = |event: &tacho_gc_log::Event<'_>| summary.take(event);
        for part in log.chunks(piece.max(1)) {
            reader.feed(part, &mut take);
        }
        let lines = reader.end(&mut take);
        summary.finish(Vec::new(), lines)
    };
    let whole = read(log.len());
    assert_eq!(whole, read(usize::from(how)), "the split must not matter");
    let lines = &whole.lines;
    let counted = lines.events + lines.details + lines.unknown + lines.other_tags + lines.no_log;
    assert_eq!(lines.all, counted, "a line was passed over");
    assert!(whole.over_time.len() <= 4096, "memory grows with the log");
}

/// Whether a memory is one, and all that is taken from it, must not depend on which of the two readers asks.
fn hsperfdata(bytes: &[u8]) {
    let counters = tacho_observe::hsperfdata::Counters::parse(bytes);
    let sample = tacho_observe::hsperfdata::sample(bytes, 0.0);
    if let Some(sample) = sample {
        assert!(counters.is_ok(), "a row from what is no performance memory");
        assert!(sample.young_s.is_none_or(f64::is_finite));
    }
    if let Ok(counters) = counters {
        assert!(
            counters.len() <= bytes.len() / 20 + 1,
            "more entries than bytes"
        );
    }
}

/// Every mapping has one kind, and no byte is counted twice.
fn smaps(bytes: &[u8]) {
    use tacho_observe::process::{KnownRanges, Sizes, by_kind, kinds, parse_smaps};
    with_text(bytes, |text| {
        let mappings = parse_smaps(text);
        let known = KnownRanges {
            java_heap: Some(0xf000_0000..0x1_0000_0000),
            class_space: None,
        };
        assert_eq!(kinds(&mappings, &known).len(), mappings.len());
        let mut sum = Sizes::default();
        mappings.iter().for_each(|m| sum.add(&m.sizes));
        assert_eq!(by_kind(&mappings, &known).sum(), sum);
    });
}

/// Ranges come out in order and without overlaps, whatever the report says.
fn native_memory(bytes: &[u8]) {
    with_text(bytes, |text| {
        if let Some(memory) = tacho_memory::parse_native_memory(text) {
            let ranges = &memory.ranges;
            assert!(ranges.iter().all(|range| range.start < range.end));
            assert!(ranges.windows(2).all(|pair| pair[0].end <= pair[1].start));
            let _ = memory.malloc_bytes();
        }
    });
}

/// Whatever the lines say: classes with names, the largest first.
fn class_histogram(bytes: &[u8]) {
    with_text(bytes, |text| {
        if let Some(live) = tacho_memory::parse_class_histogram(text) {
            assert!(live.classes.iter().all(|class| !class.name.is_empty()));
            let sizes = live.classes.windows(2);
            assert!(sizes.into_iter().all(|pair| pair[0].bytes >= pair[1].bytes));
        }
    });
}

/// Shares are shares, whatever the events say.
fn jfr_lines(bytes: &[u8]) {
    with_text(bytes, |text| {
        let mut summary = tacho_jfr::Summary::default();
        for line in text.lines() {
            if let Some(tacho_jfr::Line::Event(event)) = tacho_jfr::parse_line(line) {
                summary.add(event);
            }
        }
        let said = summary.finish();
        assert!(said.duration_s >= 0.0);
        for site in said.allocation.iter().flat_map(|a| &a.sites) {
            assert!((0.0..=1.0).contains(&site.share), "{site:?}");
        }
    });
}

/// The first byte says which column and unit are asked for; what is read can be replayed from its first to its last instant.
fn recording(bytes: &[u8]) {
    let Some((&how, text)) = bytes.split_first() else {
        return;
    };
    let units = [TimeUnit::S, TimeUnit::Ms, TimeUnit::Us, TimeUnit::Ns];
    let unit = units.get(usize::from(how & 7)).copied();
    let column = (how & 8 != 0).then_some("at_ms");
    let Ok(instants) = read_recording(text, column, unit) else {
        return;
    };
    assert!(!instants.is_empty(), "an empty recording is an error");
    assert!(
        instants.len() <= text.len(),
        "each instant takes a byte at least"
    );
    let speed = if how & 16 == 0 { 1.0 } else { 3.0 };
    let Ok(replay) = Replay::new(instants.clone(), speed) else {
        return;
    };
    let replayed: Vec<u64> = (0..).map_while(|n| replay.intended(n)).collect();
    assert_eq!(replayed.len(), instants.len(), "none is lost");
    assert_eq!(replayed[0], 0);
    assert!(replayed.is_sorted());
    assert!(replayed.iter().all(|&instant| instant < replay.duration()));
}

/// What is understood says the same again, and shorter times never hold less.
fn objective(text: &str) {
    let Ok(objective) = text.parse::<Objective>() else {
        return;
    };
    let again: Objective = match objective.to_string().parse() {
        Ok(again) => again,
        Err(error) => panic!("as it writes itself it is not understood: {error}"),
    };
    assert_eq!(objective, again);
    let tightest_ms = objective.tightest_ms();
    assert!(tightest_ms.is_finite() && tightest_ms > 0.0);
    assert!((0.0..=1.0).contains(&objective.errors_allowed()));
    let all = |ms: f64| Quantiles {
        count: 1,
        min: ms,
        mean: ms,
        p50: ms,
        p90: ms,
        p95: ms,
        p99: ms,
        p99_9: ms,
        max: ms,
    };
    let holds = |ms| objective.holds(Some(&all(ms)), 0.0);
    assert!(
        !holds(tightest_ms * 2.0),
        "beyond its tightest bound it held"
    );
    // `errors<0%` allows nothing at all.
    assert_eq!(holds(tightest_ms / 2.0), holds(0.0));
    assert!(!objective.holds(None, 0.0));
}

/// What is understood says the same again.
fn check(text: &str) {
    if let Ok(check) = Check::parse(text) {
        assert_eq!(Check::parse(&check.text).as_ref(), Ok(&check));
    }
}

fn experiment(bytes: &[u8]) {
    with_text(bytes, |text| {
        drop(tacho_experiment::file::parse(text, Path::new("/")))
    });
}

/// Whatever a log says, its memory is bounded by its layout, and the sums of its lines do not overflow.
fn hlog(bytes: &[u8]) {
    use tacho_histogram_log::LogLine;
    let mut answers: u64 = 0;
    for line in tacho_histogram_log::intervals(bytes) {
        let (histogram, start_s, duration_s) = match &line {
            LogLine::Interval(line) => (&line.histogram, line.start_s, line.duration_s),
            LogLine::Lateness(line) => (&line.histogram, line.start_s, line.duration_s),
            LogLine::Unreadable => continue,
        };
        assert!(histogram.distinct_values() <= 1 << 16);
        assert!((start_s + duration_s).is_finite());
        answers += histogram.len();
        assert!(
            answers <= bytes.len() as u64 * (1 << 40),
            "more than a second holds"
        );
        assert!(histogram.max() >= histogram.value_at_quantile(0.5));
    }
}

thread_local! {
    /// What is read by its path.
    static FOLDER: std::io::Result<tempfile::TempDir> = tempfile::tempdir();
}

/// The directory of entries, the manifest, class files, nested jars.
fn jar(bytes: &[u8]) {
    FOLDER.with(|folder| {
        let Ok(folder) = folder else { return };
        for (name, kind) in [
            ("a.jar", tacho_subject::ArtifactKind::Jar),
            ("a.war", tacho_subject::ArtifactKind::War),
        ] {
            let path = folder.path().join(name);
            if std::fs::write(&path, bytes).is_err() {
                return;
            }
            if let Ok(artifact) = tacho_subject::Artifact::read(&path) {
                drop(artifact.facts());
            }
            drop(tacho_subject::own_packages(&path, kind));
        }
    });
}

/// The first byte says how the rest is split; however it is split, it is the same answer.
fn ready_answer(bytes: &[u8]) {
    let Some((&how, answer)) = bytes.split_first() else {
        return;
    };
    let status =
        |piece: usize| tacho_launch::ready::read_answer(answer, piece).map(|(status, _)| status);
    let whole = status(answer.len());
    assert!(whole.is_none_or(|status| status < 1000));
    // What is too long for a head is cut where a piece ends.
    if answer.len() < 4096 {
        assert_eq!(whole, status(usize::from(how)), "the split must not matter");
    }
}

/// Everything that a run folder holds as JSON; what is understood can be written again.
fn run_folder_json(bytes: &[u8]) {
    use serde_json::{from_slice, to_vec};
    macro_rules! read {
        ($($kind:ident),*) => {
            $(
                if let Ok(read) = from_slice::<tacho_run_folder::$kind>(bytes) {
                    let _ = to_vec(&read);
                }
            )*
        };
    }
    read!(RunHeader, Plan, LaunchRecord, PreparedVariant, Results);
}
