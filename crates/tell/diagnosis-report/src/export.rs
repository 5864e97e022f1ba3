//! Costs by stack for other tools: collapsed stacks, speedscope's file format, pprof's.
//!
//! All files cover the whole window: time in microseconds (pprof: nanoseconds), memory in bytes.
//! `dissection.json` says how many requests the window had. Frame names are ones that survive a
//! rebuild, so that `difffolded.pl` and similar tools can compare the two builds.

use crate::document::ExportedFile;
use crate::pprof::pprof;
use crate::stacks::stacks;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tacho_run_folder::{Dissection, FolderError, LaunchDir, Ledger, LedgerKind, RunFolder};

/// How a profile is written.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// A line a stack, for flamegraph.pl and difffolded.pl.
    Collapsed,
    /// JSON for speedscope.app, sampled profiles.
    Speedscope,
    /// For `go tool pprof` and all that read its format; compressed.
    Pprof,
    /// A flight recording, for JDK Mission Control and `jfr`.
    Jfr,
}

/// The formats that are made from a ledger. `Jfr` is not among them: a recording is what a ledger
/// is made from.
pub const FORMATS: [Format; 3] = [Format::Collapsed, Format::Speedscope, Format::Pprof];

impl Format {
    /// The end of a file's name.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Collapsed => "collapsed",
            Self::Speedscope => "speedscope.json",
            Self::Pprof => "pb.gz",
            Self::Jfr => "jfr",
        }
    }
}

/// What a file says of itself, where its format has room for that.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// Title that the viewer shows.
    pub title: &'a str,
    /// Nanoseconds since 1970; 0 where nobody knows.
    pub began_ns: i64,
    /// Nanoseconds; 0 where nobody knows.
    pub duration_ns: i64,
    /// The sampling interval: a sample stands for this many nanoseconds or bytes.
    pub period: Option<u64>,
}

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// Name of the file within the folder.
    pub name: String,
    /// How it is written.
    pub format: Format,
    /// What is in it.
    pub kind: LedgerKind,
    /// `candidate` or `baseline`; `None` for the profile of a running JVM.
    pub build: Option<&'static str>,
    /// The whole of it.
    pub content: Vec<u8>,
}

/// Why a profile could not be written: a fault of Tacho.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The JSON for speedscope could not be written.
    #[error("the profile could not be written as JSON: {0}; please report this")]
    Json(#[from] serde_json::Error),
    /// The profile for pprof could not be compressed.
    #[error("the profile could not be compressed: {0}; please report this")]
    Gzip(#[from] std::io::Error),
    /// The run folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// The stem of the file name, for ledgers that have exports of their own.
fn stem(kind: LedgerKind) -> Option<&'static str> {
    match kind {
        LedgerKind::Processor => Some("processor"),
        LedgerKind::Wall => Some("wall"),
        LedgerKind::Allocation => Some("allocation"),
        LedgerKind::LockWaits => Some("locks"),
        _ => None,
    }
}

/// Title of a kind of cost in reports.
#[must_use]
pub fn title(kind: LedgerKind) -> &'static str {
    match kind {
        LedgerKind::Processor => "processor time",
        LedgerKind::Wall => "time by the wall clock",
        LedgerKind::Allocation => "allocation",
        _ => "waiting for locks",
    }
}

/// Recordings that instruments leave in the folder of a diagnosis launch.
const RECORDINGS: [&str; 3] = ["processor.jfr", "events.jfr", "trace.jfr"];

/// A build that was looked into, and where its recordings are.
pub type Seen<'s> = (&'s LaunchDir, &'s Dissection);

/// Writes the profiles of both builds, and says which files there are for other tools.
///
/// # Errors
/// When one cannot be written.
pub fn write(
    folder: &RunFolder,
    baseline: Option<Seen<'_>>,
    candidate: Option<Seen<'_>>,
) -> Result<Vec<ExportedFile>, ExportError> {
    let mut written = Vec::new();
    for export in files(baseline.map(|seen| seen.1), candidate.map(|seen| seen.1))? {
        folder.write_bytes(&export.name, &export.content)?;
        written.push(ExportedFile {
            path: export.name,
            build: export.build.unwrap_or_default().to_owned(),
            format: export.format,
            of: Some(export.kind),
        });
    }
    for (build, seen) in [("candidate", candidate), ("baseline", baseline)] {
        let Some((launch, _)) = seen else { continue };
        let recordings = RECORDINGS.iter().map(|name| launch.path().join(name));
        for path in recordings.filter(|path| path.is_file()) {
            let below = path.strip_prefix(folder.path()).ok();
            written.extend(below.map(|below| ExportedFile {
                path: below.display().to_string(),
                build: build.to_owned(),
                format: Format::Jfr,
                of: None,
            }));
        }
    }
    Ok(written)
}

/// For each build, all ledgers that have any cost, in each format that is made from a ledger.
///
/// # Errors
/// When a profile cannot be written, which is a fault of Tacho.
pub fn files(
    baseline: Option<&Dissection>,
    candidate: Option<&Dissection>,
) -> Result<Vec<Export>, ExportError> {
    let mut files = Vec::new();
    for (build, seen) in [("candidate", candidate), ("baseline", baseline)] {
        for ledger in seen.iter().flat_map(|seen| &seen.ledgers) {
            let what = title(ledger.kind);
            let title = format!("{build}, {what} of {} requests", ledger.requests);
            let window = seen.and_then(|seen| seen.window(&ledger.window));
            let about = About {
                title: &title,
                began_ns: 0,
                duration_ns: window.map_or(0, |window| (window.duration_s * 1e9) as i64),
                period: None,
            };
            let exports = of_ledger(ledger, &format!("-{build}"), &FORMATS, &about)?;
            files.extend(exports.into_iter().map(|export| Export {
                build: Some(build),
                ..export
            }));
        }
    }
    Ok(files)
}

/// A ledger in these formats; nothing when it has no cost, or no exports of its own. Names of files
/// end in `after`, before their extension.
///
/// # Errors
/// When a profile cannot be written, which is a fault of Tacho.
pub fn of_ledger(
    ledger: &Ledger,
    after: &str,
    formats: &[Format],
    about: &About<'_>,
) -> Result<Vec<Export>, ExportError> {
    let Some(stem) = stem(ledger.kind).filter(|_| !stacks(ledger).is_empty()) else {
        return Ok(Vec::new());
    };
    let mut exports = Vec::new();
    for format in formats {
        let content = match format {
            Format::Collapsed => collapsed(ledger).into_bytes(),
            Format::Speedscope => speedscope(ledger, about.title)?.into_bytes(),
            Format::Pprof => pprof(ledger, about)?,
            Format::Jfr => continue,
        };
        exports.push(Export {
            name: format!("{stem}{after}.{}", format.extension()),
            format: *format,
            kind: ledger.kind,
            build: None,
            content,
        });
    }
    Ok(exports)
}

/// Speedscope's name for the unit, and the number of ledger units in one such unit.
fn unit(kind: LedgerKind) -> (&'static str, f64) {
    match kind {
        LedgerKind::Allocation => ("bytes", 1.0),
        _ => ("microseconds", 1e3),
    }
}

/// One line a stack: frames outermost first with `;` between, a space, microseconds or bytes.
#[must_use]
pub fn collapsed(ledger: &Ledger) -> String {
    let (_, each) = unit(ledger.kind);
    stacks(ledger)
        .iter()
        .filter_map(|(frames, cost)| {
            let units = (cost / each).round();
            let names: Vec<String> = frames.iter().map(|frame| word(frame)).collect();
            (units >= 1.0).then(|| format!("{} {units:.0}\n", names.join(";")))
        })
        .collect()
}

/// Replaces characters that separate frames or lines.
fn word(frame: &str) -> String {
    frame
        .chars()
        .map(|c| match c {
            ';' => ':',
            c if c.is_whitespace() || c.is_control() => '_',
            c => c,
        })
        .collect()
}

/// <https://www.speedscope.app/file-format-schema.json>: one profile of kind `sampled`.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn speedscope(ledger: &Ledger, title: &str) -> Result<String, serde_json::Error> {
    let stacks = stacks(ledger);
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut frames = Vec::new();
    let mut samples = Vec::new();
    for stack in stacks.keys() {
        let sample: Vec<usize> = stack
            .iter()
            .map(|name| {
                *places.entry(name).or_insert_with(|| {
                    frames.push(Frame { name });
                    frames.len() - 1
                })
            })
            .collect();
        samples.push(sample);
    }
    let (unit, each) = unit(ledger.kind);
    let weights: Vec<f64> = stacks.values().map(|cost| cost / each).collect();
    let file = File {
        schema: "https://www.speedscope.app/file-format-schema.json",
        exporter: concat!("tacho ", env!("CARGO_PKG_VERSION")),
        name: title,
        shared: Shared { frames },
        profiles: [Profile {
            kind: "sampled",
            name: title,
            unit,
            start_value: 0.0,
            end_value: weights.iter().sum(),
            samples,
            weights,
        }],
    };
    Ok(serde_json::to_string(&file)? + "\n")
}

#[derive(Serialize)]
struct File<'a> {
    #[serde(rename = "$schema")]
    schema: &'a str,
    exporter: &'a str,
    name: &'a str,
    shared: Shared<'a>,
    profiles: [Profile<'a>; 1],
}

#[derive(Serialize)]
struct Shared<'a> {
    frames: Vec<Frame<'a>>,
}

#[derive(Serialize)]
struct Frame<'a> {
    name: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Profile<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    name: &'a str,
    unit: &'a str,
    start_value: f64,
    end_value: f64,
    samples: Vec<Vec<usize>>,
    weights: Vec<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::processor;

    /// Two lines of a method, a lambda with a number, names that would break a line, a thread of
    /// the JVM, and a cost that is no number.
    fn ledger() -> Ledger {
        processor(
            10,
            &[
                (
                    "org.lib.Cache.get:9 shop.Web.lambda$get$3:4 java.lang.Thread.run:840",
                    2e6,
                ),
                (
                    "org.lib.Cache.get:12 shop.Web.lambda$get$7:5 java.lang.Thread.run:840",
                    1e6,
                ),
                ("odd;name\tof\na.Class.run:1", 5e3),
                ("shop.Web.tiny:1", 100.0),
                ("shop.Web.broken:1", f64::NAN),
                ("", 4e6),
            ],
        )
    }

    #[test]
    fn collapsed_stacks_are_outermost_first_and_one_a_line() {
        insta::assert_snapshot!(collapsed(&ledger()), @r"
        (GC) 4000
        java.lang.Thread.run;shop.Web.lambda$get;org.lib.Cache.get 3000
        odd:name_of_a.Class.run 5
        ");
    }

    #[test]
    fn speedscope_holds_each_frame_once() {
        insta::assert_snapshot!(
            speedscope(&ledger(), "candidate")
                .unwrap()
                .replace(env!("CARGO_PKG_VERSION"), "VERSION")
        , @r##"{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"tacho VERSION","name":"candidate","shared":{"frames":[{"name":"(GC)"},{"name":"java.lang.Thread.run"},{"name":"shop.Web.lambda$get"},{"name":"org.lib.Cache.get"},{"name":"odd;name\tof\na.Class.run"},{"name":"shop.Web.tiny"}]},"profiles":[{"type":"sampled","name":"candidate","unit":"microseconds","startValue":0.0,"endValue":7005.1,"samples":[[0],[1,2,3],[4],[5]],"weights":[4000.0,3000.0,5.0,0.1]}]}"##);
    }

    #[test]
    fn a_build_without_processor_time_has_no_files() {
        assert!(
            files(None, Some(&Dissection::default()))
                .unwrap()
                .is_empty()
        );
        let seen = Dissection {
            ledgers: vec![ledger()],
            ..Dissection::default()
        };
        let names: Vec<String> = files(None, Some(&seen))
            .unwrap()
            .into_iter()
            .map(|export| export.name)
            .collect();
        assert_eq!(
            names,
            [
                "processor-candidate.collapsed",
                "processor-candidate.speedscope.json",
                "processor-candidate.pb.gz"
            ]
        );
    }

    #[test]
    fn memory_is_in_bytes_and_ends_in_what_was_allocated() {
        let allocation = Ledger {
            kind: LedgerKind::Allocation,
            entries: vec![tacho_run_folder::LedgerEntry {
                key: "byte[]".into(),
                frames: vec!["shop.Web.get:3".into()],
                count: 1,
                cost: 512.0,
                ..Default::default()
            }],
            ..processor(1, &[])
        };
        assert_eq!(collapsed(&allocation), "shop.Web.get;(byte[]) 512\n");
        let text = speedscope(&allocation, "x").unwrap();
        assert!(text.contains("\"unit\":\"bytes\""), "{text}");
    }
}
