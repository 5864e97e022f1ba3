//! Driving the fake process.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

/// A running fake process.
pub struct Fake {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Fake {
    pub fn start() -> Self {
        Self::from(&mut Command::new(env!("CARGO_BIN_EXE_fake-process")))
    }

    /// By a command of one's own that executes it.
    pub fn from(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        let mut fake = Self { child, answers };
        fake.does("burn 0"); // It is up.
        fake
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Returns once it is done.
    pub fn does(&mut self, step: &str) {
        writeln!(self.child.stdin.as_ref().unwrap(), "{step}").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        assert_eq!(answer, "done\n", "{step}");
    }

    pub fn ends(mut self) {
        drop(self.child.stdin.take());
        self.child.wait().unwrap();
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub const MIB: u64 = 1 << 20;

/// Whether two sizes are the same but for 3 MiB: what a runtime needs for itself.
pub fn about(seen: u64, expected: u64) -> bool {
    seen.abs_diff(expected) <= 3 * MIB
}
