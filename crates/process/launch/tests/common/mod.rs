//! Starting fakes.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tacho_launch::ready::{Condition, Watch};
use tacho_launch::{Child, Lease, LeaseFolder, Spawn, SpawnError, spawn};

pub static NEVER_STOP: AtomicBool = AtomicBool::new(false);
/// Only a hang is longer: what a watch is given that ends by itself, in seconds.
pub const HANG_S: f64 = 120.0;
pub const FAKE: &str = env!("CARGO_BIN_EXE_tacho-fake-subject");

/// A folder for one test, with its own leases.
pub struct Bench {
    pub scratch: tempfile::TempDir,
}

impl Bench {
    pub fn new() -> Self {
        Self {
            scratch: tempfile::tempdir().unwrap(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    pub fn leases(&self) -> LeaseFolder {
        LeaseFolder::at(&self.path("leases"))
    }

    pub fn log(&self) -> PathBuf {
        self.path("log.txt")
    }

    pub fn command(&self, command: &[&str]) -> Spawn {
        Spawn {
            command: command.iter().map(ToString::to_string).collect(),
            directory: self.scratch.path().to_owned(),
            environment: Default::default(),
            log: self.log(),
            join: Vec::new(),
            user: None,
            lease: Lease::take_in(&self.leases(), &[]).unwrap(),
        }
    }

    pub fn try_start(&self, command: &[&str]) -> Result<Child, SpawnError> {
        spawn(self.command(command))
    }

    pub fn start(&self, command: &[&str]) -> Child {
        self.try_start(command).unwrap()
    }

    pub fn fake(&self, arguments: &[&str]) -> Child {
        let mut command = vec![FAKE];
        command.extend(arguments);
        self.start(&command)
    }
}

/// Watched for this long at most.
pub fn watch(condition: Condition, seconds: f64) -> Watch<'static> {
    Watch {
        port: None,
        condition,
        preferred_paths: Vec::new(),
        timeout: Duration::from_secs_f64(seconds),
        stop: &NEVER_STOP,
        processes: None,
    }
}

pub fn auto() -> Condition {
    Condition::Auto { request_path: None }
}

pub fn http(path: &str) -> Condition {
    Condition::Http(path.into())
}

/// Two ports that were free a moment ago. The first is held until there is a second, so that they
/// are two.
pub fn two_free_ports() -> (u16, u16) {
    let [first, second] = [(); 2].map(|()| std::net::TcpListener::bind("127.0.0.1:0").unwrap());
    let port = |held: &std::net::TcpListener| held.local_addr().unwrap().port();
    (port(&first), port(&second))
}

/// Tries again until it holds or the patience ends.
pub fn eventually(patience: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let began = std::time::Instant::now();
    loop {
        if holds() {
            return true;
        }
        if began.elapsed() > patience {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Alive, and not only waiting to be noticed by its parent.
pub fn is_alive(pid: u32) -> bool {
    tacho_launch::processes::Process::read(pid).is_some_and(|p| !p.zombie)
}

pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}
