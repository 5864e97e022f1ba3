//! The numbers agree with what is known of a server beforehand.
#![allow(clippy::unwrap_used)]

mod support;

use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use std::collections::BTreeMap;
use std::time::Duration;
use support::{Rig, assert_adds_up, close, in_one_of_several_tries};
use tacho_load::testkit::{Act, TestServer};
use tacho_load::{Options, Request};

/// Nine of ten requests take 20 ms, one takes 60 ms.
fn two_speeds() -> TestServer {
    TestServer::start(|seen| {
        let ms = if seen.number % 10 == 9 { 60 } else { 20 };
        vec![Act::Wait(Duration::from_millis(ms)), Act::ok("ok")]
    })
}

#[test]
fn known_delays_give_their_quantiles() {
    in_one_of_several_tries(|| {
        let server = two_speeds();
        let record = Rig::new(server.address()).open(200.0, 2.0, 32);
        assert_eq!(record.succeeded, 400, "{record:?}");
        let response = record.response_time_ms.unwrap();
        let service = record.service_time_ms.unwrap();
        close("min", response.min, 20.0)?;
        close("response p50", response.p50, 20.0)?;
        close("response p95", response.p95, 60.0)?;
        close("response p99", response.p99, 60.0)?;
        close("mean", response.mean, 24.0)?;
        close("service p50", service.p50, 20.0)?;
        close("service p95", service.p95, 60.0)?;
        close(
            "throughput",
            record.throughput,
            200.0 * 2.0 / record.duration_s,
        )
    });
}

#[test]
fn a_closed_loop_measures_the_same_delays() {
    in_one_of_several_tries(|| {
        let server = two_speeds();
        let record = Rig::new(server.address()).closed(200, 4, 0.0);
        assert_eq!(record.succeeded, 200, "{record:?}");
        let response = record.response_time_ms.unwrap();
        close("p50", response.p50, 20.0)?;
        close("p95", response.p95, 60.0)
    });
}

/// For `stall` seconds from 1 s on, nothing is answered. A request that is intended `x` before the
/// end of the stall takes `x`. So of `duration * rate` requests, `stall * rate` are spread evenly
/// from 0 to the stall, and quantile q is `stall - (1 - q) * duration`.
fn stall_shows_in_full(connections: u32) -> Result<tacho_run_folder::PhaseRecord, String> {
    let (duration, stall) = (4.0, 0.4);
    let server = TestServer::start(|seen| {
        let stalled = Duration::from_millis(1_000)..Duration::from_millis(1_400);
        if stalled.contains(&seen.at) {
            vec![Act::WaitUntil(stalled.end), Act::ok("ok")]
        } else {
            vec![Act::ok("ok")]
        }
    });
    let record = Rig::new(server.address()).open(250.0, duration, connections);
    assert_eq!(record.succeeded, 1_000, "{record:?}");
    let response = record.response_time_ms.unwrap();
    let truth = |q: f64| (stall - (1.0 - q) * duration) * 1e3;
    close("p95", response.p95, truth(0.95))?;
    close("p99", response.p99, truth(0.99))?;
    close("p99.9", response.p99_9, truth(0.999))?;
    // The first request of the stall comes up to one interval of 4 ms after its beginning.
    if !(395.0..410.0).contains(&response.max) {
        return Err(format!("max: {}", response.max));
    }
    Ok(record)
}

#[test]
fn a_stall_shows_in_full_when_every_request_has_a_connection() {
    in_one_of_several_tries(|| {
        let record = stall_shows_in_full(128)?;
        // Each request was sent in time.
        close("delay p99", record.dispatch_delay_ms.unwrap().p99, 0.0)
    });
}

#[test]
fn a_stall_shows_in_full_when_requests_wait_for_a_connection() {
    in_one_of_several_tries(|| {
        let record = stall_shows_in_full(8)?;
        let delay = record.dispatch_delay_ms.unwrap();
        // The service time hides the stall, the delay holds it, and the generator was not late.
        close("service p95", record.service_time_ms.unwrap().p95, 0.0)?;
        close("lag p99", record.generator_lag_ms.unwrap().p99, 0.0)?;
        if delay.p99 > 300.0 {
            Ok(())
        } else {
            Err(format!("delay: {delay:?}"))
        }
    });
}

/// Histograms of a log, added up by tag, with the number of lines.
fn read_log(log: &[u8]) -> (BTreeMap<String, Histogram<u64>>, usize) {
    let mut sums = BTreeMap::new();
    let mut lines = 0;
    for entry in IntervalLogIterator::new(log) {
        let LogEntry::Interval(interval) = entry.unwrap() else {
            continue;
        };
        lines += 1;
        let encoded = base64(interval.encoded_histogram());
        let histogram: Histogram<u64> = Deserializer::new().deserialize(&mut &encoded[..]).unwrap();
        sums.entry(interval.tag().unwrap().as_str().to_owned())
            .and_modify(|sum: &mut Histogram<u64>| sum.add(&histogram).unwrap())
            .or_insert(histogram);
    }
    (sums, lines)
}

/// The alphabet of RFC 4648; enough for a test.
fn base64(text: &str) -> Vec<u8> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for byte in text.bytes().filter(|&b| b != b'=') {
        let digit = alphabet.iter().position(|&a| a == byte).unwrap();
        bits = bits << 6 | digit as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

#[test]
fn the_log_holds_every_request_by_second_kind_and_outcome() {
    let server = TestServer::start(|seen| {
        if seen.head.starts_with("GET /bad") {
            vec![Act::status(500, "")]
        } else {
            vec![Act::ok("ok")]
        }
    });
    let requests = [Request::get("/good"), Request::get("/bad")];
    let mut rig = Rig::with(server.address(), &requests, Options::default());
    let record = rig.open(200.0, 3.0, 8);
    assert_adds_up(&record);
    let (sums, lines) = read_log(&std::fs::read(rig.path("phases.hlog")).unwrap());
    let count = |tag: &str| sums.get(tag).map_or(0, Histogram::len);
    assert_eq!(count("open:0:ok:response"), record.succeeded);
    assert_eq!(count("open:0:ok:service"), record.succeeded);
    assert_eq!(
        count("open:1:error:response"),
        record.errors["status-5xx"].count
    );
    assert_eq!(
        sums.values().map(Histogram::len).sum::<u64>(),
        2 * record.requests
    );
    // Three seconds, or four if the last answer came after the third; two times, two kinds.
    assert!(lines == 12 || lines == 16, "{lines}");

    // The quantiles of the record are those of the log.
    let quantiles = record.response_time_ms.unwrap();
    let log_p99 = sums["open:0:ok:response"].value_at_quantile(0.99) as f64 / 1e6;
    assert!((quantiles.p99 - log_p99).abs() <= log_p99 * 1e-3);
    let text = std::fs::read_to_string(rig.path("phases.hlog")).unwrap();
    assert!(
        text.contains("#[MaxValueDivisor: 1000000.000]"),
        "{}",
        &text[..400]
    );
}

#[test]
fn requests_are_kept_one_by_one_with_their_five_instants() {
    let server = two_speeds();
    let mut rig = Rig::new(server.address());
    rig.cold(3);
    rig.open(100.0, 0.5, 8);
    let rows = rig.rows("requests.csv");
    assert_eq!(rows.iter().filter(|row| row.phase == 0).count(), 3);
    assert_eq!(rows.iter().filter(|row| row.phase == 1).count(), 50);
    for row in &rows {
        assert!(row.intended_ns <= row.dispatched_ns, "{row:?}");
        assert!(row.dispatched_ns <= row.sent_ns, "{row:?}");
        assert!(row.sent_ns < row.first_byte_ns, "{row:?}");
        assert!(row.first_byte_ns <= row.end_ns, "{row:?}");
        assert!(row.response_time_ms() >= 20.0, "{row:?}");
        assert_eq!(row.outcome, "200");
    }
    // The intended instants are those of the schedule, to the nanosecond.
    let mut intended: Vec<u64> = rows[3..].iter().map(|row| row.intended_ns).collect();
    intended.sort_unstable();
    assert!(
        intended
            .windows(2)
            .all(|pair| pair[1] - pair[0] == 10_000_000)
    );
}

#[test]
fn the_first_ten_thousand_and_the_slowest_hundred_are_kept() {
    let server = TestServer::start(|seen| match seen.number {
        777 => vec![Act::Wait(Duration::from_millis(150)), Act::ok("ok")],
        _ => vec![Act::ok("ok")],
    });
    let mut rig = Rig::new(server.address());
    let first = rig.closed(6_000, 8, 0.0);
    let second = rig.closed(6_000, 8, 0.0);
    assert_eq!(first.succeeded + second.succeeded, 12_000);
    assert_eq!(rig.rows("requests.csv").len(), 10_000);
    let slowest = rig.rows("slowest.csv");
    assert_eq!(slowest.len(), 200);
    assert!(slowest[0].response_time_ms() >= 150.0, "{:?}", slowest[0]);
    assert!(slowest[..100].is_sorted_by(|a, b| a.response_time_ms() >= b.response_time_ms()));
    assert!(slowest[..100].iter().all(|row| row.phase == 0));
    assert!(slowest[100..].iter().all(|row| row.phase == 1));
}
