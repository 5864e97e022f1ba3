//! wait4(2): the end of a child and what it used. The standard library waits without asking for the
//! usage, and `getrusage(RUSAGE_CHILDREN)` knows only the largest memory of all children together.
#![allow(unsafe_code)] // wait4 is in no safe wrapper that the project uses.

use std::io;
use std::mem::MaybeUninit;
use std::process::Child;
use std::time::Duration;

/// What a process used from its start to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// User and system time.
    pub cpu: Duration,
    /// Largest resident set. Not less than ours when the child was started: the kernel counts from
    /// the fork.
    pub peak_rss_bytes: u64,
    /// As wait(2) encodes it.
    pub status: i32,
}

/// Waits for the end of a child. Takes it, because nobody can wait for it again.
pub fn wait_for(child: Child) -> io::Result<Usage> {
    let pid = libc::pid_t::try_from(child.id()).map_err(io::Error::other)?;
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers are to live locals of the types that the call writes.
    let waited = unsafe { libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()) };
    if waited < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: zeroed is a valid rusage (it is made of integers), and the call has filled it.
    let usage = unsafe { usage.assume_init() };
    Ok(Usage {
        cpu: duration(usage.ru_utime) + duration(usage.ru_stime),
        // In KiB on Linux.
        peak_rss_bytes: u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024,
        status,
    })
}

/// The kernel gives no negative times.
fn duration(time: libc::timeval) -> Duration {
    Duration::new(
        time.tv_sec.unsigned_abs(),
        time.tv_usec.unsigned_abs() as u32 * 1_000,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_child_is_told_by_its_status_and_memory() {
        // 64 MiB of bytes that are written are resident.
        let script = "x=$(head -c 67108864 /dev/zero | tr '\\0' a); exit 3";
        let child = Command::new("bash").args(["-c", script]).spawn().unwrap();
        let usage = wait_for(child).unwrap();
        assert_eq!(usage.status, 3 << 8);
        assert!(usage.peak_rss_bytes > 64 << 20, "{usage:?}");
        assert!(usage.cpu > Duration::ZERO, "{usage:?}");
    }
}
