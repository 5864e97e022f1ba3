use super::*;
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};
use tacho_clock::MILLISECOND;
use tacho_run_folder::RequestRow;

/// A file of limited size that can be made to block.
#[derive(Debug, Clone, Default)]
struct Disk(Arc<(Mutex<DiskState>, Condvar)>);

#[derive(Debug, Default)]
struct DiskState {
    content: Vec<u8>,
    capacity: usize,
    stuck: bool,
    waiting: bool,
}

impl Disk {
    fn of(capacity: usize) -> Self {
        let disk = Self::default();
        disk.0.0.lock().unwrap().capacity = capacity;
        disk
    }

    fn content(&self) -> Vec<u8> {
        self.0.0.lock().unwrap().content.clone()
    }

    fn set_stuck(&self, stuck: bool) {
        self.0.0.lock().unwrap().stuck = stuck;
        self.0.1.notify_all();
    }

    fn wait_until_it_is_written_to(&self) {
        let state = self.0.0.lock().unwrap();
        drop(self.0.1.wait_while(state, |s| !s.waiting).unwrap());
    }
}

impl io::Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.0.0.lock().unwrap();
        if state.stuck {
            state.waiting = true;
            self.0.1.notify_all();
            state = self.0.1.wait_while(state, |s| s.stuck).unwrap();
        }
        let room = state.capacity - state.content.len();
        let taken = bytes.len().min(room);
        state.content.extend_from_slice(&bytes[..taken]);
        match taken {
            0 => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(taken),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl lines::Truncate for Disk {
    fn truncate_to(&mut self, length: u64) -> io::Result<()> {
        self.0.0.lock().unwrap().content.truncate(length as usize);
        Ok(())
    }
}

const EXEC: u64 = 1_000 * SECOND;

struct Rig {
    recorder: Recorder,
    phases: Disk,
    requests: Disk,
}

fn rig(phases: usize, requests: usize) -> Rig {
    let (phases, requests) = (Disk::of(phases), Disk::of(requests));
    let anchor = Anchor {
        monotonic_ns: EXEC,
        ..Anchor::now()
    };
    let mut recorder = Recorder::start(
        Lines::new("phases.hlog", phases.clone()),
        Lines::new("requests.csv", requests.clone()),
        Lines::new("slowest.csv", Disk::of(usize::MAX)),
        anchor,
    )
    .unwrap();
    recorder.begin_phase(0, "a phase, odd", 1, true).unwrap();
    recorder.start_clock(EXEC + SECOND);
    Rig {
        recorder,
        phases,
        requests,
    }
}

/// Ends this many milliseconds after the clock started, and took 5 ms.
fn ended_at(ms: u64) -> Measured {
    let end = EXEC + SECOND + ms * MILLISECOND;
    let sent = end - 5 * MILLISECOND;
    Measured {
        request: 0,
        intended: sent,
        dispatched: sent,
        sent,
        first_byte: end,
        end,
        outcome: Outcome::Answered(200),
        via: Via::default(),
    }
}

/// Tag, start and length in seconds of each line; fails on a line that cannot be read.
fn intervals(log: &[u8]) -> Vec<(String, f64, f64)> {
    IntervalLogIterator::new(log)
        .filter_map(|entry| match entry.unwrap() {
            LogEntry::Interval(i) => Some((
                i.tag().unwrap().as_str().to_owned(),
                i.start_timestamp().as_secs_f64(),
                i.duration().as_secs_f64(),
            )),
            _ => None,
        })
        .collect()
}

fn service_intervals(log: &[u8]) -> Vec<(f64, f64)> {
    intervals(log)
        .into_iter()
        .filter(|(tag, ..)| tag.ends_with(":service"))
        .map(|(_, start, length)| (start, length))
        .collect()
}

#[test]
fn a_request_counts_in_the_second_in_which_it_ended() {
    let mut rig = rig(usize::MAX, usize::MAX);
    // What is watched is shown.
    let _live = rig.recorder.live();
    for ms in [100, 999, 1_000, 3_500] {
        rig.recorder.record(&ended_at(ms));
        if ms == 1_000 {
            // The first second is full: the writer has to return its interval before the next is.
            shown(&rig.recorder, 2);
        }
    }
    let totals = rig
        .recorder
        .end_phase(EXEC + SECOND + 3_600 * MILLISECOND)
        .unwrap();
    assert_eq!(totals.response_time_ms.unwrap().count, 4);
    let log = rig.phases.content();
    // The clock started 1 s after exec; the second without requests has no line.
    assert_eq!(
        service_intervals(&log),
        [(1.0, 1.0), (2.0, 2.0), (4.0, 0.6)]
    );
    assert_eq!(intervals(&log)[0].0, "a_phase__odd:0:ok:response");
}

#[test]
fn when_the_disk_is_slow_the_interval_grows_and_nothing_is_lost() {
    let mut rig = rig(usize::MAX, usize::MAX);
    rig.recorder.record(&ended_at(500));
    rig.phases.set_stuck(true);
    rig.recorder.record(&ended_at(1_500));
    rig.phases.wait_until_it_is_written_to();
    for ms in [2_500, 3_500, 4_500] {
        rig.recorder.record(&ended_at(ms));
    }
    rig.phases.set_stuck(false);
    let totals = rig.recorder.end_phase(EXEC + 6 * SECOND).unwrap();
    assert_eq!(totals.service_time_ms.unwrap().count, 5);
    assert_eq!(
        service_intervals(&rig.phases.content()),
        [(1.0, 1.0), (2.0, 4.0)]
    );
}

#[test]
fn a_full_disk_is_an_error_and_the_files_stay_readable() {
    // Room for some lines, and for a part of the next.
    for capacity in [1_000, 1_400, 1_834, 2_600] {
        let mut rig = rig(capacity, capacity);
        for second in 0..30 {
            for i in 0..5 {
                rig.recorder.record(&ended_at(second * 1_000 + 100 + i));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let error = rig.recorder.end_phase(EXEC + 40 * SECOND).unwrap_err();
        assert!(matches!(error, RecorderError::Write { .. }), "{error:?}");
        assert!(error.to_string().contains("free some space"), "{error}");
        let (log, rows) = (rig.phases.content(), rig.requests.content());
        assert!(log.ends_with(b"\n") && rows.ends_with(b"\n"));
        assert!(!intervals(&log).is_empty());
        assert!(!RequestRow::read(&rows[..]).unwrap().is_empty());
        // And it goes on: the next phase is recorded as far as there is room.
        rig.recorder.begin_phase(1, "next", 1, true).unwrap();
        rig.recorder.start_clock(EXEC + 50 * SECOND);
        let totals = rig.recorder.end_phase(EXEC + 51 * SECOND).unwrap();
        assert_eq!(
            totals,
            PhaseTotals {
                writer_cpu_ns: totals.writer_cpu_ns,
                ..PhaseTotals::default()
            }
        );
    }
}

#[test]
fn a_request_that_was_never_sent_has_no_service_time_and_no_delay() {
    let mut rig = rig(usize::MAX, usize::MAX);
    let unsent = Measured {
        sent: 0,
        first_byte: 0,
        outcome: Outcome::Failed(crate::transport::Fault::Unsent),
        ..ended_at(100)
    };
    rig.recorder.record(&unsent);
    let totals = rig.recorder.end_phase(EXEC + 2 * SECOND).unwrap();
    assert_eq!(totals.dispatch_delay_ms, None);
    assert_eq!(
        totals.response_time_ms, None,
        "only what succeeded is in the quantiles"
    );
    let log = rig.phases.content();
    assert_eq!(intervals(&log)[0].0, "a_phase__odd:0:error:response");
    assert_eq!(service_intervals(&log), []);
    let rows = RequestRow::read(&rig.requests.content()[..]).unwrap();
    assert_eq!((rows[0].sent_ns, &rows[0].outcome), (0, &"unsent".into()));
}

#[test]
fn a_row_says_which_connection_carried_it_where_that_is_known() {
    let mut rig = rig(usize::MAX, usize::MAX);
    let via = |port, since| Measured {
        via: Via { port, since },
        ..ended_at(100)
    };
    rig.recorder.record(&via(4_711, EXEC + 7));
    // It was never established.
    rig.recorder.record(&via(4_712, 0));
    rig.recorder.record(&via(0, 0));
    rig.recorder.end_phase(EXEC + 2 * SECOND).unwrap();
    let rows = RequestRow::read(&rig.requests.content()[..]).unwrap();
    let seen: Vec<_> = rows
        .iter()
        .map(|row| (row.port, row.connected_ns))
        .collect();
    assert_eq!(
        seen,
        [(Some(4_711), Some(7)), (Some(4_712), None), (None, None)]
    );
}

/// Waits for the writer, which shows a second after it has returned the interval.
fn shown(recorder: &Recorder, ended: u64) -> LiveSnapshot {
    let began = Instant::now();
    loop {
        let snapshot = recorder.live().snapshot();
        if snapshot.succeeded + snapshot.failed == ended {
            return snapshot;
        }
        // No measure, but a hang that is told.
        let patience = Duration::from_secs(120);
        assert!(began.elapsed() < patience, "{ended}: {snapshot:?}");
        std::thread::yield_now();
    }
}

#[test]
fn each_second_is_shown_to_those_who_watch() {
    let mut rig = rig(usize::MAX, usize::MAX);
    let live = rig.recorder.live();
    assert_eq!(live.started_ns(), EXEC + SECOND);
    rig.recorder.record(&ended_at(100));
    rig.recorder.record(&Measured {
        outcome: Outcome::Failed(crate::transport::Fault::Reset),
        intended: EXEC + SECOND,
        ..ended_at(200)
    });
    rig.recorder.tick(EXEC + 2 * SECOND);
    let snapshot = shown(&rig.recorder, 2);
    assert_eq!(snapshot.label, "a phase, odd");
    assert_eq!(snapshot.errors, [(tacho_run_folder::ErrorKind::Reset, 1)]);
    let [second] = snapshot.seconds.iter().collect::<Vec<_>>()[..] else {
        panic!("{snapshot:?}");
    };
    assert_eq!((second.from_s, second.length_s), (0.0, 1.0));
    assert_eq!((second.succeeded, second.failed), (1, 1));
    // 5 ms and 200 ms, both bins as wide as a fourth of a factor of ten.
    let filled = (0..BINS).filter(|&bin| second.bins[bin] > 0);
    let from: Vec<f64> = filled.map(|bin| bin_from_ms(bin).round()).collect();
    assert_eq!(from, [3.0, 178.0]);
    let quantiles = second.response_time_ms.unwrap();
    assert_eq!(quantiles.count, 1, "of those that succeeded");
    assert_eq!(snapshot.response_time_ms, Some(quantiles));

    rig.recorder.record(&ended_at(2_300));
    rig.recorder.tick(EXEC + 4 * SECOND);
    let snapshot = shown(&rig.recorder, 3);
    let from: Vec<f64> = snapshot.seconds.iter().map(|s| s.from_s).collect();
    assert_eq!(from, [0.0, 2.0], "a second without an end is not there");
    rig.recorder.end_phase(EXEC + 4 * SECOND).unwrap();
    rig.recorder.begin_phase(1, "next", 1, true).unwrap();
    rig.recorder.start_clock(EXEC + 9 * SECOND);
    assert_eq!(shown(&rig.recorder, 0).seconds.len(), 0);
}

#[test]
fn of_many_kinds_the_first_200_have_histograms_of_their_own() {
    let mut rig = rig(usize::MAX, usize::MAX);
    rig.recorder.end_phase(EXEC + SECOND).unwrap();
    rig.recorder.begin_phase(0, "many", 5_000, true).unwrap();
    rig.recorder.start_clock(EXEC + SECOND);
    for request in [0, 199, 200, 3_000, 4_999] {
        rig.recorder.record(&Measured {
            request,
            ..ended_at(100)
        });
    }
    let totals = rig.recorder.end_phase(EXEC + 2 * SECOND).unwrap();
    assert_eq!(totals.response_time_ms.unwrap().count, 5);
    let counts: Vec<(String, u64)> = histograms(&rig.phases.content())
        .into_iter()
        .filter(|(tag, _)| tag.ends_with(":response"))
        .collect();
    let expected = [("0", 1), ("199", 1), ("200", 3)]
        .map(|(request, count)| (format!("many:{request}:ok:response"), count));
    assert_eq!(counts, expected);
    let rows = RequestRow::read(&rig.requests.content()[..]).unwrap();
    assert_eq!(rows[4].request, 4_999, "a row keeps its own index");
}

/// Tag and count of each line.
fn histograms(log: &[u8]) -> Vec<(String, u64)> {
    use base64::Engine as _;
    let mut decoder = hdrhistogram::serialization::Deserializer::new();
    IntervalLogIterator::new(log)
        .filter_map(|entry| match entry.unwrap() {
            LogEntry::Interval(i) => {
                let tag = i.tag().unwrap().as_str().to_owned();
                let bytes = base64::engine::general_purpose::STANDARD
                    .decode(i.encoded_histogram())
                    .unwrap();
                let histogram: hdrhistogram::Histogram<u64> =
                    decoder.deserialize(&mut &bytes[..]).unwrap();
                Some((tag, histogram.len()))
            }
            _ => None,
        })
        .collect()
}

#[test]
fn the_generators_lateness_is_in_the_log_for_all_requests_together() {
    let mut rig = rig(usize::MAX, usize::MAX);
    for lag in [1, 2, 3] {
        rig.recorder.record_lag(lag);
    }
    rig.recorder.record(&ended_at(100));
    rig.recorder.end_phase(EXEC + 2 * SECOND).unwrap();
    assert_eq!(
        histograms(&rig.phases.content())[2..],
        [
            ("a_phase__odd:*:*:dispatch-delay".to_owned(), 1),
            ("a_phase__odd:*:*:generator-lag".to_owned(), 3),
            ("a_phase__odd:*:*:on-time".to_owned(), 1),
        ]
    );
}
