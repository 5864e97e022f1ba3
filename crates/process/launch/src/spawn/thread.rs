//! The one thread that forks.
//!
//! The kernel sends the signal that a child asked for with `PR_SET_PDEATHSIG` when the *thread*
//! that forked it ends, not the process (prctl(2), "the parent is considered to be the thread").
//! If a launch were forked by a worker thread that ends before the launch, the subject would be
//! killed in the middle. So every fork is done on this thread, which ends with the process. A child
//! inherits the CPU affinity of the thread that forks it (sched_setaffinity(2), NOTES), so this
//! thread takes over the affinity of the thread that asks for the fork.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::io;
use std::process::{Child, Command};
use std::sync::mpsc::{Sender, channel};
use std::sync::{LazyLock, Mutex, PoisonError};

struct Job {
    command: Command,
    /// On which it may run.
    processors: CpuSet,
    answer: Sender<io::Result<Child>>,
}

static JOBS: LazyLock<Mutex<Sender<Job>>> = LazyLock::new(|| {
    let (jobs, to_do) = channel::<Job>();
    // The sender lives in a static, so that the loop goes on as long as the process. When the
    // thread cannot be made, the receiver is dropped and every spawn fails with its own error.
    let _ = std::thread::Builder::new()
        .name("tacho-spawn".into())
        .spawn(move || {
            for mut job in to_do {
                let bound = sched_setaffinity(None, &job.processors).map_err(io::Error::from);
                let _ = job.answer.send(bound.and_then(|()| job.command.spawn()));
            }
        });
    Mutex::new(jobs)
});

/// Forks and executes on the thread for it; returns when `execve` has succeeded or failed.
pub(super) fn spawn(command: Command) -> io::Result<Child> {
    let (answer, answered) = channel();
    let gone = || {
        io::Error::other(
            "the thread that starts processes could not be started; is the memory or the number of threads limited (`ulimit -v`, `ulimit -u`)?",
        )
    };
    let job = Job {
        command,
        processors: sched_getaffinity(None)?,
        answer,
    };
    JOBS.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .send(job)
        .map_err(|_| gone())?;
    answered.recv().map_err(|_| gone())?
}
