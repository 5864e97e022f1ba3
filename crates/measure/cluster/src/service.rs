//! The Service before the pod of a launch: when it leads there, as a user of it finds out.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tacho_clock::monotonic_ns;
use tacho_cluster_api::{Behind, Change, Changes, Cluster, ClusterError, ReadyProbe, SubjectPod};

/// Between two tries to get through.
const PAUSE: Duration = Duration::from_millis(5);
/// A connection that is made is made at once: the node is this machine. One that leads nowhere yet
/// may be refused, or lost until the kernel sends it again a second later.
const CONNECTING: Duration = Duration::from_millis(20);
/// Where that is too short, a connection may take this part of the time spent so far.
const PART: u32 = 20;
/// An answer.
const ANSWERING: Duration = Duration::from_secs(1);
/// The endpoints are told within this time of the first answer, if at all.
const TOLD: Duration = Duration::from_secs(2);

/// How long a ready pod may be without users: a probe a second, the controller, the proxy.
pub const WITHIN: Duration = Duration::from_secs(60);

/// A Service that leads to one pod. Dropping it deletes it.
#[derive(Debug)]
pub struct Service {
    cluster: Arc<Cluster>,
    pod: String,
    /// Where users come in.
    pub address: SocketAddr,
    ready: ReadyProbe,
    /// Whoever watches a subject may be another thread; only one hears at a time.
    changes: Mutex<Changes>,
    endpoint_ns: Option<u64>,
    is_there: bool,
}

/// Users get through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// Its endpoints were told to name the pod.
    pub endpoint_ns: Option<u64>,
    /// It gave the first answer.
    pub answered_ns: u64,
    /// An instant at which it had not answered yet.
    pub not_yet_ns: u64,
}

/// Why a launch has no Service.
#[derive(Debug, thiserror::Error)]
pub enum NoService {
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    #[error("its Service has no address; does the cluster give Services one (a ClusterIP)?")]
    NoAddress,
}

impl Service {
    /// Makes it, before its pod, and watches its endpoints.
    pub fn before(
        cluster: &Arc<Cluster>,
        pod: &SubjectPod,
        behind: &Behind,
    ) -> Result<Self, NoService> {
        let made = cluster.lead_to(pod, behind.port)?;
        let changes = cluster.changes(&pod.selector(), &pod.name);
        let address = made.address.map(|ip| SocketAddr::new(ip, behind.port));
        // From here on it is deleted, whatever comes.
        let service = |address, changes| Self {
            cluster: Arc::clone(cluster),
            pod: pod.name.clone(),
            address,
            ready: behind.ready.clone(),
            changes: Mutex::new(changes),
            endpoint_ns: None,
            is_there: true,
        };
        match (address, changes) {
            (Some(address), Ok(changes)) => Ok(service(address, changes)),
            (_, Err(error)) => {
                let _ = cluster.end_service(&pod.name);
                Err(error.into())
            }
            (None, Ok(_)) => {
                let _ = cluster.end_service(&pod.name);
                Err(NoService::NoAddress)
            }
        }
    }

    /// Tries until an answer comes through; `None` when none does, or when `goes_on` is over.
    pub fn until_reached(&mut self, goes_on: impl Fn() -> bool) -> Option<Reached> {
        let began = Instant::now();
        let mut not_yet_ns = monotonic_ns();
        let answered_ns = loop {
            self.hear(Duration::ZERO);
            let asked_ns = monotonic_ns();
            if let Ok(answered_ns) = self.ask(CONNECTING.max(began.elapsed() / PART)) {
                break answered_ns;
            }
            not_yet_ns = asked_ns;
            if began.elapsed() > WITHIN || !goes_on() {
                return None;
            }
            sleep(PAUSE);
        };
        let told = Instant::now();
        while self.endpoint_ns.is_none() && told.elapsed() < TOLD {
            self.hear(Duration::from_millis(20));
        }
        Some(Reached {
            endpoint_ns: self.endpoint_ns,
            answered_ns,
            not_yet_ns,
        })
    }

    /// What has come of its endpoints.
    fn hear(&mut self, within: Duration) {
        let changes = self.changes.get_mut();
        let changes = changes.unwrap_or_else(PoisonError::into_inner);
        while let Some((at_ns, change)) = changes.next(within) {
            if let Change::Endpoints(_, pods) = change
                && pods.contains(&self.pod)
            {
                self.endpoint_ns.get_or_insert(at_ns);
                return;
            }
        }
    }

    /// As its node asks the pod: a path that answers 2xx or 3xx, or a connection. Gives the instant
    /// at which its answer began.
    fn ask(&self, connecting: Duration) -> io::Result<u64> {
        let mut stream = TcpStream::connect_timeout(&self.address, connecting)?;
        let ReadyProbe::Path(path) = &self.ready else {
            return Ok(monotonic_ns());
        };
        stream.set_read_timeout(Some(ANSWERING))?;
        stream.set_write_timeout(Some(ANSWERING))?;
        let host = self.address;
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        let mut head = [0; "HTTP/1.1 200".len()];
        stream.read_exact(&mut head)?;
        let answered_ns = monotonic_ns();
        if !is_answer(&head) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        // Its end, as an ordinary user takes it; not every server closes when it is asked to.
        stream.set_read_timeout(Some(CONNECTING))?;
        let _ = io::copy(&mut stream.take(1 << 20), &mut io::sink());
        Ok(answered_ns)
    }

    /// Deletes it.
    pub fn end(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_there) {
            let ended = self.cluster.end_service(&self.pod);
            ended.map_err(io::Error::other)?;
        }
        Ok(())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Nobody is left to be told; what the run owns is deleted with the run.
        let _ = self.end();
    }
}

/// 2xx or 3xx, as a kubelet takes it
/// (<https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/>).
fn is_answer(head: &[u8; 12]) -> bool {
    head.starts_with(b"HTTP/1.") && matches!(head[8..10], [b' ', b'2' | b'3'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_what_a_kubelet_takes_for_one() {
        assert!(is_answer(b"HTTP/1.1 200"));
        assert!(is_answer(b"HTTP/1.0 302"));
        assert!(!is_answer(b"HTTP/1.1 503"));
        assert!(!is_answer(b"HTTP/1.1 404"));
        assert!(!is_answer(b"SSH-2.0-Open"));
        assert!(!is_answer(b"HTTP/1.1 oo2"));
    }
}
