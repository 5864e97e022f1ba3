//! Memory does not grow with the number of requests: the generator's thread allocates as often for
//! 30,000 requests as for 3,000.
#![allow(clippy::unwrap_used)]
// An allocator is unsafe by nature; this one counts and passes everything on to the system's.
#![allow(unsafe_code)]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use support::{Rig, always};
use tacho_load::testkit::Act;

struct Counting;

thread_local! {
    /// Of this thread only, so that the test server's are not counted.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system allocator with its own arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations_in(run: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    run();
    ALLOCATIONS.get() - before
}

#[test]
fn ten_times_the_requests_take_no_more_allocations() {
    let server = always([Act::ok("ok")]);
    let mut rig = Rig::new(server.address());
    // Connections, histograms and buffers.
    rig.closed(12_000, 4, 0.0);
    let few = allocations_in(|| assert_eq!(rig.closed(3_000, 4, 0.0).succeeded, 3_000));
    let many = allocations_in(|| assert_eq!(rig.closed(30_000, 4, 0.0).succeeded, 30_000));
    assert!(few > 0, "the counter counts");
    // A phase allocates some; waiting for the writer at its end may take one or two more.
    assert!(
        many <= few + 8,
        "{few} for 3,000 requests, {many} for 30,000"
    );
}

#[test]
fn neither_do_requests_that_fail_or_wait() {
    let server = always([Act::status(503, "later")]);
    let mut rig = Rig::new(server.address());
    rig.open(2_000.0, 0.5, 1);
    let few = allocations_in(|| assert_eq!(rig.open(20_000.0, 0.05, 1).requests, 1_000));
    let many = allocations_in(|| assert_eq!(rig.open(20_000.0, 0.5, 1).requests, 10_000));
    assert!(
        many <= few + 8,
        "{few} for 1,000 requests, {many} for 10,000"
    );
}
