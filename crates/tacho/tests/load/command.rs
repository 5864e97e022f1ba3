//! `tacho load`, as it is typed.

use crate::support::{Told, signal, tacho};
use rustix::process::Signal;
use std::ffi::OsStr;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The command in the making.
pub struct Load(Command);

impl Load {
    /// `options` are split at spaces.
    pub fn new(options: &str) -> Self {
        let mut command = tacho();
        command.arg("load").args(options.split_whitespace());
        for variable in ["http_proxy", "HTTP_PROXY", "no_proxy", "NO_PROXY"] {
            command.env_remove(variable);
        }
        Self(command)
    }

    /// The same, with nothing but JSON on standard output.
    pub fn json(options: &str) -> Self {
        Self::new("-q --json -").and(options)
    }

    /// More options, split at spaces.
    pub fn and(mut self, options: &str) -> Self {
        self.0.args(options.split_whitespace());
        self
    }

    /// One argument, whatever it holds.
    pub fn with(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.0.arg(argument);
        self
    }

    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.0.env(name, value);
        self
    }

    pub fn current_dir(mut self, folder: &std::path::Path) -> Self {
        self.0.current_dir(folder);
        self
    }

    pub fn run(mut self) -> Told {
        Told::of(&self.0.output().unwrap())
    }

    /// With a text on standard input.
    pub fn fed(mut self, text: &str) -> Told {
        self.0.stdin(Stdio::piped());
        let mut child = self.start();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(text.as_bytes()).unwrap();
        drop(stdin);
        Told::of(&child.wait_with_output().unwrap())
    }

    /// Sends the signals one right after the other, as soon as `ready` says so.
    pub fn signalled(mut self, ready: impl Fn() -> bool, signals: &[Signal]) -> Told {
        let child = self.start();
        while !ready() {
            std::thread::sleep(Duration::from_millis(10));
        }
        for one in signals {
            signal(&child, *one);
        }
        Told::of(&child.wait_with_output().unwrap())
    }

    /// While it runs.
    pub fn started(mut self) -> Child {
        self.start()
    }

    fn start(&mut self) -> Child {
        self.0
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }
}
