//! However many sessions there were, the JVM holds no more than after the first of them, but for
//! what every change of a class costs it.

use crate::held::{Held, ended};
use crate::metaspace::{metaspace, used_kib, versions};
use crate::session::{attach, end, own};
use crate::support::{Shop, each_jvm};
use tacho_jvm_agent::{MethodPattern, Probe, Watch};

/// Attaches, traces while the shop does something, and goes.
fn traced(shop: &mut Shop, pattern: MethodPattern, action: &str) {
    let mut agent = attach(shop);
    agent.trace(&[pattern], &[]).unwrap();
    shop.act(action);
    agent.snapshot().unwrap();
    end(agent);
    shop.act(action);
}

/// Attaches, counts look-ups of classes and exceptions, and goes.
fn counted(shop: &mut Shop) {
    let mut agent = attach(shop);
    let probes = [
        Probe::class_look_ups("classes"),
        Probe::exceptions("thrown"),
    ];
    agent.begin(&probes, &own()).unwrap();
    shop.act("absent 3");
    assert!(!agent.snapshot().unwrap().calls.is_empty());
    end(agent);
}

/// After many sessions the JVM has no more metaspace, descriptors, threads and files than after the
/// first of them.
fn rounds(jdk: &std::path::Path, rounds: u32, at_most_kib: f64, session: fn(&mut Shop)) {
    // The JVM's own caches hold what they can rebuild by soft references, which otherwise go when
    // the heap is full.
    let mut shop = Shop::start(jdk, &["-XX:SoftRefLRUPolicyMSPerMB=0"]);
    let warm = (rounds / 10).max(10);
    for _ in 0..warm {
        session(&mut shop);
    }
    let before = metaspace(&mut shop);
    let held = Held::by(&shop);
    for _ in warm..rounds {
        session(&mut shop);
    }
    let after = metaspace(&mut shop);
    // A thread that ends is seen a moment longer.
    let now = ended(&shop, &held);
    assert!(
        held.more(&now).is_empty(),
        "after {rounds} rounds there are more: {:#?}",
        held.more(&now)
    );
    // JDK 25 does not give up what it has compiled to call a native method, and with it the version
    // of the class that the method belongs to: each time `ClassLoader` is changed and put back, one
    // stays whose native methods were called often enough (`jcmd Compiler.codelist` shows
    // `findLoadedClass0` and `findBootstrapClass` once for each; with `-Xint` none stays). JDK 17
    // gives all of them up.
    let stayed = versions(&after).saturating_sub(versions(&before));
    let (from, to) = (used_kib(&before), used_kib(&after));
    println!(
        "{rounds} rounds: metaspace from {from:.0} KiB after {warm} to {to:.0} KiB, with {stayed} more versions of ClassLoader"
    );
    assert!(stayed <= (rounds - warm) as usize, "{stayed} versions");
    assert!(
        to - from < at_most_kib + 64.0 * stayed as f64,
        "from {from} to {to} KiB with {stayed} more versions of ClassLoader\n{after}"
    );
}

/// Traces, goes, watches and goes.
fn trace_and_watch_round(shop: &mut Shop) {
    trace_round(shop);
    let mut agent = attach(shop);
    let watch = Watch {
        methods: MethodPattern::of("com.acme.Shop$Till", &["receipt", "line"]),
        at_most: 10,
        slower_than_ns: 0,
        only_failed: false,
        depth: 2,
        length: 200,
        to_string: false,
    };
    agent.watch(&watch, &own()).unwrap();
    shop.act("receipt 3");
    assert_eq!(agent.snapshot().unwrap().watched.len(), 10);
    end(agent);
}

fn trace_round(shop: &mut Shop) {
    let pattern = MethodPattern::of("com.acme.Shop$Till", &["receipt", "line"]);
    traced(shop, pattern, "receipt 3");
}

/// The JVM links what is dynamic in a class again when the class has been changed, and again when
/// it has been put back; for a lambda it makes a class, which stays as long as the class that it
/// belongs to (`LambdaMetafactory` defines it as strong). So it is for everybody who changes
/// classes.
#[test]
fn a_lambda_in_a_changed_class_is_linked_once_for_each_change() {
    each_jvm(|jdk| {
        let mut shop = Shop::start(jdk, &[]);
        let lambdas = |shop: &mut Shop| {
            let classes = metaspace(shop);
            classes.matches("com.acme.Shop$$Lambda").count()
        };
        shop.act("render 3");
        let before = lambdas(&mut shop);
        for _ in 0..5 {
            let pattern = MethodPattern::of("com.acme.Shop", &["render", "row"]);
            traced(&mut shop, pattern, "render 3");
        }
        // One lambda; five times in and out, of which it ran once each.
        assert_eq!(lambdas(&mut shop), before + 10);
    });
}

#[test]
fn nothing_grows_with_the_number_of_sessions() {
    // The first hundred rounds need some more: old versions of classes leave blocks that are given
    // out again later. Loaders of sessions that were left would be some 560 KiB each.
    each_jvm(|jdk| rounds(jdk, 25, 1_500.0, trace_and_watch_round));
}

#[test]
#[ignore = "minutes: make test-agent"]
fn nothing_grows_over_a_thousand_traces_and_watches() {
    // A class that each round leaves would be a thousand KiB or more.
    each_jvm(|jdk| {
        rounds(jdk, 1_000, 300.0, trace_and_watch_round);
    });
}

#[test]
#[ignore = "minutes: make test-agent"]
fn counting_over_a_thousand_sessions_leaves_at_most_a_version_of_class_loader_each() {
    each_jvm(|jdk| {
        rounds(jdk, 1_000, 300.0, counted);
    });
}
