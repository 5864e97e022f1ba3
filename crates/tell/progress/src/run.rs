//! Progress of a run: bars with the time left on a terminal, plain lines otherwise, on standard
//! error.

use crate::beside::Beside;
use crate::warm::can_rewrite_lines;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use indicatif::{HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::Write;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tacho_figures as figures;
use tacho_load::{Control, Counters};
use tacho_run_folder::{
    DuetWindows, LaunchOutcome, LaunchRecord, PhaseKind, PhasePlan, PhaseTag, Plan, PreparedVariant,
};
use tacho_runner::{Event, Listener, RunTime, START};

/// The listener that suits where standard error goes; `quiet` is one that says nothing. Bars say
/// nothing, not even notes, on a terminal that cannot rewrite its lines.
#[must_use]
pub fn listener(quiet: bool) -> Box<dyn Listener> {
    if quiet {
        Box::new(tacho_runner::Silent)
    } else if can_rewrite_lines() {
        Box::new(Bars::on(ProgressDrawTarget::stderr_with_hz(8)))
    } else {
        Box::new(Lines)
    }
}

/// One line a step.
struct Lines;

impl Listener for Lines {
    fn event(&mut self, event: Event<'_>) {
        if let Some(line) = line_of(&event) {
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }
}

/// It may have been made by an earlier run.
fn ready(variant: &PreparedVariant) -> String {
    let name = &variant.name;
    match variant.build_s < 1.0 {
        true => format!("  {name} is ready to be launched"),
        false => format!(
            "  {name} is ready to be launched; making it took {}",
            figures::seconds(variant.build_s)
        ),
    }
}

fn line_of(event: &Event<'_>) -> Option<String> {
    let line = match event {
        Event::Working { what } => format!("{what} ..."),
        Event::Prepared { variant } => ready(variant),
        Event::Note { text } => format!("note: {text}"),
        Event::Trying { limits, left, time } => {
            format!("note: trying {limits}; {}", trials_left(*left, *time))
        }
        Event::Planned { plan } => planned(plan),
        Event::LaunchEnded { record, left } => {
            let rest = time_left(left.time, Sure::of(left.is_at_most));
            let rest = rest.map_or_else(String::new, |rest| format!("; {rest}"));
            format!("launch {:>3}  {}{rest}", record.number, ended(record))
        }
        Event::LaunchBegan { .. } | Event::PhaseBegan { .. } | Event::PhaseEnded => return None,
    };
    Some(masked(&line))
}

/// Less than this would be shown as 0 seconds.
const NOTHING: Duration = Duration::from_millis(500);

/// How sure a time is that is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sure {
    /// Before any launch has ended: what its plan does not tell comes on top.
    AtLeast,
    About,
    /// It may well be over sooner.
    AtMost,
}

impl Sure {
    fn of(is_at_most: bool) -> Self {
        match is_at_most {
            true => Self::AtMost,
            false => Self::About,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::AtLeast => "at least about",
            Self::About => "about",
            Self::AtMost => "at most about",
        }
    }
}

/// `at most about 20 minutes left`; nothing at the end.
fn time_left(time: Duration, sure: Sure) -> Option<String> {
    (time >= NOTHING).then(|| format!("{} {} left", sure.word(), HumanDuration(time)))
}

/// `at most about 15 trials and 20 minutes left`. A search may need fewer trials.
fn trials_left(left: u32, time: Option<Duration>) -> String {
    let trials = figures::counted(left.into(), "1 trial", "trials");
    let time = time.filter(|time| *time >= NOTHING);
    let time = time.map_or_else(String::new, |time| format!(" and {}", HumanDuration(time)));
    format!("{} {trials}{time} left", Sure::of(left > 1).word())
}

/// Safe for a terminal: secrets are masked, control sequences are made visible.
fn masked(line: &str) -> String {
    tacho_foreign::visible(&tacho_masking::current().text(line)).into_owned()
}

fn planned(plan: &Plan) -> String {
    let at_most = if plan.looks.is_empty() {
        ""
    } else {
        "at most "
    };
    format!(
        "{at_most}{}: {}{}; {} of each, in an order by seed {}",
        figures::launches(plan.launches.len()),
        enumerated(plan.cells.iter().map(|cell| &*cell.variant)),
        // A cell without limits is called by its variant alone.
        match plan.cells.iter().all(|cell| cell.id == cell.variant) {
            true => String::new(),
            false => format!(
                " at {}",
                enumerated(plan.cells.iter().map(|cell| &*cell.limits.name))
            ),
        },
        plan.launches_per_cell,
        plan.seed
    )
}

/// `jar, extracted and native`, each once.
fn enumerated<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut distinct: Vec<&str> = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    match distinct.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// `jar@1cpu: ready in 812 ms, closed 5,120/s`.
fn ended(record: &LaunchRecord) -> String {
    let outcome = match &record.outcome {
        LaunchOutcome::Completed | LaunchOutcome::Running => {
            let mut parts = Vec::new();
            if let Some(ready) = record.time_line.ready_ms {
                parts.push(format!("ready in {}", figures::ms(ready)));
            }
            for phase in record
                .phases
                .iter()
                .filter(|p| p.kind == PhaseTag::Closed && !DuetWindows::are(&p.label))
            {
                let rate = figures::value(phase.throughput, "/s");
                parts.push(format!("{} {rate}", phase.label));
            }
            parts.join(", ")
        }
        LaunchOutcome::Invalid { reason } => format!("INVALID: {reason}"),
        LaunchOutcome::Spoiled { reason } => format!("SPOILED: {reason}"),
        LaunchOutcome::Failed { message, .. } => format!("FAILED: {message}"),
        LaunchOutcome::Interrupted => "interrupted".to_owned(),
    };
    format!("{}: {outcome}", record.cell)
}

/// Two bars: the launches of the run, and the phase that is going on.
struct Bars {
    all: MultiProgress,
    launches: ProgressBar,
    phase: ProgressBar,
    watcher: Option<Beside>,
    /// When the run is expected to end.
    over: Option<(Instant, Sure)>,
}

impl Bars {
    fn on(terminal: ProgressDrawTarget) -> Self {
        let all = MultiProgress::with_draw_target(terminal);
        let launches = all.add(ProgressBar::no_length());
        let phase = all.add(ProgressBar::no_length());
        launches.set_style(style("{spinner} {msg}"));
        phase.set_style(style("  {msg}"));
        launches.enable_steady_tick(Duration::from_millis(200));
        Self {
            all,
            launches,
            phase,
            watcher: None,
            over: None,
        }
    }

    /// Shows the remaining time of the run and the current step. The time comes first: a line that
    /// is too long for the terminal loses its end.
    fn now(&self, what: &str) {
        let left = self.over.and_then(|(over, sure)| {
            time_left(over.saturating_duration_since(Instant::now()), sure)
        });
        self.launches.set_message(match left {
            Some(left) => format!("{left}, {what}"),
            None => what.to_owned(),
        });
    }

    fn is_over_in(&mut self, time: Duration, sure: Sure) {
        let over = Instant::now().checked_add(time);
        self.over = over.filter(|_| !time.is_zero()).map(|over| (over, sure));
    }

    /// What its plan tells of a run, until a launch has ended. A search that knows better keeps
    /// what it has told.
    fn expects(&mut self, plan: &Plan) {
        if self.over.is_none() {
            let sure = match plan.looks.is_empty() {
                true => Sure::AtLeast,
                // It is the time of the most launches.
                false => Sure::AtMost,
            };
            self.is_over_in(RunTime::of(plan).whole(START), sure);
        }
    }

    fn print(&self, line: &str) {
        let _ = self.all.println(masked(line));
    }
}

/// A bar in a colour, where standard error has any.
fn bar_in(colour: AnsiColor, columns: u8) -> String {
    let has_colours = AutoStream::choice(&std::io::stderr()) != ColorChoice::Never;
    let style = match has_colours {
        true => colour.on_default(),
        false => Style::new(),
    };
    format!("{style}{{bar:{columns}}}{style:#}")
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("━╸─")
}

impl Listener for Bars {
    fn event(&mut self, event: Event<'_>) {
        match &event {
            Event::Working { what } => self.launches.set_message(masked(what)),
            Event::Planned { plan } => {
                self.print(&planned(plan));
                self.launches.set_length(plan.launches.len() as u64);
                // Each trial of a search is a plan of its own.
                self.launches.set_position(0);
                // Short, so that the time left has its place in 80 columns.
                let bar = bar_in(AnsiColor::Cyan, 12);
                self.launches.set_style(style(&format!(
                    "[{{elapsed_precise}}] {bar} launch {{pos}}/{{len}}  {{wide_msg}}"
                )));
                self.expects(plan);
            }
            Event::LaunchBegan { cell, .. } => {
                self.now(&masked(&format!("now {cell}")));
                self.phase.set_message("starting");
            }
            Event::PhaseBegan { phase, control } => {
                self.watcher = Some(watcher(&self.phase, phase, control));
            }
            Event::PhaseEnded => {
                self.watcher = None;
                self.phase.set_style(style("  {msg}"));
                self.phase.set_message("");
            }
            Event::LaunchEnded { record, left } => {
                self.watcher = None;
                self.print(&format!("launch {:>3}  {}", record.number, ended(record)));
                self.launches.inc(1);
                self.is_over_in(left.time, Sure::of(left.is_at_most));
                self.now("resting");
            }
            Event::Prepared { .. } | Event::Note { .. } | Event::Trying { .. } => {
                if let Event::Trying {
                    left,
                    time: Some(time),
                    ..
                } = &event
                {
                    self.is_over_in(*time, Sure::of(*left > 1));
                }
                if let Some(line) = line_of(&event) {
                    self.print(&line);
                }
            }
        }
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        self.watcher = None;
        self.phase.finish_and_clear();
        self.launches.finish_and_clear();
    }
}

/// Moves the bar of a phase five times a second, from the generator's counters.
fn watcher(bar: &ProgressBar, phase: &PhasePlan, control: &Control) -> Beside {
    let (bar, control, label) = (bar.clone(), control.clone(), phase.label.clone());
    let (length, timed) = match (phase.kind.duration_s(), &phase.kind) {
        (Some(duration_s), _) => ((duration_s * 1e3) as u64, Some(Instant::now())),
        (
            None,
            PhaseKind::Cold { requests }
            | PhaseKind::Closed {
                requests: Some(requests),
                ..
            },
        ) => (*requests, None),
        // The length is not known: the bar stays empty, only the counters change.
        (None, _) => (u64::MAX, None),
    };
    bar.set_style(style(&format!(
        "  {} {{msg}}",
        bar_in(AnsiColor::Green, 30)
    )));
    bar.set_length(length.max(1));
    let began = control.counters();
    Beside::start(move |over| {
        while !over.load(Ordering::Relaxed) {
            let now = control.counters();
            // Counters are read one after another, and those of a load elsewhere only now and then,
            // so this may briefly go back.
            let concluded_by = |at: Counters| at.intended.saturating_sub(at.in_flight);
            let since = |now: u64, began: u64| now.saturating_sub(began);
            let concluded = since(concluded_by(now), concluded_by(began));
            let position = timed.map_or(concluded, |t| t.elapsed().as_millis() as u64);
            bar.set_position(position.min(length));
            bar.set_message(format!(
                "{label}: {} answered, {} in flight{}",
                since(now.answered, began.answered),
                now.in_flight,
                match since(now.failed, began.failed) {
                    0 => String::new(),
                    failed => format!(", {failed} failed"),
                }
            ));
            std::thread::sleep(Duration::from_millis(200));
        }
    })
}

#[cfg(test)]
mod tests;
