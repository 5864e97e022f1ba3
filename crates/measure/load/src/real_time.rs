//! Real-time scheduling of a thread: it runs as soon as it wakes.
//!
//! It needs a right that the user may not have: CAP_SYS_NICE, and in a v1 control group also a
//! share of `cpu.rt_runtime_us`.
#![allow(unsafe_code)] // sched_setscheduler(2) is in no safe wrapper that the project uses.

use std::marker::PhantomData;

/// While it lives, the thread that took it goes before every thread of the fair scheduler. Children
/// do not inherit it.
#[derive(Debug)]
pub struct RealTime {
    /// It belongs to the thread that took it.
    of_this_thread: PhantomData<*const ()>,
}

impl RealTime {
    /// Round robin at the lowest real-time priority: above every fair thread, below whatever the
    /// machine's owner runs in real time. `None` when it is refused.
    #[must_use]
    pub fn take() -> Option<Self> {
        // Not `then_some`: what is dropped changes the policy of a thread that was refused.
        set(libc::SCHED_RR | libc::SCHED_RESET_ON_FORK, 1).then(|| Self {
            of_this_thread: PhantomData,
        })
    }

    /// Whether the calling thread has it.
    #[must_use]
    pub fn is_held() -> bool {
        // SAFETY: takes and gives plain numbers; 0 is the calling thread.
        let policy = unsafe { libc::syscall(libc::SYS_sched_getscheduler, THIS_THREAD) };
        policy & !libc::c_long::from(libc::SCHED_RESET_ON_FORK)
            == libc::c_long::from(libc::SCHED_RR)
    }
}

impl Drop for RealTime {
    fn drop(&mut self) {
        set(libc::SCHED_OTHER, 0);
    }
}

const THIS_THREAD: libc::c_long = 0;

/// By the kernel's own call. musl's refuses always: in POSIX it is of a process, in Linux of a
/// thread (sched_setscheduler(2), "C library/kernel differences").
fn set(policy: libc::c_int, priority: libc::c_int) -> bool {
    // All that the kernel's `struct sched_param` has (linux/sched/types.h).
    let parameters: libc::c_int = priority;
    // SAFETY: the pointer is to a live local of the type that the call reads.
    let set = unsafe {
        libc::syscall(
            libc::SYS_sched_setscheduler,
            THIS_THREAD,
            libc::c_long::from(policy),
            &raw const parameters,
        )
    };
    set == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_with_its_guard() {
        assert!(!RealTime::is_held());
        let guard = RealTime::take();
        assert_eq!(RealTime::is_held(), guard.is_some());
        drop(guard);
        assert!(!RealTime::is_held());
    }
}
