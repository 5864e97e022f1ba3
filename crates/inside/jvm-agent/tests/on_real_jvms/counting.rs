//! What is counted is what was done: how often, by which key, and by whom.

use crate::session::{attach, end, of, own, owned};
use crate::support::{PATIENCE, Shop, each_jvm};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tacho_jvm_agent::{Key, MethodPattern, Outcome, Probe};

const THREADS: u64 = 4;
const TIMES: u64 = 500;

#[test]
fn every_look_up_of_an_absent_class_is_counted_with_its_owner() {
    each_jvm(|jdk| {
        let mut shop = Shop::start(jdk, &[]);
        shop.act("absent 1");
        let mut agent = attach(&shop);
        let begun = agent
            .begin(
                &[
                    Probe::class_look_ups("classes"),
                    Probe::exceptions("thrown"),
                ],
                &own(),
            )
            .unwrap();
        assert!(
            begun.unmatched.is_empty() && begun.methods >= 4,
            "{begun:#?}"
        );
        agent.reset().unwrap();
        shop.act(&format!("absent {TIMES} {THREADS}"));
        let snapshot = agent.snapshot().unwrap();
        assert!(snapshot.left_out.is_empty() && snapshot.elapsed_ns > 0);

        // The loader asks its parent, and that one its own: it is one look-up.
        let absent: Vec<_> = of(&snapshot, "classes")
            .into_iter()
            .filter(|calls| calls.keys[0] == "org.absent.Time")
            .collect();
        assert_eq!(absent.len(), 1, "{absent:#?}");
        assert_eq!(absent[0].count, TIMES * THREADS);
        assert_eq!(absent[0].keys[1], "com.acme.Shop$Loader");
        assert_eq!(
            absent[0].outcome.text(),
            Some("java.lang.ClassNotFoundException")
        );
        assert!(
            absent[0].frames[0].starts_with("java.lang.ClassLoader.loadClass"),
            "{absent:#?}"
        );
        assert!(absent[0].total_ns >= absent[0].max_ns && absent[0].max_ns > 0);

        // Each loader on the way throws one of its own; all of them are seen, and nobody lets them
        // out.
        let thrown = of(&snapshot, "thrown");
        let by_shop: u64 = thrown
            .iter()
            .filter(|c| c.keys[0] == "java.lang.ClassNotFoundException")
            .map(|c| c.count)
            .sum();
        assert_eq!(by_shop % (TIMES * THREADS), 0, "{thrown:#?}");
        assert!(by_shop > 0);
        assert!(
            thrown
                .iter()
                .all(|calls| calls.keys[1] == "org.absent.Time"),
            "{thrown:#?}"
        );
        end(agent);

        // Nothing is counted any more, and the service does what it did.
        shop.act("absent 3");
    });
}

#[test]
fn tasks_that_wait_for_a_thread_of_a_pool_are_counted_with_who_handed_them_over() {
    each_jvm(|jdk| {
        // On a machine of two processors completable futures do without the pool.
        let parallel = "-Djava.util.concurrent.ForkJoinPool.common.parallelism=2";
        let mut shop = Shop::start(jdk, &[parallel]);
        shop.act("queue 1");
        shop.act("futures 1");
        let mut agent = attach(&shop);
        let executor = "java.util.concurrent.ThreadPoolExecutor";
        let future = "java.util.concurrent.CompletableFuture";
        let take = |id: &str, class: &str, method: &str, argument| {
            Probe::new(id, MethodPattern::of(class, &[method])).takes(argument)
        };
        let probes = [
            Probe::new("queue", MethodPattern::of(executor, &["execute"])).hands(1),
            take("task", executor, "beforeExecute", 2),
            Probe::new(
                "common",
                MethodPattern::of(
                    "java.util.concurrent.ForkJoinPool",
                    &["execute(Ljava/lang/Runnable;*"],
                ),
            )
            .hands(1)
            .of_type(&format!("{future}$AsynchronousCompletionTask")),
            take("supply", &format!("{future}$AsyncSupply"), "run", 0),
            take("run", &format!("{future}$AsyncRun"), "run", 0),
        ];
        let begun = agent.begin(&probes, &own()).unwrap();
        assert!(begun.unmatched.is_empty(), "{begun:#?}");
        agent.reset().unwrap();
        shop.act("queue 10");
        shop.act("futures 10");
        let snapshot = agent.snapshot().unwrap();
        assert!(snapshot.left_out.is_empty(), "{snapshot:#?}");

        // One task waits while the other sleeps; the refused ones were never taken.
        let queued = of(&snapshot, "queue");
        let queued = owned(&queued, "queue");
        assert_eq!(
            queued.iter().map(|c| c.count).sum::<u64>(),
            20,
            "{queued:#?}"
        );
        assert!(
            queued.iter().all(|c| c.keys == ["shop-worker"]),
            "{queued:#?}"
        );
        let waited: u64 = queued.iter().map(|c| c.total_ns).sum();
        // The other one sleeps for 20 ms; what has passed of them before this task is handed over,
        // on a busy machine, it does not wait.
        assert!(waited >= 10 * 10_000_000, "{queued:#?}");
        let common = of(&snapshot, "common");
        let common = owned(&common, "futures");
        assert_eq!(
            common.iter().map(|c| c.count).sum::<u64>(),
            20,
            "{common:#?}"
        );
        assert!(
            common
                .iter()
                .all(|c| c.keys[0].starts_with("ForkJoinPool.commonPool-worker")),
            "{common:#?}"
        );
        end(agent);
        shop.act("queue 1");
    });
}

#[test]
fn swallowed_exceptions_are_counted_with_message_and_place() {
    each_jvm(|jdk| {
        let mut shop = Shop::start(jdk, &[]);
        let mut agent = attach(&shop);
        agent.begin(&[Probe::exceptions("thrown")], &own()).unwrap();
        shop.act("swallow 100 3");
        let snapshot = agent.snapshot().unwrap();
        let thrown = owned(&of(&snapshot, "thrown"), "swallow");
        assert_eq!(thrown.len(), 1, "{snapshot:#?}");
        assert_eq!(
            (thrown[0].count, thrown[0].outcome.clone()),
            (300, Outcome::Normal)
        );
        assert_eq!(thrown[0].keys, ["com.acme.Shop$OutOfStock", "no more tea"]);
        assert_eq!(
            thrown[0].frames.len(),
            1,
            "the constructors are not its place: {thrown:#?}"
        );
        end(agent);
    });
}

#[test]
fn code_of_the_jdk_is_probed_by_key_and_owner() {
    each_jvm(|jdk| {
        let mut shop = Shop::start(jdk, &[]);
        shop.act("regex 1");
        shop.act("reflect 1");
        let mut agent = attach(&shop);
        let probes = [
            Probe::new(
                "regexes",
                MethodPattern::of("java.util.regex.Pattern", &["compile(Ljava/lang/String;*"]),
            )
            .by(Key::Argument(1)),
            Probe::new(
                "reflection",
                MethodPattern::of("java.lang.Class", &["getDeclaredMethod", "getMethod*"]),
            )
            .by(Key::Method)
            .by(Key::Argument(1)),
            Probe::new(
                "invocations",
                MethodPattern::of("java.lang.reflect.Method", &["invoke"]),
            )
            .by(Key::ResultClass),
            Probe::resource_look_ups("resources"),
        ];
        agent.begin(&probes, &own()).unwrap();
        for work in ["regex 50 2", "reflect 60", "resource 70"] {
            shop.act(work);
        }
        let snapshot = agent.snapshot().unwrap();
        let one = |probe: &str, method: &str| {
            let found = owned(&of(&snapshot, probe), method);
            assert_eq!(found.len(), 1, "{probe}: {:#?}", of(&snapshot, probe));
            (
                found[0].count,
                found[0].keys.join(" | "),
                found[0].outcome.text().map(str::to_owned),
            )
        };
        assert_eq!(one("regexes", "act"), (100, "a+b".to_owned(), None));
        assert_eq!(
            one("reflection", "reflect"),
            (
                60,
                "java.lang.Class.getDeclaredMethod | sum".to_owned(),
                None
            )
        );
        assert_eq!(
            one("invocations", "reflect"),
            (60, "java.lang.Integer".to_owned(), None)
        );
        assert_eq!(
            one("resources", "act"),
            (
                70,
                "META-INF/services/none | com.acme.Shop$Loader".to_owned(),
                Some("null".to_owned())
            )
        );
        end(agent);
    });
}

#[test]
fn classes_that_come_later_are_probed_with_their_families() {
    each_jvm(|jdk| {
        let mut shop = Shop::start(jdk, &[]);
        let mut agent = attach(&shop);
        let greets = MethodPattern::of("com.acme.Shop$Greets", &["greet"]).with_subtypes();
        let begun = agent
            .begin(
                &[Probe::new("greets", greets).by(Key::ReceiverClass)],
                &own(),
            )
            .unwrap();
        assert_eq!(begun.unmatched, ["greets"]);
        shop.act("fresh 1");
        // The interface, the class and its subclass all came at once; the agent looks again a
        // moment later, on a busy machine after a longer one.
        let begin = Instant::now();
        loop {
            agent.reset().unwrap();
            shop.act("fresh 10");
            let snapshot = agent.snapshot().unwrap();
            let counted = snapshot.calls.iter();
            let counts: BTreeMap<_, _> = counted
                .map(|calls| (calls.keys[0].as_str(), calls.count))
                .collect();
            if counts == BTreeMap::from([("com.acme.Shop$Late", 10)]) {
                break;
            }
            assert!(begin.elapsed() < PATIENCE, "{snapshot:#?}");
            std::thread::sleep(Duration::from_millis(50));
        }
        end(agent);
    });
}
