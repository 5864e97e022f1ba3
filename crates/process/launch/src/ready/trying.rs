//! Whether a process that cannot be seen listens, found out by connecting.
//!
//! A refused connection costs the subject nothing, because its kernel answers. The first accepted
//! connection is closed at once. A process that can be seen does not have to accept this extra one.

use super::listeners::Sight;
use crate::sockets::ListeningSocket;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;
use tacho_clock::monotonic_ns;

/// Pause between two tries. A thousand refusals a second would fill connection tables on the way.
const PAUSE_NS: u64 = 5_000_000;
/// How long one try waits when nothing answers, not even with a refusal. Then the next one begins.
const PATIENCE: Duration = Duration::from_millis(20);

/// Tries to connect again and again, until somebody listens.
pub(super) struct Trying {
    address: SocketAddr,
    last_try_ns: u64,
    is_found: bool,
}

impl Trying {
    pub(super) fn new(address: SocketAddr, since_ns: u64) -> Self {
        Self {
            address,
            last_try_ns: since_ns,
            is_found: false,
        }
    }

    /// The socket, once, when it has begun to listen.
    pub(super) fn look(&mut self) -> Option<(ListeningSocket, Sight)> {
        let began_ns = monotonic_ns();
        if self.is_found || began_ns.saturating_sub(self.last_try_ns) < PAUSE_NS {
            return None;
        }
        let not_yet_ns = std::mem::replace(&mut self.last_try_ns, began_ns);
        self.is_found = TcpStream::connect_timeout(&self.address, PATIENCE).is_ok();
        self.is_found.then(|| {
            let socket = ListeningSocket {
                address: self.address,
                v6_only: false,
                // Nobody knows it.
                inode: 0,
            };
            let sight = Sight {
                at_ns: monotonic_ns(),
                not_yet_ns,
            };
            (socket, sight)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn a_listener_is_found_once_between_two_tries() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let mut trying = Trying::new(address, 0);
        assert!(trying.look().is_none());
        let before_ns = trying.last_try_ns;
        assert!(before_ns > 0);
        let _listener = TcpListener::bind(address).unwrap();
        let (socket, sight) = loop {
            if let Some(found) = trying.look() {
                break found;
            }
            std::thread::yield_now();
        };
        assert_eq!(socket.address, address);
        assert!(sight.not_yet_ns >= before_ns && sight.at_ns > sight.not_yet_ns);
        assert!(trying.look().is_none());
    }
}
