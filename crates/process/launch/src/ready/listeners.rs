//! Noticing the first listening sockets of a process tree.

use super::agent;
use super::trying::Trying;
use super::watched::{Known, Sockets, Watched};
use crate::processes;
use crate::sockets::{ListeningSocket, Owner, SocketError, sockets_of, who_listens};
use std::collections::{HashMap, HashSet};
use tacho_clock::monotonic_ns;

/// When a socket that belongs to no process of the tree is looked at again. The owner is known as
/// soon as `listen` is called, so this only covers processes that were being forked during the
/// first look.
const SECOND_LOOKS_NS: [u64; 2] = [50_000_000, 500_000_000];

/// An instant, and the last instant at which the event had certainly not happened yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sight {
    pub(super) at_ns: u64,
    pub(super) not_yet_ns: u64,
}

impl Sight {
    /// How much earlier than noticed it may have happened.
    pub(super) fn gap_ns(self) -> u64 {
        self.at_ns.saturating_sub(self.not_yet_ns)
    }
}

struct Stranger {
    looks: usize,
    again_ns: u64,
}

impl Stranger {
    const FOR_GOOD: Self = Self {
        looks: SECOND_LOOKS_NS.len(),
        again_ns: u64::MAX,
    };
}

/// Looks again and again for what listens.
pub(super) enum Listeners<'a> {
    /// Sockets of processes that can be seen.
    Seen(SocketsOf<'a>),
    /// The socket of a process that cannot be seen.
    Unseen(Trying),
}

impl<'a> Listeners<'a> {
    /// Of a process and all below it, or of the processes that `tree` names.
    pub(super) fn new(
        process: &dyn Watched,
        tree: Option<&'a dyn Fn() -> Vec<u32>>,
    ) -> Result<Self, SocketError> {
        let since_ns = process.exec_ns();
        Ok(match process.network()?.0 {
            Known::Sockets(sockets) => Self::Seen(SocketsOf::new(sockets, tree, since_ns)),
            Known::Address(address) => Self::Unseen(Trying::new(address, since_ns)),
        })
    }

    /// What has begun to listen since the last look.
    pub(super) fn look(&mut self) -> Result<Vec<(ListeningSocket, Sight)>, SocketError> {
        match self {
            Self::Seen(sockets) => sockets.look(),
            Self::Unseen(trying) => Ok(trying.look().into_iter().collect()),
        }
    }

    /// Whether a JVM that belongs to us runs with an agent. Unknown, and so not, of a process that
    /// cannot be seen.
    pub(super) fn has_agent(&self) -> bool {
        match self {
            Self::Seen(sockets) => sockets.has_agent(),
            Self::Unseen(_) => false,
        }
    }

    /// Who listens on a port on which no process of ours does; `None` where nobody does, or where
    /// that cannot be seen from here.
    pub(super) fn stranger_at(&self, port: u16) -> Option<Owner> {
        match self {
            Self::Seen(sockets) if sockets.network.is_shared() => who_listens(port).ok().flatten(),
            _ => None,
        }
    }
}

/// Listening sockets of a tree of processes.
pub(super) struct SocketsOf<'a> {
    network: Sockets,
    tree: Option<&'a dyn Fn() -> Vec<u32>>,
    last_look_ns: u64,
    ours: HashSet<u32>,
    strangers: HashMap<u32, Stranger>,
}

impl<'a> SocketsOf<'a> {
    fn new(network: Sockets, tree: Option<&'a dyn Fn() -> Vec<u32>>, since_ns: u64) -> Self {
        // These listened before the subject was started. Most launches never have to check another
        // foreign socket.
        let older = network.older.iter();
        let strangers = older.map(|inode| (*inode, Stranger::FOR_GOOD)).collect();
        Self {
            network,
            tree,
            last_look_ns: since_ns,
            ours: HashSet::new(),
            strangers,
        }
    }

    /// Sockets of the tree that have begun to listen since the last look.
    fn look(&mut self) -> Result<Vec<(ListeningSocket, Sight)>, SocketError> {
        let began_ns = monotonic_ns();
        let listening = self.network.diag.listening()?;
        let at_ns = monotonic_ns();
        let sight = Sight {
            at_ns,
            not_yet_ns: self.last_look_ns,
        };
        self.last_look_ns = began_ns;
        let unknown: Vec<ListeningSocket> = listening
            .into_iter()
            .filter(|s| !self.ours.contains(&s.inode))
            .filter(|s| {
                self.strangers
                    .get(&s.inode)
                    .is_none_or(|x| x.again_ns <= at_ns)
            })
            .collect();
        if unknown.is_empty() {
            return Ok(Vec::new());
        }
        let owned = self.owned_among(&unknown);
        let (ours, others): (Vec<_>, Vec<_>) =
            unknown.into_iter().partition(|s| owned.contains(&s.inode));
        for socket in others {
            self.put_aside(socket.inode, at_ns);
        }
        self.ours.extend(ours.iter().map(|s| s.inode));
        let reached = ours.into_iter().filter_map(|s| self.network.reached(s));
        Ok(reached.map(|socket| (socket, sight)).collect())
    }

    /// The first process is checked first: in almost every launch it has the socket, and reading
    /// all of /proc costs a hundred times more.
    fn owned_among(&self, unknown: &[ListeningSocket]) -> HashSet<u32> {
        let mut owned = sockets_of(self.network.root);
        if unknown.iter().any(|s| !owned.contains(&s.inode)) {
            owned.extend(self.pids().into_iter().flat_map(sockets_of));
        }
        owned
    }

    /// As expensive as [`Self::owned_among`] says.
    fn pids(&self) -> Vec<u32> {
        let root = self.network.root;
        self.tree
            .map_or_else(|| processes::tree(root), |tree| tree())
    }

    fn has_agent(&self) -> bool {
        agent::is_in(self.network.root) || self.pids().into_iter().any(agent::is_in)
    }

    fn put_aside(&mut self, inode: u32, at_ns: u64) {
        let stranger = self.strangers.entry(inode).or_insert(Stranger {
            looks: 0,
            again_ns: 0,
        });
        stranger.again_ns = SECOND_LOOKS_NS
            .get(stranger.looks)
            .map_or(u64::MAX, |pause| at_ns + pause);
        stranger.looks += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::watched::Network;
    use super::*;
    use std::net::TcpListener;

    fn of<'a>(root: u32, tree: Option<&'a dyn Fn() -> Vec<u32>>) -> SocketsOf<'a> {
        match Network::shared(root, Vec::new()).unwrap().0 {
            Known::Sockets(sockets) => SocketsOf::new(sockets, tree, monotonic_ns()),
            Known::Address(address) => panic!("{address}"),
        }
    }

    #[test]
    fn a_socket_is_reported_once_with_the_gap_between_two_looks() {
        let mut listeners = of(std::process::id(), None);
        listeners.look().unwrap();
        let before_ns = monotonic_ns();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let after_ns = monotonic_ns();
        let new = listeners.look().unwrap();
        let (_, sight) = new.iter().find(|(s, _)| s.address == address).unwrap();
        assert!(sight.not_yet_ns <= before_ns && sight.at_ns >= after_ns);
        let again = listeners.look().unwrap();
        assert!(again.iter().all(|(s, _)| s.address != address));
    }

    #[test]
    fn sockets_of_others_are_not_reported() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let nobody = || Vec::new();
        let mut listeners = of(u32::MAX, Some(&nobody));
        assert!(
            listeners
                .look()
                .unwrap()
                .iter()
                .all(|(s, _)| s.address != address)
        );
    }
}
