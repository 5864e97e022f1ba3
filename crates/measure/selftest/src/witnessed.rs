//! What the engine reports beside what a witness saw: a process of its own that keeps the kernel's
//! stamps and knows nothing of the engine.
//!
//! The scripted courses show that no waiting is left out, to within 1 ms. This one shows that
//! nothing is added, to within microseconds, and that what the engine says of its own lateness is
//! so.

use crate::comparison::{Judgement, Verdict};
use crate::drive::{Load, Reported};
use serde::Serialize;
use tacho_run_folder::{AnswerEnd, Quantile};
use tacho_witness::{Testimony, Times};

/// Even requests to a witness, which answers at once.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WitnessedCourse {
    /// Requests a second.
    pub rate: f64,
    /// How long requests are sent, in seconds.
    pub duration_s: f64,
    /// Connections over which the requests are sent.
    pub connections: u32,
}

impl WitnessedCourse {
    /// Requests whose intended instant lies within the duration.
    #[must_use]
    pub fn requests(&self) -> u64 {
        (self.rate * self.duration_s).ceil() as u64
    }

    /// As the engine is asked for it.
    pub(crate) fn load(&self) -> Load {
        Load {
            rate: self.rate,
            duration_s: self.duration_s,
            connections: self.connections,
        }
    }
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figure {
    /// From the intended instant of a request to its answer.
    ResponseTime,
    /// How far requests were behind their intended instants.
    Lateness,
}

/// One quantile, seen and reported. In microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Row {
    /// What it is of.
    pub figure: Figure,
    /// The quantile that is compared.
    pub quantile: Quantile,
    /// By the witness, no less than this.
    pub at_least_us: f64,
    /// By the witness, no more than this.
    pub at_most_us: f64,
    /// By Tacho.
    pub reported_us: f64,
    /// How far outside of what the witness allows; negative below.
    pub error_us: f64,
    /// How far outside it may be.
    pub tolerance_us: f64,
    /// How much of a difference the machine can have made.
    pub excused_us: f64,
    /// What follows.
    pub verdict: Verdict,
}

/// A course that was witnessed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Witnessed {
    /// What was sent.
    pub course: WitnessedCourse,
    /// Requests that were answered, by Tacho.
    pub succeeded: u64,
    /// Requests that arrived, by the witness.
    pub arrived: u64,
    /// What the end of a request is to Tacho, where it was told.
    pub ends: Option<AnswerEnd>,
    /// Share of the arrivals within 20 us of the one before: requests that were sent together.
    pub in_bursts: f64,
    /// Whether witness and generator had a processor each.
    pub apart: bool,
    /// How long the generator's thread was ready to run and did not, in milliseconds.
    pub generator_waited_ms: f64,
    /// What the hypervisor gave to other guests, over all processors, in milliseconds.
    pub steal_ms: f64,
    /// Figures and quantiles.
    pub rows: Vec<Row>,
}

/// What is compared, and how closely.
struct Compared {
    figure: Figure,
    quantile: Quantile,
    seen: fn(&Times) -> f64,
    tolerance_us: f64,
}

/// Between the engine's clock and the arrival of the request lies half of a system call, and
/// between the answer's arrival and its stamp nothing: up to 20 us where caches are cold. The
/// nearer to the maximum, the more of the machine's interrupts are in it.
///
/// Of lateness no p99 is compared: the witness leaves out the first 200 requests, which find
/// everything cold, and the engine does not.
const COMPARED: [Compared; 5] = [
    compared(Figure::ResponseTime, Quantile::P50, |t| t.p50, 25.0),
    compared(Figure::ResponseTime, Quantile::P90, |t| t.p90, 50.0),
    compared(Figure::ResponseTime, Quantile::P99, |t| t.p99, 200.0),
    compared(Figure::Lateness, Quantile::P50, |t| t.p50, 25.0),
    compared(Figure::Lateness, Quantile::P90, |t| t.p90, 50.0),
];

/// What is allowed besides where the kernel gives no stamps: the engine's wake is in it.
const WITHOUT_STAMPS_US: f64 = 1_000.0;

const fn compared(
    figure: Figure,
    quantile: Quantile,
    seen: fn(&Times) -> f64,
    tolerance_us: f64,
) -> Compared {
    Compared {
        figure,
        quantile,
        seen,
        tolerance_us,
    }
}

impl Witnessed {
    pub(crate) fn of(
        course: &WitnessedCourse,
        testimony: &Testimony,
        reported: &Reported,
        apart: bool,
        steal_ms: f64,
    ) -> Self {
        let withheld_us = (reported.waited_ms + steal_ms) * 1e3;
        let is_stamped = reported.ends == Some(AnswerEnd::KernelStamp);
        let without_stamps_us = if is_stamped { 0.0 } else { WITHOUT_STAMPS_US };
        let row = |compared: Compared| {
            let (least, most, reported) = match compared.figure {
                Figure::ResponseTime => (
                    &testimony.response_time.at_least_us,
                    &testimony.response_time.at_most_us,
                    reported.response_time_ms,
                ),
                Figure::Lateness => (
                    &testimony.punctuality.behind_us,
                    &testimony.punctuality.behind_us,
                    reported.generator_lag_ms,
                ),
            };
            // To move a quantile the machine has to hold up all that is above it.
            let above = course.requests() - compared.quantile.rank(course.requests());
            Row::new(
                &compared,
                ((compared.seen)(least), (compared.seen)(most)),
                reported.map_or(0.0, |ms| compared.quantile.of(&ms) * 1e3),
                compared.tolerance_us + without_stamps_us,
                withheld_us / above.max(1) as f64,
            )
        };
        Self {
            course: course.clone(),
            succeeded: reported.succeeded,
            arrived: testimony.requests as u64,
            ends: reported.ends,
            in_bursts: testimony.punctuality.in_bursts,
            apart,
            generator_waited_ms: reported.waited_ms,
            steal_ms,
            rows: COMPARED.map(row).to_vec(),
        }
    }

    /// The worst of its rows; failed as well when a request is missing.
    #[must_use]
    pub fn judgement(&self) -> Judgement {
        let requests = self.course.requests();
        if self.succeeded != requests || self.arrived != requests {
            return Judgement::Failed;
        }
        let judgements = self.rows.iter().map(|row| row.verdict.into());
        judgements.max().unwrap_or(Judgement::Passed)
    }
}

impl Row {
    fn new(
        compared: &Compared,
        (at_least_us, at_most_us): (f64, f64),
        reported_us: f64,
        tolerance_us: f64,
        excused_us: f64,
    ) -> Self {
        let error_us = (reported_us - at_most_us).max(0.0) - (at_least_us - reported_us).max(0.0);
        Self {
            figure: compared.figure,
            quantile: compared.quantile,
            at_least_us,
            at_most_us,
            reported_us,
            error_us,
            tolerance_us,
            excused_us,
            verdict: Verdict::of(error_us, tolerance_us, excused_us),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::comparison::tests::all;
    use tacho_witness::{Punctuality, Taken};

    pub fn times(us: f64) -> Times {
        Times {
            p50: us,
            p90: us,
            p99: us,
            max: us,
        }
    }

    /// Requests that come this far behind their instants, to a witness that takes 50 to 60 us.
    fn seen(behind_us: f64) -> Testimony {
        let taken = |more: f64| Taken {
            at_least_us: times(50.0 + more),
            at_most_us: times(60.0 + more),
        };
        Testimony {
            requests: 6_000,
            unstamped: 0,
            rate: 2_000.0,
            punctuality: Punctuality {
                behind_us: times(behind_us),
                in_bursts: 0.0,
            },
            own_time: taken(0.0),
            response_time: taken(behind_us),
        }
    }

    fn reported(response_us: f64, lag_us: f64) -> Reported {
        Reported {
            succeeded: 6_000,
            response_time_ms: Some(all(response_us / 1e3)),
            generator_lag_ms: Some(all(lag_us / 1e3)),
            ends: Some(AnswerEnd::KernelStamp),
            ..Reported::default()
        }
    }

    /// 2,000 requests a second for 3 s.
    pub fn witnessed(behind_us: f64, response_us: f64, lag_us: f64) -> Witnessed {
        judged(&seen(behind_us), &reported(response_us, lag_us), 0.0)
    }

    fn judged(testimony: &Testimony, reported: &Reported, steal_ms: f64) -> Witnessed {
        let course = WitnessedCourse {
            rate: 2_000.0,
            duration_s: 3.0,
            connections: 8,
        };
        Witnessed::of(&course, testimony, reported, true, steal_ms)
    }

    #[test]
    fn what_the_witness_saw_passes() {
        let right = witnessed(3.0, 58.0, 2.0);
        assert_eq!(right.judgement(), Judgement::Passed);
        assert!(right.rows.iter().all(|row| row.error_us.abs() <= 1.0));
        // A late generator that says so, in its response times and in its lag, measures rightly.
        assert_eq!(
            witnessed(300.0, 355.0, 300.0).judgement(),
            Judgement::Passed
        );
    }

    #[test]
    fn lateness_that_is_left_out_fails() {
        // Out of the response time, as a tool does that counts from when it sent.
        assert_eq!(witnessed(300.0, 55.0, 300.0).judgement(), Judgement::Failed);
        // Out of the lag that the certificate goes by.
        assert_eq!(witnessed(300.0, 355.0, 0.0).judgement(), Judgement::Failed);
    }

    #[test]
    fn time_that_is_added_fails() {
        assert_eq!(witnessed(3.0, 100.0, 2.0).judgement(), Judgement::Failed);
    }

    #[test]
    fn the_machine_excuses_what_it_can_have_done_and_no_more() {
        let (testimony, reported) = (seen(3.0), reported(100.0, 2.0));
        // The median is 37 us too long: 3,000 requests of 12 us beyond what is allowed are 36 ms.
        let judgement = |steal_ms| judged(&testimony, &reported, steal_ms).judgement();
        assert_eq!(judgement(30.0), Judgement::Failed);
        assert_eq!(judgement(40.0), Judgement::Spoiled);
    }

    #[test]
    fn a_request_that_either_of_them_misses_is_a_failure() {
        let (mut testimony, mut reported) = (seen(3.0), reported(58.0, 2.0));
        testimony.requests -= 1;
        let missed = judged(&testimony, &reported, 0.0);
        assert_eq!(missed.judgement(), Judgement::Failed);
        testimony.requests += 1;
        reported.succeeded -= 1;
        let missed = judged(&testimony, &reported, 0.0);
        assert_eq!(missed.judgement(), Judgement::Failed);
    }
}
