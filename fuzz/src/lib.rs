//! Readers of bytes from outside, each as a function of bytes that must neither panic nor run on
//! for ever.
//!
//! `cargo test -p tacho-fuzz` feeds them the seeds and what is made of the seeds by chance (in CI);
//! `scripts/fuzz NAME` has libFuzzer look for more, guided by coverage.

mod artifacts;
mod grpc;
mod jvm;
mod load;
mod machine;
mod records;
mod words;

use artifacts::{
    class_file, class_links, image_answer, image_log, jar, launch_log, manifest, oci_base,
    source_map, start_script,
};
use jvm::{class_histogram, gc_file, gc_lines, gc_log, hsperfdata, jfr_lines, native_memory};
use load::{
    csv, http1_answer, import, json_lines, packets, postman, record_tap, recording, vegeta_stream,
    websocket_messages,
};
use machine::{mounts, process_words, smaps};
use records::{hlog, hlog_seconds, run_folder_json};
use std::io::Cursor;
use std::path::Path;
use tacho_import::Format;
use tacho_workload::{JsonPath, SetCookie, Template};
use words::{check, experiment, masking, objective, quantity};

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
        name: "websocket-messages",
        run: websocket_messages,
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
        name: "source-map",
        run: source_map,
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
