//! Enough file descriptors for all connections.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// For what the rest of the process may open meanwhile.
const SPARE: u64 = 64;

/// More connections than the process may have open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "{connections} connections need {needed} file descriptors, but the process may open {allowed}; \
     raise the hard limit (`ulimit -Hn {needed}` as root) or use fewer connections"
)]
pub struct TooFewDescriptors {
    /// Connections that were asked for.
    pub connections: u32,
    /// What they need.
    pub needed: u64,
    /// The hard limit.
    pub allowed: u64,
}

/// The limit as it was, put back when dropped: a subject that is launched later inherits the
/// limits of this process, and must not see that it was measured with many connections.
#[derive(Debug)]
pub struct RaisedLimit {
    before: Rlimit,
}

impl Drop for RaisedLimit {
    fn drop(&mut self) {
        // Lowering a soft limit is always allowed.
        let _ = setrlimit(Resource::Nofile, self.before);
    }
}

/// Sees to it that this many connections can be open. `None` when nothing had to be changed.
pub fn allow(connections: u32) -> Result<Option<RaisedLimit>, TooFewDescriptors> {
    let needed = u64::from(connections) + open_now() + SPARE;
    let before = getrlimit(Resource::Nofile);
    if before.current.is_none_or(|soft| soft >= needed) {
        return Ok(None);
    }
    let maximum = before.maximum.map(|hard| hard.max(needed));
    let raised = Rlimit {
        current: Some(needed),
        // Left alone where it suffices; raising it needs CAP_SYS_RESOURCE.
        maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => Ok(Some(RaisedLimit { before })),
        Err(_) => Err(TooFewDescriptors {
            connections,
            needed,
            allowed: before.maximum.unwrap_or(u64::MAX),
        }),
    }
}

/// Files that the process has open.
fn open_now() -> u64 {
    std::fs::read_dir("/proc/self/fd").map_or(SPARE, |files| files.count() as u64)
}
