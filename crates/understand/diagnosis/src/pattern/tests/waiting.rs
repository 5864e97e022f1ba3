//! Time in which a request waits: for a lock, a peer, a thread of a pool, or asleep.

use super::*;
use tacho_run_folder::LedgerKind::{LockWaits, Parks, Queueing, Sleeps, SocketWaits};

#[test]
fn locks_of_both_kinds() {
    let found = first(
        |build| {
            build.counts(
                LockWaits,
                "shop.Cache",
                None,
                "shop.Cache.get:30 shop.Web.get:5",
                0.9,
                3.0,
            )
        },
        0.0,
    );
    assert_eq!(
        (found.pattern.as_str(), found.line),
        ("lock-contention", Some(30))
    );
    let key = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
    let found = first(
        |build| {
            build.counts(
                Parks,
                key,
                None,
                "jdk.internal.misc.Unsafe.park shop.Cache.get:30",
                0.9,
                3.0,
            )
        },
        0.0,
    );
    assert_eq!(found.pattern, "lock-contention");
}

#[test]
fn sleeping_and_waiting() {
    let found = first(
        |build| {
            build.counts(
                Sleeps,
                "",
                None,
                "java.lang.Thread.sleep:1 shop.Retry.once:7",
                1.0,
                5.0,
            )
        },
        0.0,
    );
    assert_eq!(found.pattern, "sleeping");
    let found = first(
        |build| {
            build.counts(
                SocketWaits,
                "ledger:9",
                None,
                "java.net.SocketInputStream.read:1 shop.Ledger.ask:7",
                1.0,
                5.0,
            )
        },
        0.0,
    );
    assert_eq!(found.pattern, "waiting");
    let found = first(
        |build| {
            build.counts(Parks, "java.util.concurrent.FutureTask", None, "jdk.internal.misc.Unsafe.park java.util.concurrent.FutureTask.get:1 shop.Fan.out:7", 1.0, 5.0)
                .counts(Queueing, "pool-1-thread", None, "java.util.concurrent.ThreadPoolExecutor.execute:1 shop.Fan.out:6", 2.0, 4.0)
        },
        0.0,
    );
    assert_eq!(found.pattern, "pool-starvation");
    assert!(
        found.sentence.ends_with(
            "In the queue of the thread pool pool-1-thread its tasks wait 4 ms of a request (before: 0 ms)."
        ),
        "{}",
        found.sentence
    );
    assert_eq!(found.counts[1].times.candidate, 2.0);
}

/// `Mono.block()` waits on a latch, as a task does for one of its pool.
#[test]
fn a_call_of_a_reactive_client_is_no_work_for_a_pool() {
    let call = "jdk.internal.misc.Unsafe.park java.util.concurrent.CountDownLatch.await:1 reactor.core.publisher.BlockingSingleSubscriber.blockingGet:9 reactor.core.publisher.Mono.block:3 shop.Rates.all:7";
    let latch = "java.util.concurrent.CountDownLatch$Sync";
    let found = first(
        |build| build.counts(Parks, latch, None, call, 1.0, 5.0),
        0.0,
    );
    assert_eq!(found.pattern, "waiting");
    assert_eq!(found.line, Some(7));
}

#[test]
fn requests_that_wait_before_anybody_begins() {
    let found = findings(
        Build::of(1.0).works(WORK, 0.9).threads(8).takes(1.2, 0.3),
        Build::of(1.0)
            .works(WORK, 0.9)
            .threads(1)
            .takes(6.0, 0.6)
            .over(8),
    );
    // Processors are busy two thirds of the time: that is not what they wait for.
    assert_eq!(found.findings[0].pattern, "pool-starvation");
    // Where the queue was seen, as many threads as before do not hide it.
    let queued = |port: u32, ms| {
        Build::of(1.0).works(WORK, 0.9).threads(8).counts(
            Queueing,
            &format!("http-nio-{port}-exec"),
            None,
            "org.apache.tomcat.util.net.NioEndpoint.processSocket:1",
            1.0,
            ms,
        )
    };
    let found = findings(
        queued(8080, 0.1).takes(1.2, 0.3),
        queued(9090, 4.5).takes(6.0, 0.6),
    );
    assert_eq!(
        found.findings[0].sentence,
        "Requests wait 4.50 ms each in the queue of the thread pool http-nio-9090-exec before shop.Orders.total begins (before: 0.10 ms)."
    );
    assert_eq!(found.findings[0].counts[0].times.candidate, 1.0);
    let busy = findings(
        Build::of(1.0).works(WORK, 0.9).threads(8).takes(1.2, 0.3),
        Build::of(1.0).works(WORK, 0.9).threads(1).takes(6.0, 0.95),
    );
    assert_eq!(busy.findings, []);
}
