//! A virtual user: what one run of a scenario has of its own.

use crate::cookies::Jar;
use crate::feed::Row;
use crate::message::Message;

/// The state of a virtual user. It can be reused for the next run: only its memory is kept. Each
/// scenario run begins without captured values and without cookies, so that what it sends does not
/// depend on earlier runs.
#[derive(Debug, Clone, Default)]
pub struct User {
    pub(super) phase: u32,
    pub(super) n: u64,
    /// The row in use of each feed, in the order of the feeds.
    pub(super) rows: Vec<Option<Row>>,
    pub(super) captured: Vec<Option<String>>,
    pub(super) jar: Jar,
    /// Redirects that were followed since the step was rendered.
    pub(super) redirects: u32,
    /// What was sent last, without the cookies of the jar; kept for redirects and cookies alone.
    pub(super) sent: Option<Message>,
    /// Wall clock of the last request, in nanoseconds since 1970.
    pub(super) now: u64,
}

impl User {
    /// One that has not begun anything.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A value that was captured in this run, for tests and explanations.
    #[must_use]
    pub fn captured(&self) -> &[Option<String>] {
        &self.captured
    }

    pub(super) fn restart(&mut self, phase: u32, n: u64, feeds: usize, slots: usize) {
        self.phase = phase;
        self.n = n;
        self.rows.clear();
        self.rows.resize(feeds, None);
        self.captured.clear();
        self.captured.resize(slots, None);
        self.jar.clear();
        self.redirects = 0;
        self.sent = None;
    }
}
