//! Groups for real: the kernel limits, counts, kills and removes. Needs root (or a delegated
//! group); as another user without the rights the tests say so and stop.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tacho_cgroup::{CgroupError, Group, GroupLimits, Hierarchy, Version, end_and_remove};

/// The hierarchy of this machine, with the rights to limit CPU and memory.
fn hierarchy() -> Option<Hierarchy> {
    let hierarchy = Hierarchy::detect().unwrap();
    let can = hierarchy.describe();
    if can.can_limit_cpu && can.can_limit_memory {
        return Some(hierarchy);
    }
    let root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    assert!(!root, "root, but {can}: {}", can.remedies.join("; "));
    eprintln!(
        "not tested, because this user may not: {}",
        can.remedies.join("; ")
    );
    None
}

/// A name that no other test process uses.
fn name(test: &str) -> String {
    format!("test-{}-{test}", std::process::id())
}

/// Runs a shell script inside the group.
fn inside(group: &Group, script: &str) -> Child {
    Command::new("sh")
        .arg("-c")
        .arg(format!(
            "for f in \"$@\"; do echo 0 > \"$f\" || exit 99; done; {script}"
        ))
        .arg("inside")
        .args(group.join_files())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

fn until(what: &str, mut condition: impl FnMut() -> bool) {
    // Only a hang is longer.
    let deadline = Instant::now() + Duration::from_secs(300);
    while !condition() {
        assert!(Instant::now() < deadline, "never: {what}");
        sleep(Duration::from_millis(5));
    }
}

fn existing(dirs: &[PathBuf]) -> Vec<&PathBuf> {
    dirs.iter().filter(|d| d.exists()).collect()
}

#[test]
fn a_burner_with_a_tenth_of_a_processor_is_throttled() {
    let Some(hierarchy) = hierarchy() else { return };
    let limits = GroupLimits {
        // So little that it is reached on a busy machine, too.
        cpu: Some(0.1),
        ..GroupLimits::default()
    };
    let group = hierarchy.create(&name("burner"), &limits).unwrap();
    assert_eq!(group.limits_in_force().unwrap(), limits);

    let mut child = inside(&group, "while :; do :; done");
    until("inside", || group.contains(child.id()).unwrap());
    let (start, before) = (Instant::now(), group.cpu().unwrap());
    // On a busy machine it may get less than its quota for a while.
    until("throttled", || {
        let cpu = group.cpu().unwrap();
        cpu.throttled_periods >= 5 && cpu.throttled_s > 0.1
    });
    sleep(Duration::from_secs(1));
    let (after, elapsed) = (group.cpu().unwrap(), start.elapsed().as_secs_f64());
    let used = after.usage_s - before.usage_s;
    // One period's quota may be spent at once at either end; a timer that comes late lets it run
    // on.
    assert!(used <= 0.1 * elapsed + 0.1, "{used} s in {elapsed} s");
    assert!(after.periods >= after.throttled_periods);

    group.kill_all().unwrap();
    child.wait().unwrap();
    // Its parts are read one after another: nobody may run meanwhile.
    let cpu = group.cpu().unwrap();
    assert!(
        cpu.user_s > 0.0 && cpu.user_s <= cpu.usage_s + 0.02,
        "{cpu:?}"
    );
    group.remove().unwrap();
}

#[test]
fn a_process_that_eats_memory_is_killed_and_counted() {
    let Some(hierarchy) = hierarchy() else { return };
    let limits = GroupLimits {
        memory_bytes: Some(32 << 20),
        ..GroupLimits::default()
    };
    let group = hierarchy.create(&name("eater"), &limits).unwrap();
    assert_eq!(group.limits_in_force().unwrap(), limits);
    assert_eq!(group.oom_kills().unwrap(), 0);

    // tail keeps the last line, and /dev/zero has no end of line.
    let status = inside(&group, "exec tail /dev/zero").wait().unwrap();
    assert_eq!(
        std::os::unix::process::ExitStatusExt::signal(&status),
        Some(9),
        "{status}"
    );
    assert_eq!(group.oom_kills().unwrap(), 1);
    let peak = group.memory().unwrap().peak_bytes.unwrap();
    assert!((30 << 20..=32 << 20).contains(&peak), "{peak}");
    group.remove().unwrap();
}

#[test]
fn memory_in_use_is_seen_while_it_is_used() {
    let Some(hierarchy) = hierarchy() else { return };
    let group = hierarchy
        .create(&name("holder"), &GroupLimits::default())
        .unwrap();
    let mut child = inside(
        &group,
        "exec sh -c 'head -c 20000000 /dev/zero | tail -c 20000000 | (sleep 60)'",
    );
    until("20 MB held", || {
        group.memory().unwrap().usage_bytes > 15_000_000
    });
    let memory = group.memory().unwrap();
    assert!(memory.working_set_bytes <= memory.usage_bytes, "{memory:?}");
    group.kill_all().unwrap();
    child.wait().unwrap();
    // The kernel gives it back when it has the time.
    until("the memory is given back", || {
        group.memory().unwrap().usage_bytes < 15_000_000
    });
}

#[test]
fn everything_is_ended_daemons_too_and_nothing_is_left() {
    let Some(hierarchy) = hierarchy() else { return };
    let group = hierarchy
        .create(&name("tree"), &GroupLimits::default())
        .unwrap();
    let dirs = group.dirs().to_vec();
    // A child, and a daemon that has forked twice and leads a session of its own.
    let mut child = inside(
        &group,
        "(setsid sh -c 'sleep 600 & sleep 600' &) ; sleep 600",
    );
    until("five processes", || group.pids().unwrap().len() == 5);
    let pids = group.pids().unwrap();
    assert!(pids.contains(&child.id()));
    assert!(!group.contains(std::process::id()).unwrap());

    group.kill_all().unwrap();
    assert_eq!(group.pids().unwrap(), []);
    child.wait().unwrap();
    group.remove().unwrap();
    group.remove().unwrap();
    assert_eq!(existing(&dirs), Vec::<&PathBuf>::new());
    let gone = group.cpu().unwrap_err();
    assert!(gone.is_gone(), "{gone}");
}

#[test]
fn what_a_killed_tacho_left_is_ended_with_groups_nested_in_it() {
    let Some(hierarchy) = hierarchy() else { return };
    let group = hierarchy
        .create(&name("leftover"), &GroupLimits::default())
        .unwrap();
    let dirs = group.dirs().to_vec();
    let nested = dirs[0].join("made-by-the-subject");
    std::fs::create_dir(&nested).unwrap();
    let mut child = inside(&group, "sleep 600 & exec sleep 600");
    until("two processes", || group.pids().unwrap().len() == 2);
    std::fs::write(nested.join("cgroup.procs"), child.id().to_string()).unwrap();
    assert!(group.contains(child.id()).unwrap());
    std::mem::forget(group); // As if by kill -9: nothing of ours runs any more.

    end_and_remove(&dirs).unwrap();
    child.wait().unwrap();
    assert_eq!(existing(&dirs), Vec::<&PathBuf>::new());
    end_and_remove(&dirs).unwrap();
}

#[test]
fn a_group_that_is_dropped_is_ended_and_removed() {
    let Some(hierarchy) = hierarchy() else { return };
    let group = hierarchy
        .create(&name("dropped"), &GroupLimits::default())
        .unwrap();
    let dirs = group.dirs().to_vec();
    let mut child = inside(&group, "exec sleep 600");
    until("inside", || group.contains(child.id()).unwrap());
    let again = hierarchy.create(group.name(), &GroupLimits::default());
    assert!(matches!(again, Err(CgroupError::Exists(_))), "{again:?}");
    assert!(
        !existing(&dirs).is_empty(),
        "the refused one must not remove the first"
    );
    drop(group);
    child.wait().unwrap();
    assert_eq!(existing(&dirs), Vec::<&PathBuf>::new());
}

#[test]
fn the_unified_hierarchy_tracks_and_kills_without_any_controller() {
    let Some(_rights) = hierarchy() else { return };
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap();
    let Some(top) = mounts
        .lines()
        .find(|l| l.contains(" - cgroup2 "))
        .and_then(|l| l.split(' ').nth(4))
        .map(Path::new)
    else {
        eprintln!("not tested, because no cgroup2 is mounted");
        return;
    };
    let unified = Hierarchy::at(top, Version::V2);
    let group = unified
        .create(&name("unified"), &GroupLimits::default())
        .unwrap();
    let dirs = group.dirs().to_vec();
    let mut child = inside(&group, "while :; do :; done");
    until("0.1 s of processor time", || {
        group.cpu().unwrap().usage_s > 0.1
    });
    assert!(group.contains(child.id()).unwrap());
    group.kill_all().unwrap();
    child.wait().unwrap();
    group.remove().unwrap();
    assert_eq!(existing(&dirs), Vec::<&PathBuf>::new());

    let available = std::fs::read_to_string(top.join("cgroup.controllers")).unwrap();
    if !available.contains("memory") {
        let limits = GroupLimits {
            memory_bytes: Some(32 << 20),
            ..GroupLimits::default()
        };
        let refused = unified.create(&name("refused"), &limits).unwrap_err();
        assert!(
            refused.to_string().contains("a v1 mount holds it"),
            "{refused}"
        );
        assert!(!top.join("tacho").join(name("refused")).exists());
    }
}

#[test]
fn two_of_us_do_not_remove_the_parent_under_each_other() {
    let Some(hierarchy) = hierarchy() else { return };
    let make_and_remove = |who: &str| {
        for i in 0..200 {
            let name = name(&format!("{who}{i}"));
            let group = hierarchy.create(&name, &GroupLimits::default()).unwrap();
            group.remove().unwrap();
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| make_and_remove("a"));
        scope.spawn(|| make_and_remove("b"));
    });
}

#[test]
fn the_directories_of_a_group_are_known_before_it_is_made() {
    let Some(hierarchy) = hierarchy() else { return };
    let name = name("planned");
    let planned = hierarchy.directories_of(&name);
    assert!(!planned.is_empty() && planned.iter().all(|dir| !dir.exists()));
    let group = hierarchy.create(&name, &GroupLimits::default()).unwrap();
    let mut made = group.dirs().to_vec();
    made.sort();
    assert_eq!(made, planned);
    group.remove().unwrap();
}

#[test]
fn a_group_of_another_is_read_and_never_changed() {
    let Some(hierarchy) = hierarchy() else { return };
    let limits = GroupLimits {
        cpu: Some(0.5),
        memory_bytes: Some(64 << 20),
    };
    let ours = hierarchy.create(&name("found"), &limits).unwrap();
    let mut child = inside(&ours, "exec sleep 600");
    until("inside", || ours.contains(child.id()).unwrap());
    let found = Hierarchy::of_process(child.id()).unwrap();
    assert_eq!(found.dirs().first(), ours.dirs().first());
    assert_eq!(found.name(), ours.name());
    assert_eq!(found.limits_in_force().unwrap(), limits);
    assert_eq!(found.pids().unwrap(), [child.id()]);
    assert!(found.cpu().unwrap().usage_s >= 0.0);
    assert!(found.memory().unwrap().usage_bytes > 0);
    for refused in [found.set_cpu(None), found.kill_all(), found.remove()] {
        assert!(
            matches!(refused, Err(CgroupError::Anothers(_))),
            "{refused:?}"
        );
    }
    drop(found);
    assert!(child.try_wait().unwrap().is_none());
    assert!(ours.dirs().iter().all(|dir| dir.exists()));
    ours.kill_all().unwrap();
    child.wait().unwrap();
    ours.remove().unwrap();
    assert!(Hierarchy::of_process(child.id()).is_none_or(|group| group.dirs() != ours.dirs()));
}
