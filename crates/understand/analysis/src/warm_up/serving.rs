//! How a launch served its users: the course of their response times, the debt, and who waited too
//! long.

use crate::metric::read::failed;
use tacho_run_folder::{LaunchData, PhaseRecord, Plan, Quantile, Second, is_late};
use tacho_statistics::steady_state::{self, Shape};

/// The resolution of instants in logs of histograms.
const MILLISECOND_IN_S: f64 = 0.001;
/// Fewer seconds make no course.
const FEWEST_SECONDS: usize = 40;

/// One launch in the phase in which it served users.
pub struct Serving<'a> {
    pub launch: &'a LaunchData,
    pub phase: &'a PhaseRecord,
    pub course: Option<Course>,
    /// Response time over the steady state, in seconds.
    pub debt_s: Option<f64>,
    /// Failed requests included.
    pub over_objective: u64,
}

/// The course of a launch on the clock.
pub struct Course {
    pub shape: Shape,
    /// Seconds of the phase.
    pub steady_after_s: Option<f64>,
    pub steady_ms: Option<f64>,
    /// What was looked at.
    pub by: &'static str,
}

impl<'a> Serving<'a> {
    pub fn of(plan: &Plan, launch: &'a LaunchData, label: &str) -> Option<Self> {
        let phase = launch
            .record
            .phases
            .iter()
            .find(|p| p.label == label && !p.interrupted && p.requests > 0)?;
        let seconds: Vec<&Second> = launch.seconds.iter().filter(|s| s.phase == label).collect();
        let place = plan.phases.iter().position(|p| p.label == label)?;
        let course = course_of(launch, phase, place, &seconds);
        Some(Self {
            debt_s: course.as_ref().and_then(|c| debt_s(phase, c, &seconds)),
            over_objective: seconds.iter().map(|s| s.over_objective + s.failed).sum(),
            course,
            launch,
            phase,
        })
    }

    /// Of the response times, with what the generator was late.
    pub fn quantile(&self, quantile: Quantile) -> Option<f64> {
        Some(quantile.of(self.phase.response_time_ms.as_ref()?))
    }

    /// The same, where it is the subject's rather than the generator's.
    pub fn on_time(&self, quantile: Quantile) -> Option<f64> {
        self.quantile(quantile)
            .filter(|_| !is_late(self.phase, quantile))
    }

    /// The share of users whose request failed or, with an objective, took longer than that.
    pub fn badly_served(&self, with_objective: bool) -> f64 {
        let failed = failed(self.phase);
        let badly = match with_objective {
            true => failed.max(self.over_objective),
            false => failed,
        };
        badly as f64 / self.phase.requests.max(1) as f64
    }
}

/// By single requests where all of them were kept, else by the medians of seconds where there are
/// enough.
fn course_of(
    launch: &LaunchData,
    phase: &PhaseRecord,
    place: usize,
    seconds: &[&Second],
) -> Option<Course> {
    let mut rows: Vec<(u64, f64)> = launch
        .requests
        .iter()
        .filter(|row| row.phase as usize == place)
        .map(|row| (row.intended_ns, row.response_time_ms()))
        .collect();
    rows.sort_by_key(|(intended, _)| *intended);
    let has_all = rows.len() as u64 >= phase.requests;
    if !has_all && seconds.len() >= FEWEST_SECONDS {
        let answered: Vec<&&Second> = seconds.iter().filter(|s| s.answered > 0).collect();
        let medians: Vec<f64> = answered.iter().map(|s| s.p50_ms).collect();
        let course = steady_state::course_of_medians(&medians)?;
        let begin_s = answered.first()?.start_s;
        return Some(Course {
            shape: course.shape,
            steady_after_s: course.steady_from.map(|at| answered[at].start_s - begin_s),
            steady_ms: course.steady_ms,
            by: "seconds",
        });
    }
    let times: Vec<f64> = rows.iter().map(|(_, ms)| *ms).collect();
    let course = steady_state::course(&times)?;
    let begin = rows.first()?.0;
    Some(Course {
        shape: course.shape,
        steady_after_s: course
            .steady_from
            .map(|at| (rows[at].0 - begin) as f64 / 1e9),
        steady_ms: course.steady_ms,
        by: "requests",
    })
}

/// All response time of the phase, less what as many requests would have taken in the steady state:
/// its mean over the later half of the steady seconds, pauses included, since warm services pause,
/// too. (The later half, because a few slow requests right at the beginning change no median, but
/// are what the debt is about.)
fn debt_s(phase: &PhaseRecord, course: &Course, seconds: &[&Second]) -> Option<f64> {
    if course.shape == Shape::Slowdown {
        // Nobody repays: it was never slower than in the end.
        return None;
    }
    let (first, last) = (seconds.first()?, seconds.last()?);
    let steady_from_s = first.start_s + course.steady_after_s?;
    let later_half_from_s = f64::midpoint(steady_from_s, last.start_s);
    let steady = seconds
        .iter()
        .filter(|s| s.start_s >= later_half_from_s - MILLISECOND_IN_S);
    let (sum_ms, count) = steady.fold((0.0, 0), |(sum, count), second| {
        (
            sum + second.mean_ms * second.answered as f64,
            count + second.answered,
        )
    });
    if count == 0 {
        return None;
    }
    let steady_mean_ms = sum_ms / count as f64;
    let all = phase.response_time_ms?;
    Some(((all.mean - steady_mean_ms) * all.count as f64 / 1e3).max(0.0))
}
