//! More connections than the process may open at first. Alone in its process, because the limit is
//! the process's own.
#![allow(clippy::unwrap_used)]

mod support;

use rustix::net::{AddressFamily, SocketType, bind, listen, socket};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::net::{SocketAddr, TcpListener};
use support::Rig;

const CONNECTIONS: u32 = 300;

#[test]
fn the_limit_is_raised_for_the_connections_and_put_back() {
    // The kernel completes the handshakes; nobody has to accept.
    let listener = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    bind(&listener, &"127.0.0.1:0".parse::<SocketAddr>().unwrap()).unwrap();
    listen(&listener, 1_024).unwrap();
    let listener = TcpListener::from(listener);

    let open_files = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    let before = Rlimit {
        current: Some(open_files() as u64 + 40),
        ..getrlimit(Resource::Nofile)
    };
    setrlimit(Resource::Nofile, before).unwrap();

    let mut rig = Rig::new(listener.local_addr().unwrap());
    let record = rig.closed(0, CONNECTIONS, 0.0);
    assert_eq!((record.requests, record.reconnects), (0, 0));
    assert!(open_files() >= CONNECTIONS as usize);
    assert!(getrlimit(Resource::Nofile).current.unwrap() > u64::from(CONNECTIONS));
    drop(rig);
    assert_eq!(getrlimit(Resource::Nofile), before);
}
