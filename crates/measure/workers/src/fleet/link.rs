//! The way to a worker and back.

use crate::message::{Order, Report};
use std::fmt::Debug;
use std::io;
use std::sync::mpsc::Receiver;

/// What comes from a worker.
#[derive(Debug)]
pub enum Heard {
    /// A message.
    Report(Report),
    /// Nothing any more: it has ended, or its connection has.
    Nothing,
}

/// What comes from all workers, each with its place among them.
pub type AllHeard = Receiver<(usize, Heard)>;

/// A worker, wherever it is. What it reports comes over a channel.
pub trait Link: Debug + Send {
    /// Sends an order.
    ///
    /// # Errors
    /// When nobody takes it.
    fn send(&mut self, order: &Order) -> io::Result<()>;

    /// Waits until it has ended, ends it after some seconds, and says how that went: `it ended
    /// (signal: 9 (SIGKILL))`. To be called when nothing more is to come from it.
    fn ended(&mut self) -> String;

    /// How much longer an order may take to reach this worker than one on the same machine.
    fn lead_ns(&self) -> u64 {
        0
    }

    /// So well its clock is known: 0 where it is the terminal's own.
    fn clock_within_ns(&self) -> u64 {
        0
    }
}
