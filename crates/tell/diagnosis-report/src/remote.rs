//! Rows of the table that shows where the time of a request goes if it calls other services.

use tacho_diagnosis::{Callee, RemoteSide, RemoteTime};
use tacho_figures as figures;
use tacho_run_folder::{CalleeSeen, Spoken};

/// Callees that are shown; the JSON has all.
const CALLEES: usize = 5;
const NONE: &str = "–";
/// The smallest share of a call that is mentioned.
const FELT: f64 = 0.1;

/// A row, for both builds.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Row {
    /// What takes the time.
    pub what: String,
    /// In the older build.
    pub baseline: String,
    /// In the newer one.
    pub candidate: String,
}

/// Reads the time of a row from one side; `None` if it is not known.
type Part = fn(&RemoteSide) -> Option<f64>;

const PARTS: [(&str, Part); 6] = [
    ("a request", |side| Some(side.request_ms)),
    ("waiting for callees", |side| Some(side.waiting_ms)),
    ("of that the wire", |side| side.wire_ms),
    ("of that the callees' processor time", |side| {
        side.callees_cpu_ms
    }),
    ("sending and receiving", |side| Some(side.transfer_ms)),
    ("its own: encoding, decoding, else", |side| side.own_ms),
];

/// The rows: a request's time in parts, and then a row a callee.
#[must_use]
pub fn rows(time: &RemoteTime) -> Vec<Row> {
    let sides = (time.baseline.as_ref(), time.candidate.as_ref());
    let row = |what: &str, of: &dyn Fn(&RemoteSide) -> String| Row {
        what: what.to_owned(),
        baseline: sides.0.map_or_else(|| NONE.to_owned(), of),
        candidate: sides.1.map_or_else(|| NONE.to_owned(), of),
    };
    let told = |of: Option<f64>| of.map_or_else(|| "not told".to_owned(), figures::ms);
    let mut rows: Vec<Row> = PARTS
        .iter()
        .map(|(what, part)| row(what, &|side| told(part(side))))
        .collect();
    for (address, protocol) in callees(sides) {
        let of_it = |side: &RemoteSide| {
            let found = side.callees.iter().find(|callee| callee.address == address);
            found.map_or_else(|| NONE.to_owned(), calls)
        };
        rows.push(row(&format!("{address} ({protocol})"), &of_it));
        for (what, part) in STANDING_STILL {
            let felt = |side: &RemoteSide| {
                let found = side
                    .callees
                    .iter()
                    .find(|callee| callee.address == address)?;
                felt(found, part)
            };
            let is_felt = |side: Option<&RemoteSide>| side.and_then(&felt).is_some();
            if is_felt(sides.0) || is_felt(sides.1) {
                let told =
                    |side: &RemoteSide| felt(side).map_or_else(|| NONE.to_owned(), figures::ms);
                rows.push(row(what, &told));
            }
        }
    }
    rows
}

/// Of both builds, the costliest of the candidate first.
fn callees(sides: (Option<&RemoteSide>, Option<&RemoteSide>)) -> Vec<(String, &'static str)> {
    let mut all: Vec<(String, &'static str)> = Vec::new();
    let sides = [sides.1, sides.0].into_iter().flatten();
    for callee in sides.flat_map(|side| &side.callees) {
        if all.len() < CALLEES && !all.iter().any(|(address, _)| *address == callee.address) {
            all.push((callee.address.clone(), name(callee.protocol)));
        }
    }
    all
}

fn name(protocol: Spoken) -> &'static str {
    match protocol {
        Spoken::Http1 => "HTTP/1",
        Spoken::Http2 => "HTTP/2, several at a time",
        Spoken::Tls => "TLS",
        Spoken::Other => "not HTTP",
    }
}

fn calls(callee: &Callee) -> String {
    let calls = figures::number(callee.calls);
    match callee.call_ms {
        Some(each) => format!("{calls} × {}", figures::ms(each)),
        None => format!("{calls} ×"),
    }
}

/// The time for which a callee's process stood still during a call, for one reason.
type Still = fn(&CalleeSeen) -> Option<f64>;

const STANDING_STILL: [(&str, Still); 2] = [
    ("  of each without a processor", |seen| seen.starved_ms),
    ("  of each stopped by its collector", |seen| seen.paused_ms),
];

/// The time in ms, if the callee stood still for at least a tenth of the call.
fn felt(callee: &Callee, part: Still) -> Option<f64> {
    let each_ms = callee.call_ms?;
    part(&callee.process?).filter(|ms| *ms >= FELT * each_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(own_ms: Option<f64>) -> RemoteSide {
        RemoteSide {
            request_ms: 66.0,
            waiting_ms: 3.0,
            wire_ms: None,
            callees_cpu_ms: Some(1.2),
            transfer_ms: 0.5,
            own_ms,
            callees: vec![Callee {
                address: "10.0.0.7:9000".to_owned(),
                protocol: Spoken::Http1,
                calls: 10.0,
                call_ms: Some(0.35),
                waiting_p50_ms: Some(0.3),
                waiting_p99_ms: Some(2.0),
                process: Some(CalleeSeen {
                    cpu_ms: 0.12,
                    starved_ms: Some(0.07),
                    paused_ms: Some(0.001),
                }),
            }],
        }
    }

    #[test]
    fn parts_and_callees_are_rows() {
        let rows = rows(&RemoteTime {
            baseline: None,
            candidate: Some(side(Some(62.5))),
        });
        let told: Vec<String> = rows
            .iter()
            .map(|row| format!("{}: {} | {}", row.what, row.baseline, row.candidate))
            .collect();
        assert_eq!(
            told,
            [
                "a request: – | 66 ms",
                "waiting for callees: – | 3 ms",
                "of that the wire: – | not told",
                "of that the callees' processor time: – | 1.20 ms",
                "sending and receiving: – | 0.50 ms",
                "its own: encoding, decoding, else: – | 62.5 ms",
                "10.0.0.7:9000 (HTTP/1): – | 10 × 0.35 ms",
                "  of each without a processor: – | 0.070 ms",
            ]
        );
    }

    #[test]
    fn what_cannot_be_told_apart_is_said() {
        let rows = rows(&RemoteTime {
            baseline: None,
            candidate: Some(side(None)),
        });
        assert_eq!(rows[5].candidate, "not told");
    }
}
