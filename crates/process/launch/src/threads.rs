//! Threads of Tacho. The kernel may refuse one, which is no fault of the subject; the standard
//! library's `spawn` would panic.

use std::io;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// The kernel refuses a thread (EAGAIN of `pthread_create(3)`), or one ended by a panic.
#[derive(Debug, thiserror::Error)]
#[error(
    "Tacho cannot start a thread ({0}): there is no memory for it (`ulimit -v`), or no process number (`ulimit -u`, `pids.max` of the control group); raise that limit, and start Tacho again"
)]
pub struct NoThread(#[from] pub io::Error);

/// Starts one in a scope.
///
/// # Errors
/// When the kernel refuses it.
pub fn spawn_in<'scope, 'env, T: Send + 'scope>(
    scope: &'scope Scope<'scope, 'env>,
    act: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>, NoThread> {
    Ok(Builder::new().spawn_scoped(scope, act)?)
}

/// Joins a scoped thread and returns its result.
///
/// # Errors
/// When it panicked.
pub fn join<T>(thread: ScopedJoinHandle<'_, T>) -> Result<T, NoThread> {
    let ended = |_| io::Error::other("one has ended by a panic");
    Ok(thread.join().map_err(ended)?)
}

/// Runs the same function on all items at once. Returns the results in the order of the items.
///
/// # Errors
/// When the kernel refuses a thread, or one panics. Those that were started are waited for.
pub fn side_by_side<T: Send, R: Send>(
    all: impl IntoIterator<Item = T>,
    act: impl Fn(T) -> R + Sync,
) -> Result<Vec<R>, NoThread> {
    let act = &act;
    std::thread::scope(|scope| {
        let threads: Vec<_> = all
            .into_iter()
            .map(|one| spawn_in(scope, move || act(one)))
            .collect();
        threads.into_iter().map(|thread| join(thread?)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn all_go_at_once_and_are_told_in_their_order() {
        let all_there = Barrier::new(4);
        let squares = side_by_side([1, 2, 3, 4], |n| {
            all_there.wait();
            n * n
        });
        assert_eq!(squares.unwrap(), [1, 4, 9, 16]);
    }

    #[test]
    fn one_that_panics_is_an_error() {
        let told = side_by_side([1, 2], |n| assert!(n == 1)).unwrap_err();
        assert!(told.to_string().contains("panic"), "{told}");
    }
}
