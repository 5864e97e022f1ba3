//! What a pod writes, into a file as it comes: a pod's log goes with the pod.

use crate::access::Access;
use crate::error::{ClusterError, Doing};
use crate::patience::AWAY;
use crate::pod::CONTAINER;
use crate::thread::Errand;
use futures_util::io::AsyncReadExt;
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, LogParams};
use std::fs::File;
use std::io::Write;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Pause between two tries: the container may not have started yet.
const PAUSE: Duration = Duration::from_millis(100);

/// The log of a pod on its way into a file. Dropping it ends that.
#[derive(Debug)]
pub struct Logging {
    errand: Errand,
    left_out: Arc<AtomicU64>,
}

impl Logging {
    pub(crate) fn begin(
        access: Access,
        pod: String,
        file: File,
        at_most: u64,
    ) -> Result<Self, ClusterError> {
        let left_out = Arc::new(AtomicU64::new(0));
        let mut kept = Kept {
            file,
            room: at_most,
            left_out: Arc::clone(&left_out),
        };
        let errand = Errand::begin("log", move || async move {
            // A launch without its log is measured all the same; the part that came is kept.
            let _ = copy(&access, &pod, &mut kept).await;
        })?;
        Ok(Self { errand, left_out })
    }

    /// Waits until everything that an ended pod has written is in the file.
    pub fn wait(&self, at_most: Duration) {
        self.errand.wait(at_most);
    }

    /// Waits until the pod has written its last line, which is when it has ended. Returns the
    /// number of bytes at the end that were not kept.
    #[must_use]
    pub fn to_the_end(self, at_most: Duration) -> u64 {
        self.errand.join(at_most);
        self.left_out.load(Ordering::Relaxed)
    }
}

/// A file that takes a limited number of bytes.
struct Kept {
    file: File,
    room: u64,
    left_out: Arc<AtomicU64>,
}

impl Kept {
    fn take(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        let room = usize::try_from(self.room).unwrap_or(usize::MAX);
        let (kept, rest) = bytes.split_at(bytes.len().min(room));
        self.file.write_all(kept)?;
        self.room -= kept.len() as u64;
        self.left_out
            .fetch_add(rest.len() as u64, Ordering::Relaxed);
        Ok(())
    }
}

async fn copy(access: &Access, pod: &str, kept: &mut Kept) -> Result<(), ClusterError> {
    let (client, reached) = access.client().await?;
    let pods: Api<Pod> = Api::namespaced(client, reached.namespace.as_ref());
    let how = LogParams {
        container: Some(CONTAINER.to_owned()),
        follow: true,
        ..LogParams::default()
    };
    let began = Instant::now();
    let stream = loop {
        let stream = pods.log_stream(pod, &how);
        match crate::answer(Doing::ReadLog, &reached, stream).await {
            Ok(stream) => break stream,
            // 400: its container has not started yet. 404: the pod does not exist yet, or no
            // longer.
            Err(error @ ClusterError::Refused { code: 404, .. }) => return Err(error),
            Err(error) if began.elapsed() > AWAY => return Err(error),
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    };
    let mut stream = pin!(stream);
    let mut buffer = vec![0; 16 * 1024];
    loop {
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return Ok(()),
            Ok(length) => {
                let bytes = buffer.get(..length).unwrap_or_default();
                if kept.take(bytes).is_err() {
                    return Ok(());
                }
            }
        }
    }
}
