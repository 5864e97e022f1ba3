//! The instruments on a JVM of a container, seen from the node: mounts, process numbers and a user
//! of its own, as the runtimes of containers make them.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod container;
#[path = "../support/mod.rs"]
mod support;

use container::{Container, Kind, LOOKING, containers_can_be_made};
use rustix::process::{Pid, Signal, kill_process};
use std::process::Stdio;
use std::time::{Duration, Instant};
use support::Told;
use tacho_test_jdks::{extremes, oldest};

/// Where async-profiler is installed, it is what a profile is by.
fn has_profiler() -> bool {
    tacho_profiler::AsyncProfiler::find(&tacho_profiler::Places::here()).is_some()
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(120), "never: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn every_instrument_reaches_a_jvm_in_a_container_and_leaves_nothing_there() {
    if !containers_can_be_made() {
        return;
    }
    for jdk in extremes() {
        let container = Container::start(jdk, Kind::default());
        everything(&container);
    }
}

/// Its users are others on the node: user 1000 in there is 101000 here.
#[test]
fn a_container_with_users_of_its_own_is_reached_as_well() {
    if !containers_can_be_made() {
        return;
    }
    let kind = Kind {
        own_users: true,
        ..Kind::default()
    };
    let container = Container::start(oldest(), kind);
    assert_eq!(container.user_on_node(), 101_000);
    everything(&container);
}

fn everything(container: &Container) {
    assert_eq!(container.inner_pid(), 1);
    assert_ne!(container.pid(), 1);
    let before = container.tmp();

    let profile = container.told("profile", &["--interval", "1ms", "-d", "3s"]);
    assert_eq!(profile.code, Some(0), "{profile:#?}");
    assert!(profile.out.contains("Contained.work"), "{profile:#?}");
    if has_profiler() {
        assert!(profile.out.contains("by async-profiler"), "{profile:#?}");
    }
    let again = container.told("profile", &["--interval", "1ms", "-d", "1s"]);
    assert_eq!(again.code, Some(0), "{again:#?}");
    // The file has come anew, and is the same library to the JVM.
    let copies = container.mapped("libasyncProfiler");
    assert!(copies.len() <= 1, "{copies:?}");

    let trace = container.told("trace", &["com.acme.Contained.work", "-d", "1s"]);
    assert!(trace.out.contains("java.lang.String.format"), "{trace:#?}");
    let watch = container.told("watch", &["com.acme.Contained::work", "-n", "1"]);
    assert!(watch.out.contains("Contained.work()"), "{watch:#?}");
    let thrown = container.told("exceptions", &["-d", "500ms"]);
    assert!(
        thrown.out.contains("java.lang.NumberFormatException"),
        "{thrown:#?}"
    );
    let classes = container.told("classes", &["--failed", "-d", "500ms"]);
    assert_eq!(classes.code, Some(0), "{classes:#?}");

    // `used` is from the JVM's performance memory, `alive` from its class histogram.
    let memory = container.json("memory", &["--live", "--json", "-"]);
    for figure in ["used_bytes", "live_bytes"] {
        let bytes = memory["heap"][figure].as_u64();
        assert!(bytes.is_some_and(|bytes| bytes > 0), "{figure}: {memory:#}");
    }
    assert_eq!(container.tmp(), before, "something is left in there");

    // The recorder keeps a folder of its own in there, as long as the JVM lives.
    let recorded = container.told("profile", &["--recorder", "-d", "3s"]);
    assert_eq!(recorded.code, Some(0), "{recorded:#?}");
    assert!(
        recorded.out.contains("by flight recorder of the JVM"),
        "{recorded:#?}"
    );
    let ours = |name: &String| name.contains("tacho");
    assert!(!container.tmp().iter().any(ours), "{:?}", container.tmp());
    assert!(container.runs());
}

/// By its name: that of its main class, which no other JVM here has; or by the container's, which
/// tells it from all others that are called alike.
#[test]
fn a_jvm_in_a_container_is_found_by_its_name() {
    if !containers_can_be_made() {
        return;
    }
    let container = Container::start(oldest(), Kind::default());
    for name in [container.main_class(), container.host()] {
        let named = container.tacho(&["exceptions", &name, "-d", "300ms"]);
        assert_eq!(named.code, Some(0), "{named:#?}");
        let pid = format!("process {}", container.pid());
        assert!(named.out.contains(&pid), "{named:#?}");
    }
}

/// A container beside it, with the node's process numbers and few capabilities: root there may not
/// look into processes of other users, and asks as their user.
#[test]
fn root_without_the_right_to_trace_looks_in_as_the_jvms_user() {
    if !containers_can_be_made() {
        return;
    }
    let container = Container::start(oldest(), Kind::default());
    let seen = container.told_without(LOOKING, "exceptions", &["-d", "300ms"]);
    assert_eq!(seen.code, Some(0), "{seen:#?}");
    let thrown = "java.lang.NumberFormatException";
    assert!(seen.out.contains(thrown), "{seen:#?}");
    // Nobody is left to ask as.
    let rights = format!("{LOOKING},-setuid,-setgid");
    let unseen = container.told_without(&rights, "exceptions", &["-d", "300ms"]);
    assert_eq!(unseen.code, Some(4), "{unseen:#?}");
    assert!(unseen.err.contains("CAP_SYS_PTRACE"), "{unseen:#?}");
    // A signal without the file that explains it has the JVM write all its stacks into the log.
    assert!(!container.said().contains("thread dump"));
}

/// As `kubectl debug POD --target` makes one: the process numbers of the JVM, another file system,
/// and the capabilities that runtimes give.
#[test]
fn a_debug_container_looks_into_the_jvm_whose_numbers_it_shares() {
    if !containers_can_be_made() {
        return;
    }
    let container = Container::start(oldest(), Kind::default());
    for command in ["exceptions", "profile"] {
        let told = container.told_beside(command, &["-d", "1s"]);
        assert_eq!(told.code, Some(0), "{told:#?}");
        assert!(told.out.contains("process 1"), "{told:#?}");
    }
    let is_ours = |name: &String| name.contains("tacho");
    assert!(
        !container.tmp().iter().any(is_ours),
        "{:?}",
        container.tmp()
    );
}

/// `readOnlyRootFilesystem: true`, and no volume at /tmp.
#[test]
fn a_container_without_a_tmp_to_write_to_is_told_what_to_mount() {
    if !containers_can_be_made() {
        return;
    }
    let kind = Kind {
        tmp: None,
        ..Kind::default()
    };
    let container = Container::start(oldest(), kind);
    for command in ["profile", "exceptions"] {
        let told = container.told(command, &["-d", "300ms"]);
        assert_eq!(told.code, Some(4), "{told:#?}");
        assert!(told.err.contains("mount an emptyDir at /tmp"), "{told:#?}");
    }
    let memory = container.json("memory", &["--json", "-"]);
    assert!(memory["rss_bytes"].as_u64().is_some_and(|rss| rss > 0));
    let notes = memory["notes"].to_string();
    assert!(notes.contains("emptyDir"), "{notes}");
    assert!(container.runs());
}

/// HotSpot ends the JVM when its recorder finds the disk full.
#[test]
fn a_small_tmp_costs_the_profile_and_not_the_service() {
    if !containers_can_be_made() {
        return;
    }
    for jdk in extremes() {
        let kind = Kind {
            tmp: Some("size=48k"),
            ..Kind::default()
        };
        let container = Container::start(jdk, kind);
        for more in [&["-d", "1s"][..], &["--recorder", "-d", "1s"]] {
            let told = container.told("profile", more);
            assert_eq!(told.code, Some(4), "{told:#?}");
            assert!(told.err.contains("Make room there"), "{told:#?}");
            assert!(container.runs(), "the service has ended");
        }
        let ours = |name: &String| name.contains("tacho") && !name.starts_with(".tacho-agent");
        assert!(!container.tmp().iter().any(ours), "{:?}", container.tmp());
    }
}

#[test]
fn a_tmp_that_becomes_full_ends_the_profile_and_not_the_service() {
    if !containers_can_be_made() {
        return;
    }
    let kind = Kind {
        tmp: Some("size=64m"),
        ..Kind::default()
    };
    let container = Container::start(oldest(), kind);
    let tacho = container
        .command("profile", &["--recorder", "-d", "10min"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until("the recorder is on", || container.opened(".jfr").is_some());
    container.fill_tmp(52 << 20);
    let told = Told::of(&tacho.wait_with_output().unwrap());
    assert_eq!(told.code, Some(0), "{told:#?}");
    assert!(told.out.contains("sampling was ended after"), "{told:#?}");
    assert!(container.runs(), "the service has ended");
}

/// On a file system from which nothing is executed the library cannot be loaded.
#[test]
fn a_tmp_that_nothing_is_executed_from_is_no_end_of_a_profile() {
    if !containers_can_be_made() {
        return;
    }
    let kind = Kind {
        tmp: Some("noexec"),
        ..Kind::default()
    };
    let container = Container::start(oldest(), kind);
    let told = container.told("profile", &["-d", "3s"]);
    assert_eq!(told.code, Some(0), "{told:#?}");
    assert!(
        told.out.contains("by flight recorder of the JVM"),
        "{told:#?}"
    );
}

#[test]
fn what_a_profile_that_was_killed_has_left_in_a_container_goes() {
    if !containers_can_be_made() || !has_profiler() {
        return;
    }
    let container = Container::start(oldest(), Kind::default());
    let mut tacho = container
        .command("profile", &["-d", "10min"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until("the sampler is on", || {
        container.opened("tacho-profile").is_some()
    });
    let is_ours = |name: &String| name.contains("tacho");
    assert!(container.tmp().iter().any(is_ours), "{:?}", container.tmp());
    kill_process(Pid::from_child(&tacho), Signal::KILL).unwrap();
    tacho.wait().unwrap();
    until("its guard has cleaned up", || {
        !container.tmp().iter().any(is_ours)
    });
    assert!(container.runs());
}
