//! One process from its start to its end.

use crate::error::BenchError;
use crate::rusage::{self, Usage};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tacho_witness::processors::on;

/// A process that has ended.
#[derive(Debug)]
pub struct Finished {
    /// From the call that starts it to the news of its end.
    pub wall: Duration,
    /// What it used.
    pub usage: Usage,
    /// Largest anonymous resident memory, looked at four times a second: what it allocated, without
    /// the pages of its own file.
    pub peak_anonymous_bytes: u64,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a command on one processor to its end, which must come in time.
pub fn run(
    command: &mut Command,
    processor: usize,
    limit: Duration,
) -> Result<Finished, BenchError> {
    // Files, not pipes: nobody has to read while it runs.
    let mut stdout = tempfile::tempfile()?;
    let mut stderr = tempfile::tempfile()?;
    command
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?);
    let begin = Instant::now();
    let child = on(processor, || command.spawn()).map_err(|source| BenchError::Start {
        program: command.get_program().to_string_lossy().into_owned(),
        source,
    })?;
    let mut peak_anonymous_bytes = 0;
    let ended_in_time = wait_until_ended(child.id(), limit, || {
        peak_anonymous_bytes = peak_anonymous_bytes.max(anonymous_bytes(child.id()));
    })?;
    let wall = begin.elapsed();
    let usage = rusage::wait_for(child)?;
    if !ended_in_time {
        return Err(BenchError::Stuck {
            command: as_text(command),
            seconds: limit.as_secs(),
        });
    }
    Ok(Finished {
        wall,
        usage,
        peak_anonymous_bytes,
        stdout: content(&mut stdout)?,
        stderr: content(&mut stderr)?,
    })
}

const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Looks at it from time to time. False when it had to be killed.
fn wait_until_ended(pid: u32, limit: Duration, mut look: impl FnMut()) -> io::Result<bool> {
    let until = Instant::now() + limit;
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let pid = pid.ok_or_else(|| io::Error::other("a child without a process number"))?;
    let process = pidfd_open(pid, PidfdFlags::empty())?;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let wait = Timespec::try_from(left.min(LOOK_EVERY)).map_err(io::Error::other)?;
        let ended = poll(&mut [PollFd::new(&process, PollFlags::IN)], Some(&wait))?;
        if ended > 0 {
            return Ok(true);
        }
        if left.is_zero() {
            pidfd_send_signal(&process, Signal::KILL)?;
            return Ok(false);
        }
        look();
    }
}

/// `RssAnon` of proc_pid_status(5); 0 for a process that has just ended.
fn anonymous_bytes(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let kib = line.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}

fn content(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A command as it would be typed.
pub fn as_text(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn sh(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn what_it_said_and_how_it_ended_is_told() {
        let finished = run(&mut sh("echo out; echo err >&2; exit 3"), 0, LONG).unwrap();
        assert_eq!(finished.stdout, "out\n");
        assert_eq!(finished.stderr, "err\n");
        assert_eq!(finished.usage.status, 3 << 8);
        assert!(finished.wall > Duration::ZERO);
    }

    #[test]
    fn one_that_does_not_end_is_ended() {
        let stuck = run(&mut sh("exec sleep 1000"), 0, Duration::from_millis(50));
        assert!(matches!(stuck, Err(BenchError::Stuck { .. })), "{stuck:?}");
    }

    #[test]
    fn what_it_allocates_is_seen() {
        // 64 MiB of bytes in a variable of bash, which says when they are there and then waits.
        let script = "x=$(head -c 67108864 /dev/zero | tr '\\0' a); echo up; read -r; echo ${#x}";
        let mut child = Command::new("bash")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = [0; 3];
        child
            .stdout
            .as_mut()
            .unwrap()
            .read_exact(&mut said)
            .unwrap();
        let seen = anonymous_bytes(child.id());
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(seen > 64 << 20, "{seen}");
        assert_eq!(anonymous_bytes(child.id()), 0, "it has ended");
    }

    #[test]
    fn one_that_does_not_exist_is_named() {
        let error = run(&mut Command::new("/no/such/tool"), 0, LONG).unwrap_err();
        assert!(error.to_string().contains("/no/such/tool"), "{error}");
    }
}
