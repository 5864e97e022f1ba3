//! A script, and the requests that are sent to it.

use crate::drive::Load;
use crate::script::Script;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// More connections than a script keeps busy by itself: the path to the server takes time as well,
/// and a machine that hesitates must not turn into requests that wait for a connection.
const SPARE: f64 = 1.25;

/// A script under a constant rate of requests. Only a course whose response times can be told
/// beforehand can be made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Course {
    /// In the output, and in JSON.
    pub(crate) name: String,
    /// What the server does.
    #[serde(flatten)]
    pub(crate) script: Script,
    /// Requests a second.
    pub(crate) rate: f64,
    /// How long requests are sent, in seconds.
    pub(crate) duration_s: f64,
    /// Connections over which the requests are sent.
    pub(crate) connections: u32,
}

/// A course whose response times cannot be told beforehand.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum CourseError {
    /// Rate and duration come to no request.
    #[error("{rate} requests a second for {duration_s} s are none; give numbers above 0")]
    Nothing {
        /// Requests a second.
        rate: f64,
        /// Length of the course in seconds.
        duration_s: f64,
    },
    /// The script keeps more connections busy than there are.
    #[error(
        "the script keeps {needed} connections busy, of {connections}; give it more, or a lower rate"
    )]
    Connections {
        /// With what is spare.
        needed: u32,
        /// What there is.
        connections: u32,
    },
    /// The next silence begins before the backlog of the one before is answered.
    #[error("the backlog of one silence is not answered when the next begins; make the rate lower")]
    Backlog,
}

impl Course {
    /// `rate` requests a second for `duration_s` seconds over this many connections.
    ///
    /// # Errors
    /// When response times would depend on more than the script: too few connections, or
    /// silences that run into one another.
    pub fn new(
        name: &str,
        script: Script,
        rate: f64,
        duration_s: f64,
        connections: u32,
    ) -> Result<Self, CourseError> {
        let course = Self {
            name: name.to_owned(),
            script,
            rate,
            duration_s,
            connections,
        };
        let is_positive = |number: f64| number.is_finite() && number > 0.0;
        if !is_positive(rate) || !is_positive(duration_s) {
            return Err(CourseError::Nothing { rate, duration_s });
        }
        let needed = match &course.script {
            // Requests that wait for a connection in a silence are answered in their turn all the
            // same.
            Script::Stall(stall) => {
                let answered_in_an_interval = 1e9 / rate / stall.spacing_ns.max(1) as f64;
                // The backlog shrinks by what is answered and grows by what comes.
                let affected_ns = stall.silence_ns as f64 / (1.0 - 1.0 / answered_in_an_interval);
                if answered_in_an_interval <= 1.0 || affected_ns >= stall.period_ns as f64 {
                    return Err(CourseError::Backlog);
                }
                1
            }
            Script::Constant { .. } | Script::Mixture(_) => {
                (f64::from(course.most_in_flight()) * SPARE).ceil() as u32
            }
        };
        if needed > connections {
            return Err(CourseError::Connections {
                needed,
                connections,
            });
        }
        Ok(course)
    }

    /// As the engine is asked for it.
    pub(crate) fn load(&self) -> Load {
        Load {
            rate: self.rate,
            duration_s: self.duration_s,
            connections: self.connections,
        }
    }

    /// The instants at which requests are intended, in nanoseconds since the first.
    pub(crate) fn intended(&self) -> impl Iterator<Item = u64> {
        let duration_ns = (self.duration_s * 1e9) as u64;
        (0..)
            .map(|n| intended_ns(self.rate, n))
            .take_while(move |&at| at < duration_ns)
    }

    /// Most requests that are unanswered at once when each has a connection.
    fn most_in_flight(&self) -> u32 {
        let mut ends: BinaryHeap<Reverse<u64>> = BinaryHeap::new();
        let mut most = 0;
        for (n, at) in (0u64..).zip(self.intended()) {
            while ends.peek().is_some_and(|end| end.0 <= at) {
                ends.pop();
            }
            ends.push(Reverse(at + self.delay_ns(n)));
            most = most.max(ends.len());
        }
        u32::try_from(most).unwrap_or(u32::MAX)
    }

    /// From a request to its answer where the script knows it by the request's number.
    fn delay_ns(&self, n: u64) -> u64 {
        match &self.script {
            Script::Constant { delay_ns } => *delay_ns,
            Script::Mixture(mixture) => mixture.delay_ns(n),
            Script::Stall(_) => 0,
        }
    }
}

/// When request `n` of a constant rate is intended, in nanoseconds since the first. The same
/// arithmetic as in the engine's schedule, written a second time: one judges the other.
pub(crate) fn intended_ns(rate: f64, n: u64) -> u64 {
    (n as f64 * (1e9 / rate)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::{Mixture, Stall};
    use std::time::Duration;

    fn constant(ms: u64) -> Script {
        Script::Constant {
            delay_ns: ms * 1_000_000,
        }
    }

    #[test]
    fn as_many_connections_are_asked_for_as_littles_law_says_and_a_quarter_more() {
        let course = |connections| Course::new("", constant(100), 400.0, 2.0, connections);
        let too_few = CourseError::Connections {
            needed: 50,
            connections: 49,
        };
        assert_eq!(course(49), Err(too_few));
        assert!(course(50).is_ok());
    }

    #[test]
    fn all_delays_of_a_mixture_count() {
        let shares = [
            (500, Duration::from_millis(10)),
            (500, Duration::from_millis(390)),
        ];
        let script = Script::Mixture(Mixture::new(&shares).unwrap());
        // 200 ms on the average: 20 in flight at 100/s, a few more when the long ones come
        // together.
        let few = Course::new("", script.clone(), 100.0, 10.0, 20);
        assert!(
            matches!(few, Err(CourseError::Connections { .. })),
            "{few:?}"
        );
        assert!(Course::new("", script, 100.0, 10.0, 40).is_ok());
    }

    #[test]
    fn silences_that_run_into_one_another_are_refused() {
        let stall = |rate| {
            let script = Stall::new(Duration::from_secs(2), Duration::from_secs(1), 1_000.0);
            Course::new("", Script::Stall(script.unwrap()), rate, 4.0, 8)
        };
        assert!(stall(499.0).is_ok());
        for rate in [500.0, 1_000.0, 1_500.0] {
            assert_eq!(stall(rate), Err(CourseError::Backlog), "{rate}");
        }
    }

    #[test]
    fn a_course_without_requests_is_refused() {
        for (rate, duration) in [
            (0.0, 1.0),
            (1.0, 0.0),
            (f64::NAN, 1.0),
            (1.0, f64::INFINITY),
        ] {
            let course = Course::new("", constant(1), rate, duration, 8);
            assert!(
                matches!(course, Err(CourseError::Nothing { .. })),
                "{course:?}"
            );
        }
    }
}
