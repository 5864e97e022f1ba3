//! `kill -9` of Tacho at random instants: after the next command nothing of it is left, and what it
//! measured is readable.

use crate::house::{Chance, House, below, entries, says_one_of};
use crate::service::{Server, Service, jar};
use rustix::process::Signal;
use std::fs;
use std::path::Path;
use std::time::Duration;

const SHORT: u64 = 3;
const LONG: u64 = 100;

/// Within the first `within` milliseconds; on a busy machine that is earlier in its life.
fn kill(house: &House, arguments: &str, chance: &mut Chance, within: u64) {
    let started = house.start(house.tacho(arguments));
    let after = chance.below(within);
    std::thread::sleep(Duration::from_millis(after));
    // It may have ended already: then that was the instant.
    started.signal(Signal::KILL);
    let told = started.kill();
    println!("`{arguments}` killed after {after} ms: {:?}", told.code);
    assert_ne!(told.code, Some(101), "{told:#?}");
}

/// Each launch that is on record is in the report; without one that is said.
fn is_readable(house: &House, run: &Path) {
    let launched = below(run).iter().any(|path| path.ends_with("launch.json"));
    if launched {
        house.report(run);
        return;
    }
    let mut command = house.tacho("report");
    command.arg(run);
    let told = house.run(command);
    let words = [
        "before anything was",
        "nothing was launched",
        "nothing was measured",
        "before the first",
        "before its first trial was over",
    ];
    says_one_of(&told, &words);
}

/// `names` are of what is built once a run, for `instants` kills.
fn each(house: &House, arguments: &str, seed: u64, instants: u64, within: u64, also: impl Fn()) {
    let mut chance = Chance::of(seed);
    let mut broken = Vec::new();
    for _ in 0..instants {
        kill(house, arguments, &mut chance, within);
        let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            // The command that comes next, whatever it is.
            assert_eq!(house.run(house.tacho("schema run")).code, Some(0));
            for run in entries(&house.work().join("runs")) {
                is_readable(house, &run);
            }
            also();
            house.is_clean();
        }));
        if let Err(why) = checked {
            let why = why.downcast_ref::<String>().cloned().unwrap_or_default();
            broken.push(why.chars().take(600).collect::<String>());
            // What was found once is not found again.
            for folder in [house.tmp(), house.work().join("runs")] {
                for path in entries(&folder) {
                    let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
                }
            }
        }
        let _ = fs::remove_dir_all(house.work().join("runs"));
    }
    assert!(
        broken.is_empty(),
        "{} of {instants}: {broken:#?}",
        broken.len()
    );
}

const LIMITED: &str = "limits: {cpu: 1}\nlaunches: 20\n";

fn run(instants: u64) {
    let house = House::with("well", LIMITED);
    each(&house, "run experiment.yaml", 1, instants, 4_000, || {});
}

fn stubborn(instants: u64) {
    let house = House::with("ignores-term", LIMITED);
    each(&house, "run experiment.yaml", 2, instants, 4_000, || {});
}

fn load(instants: u64) {
    let mut house = House::new();
    let server = Server::start(&mut house, "well");
    let arguments = format!(
        "load http://127.0.0.1:{}/ping --rate 200 -d 20s --json load.json",
        server.1
    );
    each(&house, &arguments, 3, instants, 1_500, || {});
}

fn fit(instants: u64) {
    let house = House::with("well", "launches: 1\n");
    let arguments = "fit experiment.yaml --only memory --memory 128MiB --json fit.json";
    each(&house, arguments, 4, instants, 4_000, || {});
}

fn warmup(instants: u64) {
    let house = House::with("well", "limits: {cpu: 1}\n");
    let arguments =
        "warmup experiment.yaml --recipes none,50,settled --rate 50 --duration 1s --launches 3";
    each(&house, arguments, 5, instants, 5_000, || {});
}

fn diagnose(instants: u64) {
    let house = House::new();
    let jar_here = format!("{}.jar", house.name());
    fs::copy(jar(), house.work().join(&jar_here)).unwrap();
    let arguments = format!(
        "diagnose {jar_here} --quick --request /x --cpu 1 --warm-up 200 --window 100 --sample 1s --launches 1"
    );
    let arguments = arguments.replace("/x", "/");
    each(&house, &arguments, 6, instants, 8_000, || {});
}

fn instrument(arguments: &str, seed: u64, instants: u64, within: u64) {
    let mut house = House::new();
    let service = Service::start();
    house.welcome(service.pid());
    let mut words = arguments.splitn(2, ' ');
    let (name, rest) = (words.next().unwrap(), words.next().unwrap());
    let arguments = format!("{name} {} {rest}", service.pid());
    each(&house, &arguments, seed, instants, within, || {
        service.is_as_it_was()
    });
}

fn profile(instants: u64) {
    instrument(
        "profile -d 20s --recorder --out profile",
        7,
        instants,
        4_000,
    );
}

fn trace(instants: u64) {
    instrument("trace com.acme.Shop.work -d 20s", 8, instants, 3_000);
}

fn watch(instants: u64) {
    instrument(
        "watch com.acme.Shop.work -n 10000 -d 20s",
        9,
        instants,
        3_000,
    );
}

macro_rules! at_random_instants {
    ($($what:ident $long:ident)*) => {$(
        #[test]
        fn $what() {
            super::$what(super::SHORT);
        }

        #[test]
        #[ignore = "long: 100 instants"]
        fn $long() {
            super::$what(super::LONG);
        }
    )*};
}

mod at_random_instants {
    at_random_instants! {
        run run_100
        stubborn stubborn_100
        load load_100
        fit fit_100
        warmup warmup_100
        diagnose diagnose_100
        profile profile_100
        trace trace_100
        watch watch_100
    }
}

/// The instant that random ones hit too seldom: a recording is on, and nobody will fetch it.
#[test]
fn a_killed_profile_leaves_no_recording_and_the_next_one_works() {
    let mut house = House::new();
    let service = Service::start();
    house.welcome(service.pid());
    let arguments = format!("profile {} -d 10m --recorder --out one", service.pid());
    let started = house.start(house.tacho(&arguments));
    crate::house::until("the JVM records", || service.is_recorded());
    started.signal(Signal::KILL);
    started.kill();
    let arguments = format!("profile {} -d 1s --recorder --out two", service.pid());
    let told = house.run(house.tacho(&arguments));
    assert_eq!(told.code, Some(0), "{told:#?}");
    service.is_as_it_was();
    house.is_clean();
}

/// Killed as soon as `held` says so, before the plan is written.
fn killed_before_a_launch(house: &House, held: impl Fn() -> bool) {
    let mut started = house.start(house.tacho("run experiment.yaml"));
    let begin = std::time::Instant::now();
    while !held() {
        let waits = begin.elapsed() < crate::house::PATIENCE && started.is_running();
        assert!(waits, "it never came so far: {:#?}", started.kill());
        std::thread::sleep(Duration::from_millis(2));
    }
    started.signal(Signal::KILL);
    started.kill();
    assert_eq!(house.run(house.tacho("schema run")).code, Some(0));
    let run = house.run_folder().expect("a run folder");
    let mut command = house.tacho("report");
    command.arg(&run);
    let told = house.run(command);
    println!("{told:#?}");
    says_one_of(&told, &["before anything was", "nothing was launched"]);
    house.is_clean();
}

#[test]
fn a_run_killed_while_it_builds_says_that_nothing_was_launched() {
    let house = House::new();
    let text = format!(
        "tacho: 1\nname: {}\nsubject: {{artifact: app.jar, build: 'touch building; sleep 600'}}\nvariants: [jar]\nrequests: [/]\n",
        house.name()
    );
    house.write("experiment.yaml", &text);
    killed_before_a_launch(&house, || house.work().join("building").exists());
}

/// An archive of classes takes a start of the JVM.
#[test]
fn a_run_killed_while_it_prepares_says_that_nothing_was_launched() {
    let house = House::new();
    let text = format!(
        "tacho: 1\nname: {}\nsubject: {{artifact: '{}'}}\nvariants: [jar, cds]\nrequests: [/]\nlimits: {{cpu: 1}}\n",
        house.name(),
        jar().display()
    );
    house.write("experiment.yaml", &text);
    killed_before_a_launch(&house, || {
        house.run_folder().is_some_and(|run| {
            let cds = below(&run.join("build"));
            run.join("run.json").exists() && !run.join("plan.json").exists() && !cds.is_empty()
        })
    });
}

#[test]
fn a_killed_fit_is_readable() {
    let house = House::with("well", "launches: 1\n");
    let started = house.start(house.tacho("fit experiment.yaml --only memory --memory 128MiB"));
    crate::house::until("a trial is measured", || {
        let runs = house.run_folders();
        runs.iter().any(|run| {
            let files = below(run);
            files
                .iter()
                .filter(|path| path.ends_with("launch.json"))
                .count()
                >= 2
        })
    });
    started.signal(Signal::KILL);
    started.kill();
    let told = house.report(&house.run_folder().unwrap());
    println!("{told:#?}");
    says_one_of(&told, &["memory"]);
    house.is_clean();
}
