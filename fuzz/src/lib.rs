//! Readers of bytes from outside, each as a function of bytes that must neither panic nor run on
//! for ever.
//!
//! `cargo test -p tacho-fuzz` feeds them the seeds and what is made of the seeds by chance (in CI);
//! `scripts/fuzz NAME` has libFuzzer look for more, guided by coverage.

mod grpc;

use std::io::Cursor;
use std::net::SocketAddr;
use std::path::Path;
use tacho_http1::{AnswerReader, Keep, Progress, RecentHead};
use tacho_import::{Environment, Format, PostmanOptions, TargetSyntax, Targets};
use tacho_load::schedule::{Replay, Schedule, read_recording};
use tacho_load_report::Check;
use tacho_quantity::{
    Bytes, Count, Cpus, Duration, Factor, QuantityError, Rate, RateOrNone, Share, objectives,
};
use tacho_run_folder::{Objective, Quantiles, TimeUnit};
use tacho_workload::{FeedFormat, JsonPath, Script, SetCookie, Template};

/// A reader, as the fuzzer runs it.
pub struct Target {
    /// Name of the folder of its seeds.
    pub name: &'static str,
    /// Feeds it one input.
    pub run: fn(&[u8]),
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target {
        name: "http1-answer",
        run: http1_answer,
    },
    Target {
        name: "record-tap",
        run: record_tap,
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
        name: "har",
        run: |bytes| import(Format::Har, bytes),
    },
    Target {
        name: "postman",
        run: postman,
    },
    Target {
        name: "grpc-message",
        run: grpc::message,
    },
    Target {
        name: "proto",
        run: grpc::proto,
    },
    Target {
        name: "protoset",
        run: grpc::protoset,
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
        name: "quantity",
        run: |bytes| with_text(bytes, quantity),
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
        name: "claims",
        run: |bytes| {
            with_text(bytes, |text| {
                drop(tacho_claims::parse(text, Path::new("/")));
            });
        },
    },
    Target {
        name: "requests-csv",
        run: |bytes| drop(tacho_run_folder::RequestRow::read(bytes)),
    },
    Target {
        name: "samples-csv",
        run: |bytes| drop(tacho_run_folder::Sample::read(bytes)),
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
                for line in lines {
                    drop(serde_json::from_str::<tacho_jvm_agent::Begun>(line));
                    drop(serde_json::from_str::<tacho_jvm_agent::Removed>(line));
                }
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
        name: "gc-lines",
        run: gc_lines,
    },
    Target {
        name: "gc-file",
        run: gc_file,
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
        name: "manifest",
        run: manifest,
    },
    Target {
        name: "class-links",
        run: class_links,
    },
    Target {
        name: "start-script",
        run: start_script,
    },
    Target {
        name: "class-file",
        run: class_file,
    },
    Target {
        name: "image-answer",
        run: image_answer,
    },
    Target {
        name: "image-log",
        run: image_log,
    },
    Target {
        name: "launch-log",
        run: launch_log,
    },
    Target {
        name: "jdk-release",
        run: |bytes| {
            with_text(bytes, |text| {
                let _ = tacho_subject::read_release(text);
            })
        },
    },
    Target {
        name: "masking",
        run: masking,
    },
    Target {
        name: "hlog-seconds",
        run: hlog_seconds,
    },
    Target {
        name: "process-status",
        run: |bytes| {
            with_text(bytes, |text| {
                let _ = tacho_observe::process::Status::parse(text);
            })
        },
    },
    Target {
        name: "process-words",
        run: process_words,
    },
    Target {
        name: "mounts",
        run: mounts,
    },
    Target {
        name: "jvm-properties",
        run: |bytes| {
            with_text(bytes, |text| {
                let read = tacho_attach::read_properties(text);
                assert!(read.len() <= text.len());
            })
        },
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
        name: "oci-base",
        run: oci_base,
    },
    Target {
        name: "packets",
        run: packets,
    },
    Target {
        name: "process-stat",
        run: |bytes| {
            with_text(bytes, |text| {
                let _ = tacho_observe::process::parse_stat(text);
                let _ = tacho_observe::process::parse_statm_rss_pages(text);
                let _ = tacho_observe::process::Schedstat::parse(text);
            });
        },
    },
];

/// A target by its name.
#[must_use]
pub const fn target(name: &str) -> Option<&'static Target> {
    let mut rest = TARGETS;
    while let [first, others @ ..] = rest {
        if is_same(first.name.as_bytes(), name.as_bytes()) {
            return Some(first);
        }
        rest = others;
    }
    None
}

/// `==` of slices is not for constants yet.
const fn is_same(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([a, rest @ ..], [b, others @ ..]) = (one, other) {
        if *a != *b {
            return false;
        }
        (one, other) = (rest, others);
    }
    one.is_empty() && other.is_empty()
}

fn with_text(bytes: &[u8], read: impl Fn(&str)) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        read(text);
    }
}

/// The first byte says how the rest is split and what is kept; however it is split, as much is
/// taken.
/// What a client sends through `tacho record`, in two parts.
fn record_tap(bytes: &[u8]) {
    let mut tap = tacho_record::Tap::default();
    let (first, second) = bytes.split_at(bytes.len() / 2);
    let Ok(service) = url::Url::parse("http://localhost:8080") else {
        return;
    };
    let masking = tacho_masking::Masking::new();
    for seen in [tap.read(first), tap.read(second)]
        .concat()
        .iter()
        .flatten()
    {
        drop(tacho_record::Target::of(seen, &service, &masking));
    }
}

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
                Ok(Progress::Complete { answer, consumed }) => {
                    assert!(consumed <= part.len(), "more than there was");
                    return Some((taken + consumed, answer.status));
                }
                Ok(Progress::Incomplete) => taken += part.len(),
                Err(_) => return None,
            }
        }
        let answer = reader.end_of_stream().ok()?;
        Some((taken, answer.status))
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

/// Each packet has a byte for the microseconds since the one before and a byte for its length. Of
/// whatever passes, no exchange takes longer than the window.
fn packets(mut bytes: &[u8]) {
    let callee = SocketAddr::from(([127, 0, 0, 2], 8080));
    let mut conversations = tacho_wire::Conversations::with(vec![callee]);
    let mut packets = 0;
    let mut at = 0;
    while let [later, length, rest @ ..] = bytes {
        let (packet, others) = rest.split_at(rest.len().min(usize::from(*length)));
        at += u64::from(*later) * 1000;
        if let Some(segment) = tacho_wire::segment::segment(packet) {
            assert!(segment.data.len() <= packet.len());
            conversations.take(at, &segment);
        }
        packets += 1;
        bytes = others;
    }
    let told = conversations.end();
    assert!(told.exchanges.len() <= packets, "an answer takes a packet");
    for (_, exchange) in told.exchanges {
        assert!(exchange.total() <= at, "longer than all that passed");
    }
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

/// As a collection, and as values for one; with the URL of a load, too.
fn postman(bytes: &[u8]) {
    import(Format::Postman, bytes);
    let environments = Environment::read(bytes).into_iter();
    let options = PostmanOptions {
        base: "http://127.0.0.1:8080".parse().ok(),
        environments: environments.collect(),
    };
    for collection in [bytes, POSTMAN_COLLECTION] {
        let nowhere = Path::new("/nonexistent");
        let read = tacho_import::read_postman(collection, nowhere, &options);
        let scenarios = read
            .into_iter()
            .flat_map(|imported| imported.workload.scenarios);
        for step in scenarios.flat_map(|scenario| scenario.steps) {
            if let Err(error) = Script::of_step(&step) {
                panic!("a request that cannot be sent: {error}");
            }
        }
    }
}

/// Asks for all that an environment may hold under these names.
const POSTMAN_COLLECTION: &[u8] = br#"{"item": [{"request": {
    "url": {"raw": "{{baseUrl}}/{{a}}/:b?{{c}}", "variable": {"b": "{{b}}"}},
    "method": "{{method}}", "header": "{{a}}: {{token}}",
    "auth": {"type": "bearer", "bearer": {"token": "{{token}}"}},
    "body": {"mode": "raw", "raw": "{{a}}{{b}}{{c}}"}}}]}"#;

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

/// The first byte says how the rest is split; however it is split, the same is told, and every line
/// is counted once.
fn gc_log(bytes: &[u8]) {
    let Some((&how, log)) = bytes.split_first() else {
        return;
    };
    let read = |piece: usize| {
        let mut reader = tacho_gc_log::Reader::default();
        let mut collections = tacho_gc_log::Collections::on(tacho_gc_log::Axis::Log);
        let mut take = |event: &tacho_gc_log::Event<'_>| collections.take(event);
        for part in log.chunks(piece.max(1)) {
            reader.feed(part, &mut take);
        }
        let lines = reader.end(&mut take);
        collections.finish(Vec::new(), lines).0
    };
    let whole = read(log.len());
    assert_eq!(whole, read(usize::from(how)), "the split must not matter");
    none_passed_over(&whole.lines);
    assert!(whole.over_time.len() <= 4096, "memory grows with the log");
}

/// The readers of lines alone, of every format, without what is added up of them.
fn gc_lines(bytes: &[u8]) {
    let mut reader = tacho_gc_log::Reader::default();
    reader.feed(bytes, &mut |_| ());
    none_passed_over(&reader.end(&mut |_| ()));
}

/// Compressed or not, in whatever letters: a file is read to its end, or refused.
fn gc_file(bytes: &[u8]) {
    let mut log = tacho_gc_log::Log::default();
    drop(log.read(bytes, &mut |_| ()));
    none_passed_over(&log.end(&mut |_| ()));
}

fn none_passed_over(lines: &tacho_gc_log::Lines) {
    let counted = lines.events + lines.details + lines.unknown + lines.other_tags + lines.no_log;
    assert_eq!(lines.all, counted, "a line was passed over");
}

/// Whether a memory is one, and all that is taken from it, must not depend on which of the two
/// readers asks.
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
    let text = String::from_utf8_lossy(bytes);
    let mappings = parse_smaps(&text);
    let known = KnownRanges {
        java_heap: Some(0xf000_0000..0x1_0000_0000),
        class_space: None,
    };
    assert_eq!(kinds(&mappings, &known).len(), mappings.len());
    let mut sum = Sizes::default();
    mappings.iter().for_each(|m| sum.add(&m.sizes));
    assert_eq!(by_kind(&mappings, &known).sum(), sum);
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
            summary.add(tacho_jfr::Event::parse(line).as_ref());
        }
        let said = summary.finish();
        assert!(said.duration_s >= 0.0);
        for site in said.allocation.iter().flat_map(|a| &a.sites) {
            assert!((0.0..=1.0).contains(&site.share), "{site:?}");
        }
    });
}

/// The first byte says which column and unit are asked for; what is read can be replayed from its
/// first to its last instant.
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

/// What is understood is printed as the same value.
fn quantity(text: &str) {
    fn again<T>(text: &str)
    where
        T: std::str::FromStr<Err = QuantityError> + std::fmt::Display + PartialEq + std::fmt::Debug,
    {
        if let Ok(value) = text.parse::<T>() {
            let printed = value.to_string();
            assert_eq!(printed.parse::<T>(), Ok(value), "{printed}");
        }
    }
    again::<Bytes>(text);
    again::<Count>(text);
    again::<Cpus>(text);
    again::<Duration>(text);
    again::<Factor>(text);
    again::<Rate>(text);
    again::<RateOrNone>(text);
    again::<Share>(text);
    for text in objectives(text) {
        if let Ok(objective) = text.parse::<tacho_quantity::Objective>() {
            let printed = objective.to_string();
            assert_eq!(printed.parse().as_ref(), Ok(&objective), "{printed}");
        }
    }
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
    assert!(!holds(f64::INFINITY), "beyond all bounds it held");
    // `errors<0%` allows nothing at all.
    let held = [0.0, 1e-6, 1.0, 1e3, 1e9].map(holds);
    assert!(
        held.is_sorted_by_key(|held| !held),
        "a longer time held where a shorter one did not"
    );
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
        drop(tacho_experiment::file::parse(text, Path::new("/")));
        drop(tacho_experiment::file::parse_phases(
            text,
            Path::new("/"),
            1,
        ));
    });
}

/// Whatever a log says, its memory is bounded by its layout, and the sums of its lines do not
/// overflow.
fn hlog(bytes: &[u8]) {
    use tacho_histogram_log::LogLine;
    let mut answers: u64 = 0;
    for line in tacho_histogram_log::intervals(bytes) {
        let (histogram, start_s, duration_s) = match &line {
            LogLine::Interval(line) => (&line.histogram, line.start_s, line.duration_s),
            LogLine::Overall(line) => (&line.histogram, line.start_s, line.duration_s),
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

/// The directory of entries, the manifest, class files, nested jars; as a jar and as a WAR, out of
/// memory.
fn jar(bytes: &[u8]) {
    use tacho_subject::{ArtifactKind, read_archive};
    for kind in [ArtifactKind::Jar, ArtifactKind::War] {
        let Some((facts, own)) = read_archive(bytes, kind) else {
            continue;
        };
        assert!(own.len() <= bytes.len(), "each package has an entry");
        assert!(facts.java_release.is_none_or(|release| release <= 156));
        assert_eq!(facts.servlet.is_some(), kind == ArtifactKind::War);
    }
}

/// What is one word a manifest's line, no more.
fn manifest(bytes: &[u8]) {
    let manifest = tacho_subject::Manifest::parse(bytes);
    assert!(manifest.class_path.len() <= bytes.len());
    let names = [&manifest.main_class, &manifest.start_class];
    assert!(names.into_iter().flatten().all(|name| !name.is_empty()));
}

/// By its magic number and its major version alone.
fn class_file(bytes: &[u8]) {
    let (release, _) = tacho_subject::read_class(bytes);
    let begins = bytes.len() >= 8 && bytes.starts_with(&[0xca, 0xfe, 0xba, 0xbe]);
    let major = bytes.get(6..8).map_or(0, |major| {
        u32::from(u16::from_be_bytes([major[0], major[1]]))
    });
    let expected = (begins && (45..=200).contains(&major)).then(|| major - 44);
    assert_eq!(release, expected);
}

/// What binds a class to others: never more names than bytes.
fn class_links(bytes: &[u8]) {
    if let Some(names) = tacho_subject::read_links(bytes) {
        assert!(names <= bytes.len());
        assert!(bytes.starts_with(&[0xca, 0xfe, 0xba, 0xbe]));
    }
}

/// Flags and variables of a start script, and each of its words put back: all of them put back is
/// the older script.
fn start_script(bytes: &[u8]) {
    let mut halves = bytes.splitn(2, |byte| *byte == 0);
    let mut half = || String::from_utf8_lossy(halves.next().unwrap_or_default()).into_owned();
    let (older, newer) = (half(), half());
    assert_eq!(tacho_subject::put_all_back(&older, &newer), older);
}

/// The JVM's two answers and the image's, parted by zero bytes; what is the same is no difference.
fn image_answer(bytes: &[u8]) {
    let mut parts = bytes.splitn(3, |byte| *byte == 0);
    let mut part = || parts.next().unwrap_or_default();
    let (first, second, image) = (part(), part(), part());
    let _ = tacho_runner::compare_answers([first, second], image);
    let same = tacho_runner::compare_answers([first, first], first);
    assert_eq!(same, None, "an answer departs from itself");
}

/// The image's log and, after a zero byte, the JVM's; what is to be added is JSON, and nothing is
/// where both say the same.
fn image_log(bytes: &[u8]) {
    with_text(bytes, |text| {
        let (image, jvm) = text.split_once('\0').unwrap_or((text, ""));
        if let Some((seen, document)) = tacho_runner::missing_metadata(image, jvm) {
            assert!(
                !seen.contains(|c: char| c.is_control() && c != '\t'),
                "{seen:?}"
            );
            let document: serde_json::Value = match serde_json::from_str(&document) {
                Ok(document) => document,
                Err(error) => panic!("{error} in {document}"),
            };
            assert!(document.is_object());
        }
    });
}

/// What a launch prints: the claims of frameworks, known complaints, without anything that a
/// terminal would obey.
fn launch_log(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            if let Some(claim) = tacho_launch::claims::in_line(line) {
                assert!(claim.startup_ms.is_finite() && claim.startup_ms >= 0.0);
            }
            let _ = tacho_fit::tells_of_memory(line);
            tacho_launch::log::plain(line).into_owned()
        })
        .collect();
    if let Some(said) = tacho_launch::failure::complaint(&lines) {
        assert!(!said.is_empty() && !said.contains('\u{1b}'));
    }
}

/// The command line and the environment of a process, which may hold anything.
fn process_words(bytes: &[u8]) {
    let wanted = format!("{}=1", tacho_launch::processes::MARK);
    let words = tacho_observe::process::joined(bytes);
    let marked = tacho_observe::process::has_variable(bytes, &wanted);
    let most = bytes.len() * '\u{fffd}'.len_utf8();
    assert!(words.is_none_or(|words| words.len() <= most && !words.contains('\0')));
    let holds = bytes
        .windows(wanted.len())
        .any(|at| at == wanted.as_bytes());
    assert!(holds || !marked, "a mark that is not there");
    let _ = tacho_attach::forbids_attaching(bytes);
}

/// `/proc/self/mountinfo` and, after a zero byte, `/proc/self/cgroup`.
fn mounts(bytes: &[u8]) {
    with_text(bytes, |text| {
        let (mountinfo, cgroup) = text.split_once('\0').unwrap_or((text, ""));
        let (_, pids) = tacho_cgroup::read_mounts(mountinfo, cgroup);
        assert!(pids <= cgroup.len());
    });
}

/// A secret that is known stands in nothing that is written, whatever stands around it.
fn masking(bytes: &[u8]) {
    const SECRET: &str = "zq7Kx0-planted";
    with_text(bytes, |text| {
        let middle = (text.len() / 2..).find(|place| text.is_char_boundary(*place));
        let (before, after) = text.split_at(middle.unwrap_or_default());
        let document = format!("{before}{SECRET}{after}");
        let mut masking = tacho_masking::Masking::new();
        masking.learn_pairs([("password", SECRET)]);
        masking.learn_yaml(text);
        let words: Vec<String> = document.split_whitespace().map(str::to_owned).collect();
        masking.learn_command(&words);
        for masked in [masking.yaml(&document), masking.text(&document)] {
            assert!(!masked.contains(SECRET), "{masked}");
        }
        if let Ok(masked) = masking.compact_json(&words) {
            assert!(!masked.contains(SECRET), "{masked}");
        }
    });
}

/// The seconds of a log of load, bounded as its lines are.
fn hlog_seconds(bytes: &[u8]) {
    let mut seconds = tacho_load_report::records::Seconds::new(bytes, Path::new("phases.hlog"));
    let mut count = 0;
    while let Ok(Some(second)) = seconds.next_second() {
        count += 1;
        assert!(second.end_s().is_finite());
    }
    assert!(count <= bytes.len(), "each second has a line");
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
    if let Ok(fit) = from_slice::<tacho_fit::Fit>(bytes) {
        let _ = to_vec(&fit);
    }
}

/// A base comes from anywhere: nothing of it is written outside of the folder that it is given, and
/// what is taken for an image has the layers that its description names.
fn oci_base(bytes: &[u8]) {
    let Ok(outer) = tempfile::tempdir() else {
        return;
    };
    let scratch = outer.path().join("scratch");
    if std::fs::create_dir(&scratch).is_err() {
        return;
    }
    let platform = tacho_oci::Platform(tacho_oci::Arch::Amd64);
    let base = tacho_oci::Base::read_tar(bytes, &platform, &scratch);
    let beside = std::fs::read_dir(outer.path()).map_or(0, Iterator::count);
    assert_eq!(beside, 1, "something was written outside of its folder");
    if let Ok(base) = base {
        let process = tacho_oci::Process::default();
        let image = tacho_oci::Image::of(platform, Some(&base), Vec::new(), &process);
        assert!(image.is_ok(), "a base that was read cannot be built upon");
    }
}
