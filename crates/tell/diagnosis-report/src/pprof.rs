//! Ledgers in pprof's format, which `go tool pprof`, Grafana and Google's and AWS's profilers read:
//! profile.proto, compressed.
//!
//! The messages are written here by hand, with the numbers of
//! <https://github.com/google/pprof/blob/main/proto/profile.proto>, so that no protoc is needed to
//! build. Unlike in the other formats a frame has its line.

use crate::export::{About, ExportError};
use crate::stacks::{LEFT_OUT, code, what};
use flate2::Compression;
use flate2::write::GzEncoder;
use prost::Message;
use std::collections::HashMap;
use std::io::Write;
use tacho_diagnosis::Frame;
use tacho_run_folder::{Ledger, LedgerKind};

/// A profile, compressed as the format wants it.
///
/// # Errors
/// When it cannot be compressed, which is a fault of Tacho.
pub fn pprof(ledger: &Ledger, about: &About<'_>) -> Result<Vec<u8>, ExportError> {
    let profile = profile(ledger, about);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(&profile.encode_to_vec())?;
    Ok(gzip.finish()?)
}

fn profile(ledger: &Ledger, about: &About<'_>) -> Profile {
    let mut table = Table::default();
    // pprof shows the last sample type by default.
    let (counted, cost, unit) = match ledger.kind {
        LedgerKind::Allocation => ("samples", "alloc_space", "bytes"),
        LedgerKind::Processor => ("samples", "cpu", "nanoseconds"),
        LedgerKind::Wall => ("samples", "wall", "nanoseconds"),
        _ => ("contentions", "delay", "nanoseconds"),
    };
    let sample_type = vec![
        table.value_type(counted, "count"),
        table.value_type(cost, unit),
    ];
    let mut sample = Vec::new();
    for entry in &ledger.entries {
        if !(entry.cost > 0.0 && entry.cost.is_finite()) {
            continue;
        }
        let mut location_id = Vec::new();
        location_id.extend(
            what(ledger.kind, &entry.key).map(|name| table.location(Frame::parse(&name), &name)),
        );
        if entry.frames.is_empty() {
            let names = code(entry);
            location_id.extend(names.iter().map(|name| table.location(NOWHERE, name)));
        }
        for frame in &entry.frames {
            let frame = Frame::parse(frame);
            location_id.push(table.location(frame, &frame.aligned()));
        }
        sample.push(Sample {
            location_id,
            value: vec![whole(entry.count as f64), whole(entry.cost)],
        });
    }
    if ledger.left_out.cost > 0.0 && ledger.left_out.cost.is_finite() {
        let location_id = vec![table.location(NOWHERE, LEFT_OUT)];
        let value = vec![
            whole(ledger.left_out.count as f64),
            whole(ledger.left_out.cost),
        ];
        sample.push(Sample { location_id, value });
    }
    let period = about.period;
    Profile {
        period_type: period.map(|_| table.value_type(cost, unit)),
        period: period.map_or(0, |period| i64::try_from(period).unwrap_or(i64::MAX)),
        comment: vec![table.text(about.title)],
        default_sample_type: table.text(cost),
        time_nanos: about.began_ns,
        duration_nanos: about.duration_ns,
        sample_type,
        sample,
        location: table.locations,
        function: table.functions,
        string_table: table.texts,
    }
}

const NOWHERE: Frame<'static> = Frame {
    class: "",
    method: "",
    line: None,
};

/// Costs are whole in this format.
fn whole(value: f64) -> i64 {
    // The cast saturates.
    value.round() as i64
}

/// Tables for texts, functions and locations. Each is written once and then referred to by number:
/// a text by its index, the others from 1 on.
struct Table {
    texts: Vec<String>,
    by_text: HashMap<String, i64>,
    functions: Vec<Function>,
    by_name: HashMap<i64, u64>,
    locations: Vec<Location>,
    by_place: HashMap<(u64, i64), u64>,
}

impl Default for Table {
    fn default() -> Self {
        Self {
            // The format wants the first to be empty.
            texts: vec![String::new()],
            by_text: HashMap::from([(String::new(), 0)]),
            functions: Vec::new(),
            by_name: HashMap::new(),
            locations: Vec::new(),
            by_place: HashMap::new(),
        }
    }
}

impl Table {
    fn text(&mut self, text: &str) -> i64 {
        if let Some(known) = self.by_text.get(text) {
            return *known;
        }
        let number = self.texts.len() as i64;
        self.texts.push(text.to_owned());
        self.by_text.insert(text.to_owned(), number);
        number
    }

    fn value_type(&mut self, r#type: &str, unit: &str) -> ValueType {
        ValueType {
            r#type: self.text(r#type),
            unit: self.text(unit),
        }
    }

    fn location(&mut self, frame: Frame<'_>, name: &str) -> u64 {
        let name = self.text(name);
        let next = self.functions.len() as u64 + 1;
        let function_id = *self.by_name.entry(name).or_insert(next);
        if function_id == next {
            self.functions.push(Function { id: next, name });
        }
        let line = frame.line.map_or(0, i64::from);
        let next = self.locations.len() as u64 + 1;
        let id = *self.by_place.entry((function_id, line)).or_insert(next);
        if id == next {
            let line = vec![Line { function_id, line }];
            self.locations.push(Location { id, line });
        }
        id
    }
}

#[derive(Clone, PartialEq, Message)]
struct Profile {
    #[prost(message, repeated, tag = "1")]
    sample_type: Vec<ValueType>,
    #[prost(message, repeated, tag = "2")]
    sample: Vec<Sample>,
    #[prost(message, repeated, tag = "4")]
    location: Vec<Location>,
    #[prost(message, repeated, tag = "5")]
    function: Vec<Function>,
    #[prost(string, repeated, tag = "6")]
    string_table: Vec<String>,
    #[prost(int64, tag = "9")]
    time_nanos: i64,
    #[prost(int64, tag = "10")]
    duration_nanos: i64,
    #[prost(message, optional, tag = "11")]
    period_type: Option<ValueType>,
    #[prost(int64, tag = "12")]
    period: i64,
    #[prost(int64, repeated, tag = "13")]
    comment: Vec<i64>,
    #[prost(int64, tag = "14")]
    default_sample_type: i64,
}

#[derive(Clone, PartialEq, Message)]
struct ValueType {
    #[prost(int64, tag = "1")]
    r#type: i64,
    #[prost(int64, tag = "2")]
    unit: i64,
}

#[derive(Clone, PartialEq, Message)]
struct Sample {
    /// Ids of the locations, innermost first.
    #[prost(uint64, repeated, tag = "1")]
    location_id: Vec<u64>,
    #[prost(int64, repeated, tag = "2")]
    value: Vec<i64>,
}

#[derive(Clone, PartialEq, Message)]
struct Location {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(message, repeated, tag = "4")]
    line: Vec<Line>,
}

#[derive(Clone, PartialEq, Message)]
struct Line {
    #[prost(uint64, tag = "1")]
    function_id: u64,
    #[prost(int64, tag = "2")]
    line: i64,
}

/// Does not set the symbol name (field 3). If it equals the name, Go takes a name such as
/// `(byte[])` for C++ and removes it.
#[derive(Clone, PartialEq, Message)]
struct Function {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(int64, tag = "2")]
    name: i64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::processor;
    use flate2::read::GzDecoder;
    use std::io::Read;
    use std::process::Command;
    use tacho_run_folder::{LedgerEntry, LeftOut};

    fn about() -> About<'static> {
        About {
            title: "candidate",
            began_ns: 0,
            duration_ns: 2_000_000_000,
            period: Some(1_000_000),
        }
    }

    fn ledger() -> Ledger {
        Ledger {
            left_out: LeftOut {
                count: 2,
                cost: 1e6,
            },
            ..processor(
                10,
                &[
                    (
                        "org.lib.Cache.get:9 shop.Web.lambda$get$3:4 java.lang.Thread.run:840",
                        20e6,
                    ),
                    (
                        "org.lib.Cache.get:12 shop.Web.lambda$get$3:4 java.lang.Thread.run:840",
                        10e6,
                    ),
                    ("shop.Web.broken:1", f64::NAN),
                    ("", 4e6),
                ],
            )
        }
    }

    fn allocation() -> Ledger {
        Ledger {
            kind: LedgerKind::Allocation,
            entries: vec![LedgerEntry {
                key: "byte[]".into(),
                frames: vec!["shop.Web.get:3".into()],
                count: 1,
                cost: 512.0,
                ..LedgerEntry::default()
            }],
            ..processor(1, &[])
        }
    }

    /// The samples as text, by names from the tables.
    fn read_back(bytes: &[u8]) -> Vec<String> {
        let mut plain = Vec::new();
        GzDecoder::new(bytes).read_to_end(&mut plain).unwrap();
        let profile = Profile::decode(plain.as_slice()).unwrap();
        assert_eq!(profile.string_table[0], "");
        let text = |place: i64| profile.string_table[usize::try_from(place).unwrap()].as_str();
        let frame = |id: &u64| {
            let line = &profile.location.iter().find(|l| l.id == *id).unwrap().line[0];
            let function = profile.function.iter().find(|f| f.id == line.function_id);
            format!("{}:{}", text(function.unwrap().name), line.line)
        };
        let types: Vec<String> = profile
            .sample_type
            .iter()
            .map(|t| format!("{}/{}", text(t.r#type), text(t.unit)))
            .collect();
        let head = format!(
            "{} of {}, {} ns, a sample each {} {}",
            text(profile.default_sample_type),
            types.join(" "),
            profile.duration_nanos,
            profile.period,
            text(profile.period_type.as_ref().unwrap().unit)
        );
        let samples = profile.sample.iter().map(|sample| {
            let frames: Vec<String> = sample.location_id.iter().map(frame).collect();
            format!("{:?} {}", sample.value, frames.join(" < "))
        });
        std::iter::once(head).chain(samples).collect()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let bytes = pprof(&ledger(), &about()).unwrap();
        insta::assert_snapshot!(read_back(&bytes).join("\n"), @r"
        cpu of samples/count cpu/nanoseconds, 2000000000 ns, a sample each 1000000 nanoseconds
        [1, 20000000] org.lib.Cache.get:9 < shop.Web.lambda$get:4 < java.lang.Thread.run:840
        [1, 10000000] org.lib.Cache.get:12 < shop.Web.lambda$get:4 < java.lang.Thread.run:840
        [1, 4000000] (GC):0
        [2, 1000000] (not told apart):0
        ");
    }

    #[test]
    fn what_is_allocated_is_the_innermost_frame() {
        let bytes = pprof(&allocation(), &about()).unwrap();
        insta::assert_snapshot!(read_back(&bytes).join("\n"), @r"
        alloc_space of samples/count alloc_space/bytes, 2000000000 ns, a sample each 1000000 bytes
        [1, 512] (byte[]):0 < shop.Web.get:3
        ");
    }

    /// The tool that the format belongs to, where Go is installed (the quick start asks for it).
    #[test]
    fn go_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let top = |ledger: &Ledger| {
            let file = folder.path().join("profile.pb.gz");
            std::fs::write(&file, pprof(ledger, &about()).unwrap()).unwrap();
            let told = Command::new("go")
                .args(["tool", "pprof", "-top"])
                .arg(&file)
                .output()
                .ok()?;
            let error = String::from_utf8_lossy(&told.stderr).into_owned();
            assert!(told.status.success(), "{error}");
            Some(String::from_utf8(told.stdout).unwrap())
        };
        let Some(out) = top(&ledger()) else {
            eprintln!("Go is not installed: not tried");
            return;
        };
        let allocated = top(&allocation()).unwrap();
        assert!(
            allocated.contains("512B   100%   100%       512B   100%  (byte[])"),
            "{allocated}"
        );
        for part in [
            "Type: cpu",
            "Duration: 2s, Total samples = 35ms",
            "30ms 85.71% 85.71%       30ms 85.71%  org.lib.Cache.get",
            "0     0%   100%       30ms 85.71%  shop.Web.lambda$get",
        ] {
            assert!(out.contains(part), "{part} is not in\n{out}");
        }
    }
}
