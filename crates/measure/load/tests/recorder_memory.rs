//! The recorder holds not one byte more after many million requests than after one: six million
//! unless TACHO_RECORDED_MILLIONS says more (100 take a minute).
#![allow(clippy::unwrap_used, clippy::expect_used)]
// An allocator is unsafe by nature; this one counts and passes everything on to the system's.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};
use tacho_load::recorder::{Live, Measured, Recorder};
use tacho_load::transport::{Fault, Outcome, Via};
use tacho_load::{Anchor, monotonic_ns};

struct Counting;

/// Bytes that are allocated now, by all threads.
static HELD: AtomicI64 = AtomicI64::new(0);

thread_local! {
    /// By this thread only.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system allocator with its own arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size() as i64, Ordering::Relaxed);
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SECOND: u64 = 1_000_000_000;
const A_SECOND: u64 = 150_000;
/// Seconds with a million requests.
const A_MILLION: u64 = 7;
const KINDS: u32 = 12;

/// Synthetic seconds, each with the same requests: 12 kinds, times from 20 µs to 12 s, one in 100
/// fails.
struct Seconds {
    recorder: Recorder,
    live: Arc<Live>,
    start: u64,
    seconds: u64,
}

impl Seconds {
    /// Allocations of this thread while it recorded.
    fn pass(&mut self, seconds: u64) -> u64 {
        let mut allocations = 0;
        for second in self.seconds..self.seconds + seconds {
            let begin = self.start + second * SECOND;
            let before = ALLOCATIONS.get();
            for i in 0..A_SECOND {
                self.recorder.record_lag(i % 1_000);
                self.recorder.record(&request(begin, i));
            }
            self.recorder.tick(begin + SECOND);
            allocations += ALLOCATIONS.get() - before;
            // Each interval is one second: only then is each like the one before, to the byte.
            let ended = (second + 1) * A_SECOND;
            loop {
                let shown = self.live.snapshot();
                if shown.succeeded + shown.failed == ended {
                    break;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        self.seconds += seconds;
        allocations
    }
}

fn request(begin: u64, i: u64) -> Measured {
    let end = begin + i * (SECOND / A_SECOND);
    let took = 20_000 * (1 + i % 600).pow(2).min(600_000);
    let sent = end.saturating_sub(took);
    Measured {
        request: (i % u64::from(KINDS)) as u32,
        intended: sent - i % 5_000,
        dispatched: sent,
        sent,
        first_byte: end,
        end,
        outcome: if i % 100 == 99 {
            Outcome::Failed(Fault::Timeout { received: 0 })
        } else {
            Outcome::Answered(200)
        },
        via: Via::default(),
    }
}

/// What is held when nothing is done. The writing thread holds what it writes, and it has the
/// numbers of a second before it has written them. So this is checked for at least a tenth of a
/// second, and as long as more is held than expected, up to a minute.
fn least_held(expected: i64) -> i64 {
    let began = Instant::now();
    let mut least = i64::MAX;
    while began.elapsed() < Duration::from_millis(100)
        || (least > expected && expected > 0 && began.elapsed() < Duration::from_secs(60))
    {
        least = least.min(HELD.load(Ordering::Relaxed));
        std::thread::sleep(Duration::from_millis(1));
    }
    least
}

#[test]
fn many_million_requests_take_not_one_byte_more_than_one_million() {
    let millions: u64 = std::env::var("TACHO_RECORDED_MILLIONS").map_or(6, |given| {
        given.parse().expect("a whole number of millions")
    });
    let in_all = (millions * 1_000_000).div_ceil(A_SECOND);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let start = monotonic_ns() + 100 * SECOND;
    let anchor = Anchor {
        monotonic_ns: start,
        ..Anchor::now()
    };
    let before = HELD.load(Ordering::Relaxed);
    let mut recorder = Recorder::create_files(
        &path("phases.hlog"),
        &path("requests.csv"),
        &path("slowest.csv"),
        anchor,
    )
    .unwrap();
    recorder
        .begin_phase(0, "soak", KINDS as usize, true)
        .unwrap();
    recorder.start_clock(start);
    let mut seconds = Seconds {
        live: recorder.live(),
        recorder,
        start,
        seconds: 0,
    };
    let made = seconds.pass(A_MILLION);
    let held = least_held(0);
    assert!(held - before > 1_000_000 && made > 0, "the counter counts");
    let made = seconds.pass(in_all - A_MILLION);
    let held_later = least_held(held);
    assert!(
        held_later <= held,
        "{} bytes after a million requests, {} after {millions} million",
        held - before,
        held_later - before
    );
    assert_eq!(made, 0, "allocations where requests are recorded");
    let totals = seconds.recorder.end_phase(start + in_all * SECOND).unwrap();
    assert_eq!(totals.generator_lag_ms.unwrap().count, in_all * A_SECOND);
}
