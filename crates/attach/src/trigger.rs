//! Waking a JVM's attach listener: a file with the JVM's number, SIGQUIT, and its socket comes into being. (Without the file the same signal
//! prints the stacks of all threads.)

use crate::error::AttachError;
use crate::target::Target;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const LOOK: Duration = Duration::from_millis(10);

/// Where HotSpot on Linux has its socket, whatever `java.io.tmpdir` says.
pub fn socket(target: &Target) -> PathBuf {
    target.outside(Path::new(&format!("/tmp/.java_pid{}", target.inner_pid)))
}

/// Wakes it, and waits until `is_open`.
pub fn wake(
    target: &Target,
    patience: Duration,
    is_open: impl Fn() -> bool,
) -> Result<(), AttachError> {
    target.check_wakes()?;
    let _file = TriggerFile::make(target)?;
    send_quit(target)?;
    let begin = Instant::now();
    while !is_open() {
        if !target.is_alive() {
            return Err(AttachError::Died { pid: target.pid });
        }
        if begin.elapsed() > patience {
            return Err(AttachError::NoAnswer {
                pid: target.pid,
                waited: patience,
            });
        }
        std::thread::sleep(LOOK);
    }
    Ok(())
}

fn send_quit(target: &Target) -> Result<(), AttachError> {
    let died = AttachError::Died { pid: target.pid };
    let pid = i32::try_from(target.pid).ok().and_then(Pid::from_raw);
    let Some(handle) = pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()) else {
        return Err(died);
    };
    // The descriptor first, the start time after: so no other process of the same number gets it.
    if !target.is_alive() {
        return Err(died);
    }
    pidfd_send_signal(&handle, Signal::QUIT)
        .map_err(io::Error::from)
        .map_err(AttachError::io(format!(
            "send SIGQUIT to process {}",
            target.pid
        )))
}

/// Looked for by the JVM in its working folder and in `/tmp`, and believed when it is its user's. Removed when dropped.
struct TriggerFile(PathBuf);

impl TriggerFile {
    fn make(target: &Target) -> Result<Self, AttachError> {
        let name = format!(".attach_pid{}", target.inner_pid);
        let places = [
            target.outside(Path::new("/tmp")),
            PathBuf::from(format!("/proc/{}/cwd", target.pid)),
        ];
        let mut failure = io::Error::from(io::ErrorKind::NotFound);
        for place in places {
            let path = place.join(&name);
            // What an attacher has left that was killed.
            let _ = fs::remove_file(&path);
            match OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(&path)
            {
                Ok(_) => return Ok(Self(path)),
                Err(e) => failure = e,
            }
        }
        Err(AttachError::io(format!(
            "make {name} in /tmp or in the working folder of process {}, by which a JVM is woken (are both read-only?)",
            target.pid
        ))(failure))
    }
}

impl Drop for TriggerFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
