//! Beside agents of others, which change the same classes: counts stay exact, names stay the
//! service's own, and the others stay as they are.

use crate::session::{attach, end, of, own, owned};
use crate::support::{self, Shop, each_jvm};
use tacho_jvm_agent::{MethodPattern, Probe};

/// The OpenTelemetry agent from Maven Central (`TACHO_OTEL_AGENT` is its jar), which instruments
/// class loaders, threads and executors by Byte Buddy.
#[test]
#[ignore = "wants a jar from Maven Central: make test-agent"]
fn beside_the_opentelemetry_agent_counts_are_exact_and_it_stays_as_it_is() {
    let jar = std::env::var("TACHO_OTEL_AGENT")
        .expect("TACHO_OTEL_AGENT names the jar of the OpenTelemetry Java agent");
    each_jvm(|jdk| {
        let agent = format!("-javaagent:{jar}");
        let quiet =
            ["traces", "metrics", "logs"].map(|kind| format!("-Dotel.{kind}.exporter=none"));
        let flags: Vec<&str> = std::iter::once(agent.as_str())
            .chain(quiet.iter().map(String::as_str))
            .collect();
        let mut shop = Shop::start(jdk, &flags);
        shop.act("absent 5");
        for _ in 0..2 {
            let mut agent = attach(&shop);
            agent
                .begin(
                    &[
                        Probe::class_look_ups("classes"),
                        Probe::exceptions("thrown"),
                    ],
                    &own(),
                )
                .unwrap();
            agent.reset().unwrap();
            shop.act("absent 100 3");
            shop.act("swallow 100 3");
            let snapshot = agent.snapshot().unwrap();
            let thrown = owned(&of(&snapshot, "thrown"), "swallow");
            assert_eq!((thrown.len(), thrown[0].count), (1, 300), "{thrown:#?}");
            let absent: u64 = owned(&of(&snapshot, "classes"), "absent")
                .iter()
                .map(|calls| calls.count)
                .sum();
            assert_eq!(absent, 300, "{:#?}", of(&snapshot, "classes"));
            agent
                .trace(&[MethodPattern::of("com.acme.Shop", &["render"])], &[])
                .unwrap();
            shop.act("render 50 2");
            assert_eq!(agent.snapshot().unwrap().traced[0].count, 100);
            end(agent);
        }
        shop.act("absent 5");
    });
}

/// The SkyWalking agent from Maven Central (`TACHO_SKYWALKING_AGENT` is its `apm-agent`), which
/// renames what it wraps. Its own plugins are not in Maven Central: one is written here, by the
/// interfaces that theirs use.
#[test]
#[ignore = "wants a jar from Maven Central: make test-agent"]
fn beside_the_skywalking_agent_wrapped_methods_have_their_own_names() {
    beside_an_agent_that_renames("TACHO_SKYWALKING_AGENT", support::beside::skywalking);
}

/// An agent made with Byte Buddy (`TACHO_BYTE_BUDDY` is its jar), which renames what it wraps.
#[test]
#[ignore = "wants a jar from Maven Central: make test-agent"]
fn beside_a_byte_buddy_agent_wrapped_methods_have_their_own_names() {
    beside_an_agent_that_renames("TACHO_BYTE_BUDDY", support::beside::byte_buddy);
}

fn beside_an_agent_that_renames(
    variable: &str,
    make: impl Fn(&std::path::Path, &std::path::Path) -> Vec<String>,
) {
    let jar = std::env::var(variable)
        .unwrap_or_else(|_| panic!("{variable} names a jar; make test-agent fetches it"));
    each_jvm(|jdk| {
        let folder = tempfile::tempdir().unwrap();
        let flags = make(std::path::Path::new(&jar), folder.path());
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let mut shop = Shop::start(jdk, &flags);
        shop.act("render 5");
        assert!(shop.has_said("wrapped"), "the other agent wraps nothing");
        for _ in 0..2 {
            let mut agent = attach(&shop);
            agent
                .trace(&[MethodPattern::of("com.acme.Shop", &["render"])], &[])
                .unwrap();
            shop.act("render 50 2");
            let snapshot = agent.snapshot().unwrap();
            let traced = snapshot.traced.iter();
            let renders: Vec<_> = traced
                .filter(|traced| traced.method == "com.acme.Shop.render")
                .collect();
            // The wrapper, and below it what was wrapped.
            let counts: Vec<u64> = renders.iter().map(|t| t.count).collect();
            assert_eq!(counts, [100, 100], "{:#?}", snapshot.traced);
            let rows: u64 = renders
                .iter()
                .flat_map(|traced| &traced.callees)
                .filter(|callee| callee.method == "com.acme.Shop.row")
                .map(|callee| callee.count)
                .sum();
            assert_eq!(rows, 300, "{:#?}", snapshot.traced);
            for traced in &snapshot.traced {
                assert!(!traced.method.contains("$original$"), "{traced:#?}");
            }

            agent
                .begin(
                    &[
                        Probe::new("rows", MethodPattern::of("com.acme.Shop", &["row"])),
                        Probe::exceptions("thrown"),
                    ],
                    &own(),
                )
                .unwrap();
            agent.reset().unwrap();
            shop.act("render 50 2");
            shop.act("swallow 100 3");
            let snapshot = agent.snapshot().unwrap();
            // A call passes the wrapper and what was wrapped, and is one call.
            let rows = of(&snapshot, "rows");
            assert_eq!(rows.iter().map(|c| c.count).sum::<u64>(), 300, "{rows:#?}");
            let thrown = of(&snapshot, "thrown");
            let swallowed: u64 = owned(&thrown, "swallow").iter().map(|c| c.count).sum();
            assert_eq!(swallowed, 300, "{thrown:#?}");
            for calls in rows.iter().chain(&thrown) {
                assert!(
                    !calls
                        .frames
                        .iter()
                        .any(|frame| frame.contains("$original$")),
                    "{calls:#?}"
                );
            }
            // SkyWalking writes a class anew whenever it is transformed, and not always by the same
            // bytes.
            let removed = agent.end().unwrap();
            assert!(removed.is_clean(), "{removed:#?}");
            let others = u32::try_from(removed.changed_by_others.len()).unwrap();
            assert_eq!(removed.as_before + others, removed.classes, "{removed:#?}");
        }
        shop.act("render 5");
    });
}
