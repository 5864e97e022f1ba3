//! A closed loop that does nothing but send and read: what the kernel asks of anybody.
//!
//! Whatever comes is taken for a whole answer: nothing is parsed, timed or recorded. What a tool
//! takes beyond it is its own, and no tool that sends and reads once a request takes less.

use crate::error::BenchError;
use crate::sender::{REQUEST, address_of};
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use std::io::{self, Read, Write};
use std::mem::MaybeUninit;
use std::net::TcpStream;

/// `bench-load bare-loop`.
#[derive(Debug, clap::Args)]
pub struct BareLoopArguments {
    #[arg(long)]
    connections: u32,
    #[arg(long)]
    requests: u64,
    /// http://ADDRESS:PORT/
    url: String,
}

/// Sends, and says how many answers came.
pub fn run(arguments: &BareLoopArguments) -> Result<(), BenchError> {
    let address = address_of(&arguments.url)?;
    let epoll = epoll::create(CreateFlags::CLOEXEC).map_err(io::Error::from)?;
    let mut connections = Vec::new();
    for n in 0..arguments.connections.max(1) {
        let mut connection = TcpStream::connect(address)?;
        connection.set_nodelay(true)?;
        let interest = EventFlags::IN | EventFlags::ET;
        epoll::add(
            &epoll,
            &connection,
            EventData::new_u64(u64::from(n)),
            interest,
        )
        .map_err(io::Error::from)?;
        connection.write_all(REQUEST)?;
        connections.push(connection);
    }
    let (mut answered, mut buffer) = (0, vec![0; 64 * 1024]);
    let mut room = [const { MaybeUninit::<Event>::uninit() }; 256];
    while answered < arguments.requests {
        let (ready, _) = epoll::wait(&epoll, &mut room[..], None).map_err(io::Error::from)?;
        for event in ready {
            let connection = &mut connections[event.data.u64() as usize];
            if connection.read(&mut buffer)? == 0 {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
            answered += 1;
            connection.write_all(REQUEST)?;
        }
    }
    println!("{answered}");
    Ok(())
}
