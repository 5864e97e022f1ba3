//! The clocks of two machines: how far apart they are, and how well that is known.

use crate::message::{LiveSecond, Order, Report};
use std::fs;

/// An id that changes when the machine boots, which is when its monotonic clock restarts.
const BOOT: &str = "/proc/sys/kernel/random/boot_id";
/// Processes of one time namespace see one monotonic clock (time_namespaces(7)).
const TIME_NAMESPACE: &str = "/proc/self/ns/time";

/// The clock of this process: two that say the same have one. Empty where the kernel does not say.
pub fn identity() -> String {
    let boot = fs::read_to_string(BOOT);
    let namespace = fs::read_link(TIME_NAMESPACE);
    match (boot, namespace) {
        (Ok(boot), Ok(namespace)) => format!("{} {}", boot.trim(), namespace.display()),
        _ => String::new(),
    }
}

/// One question for the time, and its answer.
#[derive(Debug, Clone, Copy)]
pub struct Exchange {
    /// When it was asked, by our clock.
    pub asked_ns: u64,
    /// What the other clock showed.
    pub theirs_ns: u64,
    /// When the answer was here, by our clock.
    pub answered_ns: u64,
}

impl Exchange {
    /// How long it took.
    pub fn round_trip_ns(&self) -> u64 {
        self.answered_ns.saturating_sub(self.asked_ns)
    }
}

/// Another clock beside ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Apart {
    /// How far the other clock is ahead of ours.
    pub ahead_ns: i64,
    /// The most by which `ahead_ns` may be wrong, in either direction.
    pub within_ns: u64,
}

impl Apart {
    /// The other clock is our own.
    pub const NOT: Self = Self {
        ahead_ns: 0,
        within_ns: 0,
    };

    /// Estimates the difference from the exchange with the shortest round trip. The other clock was
    /// read at some instant within that round trip. So taking the middle of the round trip for that
    /// instant is wrong by at most half of its length (RFC 5905, section 8; Cristian,
    /// "Probabilistic clock synchronization", 1989).
    /// `None` without an exchange.
    pub fn by(exchanges: &[Exchange]) -> Option<Self> {
        let best = exchanges.iter().min_by_key(|one| one.round_trip_ns())?;
        let half_ns = best.round_trip_ns() / 2;
        let middle_ns = best.asked_ns.saturating_add(half_ns);
        Some(Self {
            ahead_ns: difference(best.theirs_ns, middle_ns),
            within_ns: half_ns,
        })
    }

    /// An instant of our clock, by theirs.
    fn theirs(self, ours_ns: u64) -> u64 {
        ours_ns.saturating_add_signed(self.ahead_ns)
    }

    /// An instant of their clock, by ours.
    fn ours(self, theirs_ns: u64) -> u64 {
        theirs_ns.saturating_add_signed(self.ahead_ns.saturating_neg())
    }

    /// An order with the instants of their clock.
    pub fn for_them(self, order: Order) -> Order {
        match order {
            Order::Begin {
                version,
                monotonic_ns,
                realtime_ns,
            } => Order::Begin {
                version,
                monotonic_ns: self.theirs(monotonic_ns),
                realtime_ns,
            },
            Order::Start { at_ns } => Order::Start {
                at_ns: self.theirs(at_ns),
            },
            order => order,
        }
    }

    /// A report with the instants of our clock.
    pub fn for_us(self, report: Report) -> Report {
        match report {
            Report::Second(second) => Report::Second(LiveSecond {
                began_ns: self.ours(second.began_ns),
                ended_ns: self.ours(second.ended_ns),
                ..second
            }),
            Report::Phase {
                record,
                began_ns,
                first_intended_ns,
                last_end_ns,
                trouble,
            } => Report::Phase {
                record,
                began_ns: began_ns.map(|at| self.ours(at)),
                first_intended_ns: first_intended_ns.map(|at| self.ours(at)),
                last_end_ns: self.ours(last_end_ns),
                trouble,
            },
            report => report,
        }
    }
}

/// One instant less another.
fn difference(a: u64, b: u64) -> i64 {
    i64::try_from(i128::from(a) - i128::from(b)).unwrap_or(if a > b { i64::MAX } else { i64::MIN })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn processes_of_one_machine_have_one_clock() {
        assert!(!identity().is_empty());
        assert_eq!(identity(), identity());
    }

    #[test]
    fn the_shortest_way_counts() {
        let exchange = |asked_ns, theirs_ns, answered_ns| Exchange {
            asked_ns,
            theirs_ns,
            answered_ns,
        };
        // Three seconds ahead; the first answer was held up on its way back.
        let exchanges = [
            exchange(1_000, 3_000_001_100, 9_000),
            exchange(20_000, 3_000_020_110, 20_200),
        ];
        let apart = Apart::by(&exchanges).unwrap();
        assert_eq!((apart.ahead_ns, apart.within_ns), (3_000_000_010, 100));
        assert_eq!(Apart::by(&[]), None);
    }

    #[test]
    fn orders_and_reports_have_the_instants_of_whoever_reads_them() {
        let apart = Apart {
            ahead_ns: -500,
            within_ns: 1,
        };
        let start = apart.for_them(Order::Start { at_ns: 2_000 });
        assert_eq!(start, Order::Start { at_ns: 1_500 });
        let begin = apart.for_them(Order::Begin {
            version: 1,
            monotonic_ns: 600,
            realtime_ns: 7,
        });
        let expected = Order::Begin {
            version: 1,
            monotonic_ns: 100,
            realtime_ns: 7,
        };
        assert_eq!(begin, expected);
        let second = LiveSecond {
            began_ns: 100,
            ended_ns: 200,
            failed: 0,
            errors: Vec::new(),
            response: String::new(),
            bins: Vec::new(),
        };
        let Report::Second(second) = apart.for_us(Report::Second(second)) else {
            panic!("another report");
        };
        assert_eq!((second.began_ns, second.ended_ns), (600, 700));
        assert_eq!(apart.for_them(Order::Enough), Order::Enough);
    }

    proptest! {
        #[test]
        fn the_truth_lies_within_what_is_said(
            ahead in -1_000_000_000_000i64..1_000_000_000_000,
            ways in proptest::collection::vec((0u64..50_000_000, 0u64..50_000_000), 1..20),
        ) {
            let mut asked_ns = 2_000_000_000_000u64;
            let exchanges: Vec<Exchange> = ways.iter().map(|(there, back)| {
                asked_ns += 100_000_000;
                Exchange {
                    asked_ns,
                    theirs_ns: (asked_ns + there).saturating_add_signed(ahead),
                    answered_ns: asked_ns + there + back,
                }
            }).collect();
            let apart = Apart::by(&exchanges).unwrap();
            // The middle is cut to a nanosecond.
            prop_assert!(apart.ahead_ns.abs_diff(ahead) <= apart.within_ns + 1);
            let instant = 5_000_000_000_000u64;
            prop_assert_eq!(apart.ours(apart.theirs(instant)), instant);
        }
    }
}
