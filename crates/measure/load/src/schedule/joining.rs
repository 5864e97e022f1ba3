//! When the connections of a closed loop join in.

use super::{ScheduleError, duration_ns};

/// Connection `i` of `connections` joins at `i * ramp / connections`; the first at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joining {
    connections: u32,
    ramp_ns: u64,
}

impl Joining {
    /// `ramp_s` in seconds; 0 lets all join at once.
    ///
    /// # Errors
    /// When there is no connection, or the ramp is negative or not a number.
    pub fn new(connections: u32, ramp_s: f64) -> Result<Self, ScheduleError> {
        if connections == 0 {
            return Err(ScheduleError::NoConnections);
        }
        Ok(Self {
            connections,
            ramp_ns: duration_ns(ramp_s)?,
        })
    }

    /// The instant at which connection `i` joins, in nanoseconds since the beginning of the
    /// phase; `None` when there is no such connection.
    #[must_use]
    pub fn instant(&self, i: u32) -> Option<u64> {
        // In 128 bits: a long ramp times many connections leaves 64.
        (i < self.connections).then(|| {
            (u128::from(i) * u128::from(self.ramp_ns) / u128::from(self.connections)) as u64
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_hundred_connections_over_ten_seconds_join_each_tenth_of_a_second() {
        let joining = Joining::new(100, 10.0).unwrap();
        assert_eq!(joining.instant(0), Some(0));
        assert_eq!(joining.instant(1), Some(100_000_000));
        assert_eq!(joining.instant(99), Some(9_900_000_000));
        assert_eq!(joining.instant(100), None);
    }

    #[test]
    fn a_phase_without_connections_is_refused() {
        assert_eq!(Joining::new(0, 0.0), Err(ScheduleError::NoConnections));
    }

    proptest! {
        #[test]
        fn all_join_in_order_within_the_ramp(
            connections in 1u32..100_000, ramp in 0.0f64..1e6, i in any::<u32>(),
        ) {
            let joining = Joining::new(connections, ramp).unwrap();
            let i = i % connections;
            let instant = joining.instant(i).unwrap();
            prop_assert!(instant <= (ramp * 1e9) as u64);
            if let Some(next) = joining.instant(i + 1) {
                prop_assert!(instant <= next);
            }
        }
    }
}
