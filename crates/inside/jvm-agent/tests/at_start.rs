//! Instruments in JVMs that have just begun: classes that the service, or the agent, will need are
//! not loaded yet. Whatever the instant, the service answers afterwards as it would have.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::sync::mpsc::channel;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use support::starting::{Starting, until};
use tacho_attach::{AttachError, Jvm};
use tacho_jvm_agent::{Agent, AgentError, Key, MethodPattern, Probe, Watch};
use tacho_test_jdks::{Jdk, jvms};

/// What is put in.
#[derive(Debug, Clone, Copy)]
enum Instrument {
    Watch,
    Trace,
    Exceptions,
    Classes,
    /// Much of what the agent itself works with.
    Library,
    LibraryTraced,
}

const ALL: [Instrument; 6] = [
    Instrument::Watch,
    Instrument::Trace,
    Instrument::Exceptions,
    Instrument::Classes,
    Instrument::Library,
    Instrument::LibraryTraced,
];

impl Instrument {
    fn put_in(self, agent: &mut Agent) {
        let own = ["com.acme.".to_owned()];
        let work = MethodPattern::of("com.acme.Starting", &["work"]);
        match self {
            Self::Watch => agent.watch(&watching(work), &own),
            Self::Trace => agent.trace(&[work], &[]),
            Self::Exceptions => agent.begin(&[Probe::exceptions("thrown")], &own),
            Self::Classes => agent.begin(
                &[
                    Probe::class_look_ups("classes"),
                    Probe::resource_look_ups("resources"),
                ],
                &own,
            ),
            Self::Library => {
                let probes = library().map(|pattern| {
                    Probe::new(&pattern.class.clone(), pattern)
                        .by(Key::Argument(1))
                        .by(Key::ReceiverClass)
                });
                agent.begin(&probes, &own)
            }
            Self::LibraryTraced => agent.trace(&library(), &[]),
        }
        .unwrap();
    }
}

fn library() -> [MethodPattern; 7] {
    let of = |class: &str, methods: &[&str]| MethodPattern::of(class, methods);
    [
        of("java.util.*HashMap", &["get", "put*", "resize"]),
        of("java.util.Arrays", &["copyOf*", "fill", "equals"]),
        of("java.util.concurrent.atomic.*", &["*"]),
        of("java.util.regex.*", &["matche*", "compile"]),
        of("java.lang.String", &["equals", "concat"]),
        of("java.lang.Throwable", &["*"]),
        of("java.lang.ClassLoader", &["*"]),
    ]
}

fn watching(methods: MethodPattern) -> Watch {
    Watch {
        methods,
        at_most: 100,
        slower_than_ns: 0,
        only_failed: false,
        depth: 2,
        length: 200,
        to_string: false,
    }
}

fn attach(service: &Starting) -> Agent {
    support::wake(service.pid());
    Agent::attach(service.pid(), &service.folder()).unwrap()
}

/// Takes it out, and sees that nothing is left.
fn end(agent: Agent, when: &str) {
    let removed = agent.end().unwrap();
    assert!(removed.is_clean(), "{when}: {removed:#?}");
}

#[test]
fn a_service_that_has_had_no_request_yet_answers_during_an_instrument_and_after_it() {
    for jvm in jvms() {
        for instrument in ALL {
            let when = format!("{instrument:?} on JDK {}", jvm.release);
            let mut service = Starting::listening(&jvm.home, &[]);
            let mut agent = attach(&service);
            instrument.put_in(&mut agent);
            service.answers(&format!("during {when}"));
            agent.snapshot().unwrap();
            end(agent, &when);
            service.answers(&format!("after {when}"));
            service.is_unharmed(&when);
        }
    }
}

/// By an agent beside ours, which the JVM asks about every class that it loads.
#[test]
fn no_class_is_loaded_inside_the_transformer_nor_inside_what_instrumented_code_calls() {
    let folder = tempfile::tempdir().unwrap();
    let beside = support::beside::loads(folder.path());
    for jvm in jvms() {
        for instrument in ALL {
            let when = format!("{instrument:?} on JDK {}", jvm.release);
            let mut service = Starting::listening(&jvm.home, &[&beside]);
            let mut agent = attach(&service);
            instrument.put_in(&mut agent);
            service.answers(&format!("during {when}"));
            agent.snapshot().unwrap();
            end(agent, &when);
            service.answers(&format!("after {when}"));
            service.is_unharmed(&when);
            let (examples, loaded): (Vec<_>, Vec<_>) = service
                .all_that_it_said()
                .iter()
                .filter(|line| line.starts_with("loaded "))
                .partition(|line| line.contains("as an example"));
            assert_eq!(examples.len(), 1, "the agent beside says nothing");
            assert!(loaded.is_empty(), "{when}: {loaded:#?}");
        }
    }
}

/// Numbers by chance, the same ones for the same seed (splitmix64).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn up_to(&mut self, most: Duration) -> Duration {
        most.mul_f64((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }
}

/// As soon as the JVM lets somebody in: until then it is no JVM yet, or deaf.
fn attach_at_once(pid: u32, folder: &std::path::Path) -> Agent {
    until("a JVM that listens", || match Agent::attach(pid, folder) {
        Ok(agent) => Some(agent),
        Err(AgentError::Attach(
            AttachError::Deaf { .. } | AttachError::NotHotSpot { .. } | AttachError::Io { .. },
        )) => None,
        // A JVM that starts on a busy machine may be late.
        Err(AgentError::Attach(AttachError::NoAnswer { .. })) => None,
        Err(error) => {
            let threads = Jvm::attach(pid).and_then(|jvm| jvm.jcmd("Thread.print"));
            panic!("{error}\n{threads:#?}")
        }
    })
}

/// One JVM, one instrument, one instant.
fn once(jvm: &Jdk, instrument: Instrument, after: Duration, first_request_waits: bool, when: &str) {
    let begin = Instant::now();
    let mut service = Starting::launch(&jvm.home, &[]);
    let (pid, folder) = (service.pid(), service.folder());
    // The first request of all comes while the instrument is put in; or as soon as the service
    // listens, whatever the instrument does. Each side goes on when the other has failed.
    let (is_in, wait_for_agent) = channel::<()>();
    let (listens, wait_for_service) = channel::<()>();
    std::thread::scope(|scope| {
        let instrumenting = scope.spawn(move || {
            std::thread::sleep(after.saturating_sub(begin.elapsed()));
            let mut agent = attach_at_once(pid, &folder);
            let _ = is_in.send(());
            if first_request_waits {
                let _ = wait_for_service.recv();
            }
            instrument.put_in(&mut agent);
            agent.snapshot().unwrap();
            end(agent, when);
        });
        if first_request_waits {
            service.port();
            let _ = wait_for_agent.recv();
            let _ = listens.send(());
        }
        service.answers(&format!("first, {when}"));
        while !instrumenting.is_finished() {
            service.answers(&format!("during {when}"));
        }
    });
    service.answers(&format!("after {when}"));
    service.is_unharmed(when);
}

/// As early as a JVM lets somebody in: some say that an agent is loaded and do not run it.
#[test]
fn an_agent_is_let_in_as_early_as_the_jvm_listens() {
    for jvm in jvms() {
        for time in 0..10 {
            let mut service = Starting::launch(&jvm.home, &[]);
            let agent = attach_at_once(service.pid(), &service.folder());
            let when = format!("at once on JDK {}, time {time}", jvm.release);
            end(agent, &when);
            service.answers(&format!("after {when}"));
            service.is_unharmed(&when);
        }
    }
}

fn at_random_instants(times: u32) {
    let seed = std::env::var("TACHO_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or_else(|| {
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
            u64::try_from(since.as_nanos() & u128::from(u64::MAX)).unwrap()
        });
    println!("TACHO_SEED={seed}");
    let mut chance = Chance(seed);
    for jvm in jvms() {
        let begin = Instant::now();
        Starting::listening(&jvm.home, &[]).answers("without an instrument");
        let starting = begin.elapsed();
        for time in 0..times {
            let instrument = ALL[time as usize % 4];
            let after = chance.up_to(starting.mul_f64(1.2));
            let first_request_waits = chance.next().is_multiple_of(2);
            let when = format!(
                "{instrument:?} on JDK {}, {} ms of {} after its start, time {time}",
                jvm.release,
                after.as_millis(),
                starting.as_millis()
            );
            once(jvm, instrument, after, first_request_waits, &when);
        }
    }
}

#[test]
fn whatever_the_instant_of_its_start_the_service_is_unharmed() {
    at_random_instants(8);
}

#[test]
#[ignore = "a quarter of an hour: make test-agent"]
fn whatever_the_instant_of_its_start_the_service_is_unharmed_hundreds_of_times() {
    at_random_instants(300);
}

/// No file that the JVM writes may have a byte: as with a full disk, and without one.
#[test]
fn an_agent_that_cannot_write_its_answer_says_why_and_goes() {
    for jvm in jvms() {
        let mut service = Starting::listening(&jvm.home, &[]);
        service.answers("before");
        let limit = |bytes| {
            let pid = rustix::process::Pid::from_raw(i32::try_from(service.pid()).unwrap());
            let limit = rustix::process::Rlimit {
                current: bytes,
                maximum: None,
            };
            rustix::process::prlimit(pid, rustix::process::Resource::Fsize, limit).unwrap();
        };
        support::wake(service.pid());
        limit(Some(0));
        let error = Agent::attach(service.pid(), &service.folder()).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("File too large") && text.contains("is there room"),
            "{text}"
        );
        limit(None);
        service.answers("after");
        service.is_unharmed("without room");
        // Nor is anything in the log of the service.
        assert!(!service.log().contains("Exception"), "{}", service.log());
        // It holds nothing, and the next one is let in.
        let session = format!("/tacho-{}-", service.pid());
        until("the end of what it holds", || {
            let held = std::fs::read_dir(format!("/proc/{}/fd", service.pid())).unwrap();
            held.flatten()
                .filter_map(|fd| std::fs::read_link(fd.path()).ok())
                .all(|file| !file.to_string_lossy().contains(&session))
                .then_some(())
        });
        let agent = until("the agent's end", || {
            Agent::attach(service.pid(), &service.folder()).ok()
        });
        agent.end().unwrap();
    }
}
