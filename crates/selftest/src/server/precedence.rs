//! The server's thread goes first, as the engine's does: a server that is late makes a test that says nothing.
//!
//! It takes CAP_SYS_NICE; without it the server goes on as it is, and its recorded lateness tells.
#![allow(unsafe_code)] // sched_setscheduler(2) is in no safe wrapper that the project uses.

/// While it lives, the calling thread runs as soon as it wakes. Children do not inherit it.
#[derive(Debug)]
pub struct Precedence {
    granted: bool,
}

impl Precedence {
    /// Asks for the lowest real-time priority, which is above every thread of the fair scheduler.
    pub fn ask_for() -> Self {
        Self {
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

    #[test]
    fn it_ends_with_its_guard() {
        // SAFETY: takes and gives plain numbers; 0 is the calling thread.
        let policy = || unsafe { libc::sched_getscheduler(0) } & !libc::SCHED_RESET_ON_FORK;
        let before = policy();
        let guard = Precedence::ask_for();
        assert_eq!(policy() == libc::SCHED_RR, guard.granted);
        drop(guard);
        assert_eq!(policy(), before);
    }
}
