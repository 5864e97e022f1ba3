//! For how long new connections still led to pods that had been told to end. This is what the
//! endpoints and the proxies of the nodes take together, as users met it.
//!
//! The more new connections there are, the more exact it is. A pod at whose end too few came is
//! left out.

use crate::Request;
use crate::lives::{Life, Phase, pod_at};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::net::IpAddr;
use tacho_clock::{SECOND, to_seconds};

/// How long after a pod was told to end new connections are looked at. No proxy takes longer to
/// stop leading there.
const LOOKED_AT: u64 = 10 * SECOND;

/// New connections, to any pod, that are needed within that time. Fewer than two a second would
/// show the end too coarsely.
const FEWEST: usize = 20;

/// How long new connections still led to pods that had been told to end.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StillLed {
    /// Longest time from a pod being told to end to the last new connection that led to it, in
    /// seconds; 0 where none did.
    pub longest_s: f64,
    /// Number of pods at whose end there were enough new connections to tell.
    pub pods: u32,
}

/// Of pods that were told to end after an instant; `None` where too few connections came, or it was
/// not seen where they led.
#[must_use]
pub fn still_led(requests: &[Request], lives: &[Life], since_ns: u64) -> Option<StillLed> {
    let connections: BTreeSet<(u64, IpAddr)> = requests
        .iter()
        .filter_map(|one| Some((made_at(one)?, one.to?)))
        .collect();
    let of_pod = |life: &Life| {
        let ending = life.at(Phase::Ending).filter(|at| *at >= since_ns)?;
        let after = ending..ending + LOOKED_AT;
        let came = connections.iter().filter(|(at, _)| after.contains(at));
        if came.clone().count() < FEWEST {
            return None;
        }
        let led_here = came
            .filter(|(at, ip)| pod_at(lives, *ip, *at).is_some_and(|led| std::ptr::eq(led, life)));
        let last = led_here.map(|(at, _)| *at).max();
        Some(last.map_or(0.0, |at| to_seconds(at - ending)))
    };
    let longest: Vec<f64> = lives.iter().filter_map(of_pod).collect();
    Some(StillLed {
        longest_s: longest.iter().copied().reduce(f64::max)?,
        pods: longest.len() as u32,
    })
}

/// When the connection of a request was made; of one that could not be made, when that was known.
fn made_at(one: &Request) -> Option<u64> {
    let failed = (one.had_no_connection() && !one.is_good).then_some(one.end_ns);
    one.connected_ns.or(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn life(last: u8, ending_s: Option<u64>) -> Life {
        let ending = ending_s.map(|s| (Phase::Ending, s * SECOND));
        Life {
            pod: format!("p{last}"),
            phases: [(Phase::Made, 0)].into_iter().chain(ending).collect(),
            ip: Some([10, 0, 0, last].into()),
            ..Life::default()
        }
    }

    /// A connection each 100 ms for 40 s: to the first pod until this instant, then to the second.
    fn requests(until_ms: u64) -> Vec<Request> {
        let of = |at_ms: u64| Request {
            intended_ns: at_ms * MS,
            sent_ns: Some(at_ms * MS),
            end_ns: (at_ms + 3) * MS,
            is_good: true,
            outcome: "200".to_owned(),
            connected_ns: Some(at_ms * MS),
            to: Some([10, 0, 0, if at_ms < until_ms { 1 } else { 2 }].into()),
            ..Request::default()
        };
        (0..40_000).step_by(100).map(of).collect()
    }

    #[test]
    fn the_last_connection_that_led_to_an_ending_pod_counts() {
        let lives = [life(1, Some(20)), life(2, None)];
        let seen = |until_ms| still_led(&requests(until_ms), &lives, SECOND).unwrap();
        let late = seen(21_450);
        assert_eq!((late.longest_s, late.pods), (1.4, 1));
        assert_eq!(seen(19_000).longest_s, 0.0);
    }

    #[test]
    fn a_connection_that_was_refused_led_there_as_well() {
        let lives = [life(1, Some(20)), life(2, None)];
        let refused = Request {
            intended_ns: 22_700 * MS,
            end_ns: 22_701 * MS,
            outcome: "connection-refused".to_owned(),
            to: Some([10, 0, 0, 1].into()),
            ..Request::default()
        };
        // It was sent on a connection that had just been closed, and then again on this one.
        let again = Request {
            sent_ns: Some(22_700 * MS),
            never_connected: true,
            ..refused.clone()
        };
        for one in [refused, again] {
            let mut requests = requests(20_000);
            requests.push(one);
            let seen = still_led(&requests, &lives, SECOND).unwrap();
            assert_eq!(seen.longest_s, 2.701);
        }
    }

    #[test]
    fn few_connections_and_connections_of_unknown_pods_tell_nothing() {
        let lives = [life(1, Some(20)), life(2, None)];
        let kept: Vec<Request> = requests(21_450).into_iter().step_by(10).collect();
        assert_eq!(still_led(&kept, &lives, SECOND), None);
        let mut unseen = requests(21_450);
        for one in &mut unseen {
            one.to = None;
        }
        assert_eq!(still_led(&unseen, &lives, SECOND), None);
        // It was told to end before users came.
        assert_eq!(still_led(&requests(21_450), &lives, 30 * SECOND), None);
    }
}
