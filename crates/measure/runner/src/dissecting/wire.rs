//! What calls to other services take, from outside of both: a window without an instrument in the
//! process, in which the packets of the connections that it opened itself are taken down.

use super::callees::Behind;
use super::{Halt, Listener, Table};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use tacho_diagnosis::WIRE;
use tacho_launch::sockets::Outgoing;
use tacho_run_folder::{CallTimes, CallsTo, Spoken};
use tacho_wire::{Exchange, Heard, Listening, Peer, Protocol};

const NS_PER_MS: f64 = 1e6;
/// The processes that answer, by where they listen.
type Callees = BTreeMap<SocketAddr, Behind>;

const WHAT: &str = "what calls to others take on the wire and there";

impl Table<'_, '_> {
    /// Listens where the service is connected to others.
    pub(super) fn wire(&mut self, listener: &mut dyn Listener) -> Result<(), Halt> {
        let pids = self.ready.running.first.subject.pids();
        let peers = Outgoing::of(&pids).map(|outgoing| outgoing.peers());
        let Some(peers) = peers.filter(|peers| !peers.is_empty()) else {
            return Ok(());
        };
        let listening = match Listening::to(peers.keys().copied().collect()) {
            Ok(listening) => listening,
            Err(why) => {
                self.lacks(WHAT, why.to_string());
                return Ok(());
            }
        };
        let behind: Callees = peers
            .keys()
            .filter_map(|address| Some((*address, Behind::at(*address)?)))
            .collect();
        let instrument = Some("packets of its connections to others".to_owned());
        let window = self.window(WIRE, self.spec.requests, instrument, listener);
        // Also when the window was the last.
        let heard = listening.end();
        let mut window = window?;
        match heard {
            Ok(heard) => {
                if heard.lost > 0 {
                    let why = format!(
                        "{} packets came too fast to be taken down: fewer calls are told than there were",
                        heard.lost
                    );
                    self.lacks(WHAT, why);
                }
                window.calls = calls(&heard, &peers, &behind);
            }
            Err(why) => self.lacks(WHAT, why.to_string()),
        }
        self.seen.windows.push(window);
        Ok(())
    }
}

fn calls(
    heard: &Heard,
    round_trips: &BTreeMap<SocketAddr, Option<u32>>,
    behind: &Callees,
) -> BTreeMap<String, CallsTo> {
    let to = |peer: &Peer| CallsTo {
        protocol: match peer.protocol {
            Protocol::Http1 => Spoken::Http1,
            Protocol::Http2 => Spoken::Http2,
            Protocol::Tls => Spoken::Tls,
            Protocol::Other => Spoken::Other,
        },
        exchanges: peer.exchanges.len() as u64,
        times: match peer.protocol {
            Protocol::Http2 => None,
            _ => times(&peer.exchanges),
        },
        round_trip_ms: round_trips
            .get(&peer.address)
            .copied()
            .flatten()
            .map(|us| f64::from(us) / 1e3),
        callee: behind
            .get(&peer.address)
            .and_then(|callee| callee.since(peer.exchanges.len() as u64)),
    };
    let peers = heard.peers.iter();
    peers
        .map(|peer| (peer.address.to_string(), to(peer)))
        .collect()
}

fn times(exchanges: &[Exchange]) -> Option<CallTimes> {
    let mean = |of: fn(&Exchange) -> u64| {
        let sum: u64 = exchanges.iter().map(of).sum();
        sum as f64 / NS_PER_MS / exchanges.len() as f64
    };
    let mut waiting: Vec<u64> = exchanges.iter().map(|one| one.waiting).collect();
    waiting.sort_unstable();
    // The nearest rank.
    let quantile = |share: f64| {
        let rank = (share * waiting.len() as f64).ceil() as usize;
        let value = waiting.get(rank.saturating_sub(1))?;
        Some(*value as f64 / NS_PER_MS)
    };
    Some(CallTimes {
        sending_ms: mean(|one| one.sending),
        waiting_ms: mean(|one| one.waiting),
        waiting_p50_ms: quantile(0.5)?,
        waiting_p99_ms: quantile(0.99)?,
        receiving_ms: mean(|one| one.receiving),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(protocol: Protocol, waiting_ms: u64) -> Exchange {
        Exchange {
            protocol,
            sending: 1_000_000,
            waiting: waiting_ms * 1_000_000,
            receiving: 500_000,
            sent: 10,
            received: 20,
        }
    }

    fn heard(protocol: Protocol) -> (Heard, SocketAddr) {
        let address: SocketAddr = "10.0.0.7:9000".parse().unwrap();
        let exchanges = (1..=100).map(|ms| exchange(protocol, ms)).collect();
        let peer = Peer {
            address,
            protocol,
            exchanges,
        };
        let heard = Heard {
            peers: vec![peer],
            lost: 0,
            unanswered: 0,
        };
        (heard, address)
    }

    #[test]
    fn means_and_quantiles_of_a_peer() {
        let (heard, address) = heard(Protocol::Http1);
        let calls = calls(&heard, &[(address, Some(250))].into(), &Callees::new());
        let told = calls["10.0.0.7:9000"];
        assert_eq!((told.exchanges, told.round_trip_ms), (100, Some(0.25)));
        let times = told.times.unwrap();
        assert_eq!((times.sending_ms, times.receiving_ms), (1.0, 0.5));
        assert_eq!((times.waiting_p50_ms, times.waiting_p99_ms), (50.0, 99.0));
        assert!((times.waiting_ms - 50.5).abs() < 1e-9);
        assert!((times.total_ms() - 52.0).abs() < 1e-9);
    }

    #[test]
    fn where_several_are_under_way_no_times_are_told() {
        let (heard, address) = heard(Protocol::Http2);
        let calls = calls(&heard, &[(address, None)].into(), &Callees::new());
        assert_eq!(calls["10.0.0.7:9000"].times, None);
    }
}
