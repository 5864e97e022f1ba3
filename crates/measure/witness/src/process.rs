//! The witness as a process of its own. It writes its address to standard output, and writes what
//! it saw when its standard input ends. So it also ends when the process that started it is killed.

use crate::{ReadError, Seen, Witness};
use std::io::{self, BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, ChildStdout, Command, Stdio};

/// What such a process does.
///
/// # Errors
/// When it cannot listen, or its standard output is gone.
pub fn be_a_process() -> io::Result<()> {
    let witness = Witness::bind((Ipv4Addr::LOCALHOST, 0).into())?;
    println!("{}", witness.address()?);
    let seen = witness.serve(io::stdin())?;
    Seen::write_all(&seen, &mut io::stdout().lock())
}

/// A witness that serves one measurement.
#[derive(Debug)]
pub struct WitnessProcess {
    child: Child,
    output: BufReader<ChildStdout>,
    address: SocketAddr,
}

impl WitnessProcess {
    /// Starts a command that does [`be_a_process`]; `spawn` is given it, to start it where it will.
    ///
    /// # Errors
    /// When it does not start, or says no address.
    pub fn start(
        mut command: Command,
        spawn: impl FnOnce(&mut Command) -> io::Result<Child>,
    ) -> io::Result<Self> {
        let mut child = spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()))?;
        let output = child.stdout.take();
        let output = output.ok_or_else(|| io::Error::other("no standard output"))?;
        let mut output = BufReader::new(output);
        let mut line = String::new();
        output.read_line(&mut line)?;
        let address = line.trim().parse().map_err(io::Error::other)?;
        Ok(Self {
            child,
            output,
            address,
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends it; what it saw.
    ///
    /// # Errors
    /// When it ended before it had told everything.
    pub fn stop(mut self) -> Result<Vec<Seen>, ReadError> {
        drop(self.child.stdin.take());
        Seen::read_all(&mut self.output)
    }
}

impl Drop for WitnessProcess {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
