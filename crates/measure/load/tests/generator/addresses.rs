//! Where connections go: numbers, names, Unix sockets.
#![allow(clippy::unwrap_used)]

use crate::lanes;
use crate::support;

use support::{Rig, always, errors};
use tacho_load::testkit::{Act, Nobody, TestServer};
use tacho_load::{Address, Endpoint, Options};
use tacho_workload::Step;

fn requests(path: &str) -> [Step; 1] {
    [Step::get(path)]
}

fn rig(endpoint: Endpoint) -> Rig {
    Rig::to(endpoint, &requests("/"), Options::default())
}

#[test]
fn an_ipv6_url_leads_to_its_server() {
    let server = TestServer::start_at("[::1]:0".parse().unwrap(), |seen| vec![Act::ok(&seen.head)]);
    let url = format!("http://[::1]:{}/x?y=1", server.address().port());
    let (endpoint, path) = Endpoint::parse_url(&url).unwrap();
    let mut rig = Rig::to(endpoint, &requests(&path), Options::default());
    assert_eq!(rig.closed(10, 2, 0.0).succeeded, 10);
}

#[test]
fn a_name_is_tried_at_all_its_addresses() {
    // `localhost` may be ::1 first; nobody listens there.
    let server = always([Act::ok("ok")]);
    let endpoint = Endpoint {
        address: Address::Name {
            host: "localhost".into(),
            port: server.address().port(),
        },
        ..Endpoint::new(server.address())
    };
    let record = rig(endpoint).closed(20, 4, 0.0);
    assert_eq!((record.succeeded, record.reconnects), (20, 0), "{record:?}");
    assert_eq!(server.connections(), 4);
}

#[test]
fn nobody_at_any_address_is_refused() {
    let nobody = Nobody::anywhere();
    let port = nobody.address().port();
    let (endpoint, _) = Endpoint::parse_url(&format!("http://localhost:{port}/")).unwrap();
    assert_eq!(errors(&rig(endpoint).closed(6, 2, 0.0)), [("refused", 6)]);
}

#[test]
fn a_name_that_does_not_resolve_is_dns_and_the_phase_goes_on() {
    // Reserved for names that do not exist (RFC 6761, 6.4).
    let (endpoint, _) = Endpoint::parse_url("http://tacho.invalid/").unwrap();
    let mut rig = rig(endpoint);
    let closed = rig.closed(6, 2, 0.0);
    assert_eq!(errors(&closed), [("dns", 6)], "{closed:?}");
    let example = &closed.errors[&"dns".into()].example;
    assert!(
        example.starts_with("GET /: the name does not resolve"),
        "{example}"
    );
    let open = rig.open(100.0, 0.2, 2);
    assert_eq!(errors(&open), [("dns", 20)]);
    assert!(
        rig.rows("requests.csv")
            .iter()
            .all(|row| row.outcome == "dns".into())
    );
}

#[test]
fn a_unix_socket_is_as_good_as_any() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let server = TestServer::start_unix(&path, |seen| {
        assert!(seen.head.contains("Host: example.test"), "{}", seen.head);
        vec![Act::ok("ok")]
    });
    let (endpoint, _) = Endpoint::parse_url("http://example.test/").unwrap();
    let mut rig = rig(endpoint.over_unix_socket(&path));
    let record = rig.closed(200, 8, 0.0);
    assert_eq!(
        (record.succeeded, record.reconnects),
        (200, 0),
        "{record:?}"
    );
    assert_eq!(server.connections(), 8);
}

#[test]
fn more_connections_than_the_backlog_of_a_unix_socket_are_all_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
    // The backlog has room for two connections until the server accepts, which it does only after
    // the first connections have failed to get a place.
    rustix::net::listen(&listener, 1).unwrap();
    let accepts = std::thread::spawn(move || {
        let mut kept = Vec::new();
        while kept.len() < 12 {
            std::thread::sleep(std::time::Duration::from_millis(10));
            kept.push(listener.accept().unwrap());
        }
        kept
    });
    let endpoint = Endpoint::new("127.0.0.1:1".parse().unwrap()).over_unix_socket(&path);
    let mut lanes = lanes::Lanes::to(&endpoint, 12);
    lanes.open_all();
    assert_eq!(lanes.transport.established(), 12);
    accepts.join().unwrap();
}

#[test]
fn a_unix_socket_that_is_not_there_is_unreachable() {
    let endpoint =
        Endpoint::new("127.0.0.1:1".parse().unwrap()).over_unix_socket("/nonexistent/socket");
    let record = rig(endpoint).closed(4, 2, 0.0);
    assert_eq!(errors(&record), [("unreachable", 4)]);
    assert!(
        record.errors[&"unreachable".into()]
            .example
            .contains("No such file")
    );
}
