//! Names are resolved on a thread of their own, because `getaddrinfo` may take seconds.
//!
//! It resolves once before the clock starts. After that it sleeps until it is asked: when a
//! connection could not be made (the subject may have moved), or when there is no address. Between
//! two look-ups lies a second at least, so that a name that is gone does not flood its server.

use super::fault::Fault;
use super::reason::Reason;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Between two look-ups.
const INTERVAL: Duration = Duration::from_secs(1);

/// All addresses of a name, in the order of preference (RFC 6724).
pub type Lookup = Box<dyn FnMut() -> io::Result<Vec<SocketAddr>> + Send>;

/// The addresses, or why there are none.
type Word = Result<Arc<[SocketAddr]>, Fault>;

/// What is known of a name.
#[derive(Debug)]
pub struct Resolver {
    word: Arc<Mutex<Word>>,
    /// Dropped with the resolver, which ends the thread.
    ask: SyncSender<()>,
}

/// The system's resolver: hosts file, DNS, whatever nsswitch.conf says.
pub fn system_lookup(host: String, port: u16) -> Lookup {
    Box::new(move || Ok((host.as_str(), port).to_socket_addrs()?.collect()))
}

impl Resolver {
    /// Waits for the first word, at most so long; the thread goes on after that.
    pub fn start(lookup: Lookup, patience: Duration) -> Self {
        Self::start_at_intervals(lookup, patience, INTERVAL)
    }

    pub fn start_at_intervals(lookup: Lookup, patience: Duration, interval: Duration) -> Self {
        let unknown = Fault::Dns(Reason::of("the resolver has not answered yet"));
        let word = Arc::new(Mutex::new(Err(unknown)));
        let (ask, asked) = sync_channel(1);
        let (first, first_word) = sync_channel(1);
        let shared = Arc::clone(&word);
        let spawned = thread::Builder::new()
            .name("tacho-resolver".to_owned())
            .spawn(move || work(lookup, &shared, &first, &asked, interval));
        match spawned {
            // Late or not: what it says is in `word`.
            Ok(_) => drop(first_word.recv_timeout(patience)),
            Err(error) => store(&word, Err(Fault::Dns(Reason::of(error)))),
        }
        Self { word, ask }
    }

    /// At least one address.
    pub fn addresses(&self) -> Word {
        let word = self.word.lock().unwrap_or_else(PoisonError::into_inner);
        if word.is_err() {
            self.ask_again();
        }
        word.clone()
    }

    /// Has the name looked up again, soon.
    pub fn ask_again(&self) {
        // A full channel means that a look-up is already requested.
        let _ = self.ask.try_send(());
    }
}

fn work(
    mut lookup: Lookup,
    word: &Mutex<Word>,
    first: &SyncSender<()>,
    asked: &Receiver<()>,
    interval: Duration,
) {
    loop {
        store(word, judge(lookup()));
        let _ = first.try_send(());
        thread::sleep(interval);
        // An error says that nobody is left who could ask.
        if asked.recv().is_err() {
            return;
        }
    }
}

fn judge(found: io::Result<Vec<SocketAddr>>) -> Word {
    match found {
        Ok(addresses) if addresses.is_empty() => {
            Err(Fault::Dns(Reason::of("the name has no address")))
        }
        Ok(addresses) => Ok(addresses.into()),
        Err(error) => Err(Fault::Dns(Reason::of(error))),
    }
}

fn store(word: &Mutex<Word>, new: Word) {
    *word.lock().unwrap_or_else(PoisonError::into_inner) = new;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(port: u16) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], port))
    }

    /// Resolves as the list says, one entry after another, then as its last.
    fn scripted(words: Vec<io::Result<Vec<SocketAddr>>>) -> Resolver {
        let mut words = words.into_iter();
        let mut last = None;
        let lookup = move || {
            if let Some(word) = words.next() {
                last = word.as_ref().ok().cloned();
                return word;
            }
            last.clone().ok_or_else(|| io::Error::other("gone"))
        };
        Resolver::start_at_intervals(Box::new(lookup), Duration::from_secs(60), Duration::ZERO)
    }

    fn gone() -> io::Result<Vec<SocketAddr>> {
        Err(io::Error::other("gone"))
    }

    fn until(resolver: &Resolver, wanted: impl Fn(&Word) -> bool) {
        while !wanted(&resolver.addresses()) {
            thread::yield_now();
        }
    }

    #[test]
    fn the_first_word_is_there_when_it_starts() {
        let resolver = scripted(vec![Ok(vec![address(1), address(2)])]);
        assert_eq!(*resolver.addresses().unwrap(), [address(1), address(2)]);
    }

    #[test]
    fn a_name_that_does_not_resolve_is_tried_again_until_it_does() {
        let resolver = scripted(vec![gone(), gone(), Ok(vec![]), Ok(vec![address(1)])]);
        until(&resolver, Result::is_ok);
        assert_eq!(*resolver.addresses().unwrap(), [address(1)]);
    }

    #[test]
    fn a_name_is_looked_up_again_only_when_asked() {
        let resolver = scripted(vec![Ok(vec![address(1)]), Ok(vec![address(2)]), gone()]);
        assert_eq!(*resolver.addresses().unwrap(), [address(1)]);
        resolver.ask_again();
        until(&resolver, |word| {
            word.as_ref().is_ok_and(|a| **a == [address(2)])
        });
        resolver.ask_again();
        until(&resolver, Result::is_err);
        let fault = resolver.addresses().unwrap_err();
        assert_eq!(fault.kind().name(), "dns");
        assert!(fault.to_string().contains("gone"));
    }

    #[test]
    fn a_resolver_that_says_nothing_is_not_waited_for() {
        let never = Box::new(|| {
            thread::park();
            Ok(Vec::new())
        });
        let resolver =
            Resolver::start_at_intervals(never, Duration::from_millis(1), Duration::ZERO);
        assert_eq!(resolver.addresses().unwrap_err().kind().name(), "dns");
    }

    #[test]
    fn the_system_knows_this_machine_and_not_what_is_not() {
        let known = system_lookup("localhost".to_owned(), 80)().unwrap();
        assert!(known.iter().all(|a| a.ip().is_loopback() && a.port() == 80));
        // Reserved for names that do not exist (RFC 6761, 6.4).
        assert!(system_lookup("tacho.invalid".to_owned(), 80)().is_err());
    }
}
