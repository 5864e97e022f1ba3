//! No more file descriptors in the middle. Alone in its process, because the limit is the process's
//! own.
#![allow(clippy::unwrap_used)]

#[path = "support/lanes.rs"]
mod lanes;
mod support;

use lanes::Lanes;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use support::always;
use tacho_load::testkit::Act;
use tacho_load::{Endpoint, Protocol};
use tacho_workload::Step;

#[test]
fn a_connection_for_which_there_is_no_descriptor_is_no_descriptors() {
    let server = always([Act::ok("ok")]);
    let get = Step::get("/");
    let endpoint = Endpoint::new(server.address());
    let http2 = endpoint.clone().speaking(Protocol::Http2);
    let mut one = Lanes::to(&endpoint, 1);
    let mut two = Lanes::to(&http2, 1);

    let before = getrlimit(Resource::Nofile);
    let none_left = Rlimit {
        current: Some(0),
        ..before
    };
    setrlimit(Resource::Nofile, none_left).unwrap();
    let faults = [one.fault(&get), two.fault(&get)];
    setrlimit(Resource::Nofile, before).unwrap();
    for fault in faults {
        assert_eq!(fault.kind().name(), "no-descriptors");
        assert!(fault.to_string().contains("ulimit -n"), "{fault}");
    }
    assert_eq!(one.answer(&get).status, 200, "and it goes on");
}
