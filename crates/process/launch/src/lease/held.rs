//! The leases that this process holds, so that one thread can end all launches when the others have
//! no time to.

use super::record::Content;
use super::{Ended, end};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static HELD: Mutex<BTreeMap<PathBuf, Content>> = Mutex::new(BTreeMap::new());

fn held() -> MutexGuard<'static, BTreeMap<PathBuf, Content>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records what a lease names now.
pub(super) fn hold(path: &Path, content: &Content) {
    held().insert(path.to_owned(), content.clone());
}

/// Forgets a lease that no longer names anything.
pub(super) fn release(path: &Path) {
    held().remove(path);
}

/// Ends everything that this process has on lease. To be called just before it exits, when the
/// threads that hold the leases will not drop them. From then on no lease can be taken, extended or
/// released: whoever tries blocks until the exit, so that nothing new is started.
pub fn end_all_held() {
    let held = held();
    for (path, content) in held.iter() {
        let Ended { left, .. } = end(content);
        if left.is_empty() {
            let _ = fs::remove_file(path);
        }
    }
    std::mem::forget(held);
}
