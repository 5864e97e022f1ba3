//! What is seen of a process from outside, against what it is known to do.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Fake, MIB, about};
use std::path::Path;
use tacho_observe::process::{ProcessTree, exe, maps_file, pss_bytes, stat};

#[test]
fn memory_that_is_held_is_seen_and_so_is_its_release() {
    let mut fake = Fake::start();
    let mut tree = ProcessTree::new(fake.pid(), None);
    let (rss, pss) = (tree.usage().rss_bytes, tree.pss_bytes().unwrap());
    fake.does("allocate 64");
    assert!(about(tree.usage().rss_bytes - rss, 64 * MIB));
    assert!(about(tree.pss_bytes().unwrap() - pss, 64 * MIB));
    assert!(tree.usage().minor_faults > 0);
    fake.does("release");
    assert!(about(tree.usage().rss_bytes, rss));
}

#[test]
fn threads_are_counted() {
    let mut fake = Fake::start();
    let mut tree = ProcessTree::new(fake.pid(), None);
    assert_eq!(tree.usage().threads, 1);
    fake.does("threads 7");
    assert_eq!(tree.usage().threads, 8);
}

#[test]
fn processor_time_is_that_of_the_process_and_of_its_children() {
    let mut fake = Fake::start();
    let mut tree = ProcessTree::new(fake.pid(), None);
    fake.does("burn 0.4");
    let own = tree.usage().cpu_s;
    assert!((0.37..0.6).contains(&own), "{own}");
    fake.does("reap 0.3");
    let with_child = tree.usage().cpu_s - own;
    assert!((0.27..0.5).contains(&with_child), "{with_child}");
}

#[test]
fn children_belong_to_the_tree_and_shared_pages_count_once_in_pss() {
    let mut fake = Fake::start();
    let alone = ProcessTree::new(fake.pid(), None).usage();
    fake.does("child");
    fake.does("child");
    let mut tree = ProcessTree::new(fake.pid(), None);
    let usage = tree.usage();
    assert_eq!(usage.processes, 3);
    assert_eq!(usage.threads, 3);
    assert!(usage.rss_bytes > alone.rss_bytes);
    let pids = tree.pids();
    assert_eq!(pids.len(), 3);
    assert!(pids.contains(&fake.pid()));
    for pid in &pids {
        assert!(pss_bytes(*pid).unwrap() < stat_rss(*pid));
    }
    assert!(tree.pss_bytes().unwrap() < usage.rss_bytes);
}

fn stat_rss(pid: u32) -> u64 {
    ProcessTree::new(pid, None).usage().rss_bytes
}

#[test]
fn a_tree_that_has_ended_uses_nothing() {
    let fake = Fake::start();
    let pid = fake.pid();
    let mut tree = ProcessTree::new(pid, None);
    assert_eq!(tree.usage().processes, 1);
    fake.ends();
    assert_eq!(tree.usage(), Default::default());
    assert!(tree.pids().is_empty());
    assert_eq!(tree.pss_bytes(), None);
    assert_eq!(stat(pid), None);
}

#[test]
fn the_executable_and_what_is_mapped_are_known() {
    let fake = Fake::start();
    let program = Path::new(env!("CARGO_BIN_EXE_fake-process"))
        .canonicalize()
        .unwrap();
    assert_eq!(exe(fake.pid()).unwrap(), program);
    assert!(maps_file(fake.pid(), &program).unwrap());
    assert!(!maps_file(fake.pid(), Path::new("/etc/passwd")).unwrap());
    assert!(maps_file(fake.pid(), Path::new("/no/such/file")).is_err());
}
