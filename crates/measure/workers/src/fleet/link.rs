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

    /// It reports no more, or it was told to end: how it ended, in words. Waits a little for it.
    fn ended(&mut self) -> String;
}
