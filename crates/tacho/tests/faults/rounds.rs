//! Sessions in a JVM leave it as it was: the first one, in a JVM that has hardly begun, and a
//! thousand one after another.

use crate::house::House;
use crate::house::says_one_of;
use crate::service::Service;
use std::fs;

/// Until then caches fill: of classes, of the recorder, of the attach listener.
const FIRST: u64 = 3;

/// What a JVM holds.
#[derive(Debug, Clone, Copy)]
struct Held {
    descriptors: usize,
    threads: usize,
    metaspace_kib: u64,
    files: usize,
}

impl Held {
    fn by(service: &Service) -> Self {
        let count = |name: &str| {
            let entries = fs::read_dir(format!("/proc/{}/{name}", service.pid())).unwrap();
            entries.count()
        };
        service.jcmd("GC.run");
        // `Both: 60 chunks, 3430 KB capacity, 3410 KB (>99%) committed, 3373 KB ( 98%) used`
        let metaspace = service.jcmd("VM.metaspace scale=K");
        let both = metaspace.lines().find(|line| line.contains("Both:"));
        let used = both.and_then(|line| {
            let used = line.split(',').find(|part| part.contains("used"))?;
            let kib: f64 = used.split_whitespace().next()?.parse().ok()?;
            Some(kib as u64)
        });
        let pid = service.pid();
        let of_jvm =
            |path: &std::path::PathBuf| crate::house::has_number(&path.to_string_lossy(), pid);
        Self {
            descriptors: count("fd"),
            threads: count("task"),
            metaspace_kib: used.unwrap_or_else(|| panic!("{metaspace}")),
            files: crate::house::entries(std::path::Path::new("/tmp"))
                .iter()
                .filter(|p| of_jvm(p))
                .count(),
        }
    }
}

fn rounds(number: u64, commands: &[&str]) {
    let mut house = House::new();
    let service = Service::start();
    house.welcome(service.pid());
    let mut before = None;
    for round in 0..number + FIRST {
        if round == FIRST {
            before = Some(Held::by(&service));
        }
        for command in commands {
            let mut words = command.splitn(2, ' ');
            let (name, rest) = (words.next().unwrap(), words.next().unwrap());
            let told = house.run(house.tacho(&format!("{name} {} {rest}", service.pid())));
            assert_eq!(told.code, Some(0), "round {round}: {told:#?}");
        }
        let _ = fs::remove_dir_all(house.work().join("profile"));
    }
    service.is_as_it_was();
    let (before, after) = (before.unwrap(), Held::by(&service));
    println!("{number} rounds of {commands:?}: {before:?} -> {after:?}");
    // A socket of the attach listener or a thread of the JVM's own may come or go; one a round may
    // not.
    assert!(
        after.descriptors <= before.descriptors + 3,
        "{before:?} -> {after:?}"
    );
    assert!(
        after.threads <= before.threads + 2,
        "{before:?} -> {after:?}"
    );
    assert!(after.files <= before.files, "{before:?} -> {after:?}");
    // Generously: 64 KiB a round on top of 4 MiB are the JVM's own versions of classes.
    let bound = before.metaspace_kib + 4096 + number * 64;
    assert!(after.metaspace_kib <= bound, "{before:?} -> {after:?}");
    house.is_clean();
}

const TRACE_AND_WATCH: [&str; 2] = [
    "trace com.acme.Shop.work -d 100ms",
    "watch com.acme.Shop.work -n 1",
];
const PROFILE: [&str; 1] = ["profile -d 100ms --recorder --out profile"];

#[test]
fn of_trace_and_watch() {
    rounds(25, &TRACE_AND_WATCH);
}

/// Three seconds each: a JDK reads the recording.
#[test]
fn of_profile() {
    rounds(12, &PROFILE);
}

#[test]
#[ignore = "long: a thousand rounds"]
fn a_thousand_of_trace_and_watch() {
    rounds(1000, &TRACE_AND_WATCH);
}

#[test]
#[ignore = "long: a thousand rounds"]
fn a_thousand_of_profile() {
    rounds(1000, &PROFILE);
}

/// What the agent needs may not be loaded yet: the first request comes while the instrument is in.
fn before_the_first_request(instrument: &str) {
    for jdk in tacho_test_jdks::extremes() {
        let mut house = House::new();
        let service = Service::fresh(jdk);
        house.welcome(service.pid());
        let mut words = instrument.splitn(2, ' ');
        let (name, rest) = (words.next().unwrap(), words.next().unwrap());
        let started = house.start(house.tacho(&format!("{name} {} {rest}", service.pid())));
        let begin = std::time::Instant::now();
        // Asked all the time, from before until after; each request has to be answered.
        let mut asked = 0;
        let mut started = started;
        while started.is_running() && begin.elapsed() < crate::house::PATIENCE {
            if begin.elapsed().as_millis() > 1_500 {
                assert!(
                    service.answers(),
                    "JDK {}: request {asked} fails",
                    jdk.release
                );
                asked += 1;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let told = started.told();
        println!("JDK {}, {asked} requests: {told:#?}", jdk.release);
        assert!(
            service.answers(),
            "JDK {}: it answers no more: {told:#?}",
            jdk.release
        );
        assert_eq!(told.code, Some(0), "JDK {}: {told:#?}", jdk.release);
        service.is_as_it_was();
        house.is_clean();
    }
}

#[test]
fn a_watch_before_the_first_request_breaks_nothing() {
    before_the_first_request("watch com.acme.Shop.work -n 5 -d 10s");
}

#[test]
fn a_trace_before_the_first_request_breaks_nothing() {
    before_the_first_request("trace com.acme.Shop.work -d 4s");
}

#[test]
fn exceptions_before_the_first_request_break_nothing() {
    before_the_first_request("exceptions -d 4s");
}

#[test]
fn an_unknown_method_is_no_success() {
    let mut house = House::new();
    let service = Service::start();
    house.welcome(service.pid());
    for name in ["watch", "trace"] {
        let told = house.run(house.tacho(&format!(
            "{name} {} com.acme.Shop.none -d 1s",
            service.pid()
        )));
        assert!(matches!(told.code, Some(2..=4)), "{told:#?}");
        says_one_of(&told, &["com.acme.Shop.none"]);
    }
    service.is_as_it_was();
    house.is_clean();
}
