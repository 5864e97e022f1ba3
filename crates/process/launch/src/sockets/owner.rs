//! Which process owns a socket: `/proc/<pid>/fd` names sockets by their inode.

use super::{ListeningSocket, SocketDiag, SocketError};
use crate::descriptors::noted;
use crate::processes::Process;

use std::collections::HashSet;
use std::fmt;
use std::net::SocketAddr;
use tacho_observe::process::{command, open_files};

/// Inodes of the sockets that a process has open; empty when it is gone or is not ours to look
/// at.
#[must_use]
pub fn sockets_of(pid: u32) -> HashSet<u32> {
    let files = noted(open_files(pid)).into_iter().flatten();
    files.filter_map(|link| inode(link.to_str()?)).collect()
}

/// Inode of a socket, from where a descriptor leads: `socket:[12345]`
fn inode(link: &str) -> Option<u32> {
    link.strip_prefix("socket:[")?
        .strip_suffix(']')?
        .parse()
        .ok()
}

/// A process that listens on a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// What its socket is bound to.
    pub address: SocketAddr,
    /// Its number; unknown when it belongs to another user.
    pub pid: Option<u32>,
    /// Its command line.
    pub command: Option<String>,
}

/// For a sentence such as `port 8080 is taken by ...`.
impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.pid, &self.command) {
            (Some(pid), Some(command)) => {
                let short: String = command.chars().take(120).collect();
                let cut = if short.len() < command.len() {
                    "..."
                } else {
                    ""
                };
                write!(f, "process {pid} (`{short}{cut}`)")
            }
            (Some(pid), None) => write!(f, "process {pid}"),
            (None, _) => write!(
                f,
                "a process of another user (`sudo ss -ltnp 'sport = :{}'` names it)",
                self.address.port()
            ),
        }
    }
}

/// Who listens on this port, on whatever address; `None` when it is free. Asked before a launch.
pub fn who_listens(port: u16) -> Result<Option<Owner>, SocketError> {
    let sockets = SocketDiag::open()?.listening()?;
    Ok(sockets
        .into_iter()
        .find(|socket| socket.address.port() == port)
        .map(|socket| owner_of(&socket)))
}

fn owner_of(socket: &ListeningSocket) -> Owner {
    let pid = Process::all()
        .iter()
        .map(|process| process.pid)
        .find(|pid| sockets_of(*pid).contains(&socket.inode));
    Owner {
        address: socket.address,
        pid,
        command: pid.and_then(command),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sockets::tests::eventually;
    use std::net::TcpListener;

    #[test]
    fn the_owner_of_a_taken_port_is_named() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let us = std::process::id();
        let is_named = || {
            let owner = who_listens(port).unwrap().unwrap();
            owner.pid == Some(us) && owner.to_string().contains(&us.to_string())
        };
        assert!(eventually(is_named));
        drop(listener);
        assert!(eventually(|| who_listens(port).unwrap().is_none()));
    }

    #[test]
    fn only_sockets_have_inodes() {
        assert_eq!(inode("socket:[12345]"), Some(12345));
        assert_eq!(inode("pipe:[12345]"), None);
        assert_eq!(inode("/dev/null"), None);
        assert_eq!(inode("socket:[99999999999999]"), None);
    }
}
