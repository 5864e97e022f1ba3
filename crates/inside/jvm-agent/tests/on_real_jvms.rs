//! Real JVMs, the oldest and the newest there are (`tacho-test-jdks`): what is counted is what was
//! done, and nothing is left behind.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use support::starting::until;
use support::{PATIENCE, Shop, each_jvm, wake};
use tacho_jvm_agent::{
    Agent, Calls, Key, MethodPattern, OneByOne, Outcome, Probe, Snapshot, TracedMethod, Watch,
};

const THREADS: u64 = 4;
const TIMES: u64 = 500;

fn own() -> Vec<String> {
    vec!["com.acme.".to_owned()]
}

fn attach(shop: &Shop) -> Agent {
    wake(shop.pid());
    Agent::attach(shop.pid(), shop.folder()).unwrap()
}

/// Ends it, and sees that nothing is left.
fn end(agent: Agent) {
    let removed = agent.end().unwrap();
    assert!(removed.is_clean(), "{removed:#?}");
    assert_eq!(removed.as_before, removed.classes, "{removed:#?}");
    assert!(removed.classes > 0);
}

fn of<'a>(snapshot: &'a Snapshot, probe: &str) -> Vec<&'a Calls> {
    snapshot
        .calls
        .iter()
        .filter(|calls| calls.probe == probe)
        .collect()
}

/// Calls whose stack ends in this method of the shop.
fn owned<'a>(calls: &[&'a Calls], method: &str) -> Vec<&'a Calls> {
    let name = format!("com.acme.Shop.{method}:");
    calls
        .iter()
        .copied()
        .filter(|calls| {
            calls
                .frames
                .last()
                .is_some_and(|frame| frame.starts_with(&name))
        })
        .collect()
}

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
fn a_trace_is_a_tree_of_methods_with_exact_counts() {
    each_jvm(|jdk| {
        let mut shop = Shop::start(jdk, &[]);
        shop.act("render 5");
        let mut agent = attach(&shop);
        let shops = |name: &str| MethodPattern::of("com.acme.Shop", &[name]);
        agent
            .trace(&[shops("render")], &[shops("row"), shops("pad")])
            .unwrap();
        agent.reset().unwrap();
        shop.act("render 100 4");
        let traced = agent.snapshot().unwrap().traced;
        let method = |name: &str| {
            traced
                .iter()
                .find(|m| m.method == format!("com.acme.Shop.{name}"))
                .unwrap()
        };
        let render = method("render");
        assert_eq!((render.count, render.parent, render.failed), (400, None, 0));
        let callee = |name: &str| {
            render
                .callees
                .iter()
                .find(|c| c.method.ends_with(name))
                .unwrap()
        };
        assert_eq!(
            (callee("Shop.row").count, callee("Shop.row").failed),
            (1200, 0)
        );
        assert_eq!(
            (callee("Shop.fail").count, callee("Shop.fail").failed),
            (400, 400)
        );
        assert!(callee("Shop.row").line.is_some());
        assert!(render.total_ns >= render.callees.iter().map(|c| c.total_ns).sum::<u64>());
        let (row, pad) = (method("row"), method("pad"));
        assert_eq!((row.count, pad.count), (1200, 1200));
        let (parent, site) = row.parent.unwrap();
        assert_eq!(
            (parent, render.callees[site as usize].method.as_str()),
            (render.node, "com.acme.Shop.row")
        );
        assert_eq!(pad.parent.unwrap().0, row.node);
        let format = pad
            .callees
            .iter()
            .find(|c| c.method == "java.lang.String.format")
            .unwrap();
        assert_eq!(format.count, 800);
        end(agent);
    });
}

#[test]
fn calls_are_kept_one_by_one_each_with_its_own_tree() {
    each_jvm(|jdk| {
        let mut shop = Shop::start(jdk, &[]);
        shop.act("render 5");
        let mut agent = attach(&shop);
        let shops = |name: &str| MethodPattern::of("com.acme.Shop", &[name]);
        let mut kept = |shop: &mut Shop, slower_than_ns| {
            let kept = OneByOne {
                slower_than_ns,
                calls: 3,
            };
            let (roots, inner) = ([shops("render")], [shops("row"), shops("pad")]);
            agent.trace_one_by_one(&roots, &inner, kept).unwrap();
            shop.act("render 10");
            let snapshot = agent.snapshot().unwrap();
            assert_eq!(snapshot.traced, []);
            snapshot.traced_calls
        };
        // No call of a shop takes an hour.
        assert_eq!(kept(&mut shop, 3_600_000_000_000), []);
        let calls = kept(&mut shop, 0);
        assert_eq!(calls.len(), 3);
        for call in &calls {
            assert!(!call.thread.is_empty() && call.took_ns() > 0, "{call:#?}");
            let of = |name: &str| {
                let name = format!("com.acme.Shop.{name}");
                let of_name = |method: &&TracedMethod| method.method == name;
                let found: Vec<_> = call.methods.iter().filter(of_name).collect();
                assert_eq!(found.len(), 1, "{call:#?}");
                (found[0].count, found[0].failed)
            };
            assert_eq!(
                (of("render"), of("row"), of("pad")),
                ((1, 0), (3, 0), (3, 0))
            );
        }
        assert!(
            calls
                .windows(2)
                .all(|two| two[0].at_ns + two[0].took_ns() <= two[1].at_ns + two[1].took_ns())
        );
        end(agent);
    });
}

#[test]
fn a_watch_shows_arguments_results_and_exceptions_without_asking_the_application() {
    each_jvm(|jdk| {
        let mut shop = Shop::start(jdk, &[]);
        let mut agent = attach(&shop);
        let watch = |methods: &[&str], at_most| Watch {
            methods: MethodPattern::of("com.acme.Shop", methods),
            at_most,
            slower_than_ns: 0,
            only_failed: false,
            depth: 2,
            length: 200,
            to_string: false,
        };
        agent.watch(&watch(&["row", "fail"], 3), &own()).unwrap();
        shop.act("render 10");
        let watched = agent.snapshot().unwrap().watched;
        assert_eq!(watched.len(), 3, "{watched:#?}");
        assert_eq!(watched[0].method, "com.acme.Shop.row");
        assert_eq!(
            watched[0].arguments,
            [r#"com.acme.Shop$Order{number=0, name="order 0"}"#, "0"]
        );
        assert_eq!(
            watched[0].result.as_deref(),
            Some(r#""             order 0""#)
        );
        assert_eq!(watched[2].result.as_deref(), Some("null"));

        let failed = Watch {
            only_failed: true,
            ..watch(&["*"], 100)
        };
        agent.watch(&failed, &own()).unwrap();
        shop.act("render 2");
        let watched = agent.snapshot().unwrap().watched;
        let said: Vec<_> = watched
            .iter()
            .map(|call| (call.method.as_str(), call.exception.as_deref()))
            .collect();
        let ink = Some("com.acme.Shop$OutOfStock: no more ink");
        assert_eq!(
            said,
            [("com.acme.Shop.fail", ink), ("com.acme.Shop.fail", ink)]
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

#[test]
fn what_cannot_be_instrumented_is_said_with_the_reason() {
    each_jvm(|jdk| {
        let mut shop = Shop::start(jdk, &[]);
        shop.act("render 1");
        let mut agent = attach(&shop);
        let probes = [
            Probe::new("native", MethodPattern::of("java.lang.Thread", &["*"])),
            // Arguments are made objects by it.
            Probe::new("box", MethodPattern::of("java.lang.Boolean", &["*"])),
            Probe::new(
                "natives",
                MethodPattern::of("java.lang.Class", &["forName0", "isInstance"]),
            ),
            Probe::new(
                "abstract",
                MethodPattern::of("java.lang.Runnable", &["run"]),
            ),
            Probe::new(
                "lambdas",
                MethodPattern::of("com.acme.Shop$$Lambda*", &["get"]),
            ),
            Probe::new("none", MethodPattern::of("com.acme.None", &["get"])),
        ];
        let begun = agent.begin(&probes, &own()).unwrap();
        let why = |what: &str| {
            begun
                .refused
                .iter()
                .find(|r| r.what.contains(what))
                .unwrap_or_else(|| panic!("{what}: {begun:#?}"))
                .why
                .as_str()
        };
        assert!(why("java.lang.Thread").contains("stands on it"));
        assert!(why("java.lang.Boolean").contains("stands on it"));
        assert!(why("Class.forName0").contains("native"));
        assert!(why("Runnable.run").contains("abstract"));
        assert!(why("Lambda").contains("hidden class"));
        assert!(begun.unmatched.contains(&"none".to_owned()));
        let removed = agent.end().unwrap();
        assert_eq!((removed.classes, removed.is_clean()), (0, true));
    });
}

#[test]
fn what_matches_nothing_is_told_with_what_there_is() {
    each_jvm(|jdk| {
        let shop = Shop::start(jdk, &[]);
        let mut agent = attach(&shop);
        let probes = [
            Probe::new("method", MethodPattern::of("com.acme.Shop", &["mian"])),
            Probe::new("class", MethodPattern::of("com.acme.Shopp", &["main"])),
            Probe::new("there", MethodPattern::of("com.acme.Shop", &["main"])),
        ];
        let begun = agent.begin(&probes, &own()).unwrap();
        assert_eq!(begun.unmatched, ["method", "class"]);
        assert_eq!(begun.awaited, ["class"]);
        let members: Vec<&String> = begun.members.keys().collect();
        assert_eq!(members, ["method"], "{begun:#?}");
        let main = "main([Ljava/lang/String;)V".to_owned();
        assert!(begun.members["method"].contains(&main), "{begun:#?}");
        let classes = agent.classes().unwrap();
        for class in ["com.acme.Shop", "java.lang.String"] {
            assert!(classes.contains(&class.to_owned()), "{class}");
        }
        let is_odd = |name: &&String| name.starts_with('[') || name.starts_with("dev.tacho.");
        assert_eq!(classes.iter().find(is_odd), None);
        end(agent);
    });
}

#[test]
fn two_at_once_are_refused_and_one_after_another_are_not() {
    each_jvm(|jdk| {
        let mut shop = Shop::start(jdk, &[]);
        let mut first = attach(&shop);
        let error = Agent::attach(shop.pid(), shop.folder()).unwrap_err();
        assert!(error.to_string().contains("another Tacho"), "{error}");
        // The first goes on.
        first.begin(&[Probe::exceptions("thrown")], &own()).unwrap();
        shop.act("swallow 5");
        assert_eq!(
            owned(&of(&first.snapshot().unwrap(), "thrown"), "swallow")[0].count,
            5
        );
        drop(first);
        let mut second = attach(&shop);
        second
            .begin(&[Probe::exceptions("thrown")], &own())
            .unwrap();
        shop.act("swallow 7");
        assert_eq!(
            owned(&of(&second.snapshot().unwrap(), "thrown"), "swallow")[0].count,
            7
        );
        end(second);
        assert_eq!(
            std::fs::read_dir(shop.folder()).unwrap().count(),
            0,
            "folders of sessions are left"
        );
    });
}

#[test]
fn no_port_is_opened_and_no_thread_is_left() {
    each_jvm(|jdk| {
        let mut shop = Shop::start(jdk, &[]);
        let listening = || {
            let tables = ["tcp", "tcp6", "udp", "udp6"].map(|name| {
                std::fs::read_to_string(format!("/proc/{}/net/{name}", shop.pid()))
                    .unwrap_or_default()
            });
            let own = std::fs::read_dir(format!("/proc/{}/fd", shop.pid()))
                .unwrap()
                .flatten()
                .filter_map(|fd| {
                    let link = std::fs::read_link(fd.path()).ok()?;
                    Some(
                        link.to_str()?
                            .strip_prefix("socket:[")?
                            .strip_suffix(']')?
                            .to_owned(),
                    )
                });
            own.filter(|inode| {
                tables.iter().any(|table| {
                    table
                        .lines()
                        .any(|line| line.split_whitespace().nth(9) == Some(inode))
                })
            })
            .count()
        };
        let before = listening();
        let mut agent = attach(&shop);
        agent
            .begin(&[Probe::class_look_ups("classes")], &own())
            .unwrap();
        assert_eq!(listening(), before);
        let threads = |jvm: &tacho_attach::Jvm| {
            jvm.jcmd("Thread.print")
                .unwrap()
                .contains("\"tacho-agent\"")
        };
        assert!(threads(agent.jvm()));
        let jvm = agent.jvm().clone();
        end(agent);
        until("the end of its thread", || (!threads(&jvm)).then_some(()));
        shop.act("absent 1");
    });
}

/// What the JVM says of its metaspace when the loaders of sessions have gone with a collection.
fn metaspace(shop: &mut Shop) -> String {
    for _ in 0..3 {
        shop.act("gc 1");
    }
    let jvm = wake(shop.pid());
    jvm.jcmd("VM.metaspace show-loaders show-classes").unwrap()
}

/// Of all loaders together, in KiB: "Both: 68 chunks, 11.36 MB capacity, ... 11.04 MB ( 97%) used,
/// ...". What the old version of a class no longer needs is given out again, and counts as used
/// meanwhile.
fn used_kib(metaspace: &str) -> f64 {
    let total = metaspace.split("Total Usage").nth(1).unwrap();
    let both = total
        .lines()
        .find(|line| line.trim_start().starts_with("Both:"))
        .unwrap();
    let used = both.split(',').find(|part| part.contains("used")).unwrap();
    let mut words = used.split_whitespace();
    let number: f64 = words.next().unwrap().parse().unwrap();
    number
        * match words.next().unwrap() {
            "KB" => 1.0,
            "MB" => 1024.0,
            unit => panic!("{unit}: {used}"),
        }
}

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

/// Versions of `java.lang.ClassLoader` that the JVM holds.
fn versions(metaspace: &str) -> usize {
    let is_one = |line: &&str| line.trim_end().ends_with(" java.lang.ClassLoader");
    metaspace.lines().filter(is_one).count()
}

/// What a session may leave in a process and beside it, by what it is; numbers that differ from one
/// to the next are left out.
#[derive(Debug, PartialEq, Eq)]
struct Held {
    descriptors: BTreeMap<String, usize>,
    threads: BTreeMap<String, usize>,
    files: BTreeMap<String, usize>,
}

impl Held {
    fn by(shop: &Shop) -> Self {
        let pid = shop.pid().to_string();
        let links = entries(&format!("/proc/{pid}/fd"));
        let descriptors = links.iter().map(|fd| {
            let to = std::fs::read_link(fd).unwrap_or_default();
            unnumbered(&to.display().to_string())
        });
        let jvm = wake(shop.pid());
        let stacks = jvm.jcmd("Thread.print").unwrap();
        let names = stacks.lines().filter_map(|line| {
            let (name, _) = line.strip_prefix('"')?.split_once('"')?;
            // The JVM compiles and collects with as many threads as it thinks fit, whatever is done
            // to it.
            let own = ["C1 ", "C2 ", "G1 ", "GC ", "Sweeper"];
            let is_own = own.iter().any(|prefix| name.starts_with(prefix));
            (!is_own).then(|| unnumbered(name))
        });
        let temporary = entries("/tmp").into_iter().filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            has_number(&name, &pid)
        });
        // The jar and the sampler's library are one for each version, and stay; another test may
        // put one there meanwhile.
        let user = rustix::process::geteuid().as_raw();
        let agents = entries(&format!("/tmp/.tacho-agent-{user}"))
            .into_iter()
            .filter(|path| {
                path.extension()
                    .is_none_or(|end| end != "jar" && end != "so")
            });
        let files = temporary
            .chain(entries(&shop.folder().display().to_string()))
            .chain(agents)
            .map(|path| unnumbered(&path.display().to_string()));
        Self {
            descriptors: counted_by_name(descriptors),
            threads: counted_by_name(names),
            files: counted_by_name(files),
        }
    }

    /// By what `now` has more of something.
    fn more(&self, now: &Self) -> Vec<String> {
        let grown = |what: &str, old: &BTreeMap<String, usize>, new: &BTreeMap<String, usize>| {
            new.iter()
                .filter(|(name, count)| old.get(*name).unwrap_or(&0) < count)
                .map(|(name, count)| format!("{what} {name}: {count}"))
                .collect::<Vec<_>>()
        };
        [
            grown("descriptors", &self.descriptors, &now.descriptors),
            grown("threads", &self.threads, &now.threads),
            grown("files", &self.files, &now.files),
        ]
        .concat()
    }
}

fn entries(folder: &str) -> Vec<std::path::PathBuf> {
    std::fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default()
}

/// Whether a number is in a text, and not only in a longer number.
fn has_number(text: &str, number: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits == number)
}

fn unnumbered(text: &str) -> String {
    text.replace(|c: char| c.is_ascii_digit(), "#")
}

fn counted_by_name(names: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    names.fold(BTreeMap::new(), |mut counts, name| {
        *counts.entry(name).or_default() += 1;
        counts
    })
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

/// What is held when what goes by itself has gone; only what stays is looked for as long as this.
fn ended(shop: &Shop, before: &Held) -> Held {
    let begin = Instant::now();
    loop {
        let now = Held::by(shop);
        if before.more(&now).is_empty() || begin.elapsed().as_secs() > 60 {
            return now;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
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
