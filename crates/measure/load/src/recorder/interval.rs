//! What is counted in one second.

use super::distribution::{growing_time_histogram, record, time_histogram};
use super::{Measured, SINGLE_REQUESTS};
use hdrhistogram::Histogram;
use tacho_run_folder::ErrorKind;

/// The most kinds of request with histograms of their own. All others are counted together, under
/// this index: a histogram takes 65 KB or more, and nobody reads a table of more rows.
pub const MOST_KINDS: usize = 200;

/// Up to this many kinds are given their memory before the clock starts; of more, many may never
/// come.
const FEW_KINDS: usize = 8;

/// Response and service time of one kind of request with one outcome. 32 bits a counter: half
/// the memory, and 4 billion requests in one second are not to be feared.
#[derive(Debug)]
pub struct Times {
    pub response: Histogram<u32>,
    pub service: Histogram<u32>,
}

impl Times {
    fn new(few: bool) -> Box<Self> {
        let histogram = if few {
            time_histogram
        } else {
            growing_time_histogram
        };
        Box::new(Self {
            response: histogram(),
            service: histogram(),
        })
    }
}

/// One kind of request.
#[derive(Debug, Default)]
pub struct Kind {
    /// Status below 400.
    pub ok: Option<Box<Times>>,
    /// Status from 400 on, and requests without a complete answer.
    pub error: Option<Box<Times>>,
}

/// All that is counted in one second.
#[derive(Debug)]
pub struct Interval {
    pub kinds: Vec<Kind>,
    few: bool,
    /// Those that failed, by kind of error. A dozen kinds at most: searched from the front.
    pub errors: Vec<(ErrorKind, u64)>,
    pub delay: Histogram<u32>,
    pub lag: Histogram<u32>,
    /// end - dispatched of those that succeeded.
    pub on_time: Histogram<u32>,
    pub singles: Vec<Measured>,
    pub began_at: u64,
    pub ended_at: u64,
}

impl Interval {
    pub fn new() -> Self {
        Self {
            kinds: Vec::new(),
            few: true,
            errors: Vec::with_capacity(24),
            delay: time_histogram(),
            lag: time_histogram(),
            on_time: time_histogram(),
            singles: Vec::with_capacity(SINGLE_REQUESTS),
            began_at: 0,
            ended_at: 0,
        }
    }

    /// Makes room for a number of kinds of request. Histograms of errors are made when the first
    /// error comes: a mix of many requests that never fail needs half the memory.
    pub fn prepare(&mut self, kinds: usize) {
        self.few = kinds <= FEW_KINDS;
        self.kinds
            .resize_with(kinds.min(MOST_KINDS + 1), Kind::default);
        if self.few {
            for kind in &mut self.kinds {
                kind.ok.get_or_insert_with(|| Times::new(true));
            }
        }
    }

    pub fn begin(&mut self, now: u64) {
        self.began_at = now;
    }

    pub fn is_empty(&self) -> bool {
        self.delay.is_empty()
            && self.lag.is_empty()
            && self.singles.is_empty()
            && self.kinds.iter().all(|kind| {
                [&kind.ok, &kind.error]
                    .into_iter()
                    .flatten()
                    .all(|times| times.response.is_empty())
            })
    }

    #[inline]
    pub fn record(&mut self, measured: &Measured) {
        let kind = &mut self.kinds[(measured.request as usize).min(MOST_KINDS)];
        let times = if measured.outcome.is_ok() {
            &mut kind.ok
        } else {
            count_error(&mut self.errors, measured);
            &mut kind.error
        };
        let times = times.get_or_insert_with(|| Times::new(self.few));
        record(&mut times.response, measured.response_ns());
        // What was never sent has no service time and no dispatch delay.
        if measured.sent > 0 {
            record(
                &mut times.service,
                measured.end.saturating_sub(measured.sent),
            );
            record(
                &mut self.delay,
                measured.sent.saturating_sub(measured.intended),
            );
        }
    }

    /// Its response time, had it been taken up at its instant. A closed loop has no schedule to be
    /// late for: there it would be one more count a request for nothing.
    #[inline]
    pub fn record_on_time(&mut self, measured: &Measured) {
        if measured.outcome.is_ok() {
            record(
                &mut self.on_time,
                measured.end.saturating_sub(measured.dispatched),
            );
        }
    }

    /// Empties it, keeping its memory.
    pub fn clear(&mut self) {
        for times in self
            .kinds
            .iter_mut()
            .flat_map(|kind| [&mut kind.ok, &mut kind.error])
            .flatten()
        {
            reset(&mut times.response);
            reset(&mut times.service);
        }
        reset(&mut self.delay);
        reset(&mut self.lag);
        reset(&mut self.on_time);
        self.singles.clear();
        self.errors.clear();
    }
}

#[cold]
fn count_error(errors: &mut Vec<(ErrorKind, u64)>, measured: &Measured) {
    let Some(kind) = measured.outcome.error_kind() else {
        return;
    };
    match errors.iter_mut().find(|(known, _)| *known == kind) {
        Some((_, count)) => *count += 1,
        None => errors.push((kind, 1)),
    }
}

/// Most histograms of errors are empty most of the time; a reset touches all of their memory.
fn reset(histogram: &mut Histogram<u32>) {
    if !histogram.is_empty() {
        histogram.reset();
    }
}
