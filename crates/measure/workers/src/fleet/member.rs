//! One worker as the terminal sees it.

use super::Link;
use crate::merge::{Finished, LogTail, RowTail};
use tacho_load::recorder::Files;

/// How far a worker is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It is not ready yet.
    Starting,
    /// It has nothing to do.
    Idle,
    /// It opens its connections, or carries out a phase that needs none.
    Opening,
    /// It waits for its clock to be started.
    Opened,
    /// It carries out a phase.
    Sending,
}

/// One worker.
#[derive(Debug)]
pub struct Member {
    pub(super) link: Box<dyn Link>,
    pub(super) files: Files,
    pub(super) stage: Stage,
    /// It has a part in the present phase.
    pub(super) is_asked: bool,
    pub(super) finished: Option<Finished>,
    /// Intended, answered, failed, in flight.
    pub(super) counts: [u64; 4],
    pub(super) trouble: Vec<String>,
    /// How it ended, when nobody had told it to.
    pub(super) lost: Option<String>,
    /// In which phase.
    pub(super) lost_in: Option<u32>,
    pub(super) histograms: LogTail,
    pub(super) slowest: RowTail,
}

impl Member {
    /// A worker that was started, and the files that it writes.
    #[must_use]
    pub fn new(link: Box<dyn Link>, files: Files) -> Self {
        Self {
            link,
            histograms: LogTail::of(files.histograms.clone()),
            slowest: RowTail::of(files.slowest.clone()),
            files,
            stage: Stage::Starting,
            is_asked: false,
            finished: None,
            counts: [0; 4],
            trouble: Vec::new(),
            lost: None,
            lost_in: None,
        }
    }

    /// The way to it, and the files that it writes.
    pub(crate) fn into_parts(self) -> (Box<dyn Link>, Files) {
        (self.link, self.files)
    }

    pub(super) fn lose(&mut self) {
        self.stage = Stage::Idle;
        self.finished = None;
        self.lost = Some(self.link.ended());
    }
}
