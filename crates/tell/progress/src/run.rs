//! Progress of a run: bars with the time left on a terminal, plain lines otherwise, on standard
//! error.

use crate::beside::Beside;
use indicatif::{HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tacho_figures as figures;
use tacho_load::{Control, Counters};
use tacho_run_folder::{
    DuetWindows, LaunchOutcome, LaunchRecord, PhaseKind, PhasePlan, PhaseTag, Plan, PreparedVariant,
};
use tacho_runner::{Event, Listener};

/// The listener that suits where standard error goes; `quiet` is one that says nothing.
#[must_use]
pub fn listener(quiet: bool) -> Box<dyn Listener> {
    if quiet {
        Box::new(tacho_runner::Silent)
    } else if std::io::stderr().is_terminal() {
        Box::new(Bars::new())
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
        Event::Trying { limits, left } => {
            let trials = if *left == 1 { "trial" } else { "trials" };
            format!("note: trying {limits}; about {left} {trials} left")
        }
        Event::Planned { plan } => planned(plan),
        Event::LaunchEnded { record, left } => {
            let rest = if left.is_zero() {
                String::new()
            } else {
                format!("; about {} left", HumanDuration(*left))
            };
            format!("launch {:>3}  {}{rest}", record.number, ended(record))
        }
        Event::LaunchBegan { .. } | Event::PhaseBegan { .. } | Event::PhaseEnded => return None,
    };
    Some(masked(&line))
}

/// For a terminal: without secrets, and without what it would obey.
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
        "{at_most}{} launches: {}{}; {} of each, in an order by seed {}",
        plan.launches.len(),
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
    /// When all is over, as far as it is known.
    over: Option<Instant>,
}

impl Bars {
    fn new() -> Self {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(8));
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

    /// What is done now, and how long the run goes on.
    fn now(&self, what: &str) {
        let left = self
            .over
            .map(|over| over.saturating_duration_since(Instant::now()))
            .filter(|left| !left.is_zero());
        self.launches.set_message(match left {
            Some(left) => format!("{what}, about {} left", HumanDuration(left)),
            None => what.to_owned(),
        });
    }

    fn print(&self, line: &str) {
        let _ = self.all.println(masked(line));
    }
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
                self.launches.set_style(style(
                    "[{elapsed_precise}] {bar:30.cyan} launch {pos}/{len}  {msg}",
                ));
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
                self.over = (!left.is_zero()).then(|| Instant::now() + *left);
                self.now("resting");
            }
            Event::Prepared { .. } | Event::Note { .. } | Event::Trying { .. } => {
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
        // Nobody knows how long it takes: the bar stays empty, the counters beside it move.
        (None, _) => (u64::MAX, None),
    };
    bar.set_style(style("  {bar:30.green} {msg}"));
    bar.set_length(length.max(1));
    let began = control.counters();
    Beside::start(move |over| {
        while !over.load(Ordering::Relaxed) {
            let now = control.counters();
            // Of several counters read one after another, and of a load elsewhere now and then.
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
mod tests {
    use super::*;

    #[test]
    fn names_are_enumerated_each_once() {
        let of = |names: &[&str]| enumerated(names.iter().copied());
        assert_eq!(of(&["jar"]), "jar");
        assert_eq!(of(&["jar", "cds", "jar", "cds"]), "jar and cds");
        assert_eq!(of(&["jar", "cds", "aot"]), "jar, cds and aot");
    }

    #[test]
    fn what_a_service_says_turns_no_line_round() {
        let text = "a: FAILED: its log: \u{202e}gnorw\u{1b}[2J";
        let line = line_of(&Event::Note { text });
        assert_eq!(
            line.unwrap(),
            r"note: a: FAILED: its log: \u202egnorw\u001b[2J"
        );
    }
}
