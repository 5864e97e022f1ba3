use super::*;
use crate::clock::MILLISECOND;
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use std::sync::{Arc, Condvar, Mutex};
use tacho_run_folder::read_requests;

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
        exec_ns: EXEC,
        wall: SystemTime::now(),
    };
    let mut recorder = Recorder::start(
        Lines::new("phases.hlog", phases.clone()),
        Lines::new("requests.csv", requests.clone()),
        Lines::new("slowest.csv", Disk::of(usize::MAX)),
        anchor,
    )
    .unwrap();
    recorder.begin_phase(0, "a phase, odd", 1).unwrap();
    recorder.start_clock(EXEC + SECOND);
    Rig {
        recorder,
        phases,
        requests,
    }
}

/// Ends so many milliseconds after the clock started, and took 5 ms.
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
    for ms in [100, 999, 1_000, 3_500] {
        rig.recorder.record(&ended_at(ms));
        // The writer gets the time to give the interval back.
        std::thread::sleep(std::time::Duration::from_millis(30));
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
    for capacity in [700, 1_000, 1_234, 2_000] {
        let mut rig = rig(capacity, capacity);
        for second in 0..30 {
            for i in 0..5 {
                rig.recorder.record(&ended_at(second * 1_000 + 100 + i));
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let error = rig.recorder.end_phase(EXEC + 40 * SECOND).unwrap_err();
        assert!(matches!(error, RecorderError::Write { .. }), "{error:?}");
        assert!(error.to_string().contains("free some space"), "{error}");
        let (log, rows) = (rig.phases.content(), rig.requests.content());
        assert!(log.ends_with(b"\n") && rows.ends_with(b"\n"));
        assert!(!intervals(&log).is_empty());
        assert!(!read_requests(&rows[..]).unwrap().is_empty());
        // And it goes on: the next phase is recorded as far as there is room.
        rig.recorder.begin_phase(1, "next", 1).unwrap();
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
    let rows = read_requests(&rig.requests.content()[..]).unwrap();
    assert_eq!((rows[0].sent_ns, rows[0].outcome.as_str()), (0, "unsent"));
}
