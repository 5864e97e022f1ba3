//! v2 on a directory tree with the files that the kernel would show.

use super::*;

fn file(dir: &Path, name: &str, content: &str) {
    fs::create_dir_all(dir).unwrap();
    fs::write(dir.join(name), content).unwrap();
}

/// A directory as the kernel makes it, which hands down `down`.
fn cgroup(dir: &Path, controllers: &str, down: &str) {
    file(dir, "cgroup.controllers", controllers);
    file(dir, "cgroup.subtree_control", down);
    file(dir, "cgroup.procs", "");
}

fn unified(top: &Path, own: Option<PathBuf>) -> Unified {
    Unified {
        place: Place {
            top: top.to_owned(),
            own,
        },
    }
}

const BOTH: GroupLimits = GroupLimits {
    cpu: Some(0.25),
    memory_bytes: Some(256 << 20),
};

#[test]
fn a_group_without_limits_needs_no_controller() {
    let root = tempfile::tempdir().unwrap();
    cgroup(root.path(), "cpuset pids\n", "");
    let group = unified(root.path(), None)
        .create("g", &GroupLimits::default())
        .unwrap();
    assert_eq!(group.dirs(), [root.path().join("tacho/g")]);
}

#[test]
fn controllers_are_handed_down_by_every_parent() {
    let root = tempfile::tempdir().unwrap();
    cgroup(root.path(), "cpuset cpu io memory\n", "io\n");
    cgroup(&root.path().join("tacho"), "cpu memory\n", "");
    for dir in [root.path().to_owned(), root.path().join("tacho")] {
        hand_down(&dir, "memory", false).unwrap();
        let written = fs::read_to_string(dir.join("cgroup.subtree_control")).unwrap();
        assert!(written.starts_with("+memory"), "{written}");
    }
    // What is handed down already is not written again.
    file(root.path(), "cgroup.subtree_control", "cpu memory\n");
    hand_down(root.path(), "cpu", false).unwrap();
    let left = fs::read_to_string(root.path().join("cgroup.subtree_control")).unwrap();
    assert_eq!(left, "cpu memory\n");
}

#[test]
fn a_missing_controller_is_named_with_the_file_and_the_remedy() {
    let root = tempfile::tempdir().unwrap();
    cgroup(root.path(), "cpu pids\n", "cpu\n");
    cgroup(&root.path().join("tacho"), "cpu pids\n", "cpu\n");
    let error = unified(root.path(), None)
        .create("g", &BOTH)
        .unwrap_err()
        .to_string();
    for part in [
        "`memory`",
        "cgroup.controllers",
        "systemd-run --user --scope",
        "echo +memory",
        "Delegate=cpu memory",
    ] {
        assert!(error.contains(part), "{part} in {error}");
    }
    assert!(!root.path().join("tacho/g").exists());
}

#[test]
fn the_share_of_the_processors_can_change_and_be_all_of_them() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path();
    file(dir, "cpu.max", "25000 100000");
    let group = GroupV2::open(dir.to_owned());
    for (quota, expected) in [(Some(200_000), "200000 100000"), (None, "max 100000")] {
        file(dir, "cpu.max", "");
        group.set_quota(quota).unwrap();
        assert_eq!(fs::read_to_string(dir.join("cpu.max")).unwrap(), expected);
    }
}

#[test]
fn limits_are_written_in_the_form_of_the_kernel_and_read_back() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path();
    file(dir, "cpu.max", "");
    file(dir, "memory.max", "");
    file(dir, "memory.swap.max", "");
    write_limits(dir, &BOTH).unwrap();
    assert_eq!(
        fs::read_to_string(dir.join("cpu.max")).unwrap(),
        "25000 100000"
    );
    assert_eq!(
        fs::read_to_string(dir.join("memory.max")).unwrap(),
        "268435456"
    );
    assert_eq!(
        fs::read_to_string(dir.join("memory.swap.max")).unwrap(),
        "0"
    );
    assert_eq!(
        GroupV2::open(dir.to_owned()).limits_in_force().unwrap(),
        BOTH
    );
}

#[test]
fn a_limit_that_the_kernel_has_no_file_for_is_an_error() {
    let root = tempfile::tempdir().unwrap();
    let error = write_limits(root.path(), &BOTH).unwrap_err();
    assert!(error.to_string().contains("cpu.max"), "{error}");
}

#[test]
fn statistics_come_in_seconds_and_bytes() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path();
    file(
        dir,
        "cpu.stat",
        "usage_usec 2500000\nuser_usec 2000000\nsystem_usec 500000\nnr_periods 100\nnr_throttled 97\nthrottled_usec 7300000\n",
    );
    file(dir, "memory.current", "100000000\n");
    file(
        dir,
        "memory.stat",
        "anon 60000000\nfile 40000000\ninactive_file 30000000\nactive_file 10000000\n",
    );
    file(dir, "memory.peak", "120000000\n");
    file(
        dir,
        "memory.events",
        "low 0\nhigh 0\nmax 12\noom 2\noom_kill 2\noom_group_kill 0\n",
    );
    let group = GroupV2::open(dir.to_owned());
    let cpu = group.cpu().unwrap();
    assert_eq!((cpu.usage_s, cpu.user_s, cpu.system_s), (2.5, 2.0, 0.5));
    assert_eq!(
        (cpu.periods, cpu.throttled_periods, cpu.throttled_s),
        (100, 97, 7.3)
    );
    let memory = group.memory().unwrap();
    assert_eq!(memory.usage_bytes, 100_000_000);
    assert_eq!(memory.working_set_bytes, 70_000_000);
    assert_eq!(memory.peak_bytes, Some(120_000_000));
    assert_eq!(group.oom_kills().unwrap(), 2);
    assert_eq!(
        group.memory_detail().unwrap(),
        crate::MemoryDetail {
            anonymous_bytes: Some(60_000_000),
            file_bytes: Some(40_000_000),
            active_file_bytes: Some(10_000_000),
            inactive_file_bytes: Some(30_000_000),
            limit_hits: Some(12),
            high_events: Some(0),
            oom_events: Some(2),
            oom_kills: Some(2),
            ..Default::default()
        }
    );
}

#[test]
fn what_an_older_kernel_does_not_tell_is_absent() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path();
    file(
        dir,
        "cpu.stat",
        "usage_usec 10\nuser_usec 5\nsystem_usec 5\n",
    );
    file(dir, "memory.current", "4096\n");
    file(dir, "memory.stat", "inactive_file 8192\n");
    let group = GroupV2::open(dir.to_owned());
    assert_eq!(group.cpu().unwrap().throttled_periods, 0);
    let memory = group.memory().unwrap();
    assert_eq!((memory.working_set_bytes, memory.peak_bytes), (0, None));
    assert_eq!(group.limits_in_force().unwrap(), GroupLimits::default());
}

#[test]
fn our_own_group_is_used_when_it_was_delegated() {
    let root = tempfile::tempdir().unwrap();
    let own = root.path().join("user.slice/run-1.scope");
    cgroup(&own, "cpu memory\n", "cpu memory\n");
    let unified = unified(&root.path().join("not-writable"), Some(own.clone()));
    let group = unified.create("g", &GroupLimits::default()).unwrap();
    assert_eq!(group.dirs(), [own.join("tacho/g")]);
}

#[test]
fn processes_of_a_delegated_group_are_moved_to_a_leaf() {
    let root = tempfile::tempdir().unwrap();
    cgroup(root.path(), "cpu\n", "");
    file(root.path(), "cgroup.procs", "4242\n");
    file(&root.path().join(SUPERVISOR), "cgroup.procs", "");
    move_processes_to_leaf(root.path()).unwrap();
    let moved = fs::read_to_string(root.path().join(SUPERVISOR).join("cgroup.procs")).unwrap();
    assert_eq!(moved, "4242");
}

#[test]
fn the_doctor_learns_what_could_be_limited() {
    let root = tempfile::tempdir().unwrap();
    cgroup(root.path(), "cpu pids\n", "");
    let here = unified(root.path(), None);
    assert!(here.can_limit("cpu").is_ok());
    assert!(here.can_limit("memory").is_err());
    let nowhere = unified(&root.path().join("missing"), None);
    let error = nowhere.can_limit("cpu").unwrap_err().to_string();
    assert!(
        error.contains("systemd-run --user --scope -p Delegate=yes tacho"),
        "{error}"
    );
}
