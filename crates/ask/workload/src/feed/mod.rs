//! Rows of data for templates, from CSV and JSON lines.
//!
//! A feed is opened, and its first rows are checked, before the clock starts. A missing file or a
//! broken row is an error then. Later a broken row is skipped and counted, with an example. A
//! separate thread reads rows ahead, so memory is constant whatever the size of the file. A random
//! order needs 8 bytes more for each row, for the position where it begins.

mod ahead;
mod csv_rows;
mod error;
mod json_rows;
mod open;
mod row;
mod rows;
mod sequence;

pub(crate) use ahead::Dry;
pub use error::FeedError;
pub(crate) use open::Opened;
pub use row::{BrokenRow, MAX_ROW_BYTES, Row, RowProblem};
pub use rows::read_rows;

use crate::chance::{Purpose, Seed};
use crate::spec::FeedOrder;
use ahead::{Ahead, Depth, Tally};
use sequence::{AnyRow, Pass, Sequence, Sheet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What became of a feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedReport {
    /// Name by which templates refer to it.
    pub name: String,
    /// Rows that scenario runs took.
    pub rows: u64,
    /// How often it began from the front again, as far as it was read ahead.
    pub rewinds: u64,
    /// Rows that were passed over because they cannot be used.
    pub broken: u64,
    /// The first of them.
    pub example: Option<BrokenRow>,
    /// How often a scenario run had to wait because no row was ready; this is lateness of the
    /// generator.
    pub waits: u64,
}

/// A feed whose columns are known and wanted.
pub(crate) struct Feed {
    pub name: String,
    order: FeedOrder,
    sheet: Sheet,
    /// For a random order.
    offsets: Option<Arc<[u64]>>,
    seed: Seed,
    /// Its place in the list.
    index: u32,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// `None` before the first phase.
    ahead: Option<Ahead>,
    phase: u32,
    /// Rows were taken in this phase.
    is_begun: bool,
    tally: Tally,
}

impl Feed {
    pub(crate) fn new(opened: Opened, index: u32, seed: Seed) -> Self {
        Self {
            name: opened.name,
            order: opened.order,
            sheet: opened.sheet,
            offsets: opened.offsets,
            seed,
            index,
            state: Mutex::default(),
        }
    }

    /// Starts again from the front, and reads ahead for a phase. Does nothing when no template uses
    /// the feed, or when the phase was started and has taken no row yet.
    pub(crate) fn start(&self, phase: u32) -> Result<(), FeedError> {
        if self.sheet.wanted.is_empty() {
            return Ok(());
        }
        let mut state = self.state();
        if state.ahead.is_some() && state.phase == phase && !state.is_begun {
            return Ok(());
        }
        // The thread before it ends first.
        state.ahead = None;
        state.ahead = Some(self.read_ahead(phase)?);
        state.phase = phase;
        state.is_begun = false;
        Ok(())
    }

    /// The next row.
    pub(crate) fn take(&self) -> Result<Row, Dry> {
        let mut state = self.state();
        let State {
            ahead,
            is_begun,
            tally,
            ..
        } = &mut *state;
        *is_begun = true;
        match ahead {
            Some(ahead) => ahead.take(tally),
            None => Err(Dry::Failed("it was not started".to_owned())),
        }
    }

    pub(crate) fn report(&self) -> FeedReport {
        let state = self.state();
        FeedReport {
            name: self.name.clone(),
            rows: state.tally.rows,
            rewinds: state.tally.rewinds,
            broken: state.tally.broken.count,
            example: state.tally.broken.example.clone(),
            waits: state.tally.waits,
        }
    }

    fn read_ahead(&self, phase: u32) -> Result<Ahead, FeedError> {
        let sheet = self.sheet.clone();
        let mut sequence = match (self.order, &self.offsets) {
            (FeedOrder::Random, Some(offsets)) => {
                let stream = self.seed.stream(phase, 0, Purpose::Feed(self.index));
                Sequence::Random(AnyRow::new(sheet, Arc::clone(offsets), stream))
            }
            (FeedOrder::Once, _) => Sequence::Once(Pass::new(sheet)),
            (FeedOrder::Cycle | FeedOrder::Random, _) => Sequence::Cycle(Pass::new(sheet)),
        };
        Ahead::start(move || sequence.next(), Depth::USUAL).map_err(|source| FeedError::Thread {
            feed: self.name.clone(),
            source,
        })
    }

    /// A panic in another thread leaves nothing half done here.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
