//! The process of a pod, as it is seen from its node, or by the word of the API alone.

use crate::heard::{Hearing, has_ended};
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tacho_cgroup::{Group, Hierarchy};
use tacho_launch::processes::Process as Seen;
use tacho_launch::ready::Network;
use tacho_launch::sockets::SocketError;

/// What can be known of a process while it runs.
#[derive(Debug)]
pub enum InSight {
    /// It is seen from its node.
    Whole {
        /// Its number on this machine.
        pid: u32,
        /// Readable when it has ended.
        handle: OwnedFd,
        /// Of its container.
        group: Option<Arc<Group>>,
    },
    /// Only the API tells of it.
    Told {
        /// Where it listens.
        port: u16,
        /// Never readable: the API tells that it has ended.
        handle: OwnedFd,
    },
}

impl InSight {
    /// Looks at a process. With a `pid` it is seen on this machine; without one it is known only by
    /// the port on which it will listen. The text of an error says what went wrong.
    pub fn of(pid: Option<u32>, port: u16) -> Result<Self, String> {
        let Some(pid) = pid else {
            let handle = eventfd(0, EventfdFlags::CLOEXEC).map_err(|error| error.to_string())?;
            return Ok(Self::Told { port, handle });
        };
        let ended = "its process ended before it could be looked at; the end of its log says why";
        let number = i32::try_from(pid).ok().and_then(Pid::from_raw);
        let handle = number.and_then(|number| pidfd_open(number, PidfdFlags::empty()).ok());
        Ok(Self::Whole {
            pid,
            handle: handle.ok_or(ended)?,
            group: Hierarchy::of_process(pid).map(Arc::new),
        })
    }

    /// Its number, where it is seen.
    pub fn pid(&self) -> Option<u32> {
        match self {
            Self::Whole { pid, .. } => Some(*pid),
            Self::Told { .. } => None,
        }
    }

    /// The group of its container, where it is seen.
    pub fn group(&self) -> Option<&Arc<Group>> {
        match self {
            Self::Whole { group, .. } => group.as_ref(),
            Self::Told { .. } => None,
        }
    }

    /// All processes of its container, where they are seen.
    pub fn members(&self) -> Vec<u32> {
        let members = self.group().and_then(|group| group.pids().ok());
        members.unwrap_or_else(|| self.pid().into_iter().collect())
    }

    /// Becomes readable when it has ended, if that can be seen.
    pub fn handle(&self) -> BorrowedFd<'_> {
        match self {
            Self::Whole { handle, .. } | Self::Told { handle, .. } => handle.as_fd(),
        }
    }

    /// Whether it is over: by the kernel's word, else by that of the API.
    pub fn is_over(&self, hearing: &Mutex<Hearing>, within: Duration) -> io::Result<bool> {
        match self {
            Self::Whole { handle, .. } => becomes_readable(handle.as_fd(), within),
            Self::Told { .. } => {
                let mut hearing = hearing.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(has_ended(hearing.until(within, has_ended)))
            }
        }
    }

    /// It is stopped: by SIGSTOP, or by a debugger.
    pub fn is_stopped(&self) -> bool {
        let process = self.pid().and_then(Seen::read);
        process.is_some_and(|process| process.stopped)
    }

    /// Where it listens, reached at this address.
    pub fn network(&self, address: IpAddr) -> Result<Network, SocketError> {
        match self {
            Self::Whole { pid, .. } => Network::own(*pid, address),
            Self::Told { port, .. } => Ok(Network::at(SocketAddr::new(address, *port))),
        }
    }
}

fn becomes_readable(handle: BorrowedFd<'_>, within: Duration) -> io::Result<bool> {
    let mut fds = [PollFd::from_borrowed_fd(handle, PollFlags::IN)];
    let timeout = Timespec {
        tv_sec: i64::try_from(within.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: within.subsec_nanos().into(),
    };
    match poll(&mut fds, Some(&timeout)) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_is_seen_has_a_number_and_one_that_is_not_has_a_port() {
        let own = InSight::of(Some(std::process::id()), 8080).unwrap();
        assert_eq!(own.pid(), Some(std::process::id()));
        assert!(own.members().contains(&std::process::id()) && !own.is_stopped());
        assert!(!becomes_readable(own.handle(), Duration::ZERO).unwrap());
        let told = InSight::of(None, 8080).unwrap();
        assert!(told.members().is_empty() && told.group().is_none() && !told.is_stopped());
        assert!(!becomes_readable(told.handle(), Duration::ZERO).unwrap());
        assert!(InSight::of(Some(u32::MAX), 8080).is_err());
    }
}
