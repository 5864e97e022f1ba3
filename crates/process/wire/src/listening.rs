//! A thread that records how long calls to some addresses take, while a subject is under load.

use crate::capture::{Capture, CaptureError};
use crate::conversation::{Conversations, Exchange, Protocol};
use crate::segment::segment;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Interval between two reads. Packets wait in the kernel, which has stamped them, so the thread
/// need not wake for each.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// A capture that goes on.
#[derive(Debug)]
pub struct Listening {
    over: Arc<AtomicBool>,
    thread: JoinHandle<Result<Heard, CaptureError>>,
}

/// What was heard.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    /// The callees, in the order in which their addresses were given. Those that nobody called are
    /// missing.
    pub peers: Vec<Peer>,
    /// Packets that were lost, plus exchanges that were not kept because there are too many. If
    /// this is not 0, the exchanges are incomplete.
    pub lost: u64,
    /// Questions that had no answer before the end.
    pub unanswered: u64,
}

/// Calls to an address.
#[derive(Debug, Clone, PartialEq)]
pub struct Peer {
    /// Where the callee listens.
    pub address: SocketAddr,
    /// What was spoken.
    pub protocol: Protocol,
    /// Its exchanges.
    pub exchanges: Vec<Exchange>,
}

impl Listening {
    /// Starts to listen.
    ///
    /// # Errors
    /// When packets cannot be seen.
    pub fn to(addresses: Vec<SocketAddr>) -> Result<Self, CaptureError> {
        let mut ports: Vec<u16> = addresses.iter().map(SocketAddr::port).collect();
        ports.sort_unstable();
        ports.dedup();
        let capture = Capture::of_ports(&ports)?;
        let over = Arc::new(AtomicBool::new(false));
        let thread = {
            let over = Arc::clone(&over);
            std::thread::spawn(move || take_down(capture, addresses, &over))
        };
        Ok(Self { over, thread })
    }

    /// Stops, and returns what was captured.
    ///
    /// # Errors
    /// When the capture broke off.
    pub fn end(self) -> Result<Heard, CaptureError> {
        self.over.store(true, Ordering::Release);
        match self.thread.join() {
            Ok(heard) => heard,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

fn take_down(
    mut capture: Capture,
    addresses: Vec<SocketAddr>,
    over: &AtomicBool,
) -> Result<Heard, CaptureError> {
    let mut conversations = Conversations::with(addresses.clone());
    loop {
        // Checked before the last read, so that this read gets everything that came before the end.
        let is_over = over.load(Ordering::Acquire);
        capture.drain(|at, packet| {
            if let Some(segment) = segment(packet) {
                conversations.take(at, &segment);
            }
        })?;
        if is_over {
            break;
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
    let told = conversations.end();
    let mut peers: Vec<Peer> = Vec::new();
    for (place, address) in addresses.into_iter().enumerate() {
        let of_it = told.exchanges.iter().filter(|(of, _)| *of == place);
        let exchanges: Vec<Exchange> = of_it.map(|(_, exchange)| *exchange).collect();
        if let Some(protocol) = spoken(&exchanges) {
            peers.push(Peer {
                address,
                protocol,
                exchanges,
            });
        }
    }
    Ok(Heard {
        peers,
        lost: capture.lost() + told.beyond,
        unanswered: told.unanswered,
    })
}

/// The protocol of most of the exchanges.
fn spoken(exchanges: &[Exchange]) -> Option<Protocol> {
    use Protocol::{Http1, Http2, Other, Tls};
    let count = |is: Protocol| exchanges.iter().filter(|one| one.protocol == is).count();
    [Http1, Http2, Tls, Other]
        .into_iter()
        .filter(|_| !exchanges.is_empty())
        .max_by_key(|protocol| count(*protocol))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};

    const CALLS: usize = 20;
    const CALLEE_TAKES: Duration = Duration::from_millis(3);

    /// Answers each question after a while.
    fn callee() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let (mut connection, _) = listener.accept().unwrap();
            connection.set_nodelay(true).unwrap();
            let mut question = [0; 256];
            while connection.read(&mut question).unwrap() > 0 {
                std::thread::sleep(CALLEE_TAKES);
                connection
                    .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
                    .unwrap();
            }
        });
        address
    }

    /// Calls, and what was heard of them; `None` for who may not listen.
    fn heard_of(calls: usize) -> Option<Heard> {
        let address = callee();
        let listening = match Listening::to(vec![address]) {
            Ok(listening) => listening,
            Err(CaptureError::NotAllowed) => return None,
            Err(error) => panic!("{error}"),
        };
        let mut caller = TcpStream::connect(address).unwrap();
        caller.set_nodelay(true).unwrap();
        let mut answer = [0; 256];
        for _ in 0..calls {
            caller
                .write_all(b"GET /price HTTP/1.1\r\nhost: x\r\n\r\n")
                .unwrap();
            assert!(caller.read(&mut answer).unwrap() > 0);
        }
        Some(listening.end().unwrap())
    }

    #[test]
    fn real_calls_are_heard_with_what_the_callee_takes() {
        // The kernel begins to stamp a moment after it is asked to.
        for _ in 0..1_000 {
            let Some(heard) = heard_of(CALLS) else {
                return eprintln!("not root: nothing is seen");
            };
            assert_eq!(heard.lost, 0);
            let [peer] = &heard.peers[..] else { continue };
            if peer.exchanges.len() < CALLS {
                continue;
            }
            assert_eq!(heard.unanswered, 0);
            assert_eq!(peer.protocol, Protocol::Http1);
            for exchange in &peer.exchanges {
                let least = CALLEE_TAKES.as_nanos() as u64;
                assert!(exchange.waiting >= least, "{exchange:?}");
                assert_eq!((exchange.sent, exchange.received), (32, 40));
            }
            return;
        }
        panic!("not once were all calls heard");
    }
}
