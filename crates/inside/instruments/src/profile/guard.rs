//! A process beside `tacho profile`. If `tacho profile` is killed, it ends the sampler.
//!
//! A sampler does not know who switched it on. An agent in the JVM could watch over it. But JDK 21
//! and newer log a warning for each agent that is loaded at run time (JEP 451), each agent leaves a
//! JVMTI environment behind, and some JVMs accept no agent. So the guard is an outside process. It
//! holds one end of a pipe, and the kernel closes the other end when Tacho ends, for whatever
//! reason. The guard has a session of its own, so neither the terminal nor a signal to Tacho's
//! process group reaches it. If the control group or the container of both is ended, the guard
//! ends, too. Then the sampler goes on until its planned end, or until the next profile stops it.

use super::left::{self, Name};
use super::sampler::DISCARDED;
use crate::error::InstrumentError;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::{Deserialize, Serialize};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tacho_attach::Jvm;
use tacho_jvm_agent::{OthersFolder, SharedFolder};

/// The command by which it is started; for Tacho alone.
pub const COMMAND: &str = "guard-profile";
/// This program, even if its file has been replaced since it was started.
const PROGRAM: &str = "/proc/self/exe";
const READY: &[u8] = b"ready\n";
/// Timeout for the guard to begin.
const BEGINNING: Duration = Duration::from_secs(30);
/// Time between two attempts to end a sampler.
const AGAIN: Duration = Duration::from_millis(500);

/// The guard process of one sampler. It is ended when this is dropped.
pub struct Guard(Child);

/// The sampler that the guard has to end.
#[derive(Debug, Serialize, Deserialize)]
struct Charge {
    jvm: u32,
    name: String,
    /// As the JVM names it.
    folder: PathBuf,
    /// The library of async-profiler; without it, the JVM's recorder is the sampler.
    library: Option<PathBuf>,
    /// The time after which the sampler ends by itself.
    ends_s: u64,
}

impl Guard {
    /// Starts the guard of a sampler that is about to be switched on.
    ///
    /// # Errors
    /// When there is no process to be had, or it cannot look into the JVM.
    pub fn start(
        jvm: &Jvm,
        name: &Name,
        shared: &SharedFolder,
        library: Option<&Path>,
        ends: Duration,
    ) -> io::Result<Self> {
        let charge = Charge {
            jvm: jvm.pid(),
            name: name.to_string(),
            folder: shared.path().to_owned(),
            library: library.map(Path::to_owned),
            ends_s: ends.as_secs(),
        };
        let child = Command::new(PROGRAM)
            .arg0("tacho")
            .arg(COMMAND)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        // From here on, the child is ended if anything fails.
        let mut guard = Self(child);
        guard.take_on(&charge)?;
        Ok(guard)
    }

    fn take_on(&mut self, charge: &Charge) -> io::Result<()> {
        let (Some(to), Some(from)) = (&mut self.0.stdin, &mut self.0.stdout) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let mut line = serde_json::to_vec(charge)?;
        line.push(b'\n');
        to.write_all(&line)?;
        let mut answer = [0; READY.len()];
        let within = Timespec {
            tv_sec: i64::try_from(BEGINNING.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: 0,
        };
        // The guard writes its whole answer at once, so a ready pipe holds all of it.
        if poll(&mut [PollFd::new(from, PollFlags::IN)], Some(&within))? == 0 {
            return Err(io::ErrorKind::TimedOut.into());
        }
        from.read_exact(&mut answer)?;
        if answer != READY {
            return Err(io::Error::other("it does not answer as it should"));
        }
        Ok(())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // Kill it before its pipe is closed, because there is nothing left to end.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs the guard until Tacho is gone. False if its input is not valid.
///
/// # Errors
/// When it cannot look into the JVM.
pub fn guard() -> Result<bool, InstrumentError> {
    // Otherwise the kernel would name it after its file, `exe`.
    let _ = rustix::thread::set_name(c"tacho-guard");
    // Fails if it already leads a process group, because somebody else started it. That does no
    // harm.
    let _ = rustix::process::setsid();
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        // The guard ends as soon as Tacho does; signals must not end it earlier. (They are caught
        // and ignored.)
        signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)))
            .map_err(InstrumentError::Signals)?;
    }
    let mut tacho = BufReader::new(io::stdin().lock());
    let mut line = String::new();
    let read = tacho.read_line(&mut line);
    let charge: Result<Charge, _> = serde_json::from_str(&line);
    let (Ok(_), Ok(charge)) = (read, charge) else {
        return Ok(false);
    };
    let Some(name) = Name::parse(&charge.name) else {
        return Ok(false);
    };
    // Attach now, while the process id is certain to belong to the right JVM.
    let jvm = Jvm::attach(charge.jvm)?;
    let folder = OthersFolder::find(&jvm, &charge.folder)?;
    // If this fails, Tacho is already gone.
    let _ = io::stdout().write_all(READY);
    let _ = io::stdout().flush();
    let _ = io::copy(&mut tacho, &mut io::sink());
    if end(&jvm, &name, &charge) {
        folder.remove();
        if let Some(library) = &charge.library
            && !jvm.is_musl()
        {
            tacho_jvm_agent::remove_left(&jvm, library);
        }
    }
    Ok(true)
}

/// Whether nobody writes into the folder any more. If the JVM does not answer, tries until the
/// sampler has ended by itself. The next profile then removes the folder.
fn end(jvm: &Jvm, name: &Name, charge: &Charge) -> bool {
    let planned = Instant::now() + Duration::from_secs(charge.ends_s);
    let discarded = charge.folder.join(DISCARDED);
    loop {
        match stop(jvm, name, charge.library.as_deref(), &discarded) {
            Ok(0) => return true,
            _ if !jvm.is_alive() => return true,
            _ if Instant::now() > planned => return false,
            _ => std::thread::sleep(AGAIN),
        }
    }
}

/// Stops the sampler, and returns how many were still on.
fn stop(jvm: &Jvm, name: &Name, library: Option<&Path>, discarded: &Path) -> io::Result<usize> {
    // The JVM answers commands in order. After this answer, Tacho's last command has been carried
    // out.
    jvm.properties().map_err(io::Error::other)?;
    let ours = |found: &Name| found == name;
    match library {
        None => left::stop_recordings(jvm, discarded, ours),
        Some(library) => left::stop_profiler(jvm, library, discarded, ours),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard_by(script: &str) -> io::Result<()> {
        let child = Command::new("sh")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Guard(child).take_on(&Charge {
            jvm: 1,
            name: "tacho-profile-1-2-3-4".to_owned(),
            folder: PathBuf::from("/tmp/tacho-profile-1-2-3-4-a"),
            library: None,
            ends_s: 30,
        })
    }

    #[test]
    fn only_one_that_says_that_it_is_ready_is_a_guard() {
        // It may have ended before it is told anything, or after.
        let ended = guard_by("exit").unwrap_err();
        let kinds = [io::ErrorKind::BrokenPipe, io::ErrorKind::UnexpectedEof];
        assert!(kinds.contains(&ended.kind()), "{ended}");
        let echoed = guard_by("exec cat").unwrap_err().to_string();
        assert_eq!(echoed, "it does not answer as it should");
        guard_by("read charge; echo ready; exec cat").unwrap();
    }
}
