//! The thread that draws.

use super::planned::PhaseView;
use super::scene::{Scene, frame, line, trial_line};
use super::surface::Surface;
use std::collections::VecDeque;
use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;
use tacho_load::recorder::{Live, LiveSnapshot};
use tacho_load::{Control, Counters, Step, monotonic_ns};

/// Twice a second: numbers that change more often cannot be read.
const REDRAW: Duration = Duration::from_millis(500);
/// If lines cannot be rewritten, one line is printed per this many redraws.
const REDRAWS_A_LINE: u32 = 10;
/// The shown rate covers this many redraws: one second.
const RATE_OVER: usize = 2;
/// Everything else on the machine goes first.
const NICE: i32 = 10;

/// What the view is told.
enum Message {
    Phase(Box<Shown>),
    PhaseEnded,
}

/// Draws a run on standard error until it is finished or dropped. On a terminal the drawing is
/// removed at the end.
#[derive(Debug)]
pub struct LiveView {
    control: Control,
    live: Arc<Live>,
    to_thread: Option<Sender<Message>>,
    thread: Option<JoinHandle<()>>,
}

impl LiveView {
    /// Starts the view. If no thread can be created, nothing is shown: a run must not fail because
    /// of its view.
    #[must_use]
    pub fn start(surface: Surface, control: &Control, live: Arc<Live>) -> Self {
        Self::drawing_on(surface, control, live, std::io::stderr())
    }

    fn drawing_on(
        surface: Surface,
        control: &Control,
        live: Arc<Live>,
        to: impl Write + Send + 'static,
    ) -> Self {
        let control = control.clone();
        if surface == Surface::Off {
            return Self {
                control,
                live,
                to_thread: None,
                thread: None,
            };
        }
        let (to_thread, messages) = channel();
        let mut painter = Painter {
            surface,
            control: control.clone(),
            live: live.clone(),
            to,
            drawn: 0,
        };
        let thread = std::thread::Builder::new()
            .name("tacho-view".to_owned())
            .spawn(move || {
                // Of this thread alone, as nice(2) is on Linux; without it the view is only less
                // modest.
                let _ = rustix::process::nice(NICE);
                painter.run(&messages);
            });
        Self {
            control,
            live,
            to_thread: Some(to_thread),
            thread: thread.ok(),
        }
    }

    /// Shows what a load does next.
    pub fn step(&self, step: Step<'_>) {
        match PhaseView::of(step) {
            Some(phase) => self.phase(phase),
            None => self.phase_ended(),
        }
    }

    /// A phase begins: call it before the generator runs it.
    pub fn phase(&self, phase: PhaseView) {
        // Record the values from before the phase here: when the thread receives the message, the
        // clock of the phase may already be running.
        self.send(Message::Phase(Box::new(Shown {
            before: self.control.counters(),
            answers: VecDeque::with_capacity(RATE_OVER + 2),
            redraws: 0,
            clock_before: self.live.started_ns(),
            told_at: monotonic_ns(),
            phase,
        })));
    }

    /// The phase is over, so that others may print: the frame goes away.
    pub fn phase_ended(&self) {
        self.send(Message::PhaseEnded);
    }

    fn send(&self, message: Message) {
        if let Some(to) = &self.to_thread {
            let _ = to.send(message);
        }
    }

    /// Ends the view, and waits until nothing of it is left on the terminal.
    pub fn finish(self) {}
}

impl Drop for LiveView {
    fn drop(&mut self) {
        // Closing the channel ends the thread.
        self.to_thread = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Painter<W> {
    surface: Surface,
    control: Control,
    live: Arc<Live>,
    to: W,
    /// Lines of the frame that stands on the terminal.
    drawn: usize,
}

/// The phase that is shown.
#[derive(Debug)]
struct Shown {
    phase: PhaseView,
    /// Counters when it began.
    before: Counters,
    /// Answers at the last redraws.
    answers: VecDeque<(u64, u64)>,
    redraws: u32,
    /// The clock of the phase before.
    clock_before: u64,
    told_at: u64,
}

impl Shown {
    /// When the clock of the phase started, if it has. A rest has no clock of its own and starts
    /// when it is announced.
    fn started_at(&self, clock: u64) -> Option<u64> {
        if self.phase.is_rest() {
            return Some(self.told_at);
        }
        (clock > 0 && clock != self.clock_before).then_some(clock)
    }
}

impl<W: Write> Painter<W> {
    fn run(&mut self, messages: &Receiver<Message>) {
        let mut shown: Option<Shown> = None;
        loop {
            match messages.recv_timeout(REDRAW) {
                Ok(Message::Phase(phase)) => {
                    self.erase();
                    if let (Surface::Lines, Some(line)) = (self.surface, trial_line(&phase.phase)) {
                        let _ = writeln!(self.to, "{line}");
                    }
                    shown = Some(*phase);
                }
                Ok(Message::PhaseEnded) => {
                    self.erase();
                    shown = None;
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(shown) = &mut shown {
                        self.draw(shown);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.erase();
                    return;
                }
            }
        }
    }

    fn draw(&mut self, shown: &mut Shown) {
        let now = monotonic_ns();
        let counters = since(self.control.counters(), shown.before);
        let started = shown.started_at(self.live.started_ns());
        if let Some(started) = started {
            if shown.answers.is_empty() {
                shown.answers.push_back((started, 0));
            }
            shown.answers.push_back((now, counters.answered));
        }
        while shown.answers.len() > RATE_OVER + 1 {
            shown.answers.pop_front();
        }
        let mut live = self.live.snapshot();
        if live.label != shown.phase.label {
            // The recorder has not heard of the phase yet.
            live = LiveSnapshot::default();
        }
        let scene = Scene {
            phase: &shown.phase,
            elapsed_s: started.map(|started| now.saturating_sub(started) as f64 / 1e9),
            counters,
            rate: rate(&shown.answers),
            intended_rate: started.and_then(|started| {
                // The middle of the interval over which the rate is measured.
                let from = shown.answers.front().map_or(now, |(at, _)| *at);
                let middle = from + now.saturating_sub(from) / 2;
                let second = middle.saturating_sub(started) as f64 / 1e9;
                shown.phase.intended_rate(second)
            }),
            live: &live,
        };
        shown.redraws += 1;
        match self.surface {
            Surface::Terminal { colour } => {
                let (columns, rows) = Surface::size();
                let frame = frame(&scene, columns, rows, colour);
                self.replace(&frame);
            }
            Surface::Lines if shown.redraws.is_multiple_of(REDRAWS_A_LINE) => {
                let _ = writeln!(self.to, "{}", line(&scene));
            }
            Surface::Lines | Surface::Off => {}
        }
    }

    /// Moves up to the first line of the previous frame and overwrites it. A single write avoids
    /// flicker.
    fn replace(&mut self, frame: &str) {
        let mut text = self.back();
        text.push_str(frame);
        let _ = self.to.write_all(text.as_bytes());
        let _ = self.to.flush();
        self.drawn = frame.lines().count();
    }

    fn erase(&mut self) {
        let text = self.back();
        if !text.is_empty() {
            let _ = self.to.write_all(text.as_bytes());
            let _ = self.to.flush();
        }
        self.drawn = 0;
    }

    /// CPL (up a number of lines, to the first column) and ED (erase from here to the end),
    /// ECMA-48.
    fn back(&self) -> String {
        match self.drawn {
            0 => String::new(),
            lines => format!("\u{1b}[{lines}F\u{1b}[J"),
        }
    }
}

fn since(now: Counters, before: Counters) -> Counters {
    Counters {
        intended: now.intended.saturating_sub(before.intended),
        answered: now.answered.saturating_sub(before.answered),
        failed: now.failed.saturating_sub(before.failed),
        in_flight: now.in_flight,
    }
}

fn rate(answers: &VecDeque<(u64, u64)>) -> f64 {
    match (answers.front(), answers.back()) {
        (Some((from, before)), Some((to, after))) if to > from => {
            (after - before) as f64 / ((to - from) as f64 / 1e9)
        }
        _ => 0.0,
    }
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
