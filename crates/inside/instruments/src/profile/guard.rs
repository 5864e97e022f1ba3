//! A process beside `tacho profile` that ends what it has switched on, should it be killed.
//!
//! Samplers know nothing of whoever has switched them on. An agent in the JVM could look after
//! them, but JDK 21 and newer write a warning into the service's log for each agent that is loaded
//! while it runs (JEP 451), each leaves a JVMTI environment in it, and some JVMs let none in. So it
//! is a process outside. It holds one end of a pipe; the kernel closes the other one when Tacho
//! ends, however that ends. It is in a session of its own, so that neither the terminal nor a
//! signal to Tacho's process group reaches it. Who ends the control group or the container of both
//! ends it as well: then the sampler goes on until its planned end, or the next profile.

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
/// This program, also when its file has been replaced since it was started.
const PROGRAM: &str = "/proc/self/exe";
const READY: &[u8] = b"ready\n";
/// It begins at once, or not at all.
const BEGINNING: Duration = Duration::from_secs(30);
/// Until it is tried again to end a sampler.
const AGAIN: Duration = Duration::from_millis(500);

/// The guard of one sampler. It goes with this.
pub struct Guard(Child);

/// What it has to end.
#[derive(Debug, Serialize, Deserialize)]
struct Charge {
    jvm: u32,
    name: String,
    /// As the JVM names it.
    folder: PathBuf,
    /// Of async-profiler; without one the recorder is on.
    library: Option<PathBuf>,
    /// The sampler ends by itself after so long.
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
        // From here on it is ended when anything goes wrong.
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
        // It is written at once, or nothing is.
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
        // Before its pipe is closed: nothing is to be ended any more.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The guard's own life, until Tacho is gone. False when what it is told is no charge.
///
/// # Errors
/// When it cannot look into the JVM.
pub fn guard() -> Result<bool, InstrumentError> {
    // The kernel has it from the name of the file, `exe`.
    let _ = rustix::thread::set_name(c"tacho-guard");
    // It may lead a group already, where somebody else has started it.
    let _ = rustix::process::setsid();
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        // It goes as soon as Tacho does: nothing else ends it sooner. (Caught, and nothing done.)
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
    // Now, while its number is surely the JVM's that is meant.
    let jvm = Jvm::attach(charge.jvm)?;
    let folder = OthersFolder::find(&jvm, &charge.folder)?;
    // Who does not hear it any more is gone.
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

/// Whether nobody writes into the folder any more. A JVM that does not answer is asked until the
/// sampler has ended by itself; its folder is the next profile's to remove.
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

/// How many were found on, and told to stop.
fn stop(jvm: &Jvm, name: &Name, library: Option<&Path>, discarded: &Path) -> io::Result<usize> {
    // One after another: what Tacho has asked for with its last word is done when this is answered.
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
