//! The machine breaks: no room, no rights, no memory, no descriptors, no ports, another time, no
//! processor. The cause is named, the exit code is 4, what needs no file is printed, and what
//! was written is readable.

use crate::house::{House, says_one_of, until};
use crate::service::{Server, Service};
use crate::support::Told;
use rustix::process::Signal;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const NO_ROOM: [&str; 4] = ["disk is full", "no space left", "full", "room"];

/// No panic, no signal, no shell's word for one.
#[track_caller]
fn ended_by_itself(told: &Told) {
    assert!(
        told.code.is_some_and(|code| code < 100 || code == 130) && !told.err.contains("panicked"),
        "{told:#?}"
    );
}

/// `runs` is a disk of so much; afterwards `kept` is what was on it.
fn run_on_a_disk_of(kib: u64) -> Result<(), String> {
    let house = House::with("well", "launches: 3\n");
    let script = format!(
        "mkdir runs kept && mount -t tmpfs -o size={kib}k none runs || exit 99
         \"$0\" run experiment.yaml; code=$?
         for run in runs/*/; do \"$0\" report \"$run\" > report.out 2> report.err; echo $? > report.code; done
         cp -r runs/. kept; exit $code"
    );
    let told = house.run(house.unshared("-m", &script));
    println!("{kib} KiB: {told:#?}");
    let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        ended_by_itself(&told);
        let read = |name: &str| fs::read_to_string(house.work().join(name)).unwrap_or_default();
        if told.code == Some(4) {
            says_one_of(&told, &NO_ROOM);
        } else {
            // It was all written.
            assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
            assert!(told.out.contains("Report:"), "{told:#?}");
        }
        fs::remove_dir(house.work().join("runs")).unwrap();
        let runs = crate::house::entries(&house.work().join("kept"));
        for run in &runs {
            if House::launches(run).is_empty() {
                continue;
            }
            // On the full disk the report can be told, though not written.
            let printed = read("report.out");
            assert!(
                printed.contains("baseline") || printed.contains("Certificate"),
                "of {kib} KiB the report prints nothing: {printed}{}",
                read("report.err")
            );
            // And where there is room it is whole.
            house.report(run);
        }
        house.is_clean();
    }));
    checked.map_err(|why| {
        let why = why.downcast_ref::<String>().cloned().unwrap_or_default();
        format!("{kib} KiB: {}", why.chars().take(1500).collect::<String>())
    })
}

#[track_caller]
fn all(results: impl Iterator<Item = Result<(), String>>) {
    let broken: Vec<String> = results.filter_map(Result::err).collect();
    assert!(broken.is_empty(), "{} broken: {broken:#?}", broken.len());
}

/// Sizes at which another file is the first that has no room: the experiment, the plan, a launch,
/// the page.
#[test]
fn a_full_disk_at_four_files() {
    if crate::house::is_root() {
        all([12, 64, 160, 400].into_iter().map(run_on_a_disk_of));
    }
}

#[test]
#[ignore = "long: a disk for each 4 KiB up to 1 MiB"]
fn a_full_disk_at_each_file() {
    if crate::house::is_root() {
        all((4..=1024).step_by(4).map(run_on_a_disk_of));
    }
}

/// The temporary folder is full; what does its work there says so.
fn with_full_tmp(house: &House, arguments: &str) -> Told {
    let script = format!(
        "mount -t tmpfs -o size=64k none \"$TMPDIR\" && head -c 60000 /dev/zero > \"$TMPDIR/filling\"
         head -c 9999 /dev/zero >> \"$TMPDIR/filling\" 2> /dev/null; exec \"$0\" {arguments}"
    );
    let told = house.run(house.unshared("-m", &script));
    println!("{told:#?}");
    ended_by_itself(&told);
    told
}

#[test]
fn a_full_temporary_folder_in_a_load() {
    if !crate::house::is_root() {
        return;
    }
    let mut house = House::new();
    let server = Server::start(&mut house, "well");
    let told = with_full_tmp(
        &house,
        &format!("load http://127.0.0.1:{}/ping -n 5000", server.1),
    );
    assert_eq!(told.code, Some(4), "{told:#?}");
    says_one_of(&told, &NO_ROOM);
    house.is_clean();
}

#[test]
fn a_full_temporary_folder_in_a_watch() {
    if !crate::house::is_root() {
        return;
    }
    let mut house = House::new();
    let service = Service::start();
    house.welcome(service.pid());
    let told = with_full_tmp(
        &house,
        &format!("watch {} com.acme.Shop.work -n 3", service.pid()),
    );
    // Where it finds another place it may do its work.
    if told.code != Some(0) {
        assert_eq!(told.code, Some(4), "{told:#?}");
        says_one_of(&told, &NO_ROOM);
    }
    service.is_as_it_was();
    house.is_clean();
}

/// As a disk that is mounted for reading: root's rights do not help.
fn read_only(house: &House, folder: &str, command: &str) -> Told {
    let script = format!(
        "mkdir -p {folder} && mount --bind {folder} {folder} && mount -o remount,bind,ro {folder} && exec \"$0\" {command}"
    );
    let told = house.run(house.unshared("-m", &script));
    println!("{told:#?}");
    ended_by_itself(&told);
    told
}

#[test]
fn a_read_only_folder_for_runs_is_named() {
    if !crate::house::is_root() {
        return;
    }
    let house = House::with("well", "");
    let told = read_only(&house, "runs", "run experiment.yaml");
    assert_eq!(told.code, Some(4), "{told:#?}");
    says_one_of(&told, &["read-only"]);
    says_one_of(&told, &["runs"]);
    house.is_clean();
}

#[test]
fn a_read_only_run_folder_is_reported_on_the_terminal_and_as_json() {
    if !crate::house::is_root() {
        return;
    }
    let house = House::with("well", "");
    let told = house.run(house.tacho("run experiment.yaml"));
    assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
    let told = read_only(&house, "runs", "report runs/*");
    assert!(
        told.out.contains("Certificate"),
        "nothing is printed: {told:#?}"
    );
    assert!(matches!(told.code, Some(0 | 3 | 4)), "{told:#?}");
    says_one_of(&told, &["read-only"]);
    let told = read_only(&house, "runs", "report runs/* --json -");
    assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
    assert!(told.json()["certificate"].is_object(), "{told:#?}");
    house.is_clean();
}

/// The page has no room, the summary needs none.
#[test]
fn a_run_whose_page_cannot_be_written_prints_its_summary() {
    if !crate::house::is_root() {
        return;
    }
    let house = House::with("well", "launches: 1\n");
    // A folder in the place of the page: it cannot be written, everything else can.
    let started = house.start(house.tacho("run experiment.yaml --launches 500"));
    house.until_measured();
    fs::create_dir_all(house.run_folder().unwrap().join("report.html/in-its-place")).unwrap();
    started.signal(Signal::INT);
    let told = started.told();
    println!("{told:#?}");
    ended_by_itself(&told);
    assert!(told.out.contains("Certificate"), "no summary: {told:#?}");
    says_one_of(&told, &["report.html"]);
}

/// Under one of the shell's limits.
fn limited(house: &House, limit: &str, arguments: &str) -> Told {
    let told = house.run(house.shell(&format!("ulimit {limit}; exec \"$0\" {arguments}")));
    println!("{limit}: {told:#?}");
    told
}

/// What Rust's runtime says when it cannot map the stack for signal handlers of the main thread
/// (`std::rt::init`), in lower case.
const BEFORE_MAIN: &str = "fatal runtime error: initialization or cleanup bug";

/// An allocation that fails ends a Rust program with SIGABRT (`handle_alloc_error`), and so does
/// one inside glibc, which no program can turn into an exit code; everything else that wants memory
/// (a thread, a mapping) is an error like any other. Both say `memory`.
fn no_memory(kib: u64, arguments: &str, house: &House) -> Result<(), String> {
    let told = limited(house, &format!("-v {kib}"), arguments);
    // What the subject says of its own lack stands there as well.
    let text: String = [&told.out, &told.err]
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| !line.contains("hostile_subject.rs"))
        .map(|line| line.to_lowercase() + "\n")
        .collect();
    let aborted = told.code.is_none()
        && ["memory allocation of", "fatal glibc error"]
            .iter()
            .any(|said| text.contains(said));
    let done = matches!(told.code, Some(0 | 3)) && told.out.contains("Certificate");
    let said = told.code == Some(4) && text.contains("memory");
    // Below that neither the kernel, the loader nor Rust's runtime before `main` can bring the
    // program in; how much that is depends on the machine. Only the runtime may panic there.
    let never_begun = limited(house, &format!("-v {kib}"), "--version").code != Some(0);
    let panicked = text.contains("panicked") && !(never_begun && text.contains(BEFORE_MAIN));
    let left = {
        house.run(house.tacho("schema run"));
        house.left()
    };
    match (aborted || done || said || never_begun) && left.is_empty() && !panicked {
        true => Ok(()),
        false => Err(format!("{kib} KiB: {told:#?} left: {left:#?}")),
    }
}

#[test]
fn no_memory_for_tacho() {
    let house = House::with("well", "launches: 1\n");
    let sizes = [40_000, 60_000, 90_000, 150_000];
    all(sizes
        .into_iter()
        .map(|kib| no_memory(kib, "run experiment.yaml", &house)));
}

#[test]
#[ignore = "long: each MiB up to 200"]
fn no_memory_for_tacho_at_each_mib() {
    let house = House::with("well", "launches: 1\n");
    all((10..200).map(|mib| no_memory(mib << 10, "run experiment.yaml", &house)));
}

const NO_DESCRIPTORS: [&str; 2] = ["descriptor", "ulimit -n"];

/// Each number is the first that lacks for something else. Enough is no fault, either.
fn descriptors(number: u64) -> Result<(), String> {
    let house = House::with(
        "well",
        "launches: 1\nsubject: {ready: {http: /health, timeout: 60s}}\n",
    );
    let told = limited(&house, &format!("-n {number}"), "run experiment.yaml");
    let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        ended_by_itself(&told);
        let done = matches!(told.code, Some(0 | 3)) && told.out.contains("Certificate");
        let failed = House::launches(&house.run_folder().unwrap_or_default())
            .iter()
            .any(|launch| launch["outcome"]["state"] == "failed");
        if !done || failed {
            assert_eq!(told.code, Some(4), "{told:#?}");
            says_one_of(&told, &NO_DESCRIPTORS);
        }
        house.is_clean();
    }));
    checked.map_err(|why| {
        let why = why.downcast_ref::<String>().cloned().unwrap_or_default();
        format!("{number} descriptors: {why}")
    })
}

#[test]
fn no_file_descriptors_in_a_run() {
    all([10, 14, 17, 20, 24].into_iter().map(descriptors));
}

#[test]
#[ignore = "long: each number up to 60"]
fn no_file_descriptors_in_a_run_at_each_number() {
    all((4..60).map(descriptors));
}

/// With processors and memory limited there are more files, and a JVM is looked at more closely.
#[test]
fn no_file_descriptors_in_a_run_of_a_jvm() {
    let house = House::new();
    let text = format!(
        "tacho: 1\nname: {}\nsubject: {{artifact: '{}', ready: {{http: /, timeout: 10s}}}}\nvariants: [jar]\nrequests: [/]\nphases: [{{cold: {{requests: 3}}}}]\nlaunches: 1\nlimits: {{cpu: 1}}\n",
        house.name(),
        crate::service::jar().display()
    );
    house.write("experiment.yaml", &text);
    let told = limited(&house, "-n 20", "run experiment.yaml");
    ended_by_itself(&told);
    assert_eq!(told.code, Some(4), "{told:#?}");
    says_one_of(&told, &NO_DESCRIPTORS);
    house.is_clean();
}

#[test]
fn no_file_descriptors_in_a_load() {
    let mut house = House::new();
    let server = Server::start(&mut house, "well");
    let arguments = format!("load http://127.0.0.1:{}/ping -c 64 -n 500", server.1);
    let told = limited(&house, "-n 20", &arguments);
    ended_by_itself(&told);
    assert_eq!(told.code, Some(4), "{told:#?}");
    says_one_of(&told, &NO_DESCRIPTORS);
    house.is_clean();
}

/// A network of its own with one port to connect from.
#[test]
fn no_free_port() {
    if !crate::house::is_root() {
        return;
    }
    let house = House::new();
    let script = format!(
        "ip link set lo up && echo '40000 40000' > /proc/sys/net/ipv4/ip_local_port_range || exit 99
         {} 22222 well > server.log & server=$!
         until grep -q listening server.log; do sleep 0.05; done
         \"$0\" load http://127.0.0.1:22222/ping -c 8 -n 500; code=$?
         kill $server; exit $code",
        crate::house::hostile_subject().display()
    );
    let told = house.run(house.unshared("-n", &script));
    println!("{told:#?}");
    ended_by_itself(&told);
    // The connection that has the port answers the more, the quicker it is: how many of the
    // requests fail beside it, and so whether the result may be used, is open. That it is said is
    // not.
    assert!(matches!(told.code, Some(0 | 3 | 4)), "{told:#?}");
    says_one_of(&told, &["no free port", "no local port", "local ports"]);
    house.is_clean();
}

#[test]
fn a_limit_on_the_size_of_files() {
    let house = House::with("well", "launches: 2\n");
    // Blocks of 1024 bytes in bash.
    let told = limited(&house, "-f 24", "run experiment.yaml");
    ended_by_itself(&told);
    assert_eq!(told.code, Some(4), "{told:#?}");
    says_one_of(
        &told,
        &["file size", "file too large", "too large", "ulimit -f"],
    );
    if let Some(run) = house.run_folder()
        && !House::launches(&run).is_empty()
    {
        house.report(&run);
    }
    house.is_clean();
}

/// The wall clock of a process, moved while it runs. A time namespace has no CLOCK_REALTIME
/// (time_namespaces(7)), and the machine's own clock is others'. This library stands in for
/// libfaketime, which not every machine has: Tacho's debug build is linked dynamically, so that the
/// libc's functions can be put before. What asks the vDSO itself is not reached: of a launch that
/// is its `started_at`.
const CLOCK: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long moved(void) {
    const char *file = getenv("CLOCK_MOVED");
    return file && access(file, F_OK) == 0 ? atol(getenv("CLOCK_BY")) : 0;
}
int clock_gettime(clockid_t clock, struct timespec *now) {
    int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, now);
    if (clock == CLOCK_REALTIME) now->tv_sec += moved();
    return result;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    int (*real)(struct timeval *, void *) = dlsym(RTLD_NEXT, "gettimeofday");
    int result = real(now, zone);
    now->tv_sec += moved();
    return result;
}
time_t time(time_t *to) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to) *to = now.tv_sec;
    return now.tv_sec;
}
"#;

/// None, with the reason printed, where no C compiler is.
fn clock_library(house: &House) -> Option<PathBuf> {
    house.write("clock.c", CLOCK);
    let built = Command::new("cc")
        .args("-shared -fPIC -o clock.so clock.c -ldl".split(' '))
        .current_dir(house.work())
        .status();
    if !built.is_ok_and(|status| status.success()) {
        println!("skipped: there is no `cc` that could build a library which moves the clock");
        return None;
    }
    Some(house.work().join("clock.so"))
}

fn with_clock_moved_by(seconds: i64) {
    // Rests, so that there are launches left when the clock is moved.
    let house = House::with("well", "launches: 4\nrest: 3s\n");
    let Some(library) = clock_library(&house) else {
        return;
    };
    let mut command = house.tacho("run experiment.yaml");
    command
        .env("LD_PRELOAD", &library)
        .env("CLOCK_MOVED", house.work().join("moved"))
        .env("CLOCK_BY", seconds.to_string());
    let started = house.start(command);
    house.until_measured();
    house.write("moved", "");
    let told = started.told();
    println!("{told:#?}");
    assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
    let run = house.run_folder().unwrap();
    let launches = House::launches(&run);
    assert_eq!(launches.len(), 4);
    for launch in &launches {
        assert_eq!(launch["outcome"]["state"], "completed", "{launch:#}");
        for (name, value) in launch["time_line"].as_object().unwrap() {
            let Some(ms) = value.as_f64().filter(|_| name.ends_with("_ms")) else {
                continue;
            };
            assert!((0.0..600_000.0).contains(&ms), "{name}: {launch:#}");
        }
        for phase in launch["phases"].as_array().unwrap() {
            let seconds = phase["duration_s"].as_f64().unwrap();
            assert!((0.0..600.0).contains(&seconds), "{phase:#}");
        }
    }
    let header = fs::read(run.join("run.json")).unwrap();
    let header: serde_json::Value = serde_json::from_slice(&header).unwrap();
    let year = |name: &str| header[name].as_str().unwrap()[..4].parse::<i64>().unwrap();
    let moved = (year("finished_at") - year("started_at")).signum();
    assert_eq!(
        moved,
        seconds.signum(),
        "the clock was not moved: {header:#}"
    );
    house.report(&run);
    house.is_clean();
}

const TWO_YEARS: i64 = 2 * 366 * 86_400;

#[test]
fn a_clock_set_back_changes_no_figure() {
    with_clock_moved_by(-TWO_YEARS);
}

#[test]
fn a_clock_set_forward_changes_no_figure() {
    with_clock_moved_by(TWO_YEARS);
}

/// Users come at a rate of their own, whoever is stopped.
const USERS: &str = "phases: [{open: {rate: 100, duration: 6s, connections: 8}}]\n";

fn house_with_users(more: &str) -> House {
    let mut house = House::new();
    let port = house.port();
    let text = house.experiment(&[("it", port, "well")], &format!("launches: 1\n{more}"));
    let closed = "phases:\n  - cold: {requests: 3}\n  - closed: {requests: 200, connections: 4}\n";
    house.write("experiment.yaml", &text.replace(closed, USERS));
    house
}

/// Once requests are on their way: they are written down one by one.
fn until_users_come(house: &House) {
    until("users come", || {
        let runs = house.run_folders();
        let mut files = runs.iter().flat_map(|run| crate::house::below(run));
        files.any(|path| {
            path.ends_with("requests.csv")
                && fs::metadata(&path).is_ok_and(|file| file.len() > 1_000)
        })
    });
}

fn stop_tacho_for(seconds: u64) {
    let house = house_with_users("");
    let started = house.start(house.tacho("run experiment.yaml"));
    until_users_come(&house);
    started.signal(Signal::STOP);
    std::thread::sleep(Duration::from_secs(seconds));
    started.signal(Signal::CONT);
    let told = started.told();
    println!("{told:#?}");
    assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
    let run = house.run_folder().unwrap();
    let results: serde_json::Value =
        serde_json::from_slice(&fs::read(run.join("results.json")).unwrap()).unwrap();
    // The generator itself was late, and a reader has to know.
    let state = &results["certificate"]["state"];
    assert_ne!(state, "valid", "{:#}", results["certificate"]);
    let evidence = results["certificate"]["evidence"].to_string();
    let late = ["late", "lag", "delay"]
        .iter()
        .any(|word| evidence.contains(word));
    assert!(late, "{evidence}");
    house.report(&run);
    house.is_clean();
}

#[test]
fn tacho_stopped_for_three_seconds_is_told_by_the_certificate() {
    stop_tacho_for(3);
}

#[test]
#[ignore = "long: ten seconds"]
fn tacho_stopped_for_ten_seconds_is_told_by_the_certificate() {
    stop_tacho_for(10);
}

/// Users who came meanwhile waited: that stands in the figures.
#[test]
fn a_subject_stopped_for_three_seconds_made_its_users_wait() {
    let house = house_with_users("");
    let started = house.start(house.tacho("run experiment.yaml"));
    until_users_come(&house);
    let subject = subject_of(&house);
    signal(subject, Signal::STOP);
    std::thread::sleep(Duration::from_secs(3));
    signal(subject, Signal::CONT);
    let told = started.told();
    println!("{told:#?}");
    assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
    let run = house.run_folder().unwrap();
    let launch = &House::launches(&run)[0];
    let max = launch["phases"][0]["response_time_ms"]["max"]
        .as_f64()
        .unwrap();
    assert!(max >= 2_000.0, "{launch:#}");
    house.report(&run);
    house.is_clean();
}

/// And never goes on.
#[test]
fn a_subject_that_stays_stopped_is_told_to_be_stopped() {
    let house = house_with_users("request-timeout: 2s\n");
    let started = house.start(house.tacho("run experiment.yaml"));
    until_users_come(&house);
    signal(subject_of(&house), Signal::STOP);
    let told = started.told();
    println!("{told:#?}");
    assert_eq!(told.code, Some(3), "{told:#?}");
    says_one_of(&told, &["stopped", "suspended", "SIGSTOP"]);
    house.report(&house.run_folder().unwrap());
    house.is_clean();
}

fn subject_of(house: &House) -> u32 {
    let port = house.experiment_port().to_string();
    let processes = crate::house::entries(Path::new("/proc"));
    let pids = processes
        .iter()
        .filter_map(|p| p.file_name()?.to_str()?.parse().ok());
    let mut subjects = pids.filter(|pid: &u32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words: Vec<&[u8]> = line.split(|b| *b == 0).collect();
        words[0].ends_with(b"hostile_subject") && words.get(1) == Some(&port.as_bytes())
    });
    subjects.next().expect("the subject")
}

fn signal(pid: u32, signal: Signal) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, signal).unwrap();
}

/// One for each processor.
struct Neighbours(Vec<Child>);

impl Neighbours {
    fn everywhere() -> Self {
        let processors = std::thread::available_parallelism().unwrap().get();
        let busy = |_| {
            let mut command = Command::new("sh");
            command
                .args(["-c", "while :; do :; done"])
                .stdin(Stdio::null());
            command.spawn().unwrap()
        };
        Self((0..processors).map(busy).collect())
    }
}

impl Drop for Neighbours {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn a_neighbour_who_steals_the_processors_is_told_by_the_certificate() {
    let house = house_with_users("");
    let neighbours = Neighbours::everywhere();
    let told = house.run(house.tacho("run experiment.yaml"));
    drop(neighbours);
    println!("{told:#?}");
    assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
    let run = house.run_folder().unwrap();
    let results: serde_json::Value =
        serde_json::from_slice(&fs::read(run.join("results.json")).unwrap()).unwrap();
    assert_ne!(
        results["certificate"]["state"], "valid",
        "{:#}",
        results["certificate"]
    );
    house.is_clean();
}
