//! All threads stood still, for whatever reason (`-XX:+PrintGCApplicationStoppedTime`); JDK 9 to 12
//! write the same under `safepoint`.

use super::stamp;
use crate::decorations::At;
use crate::event::{Safepoint, What};
use crate::scan::nanoseconds_of;
use memchr::memmem;

const STOPPED: &[u8] = b"Total time for which application threads were stopped: ";
const STOPPING: &[u8] = b"Stopping threads took: ";
const RAN: &[u8] = b"Application time: ";

/// `0.143: Total time for which application threads were stopped: 0.0001754 seconds, Stopping
/// threads took: 0.0000590 seconds`
pub fn read(line: &[u8]) -> Option<(At, What<'_>)> {
    if let Some(begin) = memmem::find(line, STOPPED) {
        return Some((stamp::last_in(&line[..begin]), message(&line[begin..])?));
    }
    let begin = memmem::find(line, RAN)?;
    let seconds = nanoseconds_of(&line[begin + RAN.len()..]);
    seconds.map(|_| (stamp::last_in(&line[..begin]), What::Instant))
}

/// The same without what stands before it.
pub fn message(message: &[u8]) -> Option<What<'_>> {
    let rest = message.strip_prefix(STOPPED)?;
    let is_whole = memmem::find(rest, b" seconds").is_some();
    let total = nanoseconds_of(rest).filter(|_| is_whole)?;
    let reaching =
        memmem::find(rest, STOPPING).and_then(|at| nanoseconds_of(&rest[at + STOPPING.len()..]));
    Some(What::Safepoint(Safepoint {
        name: None,
        reaching,
        total,
    }))
}
