//! The numbers agree with what is known of a server beforehand.
#![allow(clippy::unwrap_used)]

use crate::support;

use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use std::collections::BTreeMap;
use std::time::Duration;
use support::{Known, Rig, assert_adds_up, assert_agrees};
use tacho_load::Options;
use tacho_load::testkit::{Act, TestServer};
use tacho_run_folder::PhaseRecord;
use tacho_workload::Step;

/// Nine of ten requests take 100 ms, one takes 300 ms.
fn two_speeds() -> TestServer {
    TestServer::start(|seen| {
        let ms = if seen.number % 10 == 9 { 300 } else { 100 };
        vec![Act::Wait(Duration::from_millis(ms)), Act::ok("ok")]
    })
}

#[test]
fn known_delays_give_their_quantiles() {
    assert_agrees(|| {
        let server = two_speeds();
        let record = Rig::new(server.address()).open(100.0, 3.0, 64);
        assert_eq!(record.succeeded, 300, "{record:?}");
        let response = record.response_time_ms.unwrap();
        let service = record.service_time_ms.unwrap();
        vec![
            Known::takes("response min", response.min, 100.0),
            Known::takes("response p50", response.p50, 100.0),
            Known::takes("response p95", response.p95, 300.0),
            Known::takes("response p99", response.p99, 300.0),
            Known::takes("response mean", response.mean, 120.0),
            Known::takes("service p50", service.p50, 100.0),
            Known::takes("service p95", service.p95, 300.0),
        ]
    });
}

#[test]
fn a_closed_loop_measures_the_same_delays() {
    assert_agrees(|| {
        let server = two_speeds();
        let record = Rig::new(server.address()).closed(200, 10, 0.0);
        assert_eq!(record.succeeded, 200, "{record:?}");
        let response = record.response_time_ms.unwrap();
        vec![
            Known::takes("p50", response.p50, 100.0),
            Known::takes("p95", response.p95, 300.0),
            Known::takes("mean", response.mean, 120.0),
        ]
    });
}

const RATE: f64 = 100.0;
const DURATION_S: f64 = 5.0;
const STALL_S: f64 = 1.0;

/// Nothing is answered from 1.005 s to 2.005 s, which is half-way between two requests. The number
/// of a request, not a clock, decides whether it is stalled, so a busy machine cannot make any wait
/// shorter.
fn stalling() -> TestServer {
    TestServer::start(|seen| match seen.number {
        101..=200 => vec![Act::WaitUntil(Duration::from_millis(2_005)), Act::ok("ok")],
        _ => vec![Act::ok("ok")],
    })
}

/// A request that is intended `x` before the end of the stall takes `x`: 995 ms, 985 ms, and so on.
/// So quantile q is `stall - (1 - q) * duration`, less half an interval.
fn stall_quantile_ms(q: f64) -> f64 {
    (STALL_S - (1.0 - q) * DURATION_S - 0.5 / RATE) * 1e3
}

fn stall_takes(name: &'static str, seen: f64, truth: f64) -> Known {
    Known::takes(name, seen, truth).if_the_generator_goes_first()
}

fn stall_in_full(record: &PhaseRecord) -> Vec<Known> {
    assert_eq!(record.succeeded, 500, "{record:?}");
    let response = record.response_time_ms.unwrap();
    vec![
        stall_takes("p95", response.p95, stall_quantile_ms(0.95)),
        stall_takes("p99", response.p99, stall_quantile_ms(0.99)),
        stall_takes("p99.9", response.p99_9, stall_quantile_ms(1.0)),
        stall_takes("max", response.max, stall_quantile_ms(1.0)),
    ]
}

#[test]
fn a_stall_shows_in_full_when_every_request_has_a_connection() {
    assert_agrees(|| {
        let server = stalling();
        let record = Rig::new(server.address()).open(RATE, DURATION_S, 128);
        let mut seen = stall_in_full(&record);
        // Each request was sent in time, so the stall is in the service time as well.
        let service = record.service_time_ms.unwrap();
        let in_time = Known::about("service p99", service.p99, stall_quantile_ms(0.99));
        seen.push(in_time.if_the_generator_goes_first());
        let delay = record.dispatch_delay_ms.unwrap();
        seen.push(Known::at_most("delay mean", delay.mean, service.mean / 4.0));
        seen
    });
}

#[test]
fn a_stall_shows_in_full_when_requests_wait_for_a_connection() {
    assert_agrees(|| {
        let server = stalling();
        let mut rig = Rig::new(server.address());
        let record = rig.open(RATE, DURATION_S, 8);
        let mut seen = stall_in_full(&record);
        // The service time hides the stall, the delay holds it, and the generator was not late.
        let delay = record.dispatch_delay_ms.unwrap();
        let lag = record.generator_lag_ms.unwrap();
        let service = record.service_time_ms.unwrap();
        seen.push(Known::at_most("lag mean", lag.mean, delay.mean / 10.0));
        seen.push(Known::at_most("service p95", service.p95, delay.p95 / 10.0));
        // The first eight requests of the stall had a connection; the others waited.
        let had_one_s = 8.0 / RATE;
        let waited = |q| stall_quantile_ms(q) - had_one_s * 1e3;
        seen.push(stall_takes("delay max", delay.max, waited(1.0)));
        seen.push(stall_takes("delay p99", delay.p99, waited(0.99)));
        // So say the single requests: they were seen to be due long before they could be sent.
        let rows = rig.rows("requests.csv");
        let waited = rows.iter().filter(|row| {
            let lag = row.dispatched_ns - row.intended_ns;
            lag < 20_000_000 && row.sent_ns - row.dispatched_ns > 100_000_000
        });
        seen.push(Known::at_least("waiting rows", waited.count() as f64, 51.0));
        seen
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
    // Three seconds and the drain have one line each in every distribution. A writer that is a
    // second behind may merge two of them, so there may be fewer lines, but not in every try.
    let mut lines = Vec::new();
    while lines.last().is_none_or(|&last| last < 3 * DISTRIBUTIONS) {
        assert!(lines.len() < 5, "{lines:?}");
        lines.push(lines_of_three_seconds());
    }
}

/// Two times of two kinds, and three of all requests.
const DISTRIBUTIONS: usize = 7;

fn lines_of_three_seconds() -> usize {
    let server = TestServer::start(|seen| {
        if seen.head.starts_with("GET /bad") {
            vec![Act::status(500, "")]
        } else {
            vec![Act::ok("ok")]
        }
    });
    let requests = [Step::get("/good"), Step::get("/bad")];
    let mut rig = Rig::with(server.address(), &requests, Options::default());
    let record = rig.open(200.0, 3.0, 8);
    assert_adds_up(&record);
    let (sums, lines) = read_log(&std::fs::read(rig.path("phases.hlog")).unwrap());
    let count = |tag: &str| sums.get(tag).map_or(0, Histogram::len);
    assert_eq!(count("open:0:ok:response"), record.succeeded);
    assert_eq!(count("open:0:ok:service"), record.succeeded);
    assert_eq!(
        count("open:1:error:response"),
        record.errors[&"status-5xx".into()].count
    );
    assert_eq!(count("open:*:*:dispatch-delay"), record.requests);
    assert_eq!(count("open:*:*:generator-lag"), record.requests);
    assert_eq!(count("open:*:*:on-time"), record.succeeded);
    assert_eq!(
        sums.values().map(Histogram::len).sum::<u64>(),
        4 * record.requests + record.succeeded
    );
    assert_eq!(sums.len(), DISTRIBUTIONS, "{:?}", sums.keys());
    // A line for each begun second of the phase at most.
    let seconds = record.duration_s.ceil() as usize + 1;
    let all = DISTRIBUTIONS..=seconds * DISTRIBUTIONS;
    assert!(all.contains(&lines), "{lines}");

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
    lines
}

#[test]
fn requests_are_kept_one_by_one_with_their_five_instants() {
    let server = two_speeds();
    let mut rig = Rig::new(server.address());
    rig.cold(3);
    rig.open(100.0, 0.5, 64);
    let rows = rig.rows("requests.csv");
    assert_eq!(rows.iter().filter(|row| row.phase == 0).count(), 3);
    assert_eq!(rows.iter().filter(|row| row.phase == 1).count(), 50);
    for row in &rows {
        assert!(row.intended_ns <= row.dispatched_ns, "{row:?}");
        assert!(row.dispatched_ns <= row.sent_ns, "{row:?}");
        assert!(row.sent_ns < row.first_byte_ns, "{row:?}");
        assert!(row.first_byte_ns <= row.end_ns, "{row:?}");
        assert!(row.response_time_ms() >= 100.0, "{row:?}");
        assert_eq!(row.outcome, "200".into());
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

/// At this rate answers are checked every few requests. An event that epoll reported once is never
/// reported again.
#[test]
fn no_answer_is_lost_between_two_looks() {
    let server = TestServer::start(|_| vec![Act::ok("ok")]);
    let patience = Options {
        request_timeout: Duration::from_secs(120),
        ..Options::default()
    };
    let mut rig = Rig::with(server.address(), &[Step::get("/")], patience);
    let record = rig.open(2_000.0, 1.0, 32);
    assert_eq!((record.requests, record.succeeded), (2_000, 2_000));
    assert!(record.errors.is_empty(), "{:?}", record.errors);
}

/// Answers may be read up to 50 ms after they came. A request with a shorter timeout is checked
/// before it is given up.
#[test]
fn an_answer_that_has_come_is_not_given_up_for_not_having_been_read() {
    assert_agrees(|| {
        let server = TestServer::start(|_| vec![Act::ok("ok")]);
        let patience = Duration::from_millis(25);
        let mut rig = Rig::patient_for(server.address(), patience);
        let record = rig.open(400.0, 1.0, 64);
        let succeeded = record.succeeded as f64;
        vec![Known::at_least("answers in time", succeeded, 390.0)]
    });
}
