//! What a process counts itself: bytes, calls of the kernel, threads, classes. It costs nothing.

use tacho_observe::hsperfdata;
use tacho_observe::jvm::ClassCounts;
use tacho_observe::process::Transferred;
use tacho_run_folder::{Counters, LaunchDir};

/// Counters at one instant.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counted(Counters);

impl Counted {
    /// The present counters of the processes of a launch.
    pub fn now(pids: &[u32], folder: &LaunchDir) -> Self {
        let moved = Transferred::by(pids);
        let mut jvms = pids.iter().filter_map(|pid| hsperfdata::read(*pid).ok());
        let jvm = jvms.next();
        let log = std::fs::metadata(folder.log());
        Self(Counters {
            logged_bytes: log.ok().map(|log| log.len()),
            written_bytes: moved.map(|moved| moved.written_bytes),
            read_bytes: moved.map(|moved| moved.read_bytes),
            writes: moved.map(|moved| moved.writes),
            threads_started: jvm
                .as_ref()
                .and_then(|jvm| jvm.count("java.threads.started")),
            classes_loaded: jvm
                .as_ref()
                .and_then(ClassCounts::of)
                .map(|classes| classes.loaded),
        })
    }

    /// How much more it is than it was.
    pub fn since(&self, earlier: &Self) -> Counters {
        let more = |now: Option<u64>, then: Option<u64>| Some(now?.saturating_sub(then?));
        let (now, then) = (&self.0, &earlier.0);
        Counters {
            logged_bytes: more(now.logged_bytes, then.logged_bytes),
            written_bytes: more(now.written_bytes, then.written_bytes),
            read_bytes: more(now.read_bytes, then.read_bytes),
            writes: more(now.writes, then.writes),
            threads_started: more(now.threads_started, then.threads_started),
            classes_loaded: more(now.classes_loaded, then.classes_loaded),
        }
    }
}
