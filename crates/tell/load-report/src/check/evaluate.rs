//! Evaluates a check. It is given every second of the run and keeps only what it needs.

use super::window::{Slice, Sum, Window, Windows};
use super::{Check, Metric};
use crate::CheckReport;
use crate::records::{Second, Sparse};
use tacho_figures as figures;
use tacho_load::recorder::tag_label;
use tacho_quantity::{Statistic, Time};
use tacho_run_folder::PhaseRecord;

/// The state of one check while a run is read.
#[derive(Debug)]
pub struct Evaluator<'a> {
    check: &'a Check,
    /// Indices of the requests that the check covers; `None` for all.
    kinds: Option<Vec<u32>>,
    phases: &'a [&'a PhaseRecord],
    course: Course,
}

#[derive(Debug)]
enum Course {
    Whole(Sum),
    Windows {
        going_on: Option<(String, Windows)>,
        worst: Worst,
    },
}

/// The window that is furthest from the objective.
#[derive(Debug, Default)]
struct Worst {
    seen: Option<Seen>,
    windows: u64,
}

#[derive(Debug)]
struct Seen {
    value: f64,
    phase: String,
    from_s: f64,
    to_s: f64,
}

impl<'a> Evaluator<'a> {
    /// `phases` are those that sent something, `requests` the names in the mix.
    #[must_use]
    pub fn new(check: &'a Check, phases: &'a [&'a PhaseRecord], requests: &[String]) -> Self {
        let kinds = check.kind.as_ref().map(|kind| {
            let named = requests
                .iter()
                .enumerate()
                .filter(|(_, name)| *name == kind);
            named.map(|(index, _)| index as u32).collect()
        });
        Self {
            check,
            kinds,
            phases,
            course: match check.every_s {
                None => Course::Whole(Sum::default()),
                Some(_) => Course::Windows {
                    going_on: None,
                    worst: Worst::default(),
                },
            },
        }
    }

    /// Adds one second of the run. Seconds must come in order.
    pub fn take(&mut self, second: &Second) {
        if !self.is_about(&second.phase) {
            return;
        }
        let slice = self.slice(second);
        match &mut self.course {
            Course::Whole(sum) => sum.add(&slice),
            Course::Windows { going_on, worst } => {
                let is_new = going_on.as_ref().is_none_or(|(p, _)| *p != second.phase);
                if is_new {
                    if let Some((phase, windows)) = going_on.take() {
                        windows.finish(|w| worst.look_at(self.check, self.phases, &phase, &w));
                    }
                    let length_s = self.check.every_s.unwrap_or(1.0);
                    let (began_s, ends_s) = span(self.phases, &second.phase)
                        .unwrap_or((second.start_s, second.end_s()));
                    let windows = Windows::new(length_s, began_s, ends_s);
                    *going_on = Some((second.phase.clone(), windows));
                }
                if let Some((phase, windows)) = going_on {
                    windows.push(slice, |w| worst.look_at(self.check, self.phases, phase, &w));
                }
            }
        }
    }

    fn is_about(&self, tag: &str) -> bool {
        let phase = self.check.phase.as_ref();
        phase.is_none_or(|phase| tag_label(phase) == tag)
    }

    fn slice(&self, second: &Second) -> Slice {
        let kinds = || {
            second.kinds.iter().filter(|(index, _)| {
                let wanted = self.kinds.as_ref();
                wanted.is_none_or(|wanted| wanted.contains(index))
            })
        };
        let values: Vec<Sparse> = match self.check.metric {
            Metric::Time(Time::Response, _) => {
                kinds().map(|(_, k)| k.ok.response.clone()).collect()
            }
            Metric::Time(Time::Service, _) => kinds().map(|(_, k)| k.ok.service.clone()).collect(),
            Metric::Time(Time::Dispatch, _) => vec![second.dispatch_delay.clone()],
            Metric::Time(Time::Lag, _) => vec![second.generator_lag.clone()],
            Metric::Rate | Metric::ErrorShare | Metric::ErrorCount => Vec::new(),
        };
        Slice {
            from_s: second.start_s,
            to_s: second.end_s(),
            values,
            succeeded: kinds().map(|(_, k)| k.ok.response.count()).sum(),
            failed: kinds().map(|(_, k)| k.failed.response.count()).sum(),
        }
    }

    /// The run is over.
    #[must_use]
    pub fn finish(self) -> CheckReport {
        let check = self.check;
        match self.course {
            Course::Whole(sum) => {
                let phases = self.phases.iter();
                let about = phases.filter(|p| check.phase.as_ref().is_none_or(|l| *l == p.label));
                let duration_s: f64 = about.map(|p| p.duration_s).sum();
                let value = check.value(&sum, duration_s);
                let seen = value.map(|value| Seen {
                    value,
                    phase: String::new(),
                    from_s: 0.0,
                    to_s: 0.0,
                });
                check.report(seen.as_ref(), None)
            }
            Course::Windows {
                going_on,
                mut worst,
            } => {
                if let Some((phase, windows)) = going_on {
                    windows.finish(|w| worst.look_at(check, self.phases, &phase, &w));
                }
                check.report(worst.seen.as_ref(), Some(worst.windows))
            }
        }
    }
}

/// Begin and end of a phase, in seconds since the run's clock began.
fn span(phases: &[&PhaseRecord], tag: &str) -> Option<(f64, f64)> {
    let record = phases.iter().find(|p| tag_label(&p.label) == tag)?;
    let began_s = record.started_ms / 1e3;
    Some((began_s, began_s + record.duration_s))
}

impl Worst {
    fn look_at(
        &mut self,
        check: &Check,
        phases: &[&PhaseRecord],
        phase: &str,
        window: &Window<'_>,
    ) {
        let Some(value) = check.value(window.sum, window.to_s - window.from_s) else {
            return;
        };
        self.windows += 1;
        let is_worse = |seen: &Seen| {
            if check.operator.asks_for_less() {
                value > seen.value
            } else {
                value < seen.value
            }
        };
        if self.seen.as_ref().is_none_or(is_worse) {
            let began_s = span(phases, phase).map_or(0.0, |(began_s, _)| began_s);
            let record = phases.iter().find(|p| tag_label(&p.label) == phase);
            self.seen = Some(Seen {
                value,
                phase: record.map_or_else(|| phase.to_owned(), |p| p.label.clone()),
                from_s: window.from_s - began_s,
                to_s: window.to_s - began_s,
            });
        }
    }
}

impl Check {
    /// In the unit of the check; `None` when there is nothing to judge.
    fn value(&self, sum: &Sum, duration_s: f64) -> Option<f64> {
        let ended = sum.succeeded + sum.failed;
        match self.metric {
            Metric::Time(_, statistic) => {
                let ms = match statistic {
                    Statistic::Quantile(q) => sum.times.quantile_ms(q)?,
                    Statistic::Min => sum.times.min_ms()?,
                    Statistic::Mean => sum.times.mean_ms()?,
                    Statistic::Max => sum.times.max_ms()?,
                };
                Some(self.bound.convert(ms, true))
            }
            Metric::Rate => (duration_s > 0.0).then(|| {
                let rate = sum.succeeded as f64 / duration_s;
                self.bound.convert(rate, false)
            }),
            Metric::ErrorShare => (ended > 0).then(|| {
                let share = sum.failed as f64 / ended as f64;
                self.bound.convert(share, false)
            }),
            Metric::ErrorCount => Some(sum.failed as f64),
        }
    }

    fn report(&self, seen: Option<&Seen>, windows: Option<u64>) -> CheckReport {
        let window = seen.filter(|_| windows.is_some());
        CheckReport {
            check: self.text.clone(),
            passed: seen.is_some_and(|s| self.operator.holds(s.value, self.bound.number)),
            value: seen.map(|s| s.value),
            unit: self.bound.unit.name.to_owned(),
            phase: window
                .map(|s| s.phase.clone())
                .or_else(|| self.phase.clone()),
            from_s: window.map(|s| milliseconds(s.from_s)),
            to_s: window.map(|s| milliseconds(s.to_s)),
            text: match seen {
                None => "nothing was measured that it could be judged by".to_owned(),
                Some(seen) => self.sentence(seen, windows),
            },
        }
    }

    /// `p99 was 61.2 ms in the worst of 11 windows, 8 s to 18 s of open`
    fn sentence(&self, seen: &Seen, windows: Option<u64>) -> String {
        let value = match self.bound.unit.name {
            "%" => format!("{} %", figures::number(seen.value)),
            unit @ ("ms" | "s" | "/s" | "") => figures::value(seen.value, unit),
            unit => format!("{} {unit}", figures::number(seen.value)),
        };
        let seen_value = match self.metric {
            Metric::Time(..) => {
                let metric = self.text.split(['<', '>']).next().unwrap_or_default();
                format!("{} was {value}", metric.trim())
            }
            Metric::Rate => format!("{value} succeeded"),
            Metric::ErrorShare => format!("{value} of the requests failed"),
            Metric::ErrorCount if value == "1" => "1 request failed".to_owned(),
            Metric::ErrorCount => format!("{value} requests failed"),
        };
        let place = match windows {
            None => String::new(),
            Some(1) => format!(
                " in its only window, {} to {} of {}",
                seconds(seen.from_s),
                seconds(seen.to_s),
                seen.phase
            ),
            Some(windows) => format!(
                " in the worst of {} windows, {} to {} of {}",
                figures::count(windows),
                seconds(seen.from_s),
                seconds(seen.to_s),
                seen.phase
            ),
        };
        format!("{seen_value}{place}")
    }
}

/// Rounds to milliseconds, as the log does. A first window that seems to begin just before its
/// phase is shown as beginning at 0 s.
fn seconds(s: f64) -> String {
    format!("{} s", figures::number(milliseconds(s)))
}

fn milliseconds(s: f64) -> f64 {
    let rounded = (s * 1e3).round() / 1e3;
    if rounded.abs() <= 0.002 { 0.0 } else { rounded }
}
