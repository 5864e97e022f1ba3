//! A thread with its own runtime, which runs while somebody wants its results.

use crate::error::ClusterError;
use futures_util::future::{Either, select};
use std::future::Future;
use std::pin::pin;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::runtime::Builder;
use tokio::sync::oneshot;

/// A task on such a thread. Dropping it ends the task, wherever it waits.
#[derive(Debug)]
pub(crate) struct Errand {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Errand {
    pub(crate) fn begin<F>(
        name: &str,
        task: impl FnOnce() -> F + Send + 'static,
    ) -> Result<Self, ClusterError>
    where
        F: Future<Output = ()>,
    {
        let (stop, stopped) = oneshot::channel::<()>();
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(ClusterError::NoThread)?;
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                runtime.block_on(async move {
                    let task = pin!(task());
                    let _: Either<_, _> = select(task, stopped).await;
                });
            })
            .map_err(ClusterError::NoThread)?;
        Ok(Self {
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Waits until the task is done. A task that takes longer is ended.
    pub(crate) fn join(self, at_most: Duration) {
        self.wait(at_most);
    }

    /// Waits until the task is done, but no longer than this. A task that takes longer goes on.
    pub(crate) fn wait(&self, at_most: Duration) {
        let began = Instant::now();
        let is_done = || self.thread.as_ref().is_none_or(JoinHandle::is_finished);
        while !is_done() && began.elapsed() < at_most {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Errand {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
