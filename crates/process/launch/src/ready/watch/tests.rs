use super::*;
use crate::child::Exit;
use crate::ready::Network;
use crate::sockets::SocketError;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use std::io::PipeReader;
use std::path::Path;
use std::sync::atomic::AtomicBool;

#[test]
fn the_kernel_s_range_is_two_numbers() {
    assert_eq!(range("32768\t60999\n"), Some(32768..=60999));
    for text in ["", "1", "a b", "1 70000"] {
        assert_eq!(range(text), None, "{text}");
    }
}

/// As a container whose service ends at once: nothing of its network is left to look into.
struct Gone {
    handle: OwnedFd,
    exit: Option<Exit>,
}

impl Watched for Gone {
    fn exec_ns(&self) -> u64 {
        monotonic_ns()
    }

    fn handle(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }

    fn ended(&mut self) -> io::Result<Option<Exit>> {
        Ok(self.exit)
    }

    fn is_stopped(&self) -> bool {
        false
    }

    fn log(&self) -> (&Path, u64) {
        (Path::new("/dev/null"), 0)
    }

    fn network(&self) -> Result<Network, SocketError> {
        let source = io::ErrorKind::NotFound.into();
        Err(SocketError::Beside { pid: 7, source })
    }
}

#[test]
fn what_ended_before_it_could_be_looked_at_has_ended() {
    let (closed, end) = std::io::pipe().unwrap();
    drop(end);
    let (open, _end) = std::io::pipe().unwrap();
    let stop = AtomicBool::new(false);
    let watch = Watch {
        port: None,
        condition: Condition::Port,
        preferred_paths: Vec::new(),
        timeout: Duration::from_secs(1),
        stop: &stop,
        processes: None,
    };
    let why = |handle: PipeReader, exit| {
        let handle = handle.into();
        let mut gone = Gone { handle, exit };
        until_ready(&mut gone, &watch).unwrap_err().why
    };
    assert!(matches!(
        why(closed, Some(Exit::Code(7))),
        Why::Ended(Exit::Code(7))
    ));
    assert!(matches!(why(open, None), Why::Unwatchable(_)));
}

#[test]
fn looks_keep_their_grid_and_do_not_pile_up() {
    assert_eq!(next_on_grid(10_000_000, 10_020_000, 500_000), 10_500_000);
    assert_eq!(next_on_grid(10_000_000, 99_000_000, 500_000), 99_250_000);
}
