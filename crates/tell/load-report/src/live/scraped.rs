//! Serves figures to a Prometheus scraper while the load runs: everything that has ended so far,
//! over all phases, updated every second. A small server answers every request with the same page
//! (text exposition format 0.0.4), whatever its path.

use super::so_far::SoFar;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::AsFd;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::thread::JoinHandle;
use std::time::Duration;
use tacho_load::recorder::{Live, Second};

/// Low priority: everything else on the machine goes first.
const NICE: i32 = 10;
/// Between two looks at what the recorder has told; it tells once a second.
const LOOK: Timespec = Timespec {
    tv_sec: 1,
    tv_nsec: 0,
};
/// Timeout for reading a request and for writing the answer. Other clients wait meanwhile.
const ASKING: Duration = Duration::from_secs(1);
/// More of a request is not read.
const LONGEST_HEAD: usize = 8 << 10;

/// Answers scrapes until it is dropped.
#[derive(Debug)]
pub struct Scraped {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Scraped {
    /// Starts to listen. Port 0 picks a free port: see [`Self::address`].
    ///
    /// # Errors
    /// When the address is taken or not of this machine, or no thread can be made.
    pub fn start(at: SocketAddr, url: &str, live: &Live) -> io::Result<Self> {
        let listener = TcpListener::bind(at)?;
        let address = listener.local_addr()?;
        let is_over = Arc::new(AtomicBool::new(false));
        let mut answering = Answering {
            listener,
            seconds: live.tap(),
            so_far: SoFar::default(),
            url: url.to_owned(),
            is_over: Arc::clone(&is_over),
        };
        let thread = std::thread::Builder::new()
            .name("tacho-scraped".to_owned())
            .spawn(move || {
                // Of this thread alone, as nice(2) is on Linux.
                let _ = rustix::process::nice(NICE);
                answering.run();
            })?;
        Ok(Self {
            address,
            is_over,
            thread: Some(thread),
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Scraped {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // Wakes the thread. If that fails, the thread wakes by itself within a second.
        let _ = TcpStream::connect_timeout(&self.address, ASKING);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Answering {
    listener: TcpListener,
    seconds: Receiver<Second>,
    so_far: SoFar,
    url: String,
    is_over: Arc<AtomicBool>,
}

impl Answering {
    fn run(&mut self) {
        while !self.is_over.load(Ordering::Relaxed) {
            let mut fds = [PollFd::from_borrowed_fd(
                self.listener.as_fd(),
                PollFlags::IN,
            )];
            let comes = poll(&mut fds, Some(&LOOK)).is_ok_and(|ready| ready > 0);
            for second in self.seconds.try_iter() {
                self.so_far.take(&second);
            }
            if comes && let Ok((stream, _)) = self.listener.accept() {
                // A client that has gone away gets no answer; that is no error.
                let _ = answer(&stream, &self.so_far.page(&self.url));
            }
        }
    }
}

fn answer(mut stream: &TcpStream, page: &str) -> io::Result<()> {
    stream.set_read_timeout(Some(ASKING))?;
    stream.set_write_timeout(Some(ASKING))?;
    let mut head = Vec::new();
    let mut piece = [0; 1024];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < LONGEST_HEAD {
        match stream.read(&mut piece)? {
            0 => return Ok(()),
            read => head.extend_from_slice(&piece[..read]),
        }
    }
    let length = page.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: text/plain; version=0.0.4\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{page}"
    )
}

#[cfg(test)]
mod tests {
    use super::super::so_far::tests::second;
    use super::*;

    fn asked(address: SocketAddr, words: &[u8]) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(words).unwrap();
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        text
    }

    #[test]
    fn a_scrape_is_answered_and_nothing_listens_afterwards() {
        let live = Live::default();
        let at = "127.0.0.1:0".parse().unwrap();
        let scraped = Scraped::start(at, "http://here/", &live).unwrap();
        let address = scraped.address();
        live.publish(second(&[3], 1), None);
        // What is no request at all, or half of one, keeps nobody else away.
        drop(TcpStream::connect(address).unwrap());
        let text = asked(address, b"GET /metrics HTTP/1.1\r\nhost: here\r\n\r\n");
        assert!(text.starts_with("HTTP/1.1 200 OK\r\n"), "{text}");
        assert!(text.contains("tacho_load_live_succeeded_total"), "{text}");
        let taken = Scraped::start(address, "http://here/", &live);
        assert!(taken.is_err());
        drop(scraped);
        assert!(TcpStream::connect(address).is_err());
    }
}
