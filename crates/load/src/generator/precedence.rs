//! The generator's thread goes first.
//!
//! It needs a few microseconds at a time, at instants that are not its choice. Under the kernel's fair
//! scheduler a thread that wakes up may wait for the slice of whoever runs (about 3 ms here; EEVDF protects it), so that
//! a subject with busy compiler threads makes the generator late: p99 of the lag was 2.7 ms beside a Spring
//! Boot service limited to one of two processors. A real-time thread runs as soon as it wakes. It does not take more
//! time than it would otherwise, only sooner.
//!
//! It takes a right that a user may not have (CAP_SYS_NICE, and in a v1 control group a share of
//! `cpu.rt_runtime_us`); without it the generator goes on as it is, and the recorded lag tells.
#![allow(unsafe_code)] // sched_setscheduler(2) is in no safe wrapper that the project uses.

/// While it lives, the calling thread has precedence. Children do not inherit it.
#[derive(Debug)]
pub(super) struct Precedence {
    granted: bool,
}

impl Precedence {
    /// Asks for it.
    pub fn take() -> Self {
        Self {
            // Round robin at the lowest real-time priority: above every fair thread, below whatever the
            // machine's owner runs in real time.
            granted: set(libc::SCHED_RR | libc::SCHED_RESET_ON_FORK, 1),
        }
    }
}

impl Drop for Precedence {
    fn drop(&mut self) {
        if self.granted {
            set(libc::SCHED_OTHER, 0);
        }
    }
}

fn set(policy: libc::c_int, priority: libc::c_int) -> bool {
    let parameters = libc::sched_param {
        sched_priority: priority,
    };
    // SAFETY: the pointer is to a live local of the type that the call reads; 0 is the calling thread.
    unsafe { libc::sched_setscheduler(0, policy, &raw const parameters) == 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> libc::c_int {
        // SAFETY: takes and gives plain numbers; 0 is the calling thread.
        unsafe { libc::sched_getscheduler(0) }
    }

    #[test]
    fn precedence_ends_with_its_guard() {
        let before = policy();
        let guard = Precedence::take();
        let during = policy() & !libc::SCHED_RESET_ON_FORK;
        assert_eq!(during == libc::SCHED_RR, guard.granted);
        drop(guard);
        assert_eq!(policy(), before);
    }
}
