//! Arthas, attached as its own `as.sh` does it, and its console as a terminal would read it: on
//! loopback, by Telnet.
//!
//! <https://arthas.aliyun.com/en/doc/trace.html>

use crate::subject::{Running, Subject};
use crate::{BenchError, io, of_arthas};
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(30);
/// What the console says when the method is instrumented.
const BEGUN: &str = "Affect(class count: 1 , method count: 1)";
/// The first line of a call that is printed.
const CALL: &[u8] = b"`---ts=";

/// The console, read to its end by a thread of its own.
pub struct Console {
    stream: TcpStream,
    read: Arc<Mutex<Printed>>,
}

/// What the console has printed.
#[derive(Default)]
struct Printed {
    /// Until the trace has begun.
    head: String,
    begun: bool,
    calls: u64,
    /// How much of [`CALL`] has been seen last: it may stand in two blocks.
    matched: usize,
}

impl Printed {
    fn take(&mut self, block: &[u8]) {
        if !self.begun {
            self.head.push_str(&String::from_utf8_lossy(block));
            self.begun = self.head.contains(BEGUN);
        }
        for byte in block {
            self.matched = match *byte == CALL[self.matched] {
                true => self.matched + 1,
                false => usize::from(*byte == CALL[0]),
            };
            if self.matched == CALL.len() {
                self.matched = 0;
                self.calls += 1;
            }
        }
    }
}

impl Console {
    /// Has Arthas trace a method; returns when it does.
    pub fn trace(
        subject: &Subject<'_>,
        running: &Running<'_>,
        command: &str,
    ) -> Result<Self, BenchError> {
        let port = free_port()?;
        attach(subject, running, port)?;
        let mut stream = connect(port)?;
        let read = Arc::new(Mutex::new(Printed::default()));
        let reader = (
            stream.try_clone().map_err(io("the console"))?,
            Arc::clone(&read),
        );
        std::thread::spawn(move || follow(reader.0, &reader.1));
        // A console that has not said its name yet loses what is typed.
        wait(&read, |printed| printed.head.contains("]$"))?;
        stream
            .write_all(format!("{command}\r\n").as_bytes())
            .map_err(io("the console"))?;
        wait(&read, |printed| printed.begun)?;
        Ok(Self { stream, read })
    }

    /// Calls that have been printed.
    pub fn printed(&self) -> u64 {
        lock(&self.read).calls
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
    }
}

fn attach(subject: &Subject<'_>, running: &Running<'_>, port: u16) -> Result<(), BenchError> {
    let arguments = subject.arguments;
    let core = of_arthas(&arguments.arthas, "arthas-core.jar")?;
    let agent = of_arthas(&arguments.arthas, "arthas-agent.jar")?;
    let attached = Command::new(&arguments.java)
        .arg(format!("-Duser.home={}", subject.folder.path().display()))
        .arg("-jar")
        .arg(&core)
        .args(["-pid", &running.pid().to_string()])
        .args(["-target-ip", "127.0.0.1", "-telnet-port", &port.to_string()])
        // No second listener, for browsers.
        .args(["-http-port", "-1", "-core"])
        .arg(&core)
        .arg("-agent")
        .arg(&agent)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| BenchError::Program(arguments.java.display().to_string(), e))?;
    match attached.status.success() {
        true => Ok(()),
        false => Err(BenchError::Arthas(
            String::from_utf8_lossy(&attached.stdout).into_owned(),
        )),
    }
}

fn free_port() -> Result<u16, BenchError> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(io("a free port"))
}

fn connect(port: u16) -> Result<TcpStream, BenchError> {
    let since = Instant::now();
    loop {
        match TcpStream::connect((Ipv4Addr::LOCALHOST, port)) {
            Ok(stream) => return Ok(stream),
            Err(_) if since.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(50)),
            Err(e) => return Err(io("the console")(e)),
        }
    }
}

fn follow(mut stream: TcpStream, read: &Mutex<Printed>) {
    let mut block = vec![0; 1 << 16];
    while let Ok(length @ 1..) = stream.read(&mut block) {
        lock(read).take(&block[..length]);
    }
}

fn wait(read: &Mutex<Printed>, until: impl Fn(&Printed) -> bool) -> Result<(), BenchError> {
    let since = Instant::now();
    while !until(&lock(read)) {
        if since.elapsed() > PATIENCE {
            return Err(BenchError::Arthas(format!(
                "it said only {:?}",
                lock(read).head
            )));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

fn lock(read: &Mutex<Printed>) -> std::sync::MutexGuard<'_, Printed> {
    read.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_wherever_a_block_ends() {
        let text = format!(
            "banner [arthas@1]$ trace\r\n{BEGUN} cost in 3 ms\r\n`---ts=1;\r\n    `---[1ms] a()\r\n``---ts=2;\r\n"
        );
        for size in 1..text.len() {
            let mut printed = Printed::default();
            for block in text.as_bytes().chunks(size) {
                printed.take(block);
            }
            assert_eq!((printed.begun, printed.calls), (true, 2), "{size}");
        }
    }
}
