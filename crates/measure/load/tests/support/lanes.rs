//! A transport by itself: one request, one answer.
#![allow(dead_code)]

use std::num::NonZeroU32;
use std::sync::Arc;
use tacho_load::transport::{
    Ended, Event, Fault, Keep, KeptAnswer, Lane, Limits, Outcome, Transport, transport_to,
};
use tacho_load::{Endpoint, Message, Rendered, monotonic_ns};
use tacho_workload::{Body, Script, Step};

pub struct Lanes {
    pub transport: Box<dyn Transport>,
    endpoint: Endpoint,
}

impl Lanes {
    /// This many lanes to an endpoint, of which up to 100 share a connection of HTTP/2.
    pub fn to(endpoint: &Endpoint, lanes: u32) -> Self {
        Self::sharing(endpoint, lanes, 100)
    }

    pub fn sharing(endpoint: &Endpoint, lanes: u32, streams: u32) -> Self {
        let limits = Limits {
            // A guard against hanging: nothing that is tested takes so long.
            connect_ns: 120_000_000_000,
            request_ns: 120_000_000_000,
        };
        let streams = NonZeroU32::new(streams).unwrap();
        let mut transport = transport_to(endpoint, limits, streams).unwrap();
        transport.set_lanes(lanes);
        Self {
            transport,
            endpoint: endpoint.clone(),
        }
    }

    pub fn send(&mut self, lane: Lane, request: &Step, keep: Keep) {
        let script = Script::of_step(request).unwrap();
        let message = Message::of(&request.name, script.fixed(0).unwrap());
        let rendered = Rendered::new(&message, &self.endpoint, keep).unwrap();
        let rendered = rendered.awaiting(request.events);
        self.transport.send(lane, Arc::new(rendered));
    }

    /// The next event, whatever it is.
    pub fn event(&mut self) -> Event {
        loop {
            if let Some(event) = self.transport.next_event() {
                return event;
            }
            self.transport.wait(50_000_000).unwrap();
            self.transport.expire(monotonic_ns());
        }
    }

    /// The next request that ends.
    pub fn ended(&mut self) -> (Lane, Ended) {
        loop {
            if let Event::Ended(lane, ended) = self.event() {
                return (lane, ended);
            }
        }
    }

    /// Opens all lanes.
    pub fn open_all(&mut self) {
        for lane in 0..self.transport.lanes() {
            self.transport.open(lane);
        }
        for _ in 0..self.transport.lanes() {
            assert!(matches!(self.event(), Event::Opened(_)));
        }
    }

    /// Sends a request over lane 0 and waits for its end.
    pub fn exchange(&mut self, request: &Step, keep: Keep) -> Ended {
        self.send(0, request, keep);
        self.ended().1
    }

    /// The answer, kept whole.
    pub fn answer(&mut self, request: &Step) -> KeptAnswer {
        let ended = self.exchange(request, Keep::HeadAndBody { limit: usize::MAX });
        match ended.answer {
            Some(answer) => *answer,
            None => panic!("{ended:?}"),
        }
    }

    /// The fault with which it ends.
    pub fn fault(&mut self, request: &Step) -> Fault {
        match self.exchange(request, Keep::Nothing).outcome {
            Outcome::Failed(fault) => fault,
            Outcome::Answered(status) | Outcome::Accepted(status) => {
                panic!("answered with {status}")
            }
        }
    }
}

pub fn post(path: &str, headers: &[(&str, &str)], body: &[u8]) -> Step {
    let own = |text: &&str| (*text).to_owned();
    Step {
        method: "POST".into(),
        headers: headers.iter().map(|(n, v)| (own(n), own(v))).collect(),
        body: Body::Bytes(body.to_vec()),
        ..Step::get(path)
    }
}
