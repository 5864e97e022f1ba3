//! Sends the figures so far to an OpenTelemetry collector while the load runs: every few seconds,
//! and once more at the end. Uses OTLP over HTTP, in JSON.

use super::so_far::{SoFar, Stretch};
use std::fmt;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::str::FromStr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tacho_load::recorder::{Live, Second};

/// Low priority: everything else on the machine goes first.
const NICE: i32 = 10;
/// Between two messages.
const PERIOD: Duration = Duration::from_secs(5);
/// How often to fetch seconds from the recorder. It produces one per second and does not wait for
/// its readers.
const LOOK: Duration = Duration::from_secs(1);
/// Timeout for a collector to accept a message.
const TAKING: Duration = Duration::from_secs(2);
/// Where collectors listen for OTLP over HTTP
/// (<https://opentelemetry.io/docs/specs/otlp/#otlphttp-default-port>).
const PORT: u16 = 4318;
/// Path for metrics at a collector.
const PATH: &str = "/v1/metrics";

/// Where a collector is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collector {
    host: String,
    port: u16,
    path: String,
}

/// Why an address is not that of a collector.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoCollector {
    /// Over TLS.
    #[error(
        "Tacho sends over plain HTTP only: name a collector on this machine or cluster, such as http://127.0.0.1:4318, and let it forward over TLS"
    )]
    Tls,
    /// Not an address at all.
    #[error("it is http://HOST[:PORT][/PATH], such as http://127.0.0.1:4318")]
    NoUrl,
}

impl FromStr for Collector {
    type Err = NoCollector;

    /// As `OTEL_EXPORTER_OTLP_ENDPOINT` is written: `/v1/metrics` is added where it is not there.
    fn from_str(text: &str) -> Result<Self, NoCollector> {
        if text.starts_with("https://") {
            return Err(NoCollector::Tls);
        }
        let rest = text.strip_prefix("http://").ok_or(NoCollector::NoUrl)?;
        let (authority, path) = match rest.find('/') {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        let is_word = |part: &str| !part.contains(|c: char| c.is_whitespace() || c.is_control());
        // The colon of a port comes behind the bracket of an address of IPv6.
        let colon = authority
            .rfind(':')
            .filter(|at| !authority[*at..].contains(']'));
        let (host, port) = match colon {
            Some(at) => {
                let port = authority[at + 1..]
                    .parse()
                    .map_err(|_| NoCollector::NoUrl)?;
                (&authority[..at], port)
            }
            None => (authority, PORT),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() || !is_word(host) || !is_word(path) || host.contains('@') {
            return Err(NoCollector::NoUrl);
        }
        let base = path.trim_end_matches('/');
        let path = match base.ends_with(PATH) {
            true => base.to_owned(),
            false => format!("{base}{PATH}"),
        };
        Ok(Self {
            host: host.to_owned(),
            port,
            path,
        })
    }
}

impl fmt::Display for Collector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { host, port, path } = self;
        match host.contains(':') {
            true => write!(f, "http://[{host}]:{port}{path}"),
            false => write!(f, "http://{host}:{port}{path}"),
        }
    }
}

impl Collector {
    /// Hands over one message.
    fn take(&self, message: &str) -> io::Result<()> {
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in (self.host.as_str(), self.port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, TAKING) {
                Ok(stream) => return self.post(&stream, message),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn post(&self, mut stream: &TcpStream, message: &str) -> io::Result<()> {
        stream.set_read_timeout(Some(TAKING))?;
        stream.set_write_timeout(Some(TAKING))?;
        let (path, length) = (&self.path, message.len());
        let host = match self.host.contains(':') {
            true => format!("[{}]", self.host),
            false => self.host.clone(),
        };
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nhost: {host}:{port}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{message}",
            port = self.port
        )?;
        let mut status = [0; "HTTP/1.1 200".len()];
        stream.read_exact(&mut status)?;
        if status.starts_with(b"HTTP/1.") && status[8..10] == *b" 2" {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&status[9..]);
        let said = said.trim();
        match said.chars().all(|c| c.is_ascii_digit()) {
            true => Err(io::Error::other(format!("it answered {said}"))),
            false => Err(io::Error::other("it does not speak HTTP/1")),
        }
    }
}

/// Counts of messages that were sent, and the last error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pushes {
    /// Messages that the collector accepted.
    pub taken: u32,
    /// Messages that the collector did not accept. Their contents are also in the next message,
    /// since all values are cumulative.
    pub lost: u32,
    /// Why the last one of these was not taken.
    pub why: Option<String>,
    /// The final message was not accepted, so the collector lacks the end of the run.
    pub is_end_lost: bool,
}

/// Sends until it is finished.
#[derive(Debug)]
pub struct Pushed {
    goes_on: Sender<()>,
    thread: JoinHandle<Pushes>,
}

impl Pushed {
    /// Begins.
    ///
    /// # Errors
    /// When no thread can be made.
    pub fn start(to: Collector, url: &str, live: &Live) -> io::Result<Self> {
        let (goes_on, over) = channel();
        let mut pushing = Pushing {
            to,
            seconds: live.tap(),
            so_far: SoFar::default(),
            url: url.to_owned(),
            began_ns: wall_ns(),
            pushes: Pushes::default(),
        };
        let thread = std::thread::Builder::new()
            .name("tacho-pushed".to_owned())
            .spawn(move || {
                // Of this thread alone, as nice(2) is on Linux.
                let _ = rustix::process::nice(NICE);
                pushing.run(&over);
                pushing.pushes
            })?;
        Ok(Self { goes_on, thread })
    }

    /// Sends the final message, and returns the counts.
    #[must_use]
    pub fn finish(self) -> Pushes {
        drop(self.goes_on);
        self.thread.join().unwrap_or_default()
    }
}

struct Pushing {
    to: Collector,
    seconds: Receiver<Second>,
    so_far: SoFar,
    url: String,
    began_ns: u64,
    pushes: Pushes,
}

impl Pushing {
    fn run(&mut self, over: &Receiver<()>) {
        let looks = PERIOD.as_secs() / LOOK.as_secs();
        loop {
            for _ in 0..looks {
                let is_over = over.recv_timeout(LOOK) == Err(RecvTimeoutError::Disconnected);
                for second in self.seconds.try_iter() {
                    self.so_far.take(&second);
                }
                if is_over {
                    self.push();
                    return;
                }
            }
            self.push();
        }
    }

    fn push(&mut self) {
        let stretch = Stretch {
            began_ns: self.began_ns,
            now_ns: wall_ns(),
        };
        let message = self.so_far.otlp(&self.url, stretch).to_string();
        let taken = self.to.take(&message);
        self.pushes.is_end_lost = taken.is_err();
        match taken {
            Ok(()) => self.pushes.taken += 1,
            Err(error) => {
                self.pushes.lost += 1;
                self.pushes.why = Some(error.to_string());
            }
        }
    }
}

fn wall_ns() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    u64::try_from(since.unwrap_or_default().as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::so_far::tests::second;
    use super::*;
    use serde_json::Value;
    use std::net::TcpListener;

    #[test]
    fn a_collector_is_named_as_exporters_name_it() {
        let at = |text: &str| text.parse::<Collector>().map(|it| it.to_string());
        let whole = |text: &str| Ok(text.to_owned());
        assert_eq!(
            at("http://localhost"),
            whole("http://localhost:4318/v1/metrics")
        );
        assert_eq!(
            at("http://c:80/otlp/"),
            whole("http://c:80/otlp/v1/metrics")
        );
        assert_eq!(
            at("http://[::1]:9/v1/metrics"),
            whole("http://[::1]:9/v1/metrics")
        );
        assert_eq!(at("http://[::1]"), whole("http://[::1]:4318/v1/metrics"));
        assert_eq!(at("https://c"), Err(NoCollector::Tls));
        for text in [
            "c:4318",
            "http://",
            "http://c:port",
            "http://a b",
            "http://u:p@c",
        ] {
            assert_eq!(at(text), Err(NoCollector::NoUrl), "{text}");
        }
    }

    /// Answers one message, and gives its head and its body.
    fn collector(answer: &'static str) -> (Collector, JoinHandle<(String, Value)>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = format!("http://{}", listener.local_addr().unwrap());
        let thread = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut text = String::new();
            let mut byte = [0];
            while !text.ends_with("\r\n\r\n") {
                stream.read_exact(&mut byte).unwrap();
                text.push(byte[0] as char);
            }
            let length = text
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            let mut body = vec![0; length.unwrap().parse().unwrap()];
            stream.read_exact(&mut body).unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
            (text, serde_json::from_slice(&body).unwrap())
        });
        (at.parse().unwrap(), thread)
    }

    #[test]
    fn the_end_is_told_even_of_a_short_load() {
        let (to, told) = collector("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
        let live = Live::default();
        let pushed = Pushed::start(to, "http://here/", &live).unwrap();
        live.publish(second(&[3, 4], 1), None);
        let pushes = pushed.finish();
        assert_eq!((pushes.taken, pushes.lost), (1, 0), "{pushes:?}");
        let (head, body) = told.join().unwrap();
        assert!(head.starts_with("POST /v1/metrics HTTP/1.1\r\n"), "{head}");
        let metrics = &body["resourceMetrics"][0]["scopeMetrics"][0]["metrics"];
        assert_eq!(metrics[0]["sum"]["dataPoints"][0]["asInt"], "2");
    }

    #[test]
    fn what_is_not_taken_is_counted_and_why() {
        let (to, told) = collector("HTTP/1.1 503 Service Unavailable\r\n\r\n");
        let pushed = Pushed::start(to, "http://here/", &Live::default()).unwrap();
        let pushes = pushed.finish();
        told.join().unwrap();
        assert_eq!((pushes.taken, pushes.lost), (0, 1));
        assert!(pushes.is_end_lost);
        assert_eq!(pushes.why.as_deref(), Some("it answered 503"));
    }
}
