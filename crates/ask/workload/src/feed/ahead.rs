//! Reading ahead: a thread keeps a bounded number of rows ready, so that the load generator's
//! thread never waits for a disk in the usual case.

use super::row::{BrokenRow, Row};
use super::sequence::Next;
use std::io;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread::JoinHandle;

/// How much is kept ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Depth {
    /// Rows that cross between the threads at once, so that the threads rarely meet.
    pub rows: usize,
    /// A batch of large rows is handed over earlier.
    pub bytes: usize,
    /// Batches that wait.
    pub batches: usize,
}

impl Depth {
    /// 1,024 rows, or at most about 1 MiB (one row more when a row is that large).
    pub(crate) const USUAL: Self = Self {
        rows: 128,
        bytes: 128 * 1024,
        batches: 8,
    };
}

/// Rows that cross between the threads at once.
#[derive(Debug, Default)]
struct Batch {
    rows: Vec<Row>,
    bytes: usize,
    broken: Broken,
    rewinds: u64,
    /// There are no more, for this reason.
    over: Option<Dry>,
}

/// Rows that were passed over.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Broken {
    pub count: u64,
    pub example: Option<BrokenRow>,
}

impl Broken {
    fn add(&mut self, row: BrokenRow) {
        self.count += 1;
        self.example.get_or_insert(row);
    }

    fn add_all(&mut self, other: Self) {
        self.count += other.count;
        if self.example.is_none() {
            self.example = other.example;
        }
    }
}

/// What became of a feed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    pub rows: u64,
    pub rewinds: u64,
    pub broken: Broken,
    /// How often no row was ready.
    pub waits: u64,
}

/// Why there is no row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Dry {
    /// The feed is at its end.
    End,
    /// Its file can no longer be used.
    Failed(String),
}

/// The receiving end of a thread that reads ahead.
pub(crate) struct Ahead {
    ready: std::vec::IntoIter<Row>,
    batches: Option<Receiver<Batch>>,
    reader: Option<JoinHandle<()>>,
    over: Option<Dry>,
}

impl Ahead {
    /// Starts a thread that asks for rows until there are none, or until this is dropped.
    pub(crate) fn start(
        next: impl FnMut() -> Next + Send + 'static,
        depth: Depth,
    ) -> io::Result<Self> {
        let (sender, batches) = sync_channel(depth.batches);
        let reader = std::thread::Builder::new()
            .name("tacho-feed".to_owned())
            .spawn(move || pump(next, depth, &sender))?;
        Ok(Self {
            ready: Vec::new().into_iter(),
            batches: Some(batches),
            reader: Some(reader),
            over: None,
        })
    }

    /// The next row. Waits only when none is ready.
    pub(crate) fn take(&mut self, tally: &mut Tally) -> Result<Row, Dry> {
        loop {
            if let Some(row) = self.ready.next() {
                tally.rows += 1;
                return Ok(row);
            }
            let Some(batch) = self.next_batch(tally) else {
                return Err(self.over.clone().unwrap_or_else(|| {
                    Dry::Failed("the thread that reads it has ended".to_owned())
                }));
            };
            tally.rewinds += batch.rewinds;
            tally.broken.add_all(batch.broken);
            self.over = batch.over;
            self.ready = batch.rows.into_iter();
        }
    }

    fn next_batch(&mut self, tally: &mut Tally) -> Option<Batch> {
        let batches = self.batches.as_ref()?;
        match batches.try_recv() {
            Ok(batch) => Some(batch),
            Err(TryRecvError::Empty) => {
                tally.waits += 1;
                batches.recv().ok()
            }
            Err(TryRecvError::Disconnected) => None,
        }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        // The thread ends when it notices that nobody receives any more, after one batch at the
        // latest.
        drop(self.batches.take());
        if let Some(reader) = self.reader.take() {
            _ = reader.join();
        }
    }
}

fn pump(mut next: impl FnMut() -> Next, depth: Depth, sender: &SyncSender<Batch>) {
    let mut batch = Batch::default();
    loop {
        match next() {
            Next::Row(row) => {
                batch.bytes += row.size();
                batch.rows.push(row);
            }
            Next::Broken(row) => batch.broken.add(row),
            Next::Rewound => batch.rewinds += 1,
            Next::End => batch.over = Some(Dry::End),
            Next::Failed(reason) => batch.over = Some(Dry::Failed(reason)),
        }
        let is_over = batch.over.is_some();
        // Also a file of broken rows alone has to notice that nobody listens.
        let is_full = batch.rows.len() >= depth.rows
            || batch.bytes >= depth.bytes
            || batch.broken.count >= 1_000;
        if is_over || is_full {
            let is_unheard = sender.send(std::mem::take(&mut batch)).is_err();
            if is_over || is_unheard {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests;
