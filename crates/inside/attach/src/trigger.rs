//! Wakes a JVM's attach listener: create a file named after the process id and send SIGQUIT; the
//! JVM then creates its socket. (Without the file, the same signal prints the stacks of all
//! threads.)

use crate::error::AttachError;
use crate::socket::{self, Socket};
use crate::target::Target;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};
use tacho_foreign::{Folder, Root};

const LOOK: Duration = Duration::from_millis(10);

/// Its socket's name.
pub fn socket_name(target: &Target) -> String {
    format!(".java_pid{}", target.inner_pid)
}

/// The socket of the JVM, if it has created one: a socket file that belongs to the JVM's user.
pub fn socket(target: &Target) -> io::Result<Socket> {
    let (file, owner) = target
        .tmp()?
        .socket(&socket_name(target))?
        .ok_or_else(|| io::Error::other("it is no socket"))?;
    if owner != target.owner.user {
        return Err(io::Error::other(format!("it belongs to user {owner}")));
    }
    Ok(Socket {
        file,
        listener: target.pid,
    })
}

/// Removes a socket that an earlier JVM with the same number left, if it belongs to another user.
/// In a folder like `/tmp` (mode 1777) the new JVM could not replace it, and would never answer.
/// Only root can remove it. This is safe if nobody listens there: a JVM listens before its socket
/// has this name.
pub fn remove_left_socket(target: &Target) {
    if let Some(left) = left_socket(target)
        && socket::is_dead(&left)
        && let Ok(folder) = target.tmp()
    {
        let _ = folder.remove(&socket_name(target));
    }
}

/// What has its socket's name and is another user's.
fn left_socket(target: &Target) -> Option<Socket> {
    let (file, owner) = target.tmp().ok()?.socket(&socket_name(target)).ok()??;
    (owner != target.owner.user).then_some(Socket {
        file,
        listener: target.pid,
    })
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
            if left_socket(target).is_some() {
                return Err(AttachError::NameTaken {
                    pid: target.pid,
                    owner: target.owner.user,
                    socket: format!("/tmp/{}", socket_name(target)),
                });
            }
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
    // Open the descriptor first and check the start time afterwards. So no other process with the
    // same number gets the signal.
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

/// The file that tells a JVM to open its socket. The JVM looks in its working folder and in `/tmp`,
/// and accepts the file only from its own user. If the file cannot be created in `/tmp`, neither
/// can the socket, so the JVM is not woken in vain. Removed when dropped.
struct TriggerFile {
    folder: Folder,
    name: String,
}

impl TriggerFile {
    fn make(target: &Target) -> Result<Self, AttachError> {
        let name = format!(".attach_pid{}", target.inner_pid);
        // Open folders by handle, because names may change their target at any time.
        let working = || {
            let link = format!("/proc/{}/cwd", target.pid);
            Root::at(Path::new(&link))?.folder(Path::new("/"))
        };
        let make = |folder: Folder| {
            // Remove a file that a killed attacher left.
            let _ = folder.remove(&name);
            match folder.create(&name) {
                // Another attacher created it in the meantime. Its file wakes the JVM as well.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(folder),
                made => made.map(|_| folder),
            }
        };
        let made = match target.tmp().and_then(make) {
            // The JVM may have access where we do not, because it kept capabilities.
            Err(e) if e.kind() == io::ErrorKind::PermissionDenied => {
                working().and_then(make).map_err(|_| e)
            }
            made => made,
        };
        match made {
            Ok(folder) => Ok(Self { folder, name }),
            Err(source) => Err(AttachError::NoTmp {
                pid: target.pid,
                source,
            }),
        }
    }
}

impl Drop for TriggerFile {
    fn drop(&mut self) {
        let _ = self.folder.remove(&self.name);
    }
}
