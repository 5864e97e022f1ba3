//! A process may move the place of its command line and of its environment (prctl(2),
//! PR_SET_MM_MAP, which takes no right of root's), and with a mapping of a terabyte
//! `/proc/PID/environ` has a terabyte. Tacho looks at the processes of everyone.
//!
//! `unsafe`, because what a hostile process does takes two system calls of its own.

#![allow(clippy::unwrap_used, clippy::expect_used, unsafe_code)]

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use tacho_launch::processes::Process;

const CHILD: &str = "TACHO_TEST_ENDLESS";
const MAPPED: usize = 1 << 30;
/// What may be kept of them, and what the test itself takes meanwhile.
const MOST_KIB: u64 = 100 << 10;

#[test]
fn words_without_end_take_no_memory() {
    if std::env::var_os(CHILD).is_some() {
        return be_endless();
    }
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["words_without_end_take_no_memory", "--exact", "--nocapture"])
        .env(CHILD, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut said = lines.by_ref().map_while(Result::ok);
    let said = said.find(|line| line.contains("endless:"));
    if said.is_none_or(|said| !said.ends_with("endless: yes")) {
        println!("skipped: this kernel has no PR_SET_MM_MAP (CONFIG_CHECKPOINT_RESTORE)");
        child.wait().unwrap();
        return;
    }
    let process = Process::read(child.id()).unwrap();
    let before = most_memory_kib();
    assert!(!process.has_mark("none"), "nothing of this is a mark");
    let _ = process.command();
    let grown = most_memory_kib() - before;
    drop(child.stdin.take());
    child.wait().unwrap();
    assert!(grown < MOST_KIB, "{grown} KiB for the words of one process");
}

/// The most that was ever resident.
fn most_memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.unwrap().trim().strip_suffix(" kB").unwrap();
    kib.parse().unwrap()
}

/// `struct prctl_mm_map` of linux/prctl.h.
#[repr(C)]
struct Map {
    start_code: u64,
    end_code: u64,
    start_data: u64,
    end_data: u64,
    start_brk: u64,
    brk: u64,
    start_stack: u64,
    arg_start: u64,
    arg_end: u64,
    env_start: u64,
    env_end: u64,
    auxv: u64,
    auxv_size: u32,
    exe_fd: u32,
}

const PR_SET_MM: i32 = 35;
const PR_SET_MM_MAP: u64 = 14;

/// All as it is, but for the words; then waits until nobody wants it any more.
fn be_endless() {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<u64> = stat
        .rsplit_once(')')
        .unwrap()
        .1
        .split_ascii_whitespace()
        .map(|field| field.parse().unwrap_or(0))
        .collect();
    // Numbered from 1 as in proc_pid_stat(5); the state is the third.
    let field = |number: usize| fields[number - 3];
    // SAFETY: a mapping of its own that nobody writes to; the structure lives until the call is
    // over, and its size is told.
    let done = unsafe {
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let words = libc::mmap(std::ptr::null_mut(), MAPPED, libc::PROT_READ, kind, -1, 0);
        let words = words as u64;
        let map = Map {
            start_code: field(26),
            end_code: field(27),
            start_data: field(45),
            end_data: field(46),
            start_brk: field(47),
            brk: libc::sbrk(0) as u64,
            start_stack: field(28),
            arg_start: words,
            arg_end: words + MAPPED as u64,
            env_start: words,
            env_end: words + MAPPED as u64,
            auxv: 0,
            auxv_size: 0,
            exe_fd: u32::MAX,
        };
        libc::prctl(
            PR_SET_MM,
            PR_SET_MM_MAP,
            &raw const map,
            size_of::<Map>(),
            0,
        )
    };
    println!("endless: {}", if done == 0 { "yes" } else { "no" });
    let _ = std::io::stdin().read_line(&mut String::new());
}
