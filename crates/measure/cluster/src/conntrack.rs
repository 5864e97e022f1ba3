//! Which pod a connection to a Service leads to. The node's proxy has the kernel rewrite the
//! addresses of a connection, and the kernel keeps the ones before and after: in
//! `/proc/net/nf_conntrack`, a line a connection, for ten seconds also of one that was refused
//! (`nf_conntrack_tcp_timeout_close`; Documentation/networking/nf_conntrack-sysctl.rst).
//!
//! ```text
//! ipv4 2 tcp 6 431999 ESTABLISHED src=10.0.0.1 dst=10.96.0.7 sport=4711 dport=80
//!     src=10.244.0.5 dst=10.0.0.1 sport=8080 dport=4711 [ASSURED] mark=0 zone=0 use=2
//! ```
//! Each network namespace has a table of its own, and that of the node need not be ours: until one
//! has told something of the Service, those of all processes are looked at. Other clients on the
//! node may use the same local ports towards the same Service: only connections from the address
//! that this process has towards it are ours.
//!
//! Only where the connection comes to a node that is this machine, and where the kernel shows the
//! table (root, `CONFIG_NF_CONNTRACK_PROCFS`). Proxies that rewrite without it, such as eBPF ones,
//! are not seen.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use tacho_clock::{SECOND, monotonic_ns};

/// Below a process: the table of its namespace.
const TABLE: &str = "net/nf_conntrack";

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(200);

/// A look may take this part of the time: on a busy node the table is long.
const PART: u32 = 20;

/// Bytes that are read of one table; the rest of a longer table is not read.
const AT_MOST: u64 = 64 << 20;

/// A connection is seen at the look after it began.
const LATE_NS: u64 = SECOND;

/// Where the connection of one local port led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Led {
    to: IpAddr,
    since_ns: u64,
}

/// What was seen: by local port, in the order of time, for ports are used again.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct LedTo {
    by_port: HashMap<u16, Vec<Led>>,
}

impl LedTo {
    /// The pod's address of the connection that had this local port at this instant.
    #[must_use]
    pub fn find(&self, port: u16, at_ns: u64) -> Option<IpAddr> {
        let all = self.by_port.get(&port)?;
        let last = all.iter().rfind(|led| led.since_ns <= at_ns + LATE_NS)?;
        Some(last.to)
    }

    fn see(&mut self, port: u16, to: IpAddr, at_ns: u64) {
        let all = self.by_port.entry(port).or_default();
        if all.last().is_none_or(|last| last.to != to) {
            all.push(Led {
                to,
                since_ns: at_ns,
            });
        }
    }
}

/// The connections that are looked for.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    service: SocketAddr,
    /// Where they come from; `None`: it could not be found out, and any address will do.
    from: Option<IpAddr>,
}

impl Wanted {
    fn to(service: SocketAddr) -> Self {
        Self {
            service,
            from: own_address(service).ok(),
        }
    }
}

/// The address that connections from here to another one come from. A datagram socket that is
/// connected has it, and sends nothing.
fn own_address(to: SocketAddr) -> io::Result<IpAddr> {
    let any: IpAddr = match to {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let socket = UdpSocket::bind((any, 0))?;
    socket.connect(to)?;
    Ok(socket.local_addr()?.ip())
}

/// Looks now and then, on a thread of its own, until it is ended.
#[derive(Debug)]
pub struct Conntrack {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<LedTo>,
}

impl Conntrack {
    /// Begins to look at connections to a Service's address. `None` where the kernel shows none.
    #[must_use]
    pub fn begin(service: SocketAddr) -> Option<Self> {
        Self::of(PathBuf::from("/proc"), Wanted::to(service))
    }

    fn of(proc: PathBuf, wanted: Wanted) -> Option<Self> {
        look(
            &proc.join("self").join(TABLE),
            &wanted,
            &mut LedTo::default(),
        )
        .ok()?;
        let stop = Arc::new(AtomicBool::new(false));
        let is_stopped = stop.clone();
        let watch = move || {
            let mut looking = Looking {
                proc,
                wanted,
                tables: Vec::new(),
                seen: LedTo::default(),
            };
            while !is_stopped.load(Ordering::Relaxed) {
                let began = std::time::Instant::now();
                looking.once();
                let rest = PAUSE.max(began.elapsed() * PART);
                std::thread::park_timeout(rest);
            }
            looking.once();
            looking.seen
        };
        let builder = std::thread::Builder::new().name("conntrack".to_owned());
        let thread = builder.spawn(watch).ok()?;
        Some(Self { stop, thread })
    }

    /// Looks once more, and ends.
    #[must_use]
    pub fn end(self) -> LedTo {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        self.thread.join().unwrap_or_default()
    }
}

/// Who looks.
struct Looking {
    proc: PathBuf,
    wanted: Wanted,
    /// Tables that had our connections to the Service when they were last read.
    tables: Vec<PathBuf>,
    seen: LedTo,
}

impl Looking {
    fn once(&mut self) {
        if self.tables.is_empty() {
            self.tables = tables(&self.proc);
        }
        let (wanted, seen) = (&self.wanted, &mut self.seen);
        // One that cannot be read has ended with its process.
        self.tables
            .retain(|table| look(table, wanted, seen).is_ok_and(|told| told > 0));
    }
}

/// A table of each network namespace that a process is in.
fn tables(proc: &Path) -> Vec<PathBuf> {
    let processes = fs::read_dir(proc).into_iter().flatten().flatten();
    let namespaces = processes.filter_map(|process| {
        let process = process.path();
        let is_pid = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
        is_pid(process.file_name()?.to_str()?).then_some(())?;
        let namespace = fs::read_link(process.join("ns/net")).ok()?;
        Some((namespace, process.join(TABLE)))
    });
    let by_namespace: BTreeMap<PathBuf, PathBuf> = namespaces.collect();
    by_namespace.into_values().collect()
}

/// How many of our connections to the Service a table has.
fn look(table: &Path, wanted: &Wanted, seen: &mut LedTo) -> io::Result<u32> {
    let mut lines = BufReader::new(File::open(table)?.take(AT_MOST));
    let mut line = String::new();
    let mut told = 0;
    let at_ns = monotonic_ns();
    while lines.read_line(&mut line)? > 0 {
        if let Some((port, to)) = led_to(&line, wanted) {
            seen.see(port, to, at_ns);
            told += 1;
        }
        line.clear();
    }
    Ok(told)
}

/// The local port of our TCP connection to a Service, and the address that answers.
fn led_to(line: &str, wanted: &Wanted) -> Option<(u16, IpAddr)> {
    let mut words = line.split_ascii_whitespace();
    if words.nth(2) != Some("tcp") {
        return None;
    }
    let mut of = |name: &str| words.find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    // Each search goes on where the last one ended: first as it was sent, then as it is answered.
    let from: IpAddr = of("src")?.parse().ok()?;
    let to: IpAddr = of("dst")?.parse().ok()?;
    let local: u16 = of("sport")?.parse().ok()?;
    let port: u16 = of("dport")?.parse().ok()?;
    let answers: IpAddr = of("src")?.parse().ok()?;
    let is_ours = wanted.from.is_none_or(|own| own == from)
        && SocketAddr::new(to, port) == wanted.service
        && answers != to;
    is_ours.then_some((local, answers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LINE: &str = "ipv4     2 tcp      6 431999 ESTABLISHED src=10.0.0.1 dst=10.96.0.7 sport=4711 dport=80 src=10.244.0.5 dst=10.0.0.1 sport=8080 dport=4711 [ASSURED] mark=0 zone=0 use=2";

    /// Ours, towards the Service.
    fn wanted() -> Wanted {
        Wanted {
            service: SocketAddr::from(([10, 96, 0, 7], 80)),
            from: Some([10, 0, 0, 1].into()),
        }
    }

    fn pod(last: u8) -> IpAddr {
        [10, 244, 0, last].into()
    }

    #[test]
    fn a_line_says_who_answers() {
        assert_eq!(led_to(LINE, &wanted()), Some((4711, pod(5))));
        let refused = LINE.replace("431999 ESTABLISHED", "9 CLOSE");
        assert_eq!(led_to(&refused, &wanted()), Some((4711, pod(5))));
        let unanswered = LINE.replace("src=10.244", "[UNREPLIED] src=10.244");
        assert_eq!(led_to(&unanswered, &wanted()), Some((4711, pod(5))));
        let six = LINE
            .replace("10.0.0.1", "fd00:0000:0000:0000:0000:0000:0000:0001")
            .replace("10.96.0.7", "fd00::7")
            .replace("10.244.0.5", "fd00:1::5");
        let at = Wanted {
            service: SocketAddr::new("fd00::7".parse().unwrap(), 80),
            from: Some("fd00::1".parse().unwrap()),
        };
        let answers = "fd00:1::5".parse().unwrap();
        assert_eq!(led_to(&six, &at), Some((4711, answers)));
    }

    #[test]
    fn another_client_with_the_same_port_is_told_apart_by_its_address() {
        let other = LINE
            .replace("src=10.0.0.1", "src=10.244.0.9")
            .replace("src=10.244.0.5", "src=10.244.0.6");
        assert_eq!(led_to(&other, &wanted()), None);
        let anybody = Wanted {
            from: None,
            ..wanted()
        };
        assert_eq!(led_to(&other, &anybody), Some((4711, pod(6))));
        let table = tempfile::NamedTempFile::new().unwrap();
        fs::write(table.path(), format!("{LINE}\n{other}\n")).unwrap();
        let mut seen = LedTo::default();
        assert_eq!(look(table.path(), &wanted(), &mut seen).unwrap(), 1);
        assert_eq!(seen.find(4711, monotonic_ns()), Some(pod(5)));
    }

    #[test]
    fn our_address_is_that_of_the_way_to_the_service() {
        let local = SocketAddr::from(([127, 0, 0, 1], 80));
        let own = Wanted::to(local).from;
        assert_eq!(own, Some(Ipv4Addr::LOCALHOST.into()));
    }

    #[test]
    fn other_connections_are_not_ours() {
        for other in [
            LINE.replace("tcp      6", "udp      17"),
            LINE.replace("dport=80 ", "dport=443 "),
            LINE.replace("dst=10.96.0.7", "dst=10.96.0.8"),
            // Not rewritten.
            LINE.replace("src=10.244.0.5", "src=10.96.0.7"),
            LINE.split(" src=10.244").next().unwrap().to_owned(),
            String::new(),
        ] {
            assert_eq!(led_to(&other, &wanted()), None, "{other}");
        }
    }

    #[test]
    fn a_port_that_is_used_again_leads_elsewhere() {
        let mut seen = LedTo::default();
        seen.see(4711, pod(5), 10 * SECOND);
        seen.see(4711, pod(5), 11 * SECOND);
        seen.see(4711, pod(6), 20 * SECOND);
        assert_eq!(seen.find(4711, 15 * SECOND), Some(pod(5)));
        assert_eq!(seen.find(4711, 30 * SECOND), Some(pod(6)));
        assert_eq!(
            seen.find(4711, 10 * SECOND - SECOND / 5),
            Some(pod(5)),
            "it is seen a little later than it begins"
        );
        assert_eq!(seen.find(4711, 5 * SECOND), None);
        assert_eq!(seen.find(4712, 15 * SECOND), None);
    }

    #[test]
    fn what_is_there_when_it_ends_is_seen() {
        let proc = tempfile::tempdir().unwrap();
        let of = |process: &str| proc.path().join(process).join(TABLE);
        let begin = || Conntrack::of(proc.path().to_owned(), wanted());
        assert!(begin().is_none());
        // The node's namespace is not ours.
        for (process, namespace) in [("self", "1"), ("1", "1"), ("77", "2"), ("78", "2")] {
            let folder = proc.path().join(process);
            fs::create_dir_all(folder.join("net")).unwrap();
            fs::create_dir_all(folder.join("ns")).unwrap();
            std::os::unix::fs::symlink(format!("net:[{namespace}]"), folder.join("ns/net"))
                .unwrap();
            fs::write(of(process), "").unwrap();
        }
        assert_eq!(tables(proc.path()).len(), 2);
        let looking = begin().unwrap();
        for process in ["77", "78"] {
            fs::write(of(process), format!("{LINE}\n")).unwrap();
        }
        let seen = looking.end();
        assert_eq!(seen.find(4711, monotonic_ns()), Some(pod(5)));
    }

    proptest! {
        #[test]
        fn no_line_makes_it_panic(line in "\\PC{0,200}") {
            let _ = led_to(&line, &wanted());
        }
    }
}
