//! The thread that turns counts into files.

use super::distribution::{add, quantiles_ms, time_histogram};
use super::hlog::{self, LogText, LogWriter};
use super::interval::Interval;
use super::lines::{Lines, Truncate};
use super::live::{Live, Second};
use super::{Measured, PhaseTotals, RecorderError};
use hdrhistogram::Histogram;
use hdrhistogram::serialization::V2DeflateSerializer;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};
use tacho_clock::{Anchor, thread_cpu_ns};
use tacho_run_folder::{Quantiles, RequestRow};

/// What the generator tells the writer.
#[derive(Debug)]
pub enum Message {
    /// A phase begins.
    Begin(PhaseBegin),
    /// An interval is full.
    Interval(Box<Interval>),
    /// The phase is over; these were its slowest requests.
    End(Vec<Measured>),
}

/// The phase that begins.
#[derive(Debug)]
pub struct PhaseBegin {
    pub phase: u32,
    pub label: String,
}

/// The distributions of a phase, as they add up.
struct Totals {
    response: Histogram<u64>,
    service: Histogram<u64>,
    delay: Histogram<u64>,
    lag: Histogram<u64>,
    on_time: Histogram<u64>,
}

impl Totals {
    fn new() -> Self {
        Self {
            response: time_histogram(),
            service: time_histogram(),
            delay: time_histogram(),
            lag: time_histogram(),
            on_time: time_histogram(),
        }
    }

    fn add(&mut self, interval: &Interval) {
        for times in interval.kinds.iter().filter_map(|kind| kind.ok.as_ref()) {
            add(&mut self.response, &times.response);
            add(&mut self.service, &times.service);
        }
        add(&mut self.delay, &interval.delay);
        add(&mut self.lag, &interval.lag);
        add(&mut self.on_time, &interval.on_time);
    }

    fn response(&self) -> Option<Quantiles> {
        quantiles_ms(&self.response)
    }

    fn take(&mut self) -> PhaseTotals {
        let totals = PhaseTotals {
            response_time_ms: quantiles_ms(&self.response),
            service_time_ms: quantiles_ms(&self.service),
            dispatch_delay_ms: quantiles_ms(&self.delay),
            generator_lag_ms: quantiles_ms(&self.lag),
            on_time_response_ms: quantiles_ms(&self.on_time),
            writer_cpu_ns: thread_cpu_ns(),
        };
        for histogram in [
            &mut self.response,
            &mut self.service,
            &mut self.delay,
            &mut self.lag,
            &mut self.on_time,
        ] {
            histogram.reset();
        }
        totals
    }
}

/// The three files and the phase that is being written.
pub struct Writer<F> {
    anchor: Anchor,
    phases: Lines<F>,
    requests: Lines<F>,
    slowest: Lines<F>,
    phase: PhaseBegin,
    /// Made when the first second is over: before the first request there is no time for it.
    totals: Option<Totals>,
    /// The first write of the phase that failed.
    failed: Option<RecorderError>,
    rows: Vec<u8>,
    live: Arc<Live>,
}

impl<F: Truncate> Writer<F> {
    pub fn new(
        anchor: Anchor,
        phases: Lines<F>,
        requests: Lines<F>,
        slowest: Lines<F>,
        live: Arc<Live>,
    ) -> Self {
        Self {
            anchor,
            phases,
            requests,
            slowest,
            phase: PhaseBegin {
                phase: 0,
                label: String::new(),
            },
            totals: None,
            failed: None,
            rows: Vec::new(),
            live,
        }
    }

    /// Writes until the recorder is dropped.
    pub fn run(
        mut self,
        messages: &Receiver<Message>,
        give_back: &SyncSender<Box<Interval>>,
        report: &SyncSender<Result<PhaseTotals, RecorderError>>,
    ) {
        let mut text = LogText::default();
        let mut log_text = text.clone();
        let mut serializer = V2DeflateSerializer::new();
        let Ok(mut log) = hlog::begin(self.anchor, &mut text, &mut serializer) else {
            return;
        };
        self.begin_files(&log_text);
        for message in messages {
            match message {
                Message::Begin(phase) => {
                    self.live.begin_phase(phase.phase, &phase.label);
                    self.phase = phase;
                }
                Message::Interval(mut interval) => {
                    self.take_interval(&interval, &mut log, &mut log_text);
                    let second = self.live.is_watched().then(|| Second::of(&interval));
                    interval.clear();
                    let _ = give_back.send(interval);
                    if let Some(second) = second {
                        let response = self.totals().response();
                        self.live.publish(second, response);
                    }
                }
                Message::End(slowest) => {
                    self.write_slowest(&slowest);
                    let totals = self.totals().take();
                    let _ = report.send(self.failed.take().map_or(Ok(totals), Err));
                }
            }
        }
    }

    fn totals(&mut self) -> &mut Totals {
        self.totals.get_or_insert_with(Totals::new)
    }

    fn begin_files(&mut self, log_text: &LogText) {
        let result = log_text.hand_over(|text| self.phases.write(text));
        self.note(result);
        let header = || format!("{}\n", RequestRow::HEADER).into_bytes();
        let written = self.requests.write(&mut header());
        self.note(written);
        let written = self.slowest.write(&mut header());
        self.note(written);
    }

    fn take_interval(
        &mut self,
        interval: &Interval,
        log: &mut LogWriter<'_>,
        log_text: &mut LogText,
    ) {
        self.totals().add(interval);
        let logged = hlog::write(log, self.anchor, &self.phase.label, interval)
            .and_then(|()| log_text.hand_over(|text| self.phases.write(text)));
        self.note(logged);
        let rows = self
            .render(&interval.singles)
            .and_then(|()| self.requests.write(&mut self.rows));
        self.note(rows);
    }

    fn write_slowest(&mut self, slowest: &[Measured]) {
        let rows = self
            .render(slowest)
            .and_then(|()| self.slowest.write(&mut self.rows));
        self.note(rows);
    }

    fn render(&mut self, measured: &[Measured]) -> Result<(), RecorderError> {
        // An instant that was never reached is 0 in the file as well.
        let since_exec = |ns: u64| ns.saturating_sub(self.anchor.monotonic_ns);
        for m in measured {
            RequestRow {
                phase: self.phase.phase,
                request: m.request,
                intended_ns: since_exec(m.intended),
                dispatched_ns: since_exec(m.dispatched),
                sent_ns: since_exec(m.sent),
                first_byte_ns: since_exec(m.first_byte),
                end_ns: since_exec(m.end),
                outcome: m.outcome.into(),
                port: (m.via.port > 0).then(|| m.via.port.into()),
                connected_ns: (m.via.since > 0).then(|| since_exec(m.via.since)),
            }
            .write(&mut self.rows)
            .map_err(|source| RecorderError::Write {
                file: "requests.csv",
                source,
            })?;
        }
        Ok(())
    }

    fn note(&mut self, result: Result<(), RecorderError>) {
        if let Err(error) = result {
            self.failed.get_or_insert(error);
        }
    }
}
