//! What a reader makes of an input.

use crate::note::Note;
use crate::origin::Origin;
use std::path::PathBuf;
use std::time::Duration;
use tacho_workload::Workload;

/// What was read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Imported {
    /// Where the requests go, when the input says so.
    pub origin: Option<Origin>,
    /// What is sent.
    pub workload: Workload,
    /// How much load, when the input says so (JMeter's thread groups).
    pub plan: Option<LoadPlan>,
    /// How to connect, as far as the input says so (curl).
    pub connection: Connection,
    /// What was not understood, left out or changed.
    pub notes: Vec<Note>,
    /// Secret values that must not appear in any output, beside those that the names of headers and
    /// parameters reveal.
    pub secrets: Vec<String>,
}

impl Imported {
    /// What is secret in it is masked from now on in all that is written.
    pub fn mask(&mut self) {
        tacho_masking::teach(|masking| {
            let secrets = self.secrets.iter();
            masking.learn_pairs(secrets.map(|secret| ("password", secret.as_str())));
        });
        self.workload.mask();
    }
}

/// How much load an input asks for. The waits between requests are in the steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LoadPlan {
    /// Virtual users, each with one request at a time.
    pub connections: u32,
    /// Time over which they join in, evenly spread.
    pub ramp: Duration,
    /// Scenarios in all, over all virtual users; `None`: until the duration is over.
    pub iterations: Option<u64>,
    /// From the start of the first virtual user; `None`: until the iterations are done.
    pub duration: Option<Duration>,
}

/// How to connect.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Connection {
    /// The input asks not to check the subject's certificate. This is only a wish: the user has to
    /// repeat it with Tacho's own flag.
    pub insecure: bool,
    /// Certificates of the authorities to trust (PEM).
    pub ca: Option<PathBuf>,
    /// Client certificate (PEM).
    pub certificate: Option<PathBuf>,
    /// Its key (PEM).
    pub key: Option<PathBuf>,
    /// Connect to this Unix socket instead of host and port.
    pub unix_socket: Option<PathBuf>,
    /// Version of HTTP asked for.
    pub http_version: Option<HttpVersion>,
    /// Longest time to connect.
    pub connect_timeout: Option<Duration>,
    /// Longest time of a request.
    pub timeout: Option<Duration>,
}

/// A version of HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpVersion {
    /// HTTP/1.1, with or without TLS.
    Http1,
    /// HTTP/2 where the subject offers it in the TLS handshake.
    Http2,
    /// HTTP/2 from the first byte, without asking.
    Http2PriorKnowledge,
}
