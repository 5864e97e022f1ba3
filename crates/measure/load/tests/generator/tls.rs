//! TLS: whom we trust, who we are, and what goes wrong.
#![allow(clippy::unwrap_used)]

use crate::certificates;
use crate::lanes;
use crate::support;

use certificates::{Authority, https};
use lanes::{Lanes, post};
use rustls::server::StoresServerSessions;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{Rig, errors};
use tacho_load::testkit::{Act, TestServer};
use tacho_load::transport::TransportError;
use tacho_load::{Endpoint, LoadError, Options, TlsOptions};
use tacho_workload::Step;

fn rig(endpoint: Endpoint) -> Rig {
    Rig::to(endpoint, &[Step::get("/")], Options::default())
}

fn ok_server(config: rustls::ServerConfig) -> TestServer {
    TestServer::start_tls(Arc::new(config), |_| vec![Act::ok("ok")])
}

/// All requests fail under `tls`; the example.
fn tls_fault(endpoint: Endpoint) -> String {
    let record = rig(endpoint).closed(4, 2, 0.0);
    assert_eq!(errors(&record), [("tls", 4)], "{record:?}");
    record.errors[&"tls".into()].example.clone()
}

#[test]
fn an_authority_of_ones_own_is_trusted() {
    let authority = Authority::new();
    let server = ok_server(authority.server());
    let record = rig(https(server.address(), authority.trusted())).closed(40, 4, 0.0);
    assert_eq!((record.succeeded, record.reconnects), (40, 0), "{record:?}");
    assert_eq!(
        server.connections(),
        4,
        "the handshakes were made before the clock"
    );
}

#[test]
fn a_number_is_checked_as_a_number() {
    let authority = Authority::new();
    let server = ok_server(authority.server());
    let url = format!("https://127.0.0.1:{}/", server.address().port());
    let (endpoint, _) = Endpoint::parse_url(&url).unwrap();
    let tls = Some(authority.trusted());
    assert_eq!(
        rig(Endpoint { tls, ..endpoint })
            .closed(4, 1, 0.0)
            .succeeded,
        4
    );
}

#[test]
fn an_authority_that_is_not_known_is_refused_unless_insecure_is_asked_for() {
    let (known, unknown) = (Authority::new(), Authority::new());
    let server = ok_server(unknown.server());
    let endpoint = https(server.address(), known.trusted());
    let example = tls_fault(endpoint.clone());
    assert!(
        example.contains("authority that is not known here"),
        "{example}"
    );
    assert!(endpoint.caveats().is_empty());

    let insecure = TlsOptions {
        insecure: true,
        ..TlsOptions::default()
    };
    let endpoint = https(server.address(), insecure);
    assert_eq!(endpoint.caveats().len(), 1);
    assert_eq!(rig(endpoint).closed(4, 2, 0.0).succeeded, 4);
}

#[test]
fn a_certificate_that_has_expired_is_named_so() {
    let authority = Authority::new();
    let server = ok_server(authority.expired_server());
    let example = tls_fault(https(server.address(), authority.trusted()));
    assert!(example.contains("has expired"), "{example}");
}

#[test]
fn a_certificate_for_another_name_is_named_so_and_the_name_can_be_given() {
    let authority = Authority::new();
    let server = ok_server(authority.server_for(&["other.test"]));
    let example = tls_fault(https(server.address(), authority.trusted()));
    assert!(example.contains("for another name"), "{example}");

    let named = TlsOptions {
        server_name: Some("other.test".into()),
        ..authority.trusted()
    };
    assert_eq!(
        rig(https(server.address(), named))
            .closed(4, 2, 0.0)
            .succeeded,
        4
    );
}

#[test]
fn a_subject_that_asks_for_our_certificate_gets_it() {
    let authority = Authority::new();
    let server = ok_server(authority.server_that_asks());
    let known = TlsOptions {
        identity: Some(authority.client()),
        ..authority.trusted()
    };
    let record = rig(https(server.address(), known)).closed(10, 2, 0.0);
    assert_eq!(record.succeeded, 10, "{record:?}");

    let example = tls_fault(https(server.address(), authority.trusted()));
    assert!(example.contains("wants a client certificate"), "{example}");

    let unknown = Authority::new();
    let stranger = TlsOptions {
        identity: Some(unknown.client()),
        ..authority.trusted()
    };
    let example = tls_fault(https(server.address(), stranger));
    assert!(example.contains("the subject says"), "{example}");
}

#[test]
fn a_subject_that_speaks_no_tls_is_named_so() {
    let authority = Authority::new();
    // Long enough to look like a record, and soon: a greeting, as of a mail server.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = std::io::Write::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\n\r\n");
            let _ = std::io::Read::read_to_end(&mut stream, &mut Vec::new());
        }
    });
    let example = tls_fault(https(address, authority.trusted()));
    assert!(example.contains("plain HTTP"), "{example}");
}

#[test]
fn a_handshake_that_is_cut_off_is_named_so() {
    let authority = Authority::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            // With the greeting unread this is a reset; with it read, a close.
            let mut stream = stream.unwrap();
            let _ = std::io::Read::read(&mut stream, &mut [0; 10_000]);
        }
    });
    let example = tls_fault(https(address, authority.trusted()));
    assert!(example.contains("during the handshake"), "{example}");
}

#[test]
fn an_end_that_anybody_could_have_made_is_no_end() {
    let authority = Authority::new();
    let until_close = Act::raw("HTTP/1.1 200 OK\r\n\r\nhalf of it, or all");
    let config = Arc::new(authority.server());
    let (cut, proper) = (
        vec![until_close.clone(), Act::CutOff],
        vec![until_close, Act::Close],
    );

    let server = TestServer::start_tls(Arc::clone(&config), move |_| cut.clone());
    let example = tls_fault(https(server.address(), authority.trusted()));
    assert!(example.contains("close_notify"), "{example}");

    let server = TestServer::start_tls(config, move |_| proper.clone());
    let record = rig(https(server.address(), authority.trusted())).closed(4, 2, 0.0);
    assert_eq!(record.succeeded, 4, "{record:?}");
}

#[test]
fn an_answer_that_breaks_off_is_closed_as_without_tls() {
    let authority = Authority::new();
    for end in [Act::Close, Act::CutOff] {
        let acts = vec![
            Act::raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npong"),
            end,
        ];
        let server = TestServer::start_tls(Arc::new(authority.server()), move |_| acts.clone());
        let record = rig(https(server.address(), authority.trusted())).closed(4, 2, 0.0);
        assert_eq!(errors(&record), [("closed", 4)], "{record:?}");
    }
}

#[test]
fn a_close_after_each_answer_costs_connections_and_no_request() {
    let authority = Authority::new();
    let server = TestServer::start_tls(Arc::new(authority.server()), |_| {
        vec![Act::ok("ok"), Act::Close]
    });
    let record = rig(https(server.address(), authority.trusted())).closed(20, 2, 0.0);
    assert_eq!(record.succeeded, 20, "{record:?}");
}

#[test]
fn large_bodies_pass_in_both_directions() {
    let authority = Authority::new();
    let server = TestServer::start_tls(Arc::new(authority.server()), |seen| {
        let body = String::from_utf8(seen.body.clone()).unwrap();
        vec![Act::ok(&body)]
    });
    let body: Vec<u8> = (0..3_000_000u32).map(|i| b'a' + (i % 23) as u8).collect();
    let mut lanes = Lanes::to(&https(server.address(), authority.trusted()), 1);
    for _ in 0..2 {
        let answer = lanes.answer(&post("/", &[], &body));
        assert!(answer.body == body);
    }
    assert_eq!(lanes.transport.established(), 1);
}

/// Counts the sessions that clients came back with.
#[derive(Debug)]
struct Sessions {
    memory: Arc<dyn StoresServerSessions>,
    resumed: AtomicUsize,
}

impl StoresServerSessions for Sessions {
    fn put(&self, key: Vec<u8>, value: Vec<u8>) -> bool {
        self.memory.put(key, value)
    }

    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.memory.get(key)
    }

    fn take(&self, key: &[u8]) -> Option<Vec<u8>> {
        let found = self.memory.take(key);
        self.resumed
            .fetch_add(usize::from(found.is_some()), Ordering::SeqCst);
        found
    }

    fn can_cache(&self) -> bool {
        true
    }
}

#[test]
fn sessions_are_resumed_as_clients_do() {
    let authority = Authority::new();
    let sessions = Arc::new(Sessions {
        memory: rustls::server::ServerSessionMemoryCache::new(64),
        resumed: AtomicUsize::new(0),
    });
    let mut config = authority.server();
    config.session_storage = Arc::clone(&sessions) as Arc<dyn StoresServerSessions>;
    let server = TestServer::start_tls(Arc::new(config), |_| vec![Act::ok("ok"), Act::Close]);
    let record = rig(https(server.address(), authority.trusted())).closed(10, 1, 0.0);
    assert_eq!(record.succeeded, 10, "{record:?}");
    assert!(sessions.resumed.load(Ordering::SeqCst) >= 5, "{sessions:?}");
}

#[test]
fn files_that_are_of_no_use_are_refused_before_the_clock() {
    let authority = Authority::new();
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.pem");
    std::fs::write(&empty, "no certificate").unwrap();
    let client = authority.client();
    let unknown = Authority::new();
    let other = unknown.client();
    let identity = |certificate: &std::path::Path, key: &std::path::Path| TlsOptions {
        identity: Some(tacho_load::ClientIdentity {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
        }),
        ..authority.trusted()
    };
    let ca = |file: &std::path::Path| TlsOptions {
        ca_file: Some(file.to_owned()),
        ..TlsOptions::default()
    };
    for (options, says) in [
        (
            ca(std::path::Path::new("/nonexistent.pem")),
            "/nonexistent.pem",
        ),
        (ca(&empty), "no certificate"),
        (identity(&empty, &client.key), "our certificate"),
        (identity(&client.certificate, &empty), "private key"),
        (
            identity(&client.certificate, &other.key),
            "its own private key",
        ),
        (
            TlsOptions {
                server_name: Some("not a name".into()),
                ..authority.trusted()
            },
            "server name",
        ),
    ] {
        let endpoint = https("127.0.0.1:1".parse().unwrap(), options);
        let refused = Rig::try_to(endpoint, &[Step::get("/")], Options::default()).err();
        let Some(LoadError::Transport(TransportError::Tls(error))) = refused else {
            panic!("{says}");
        };
        assert!(error.to_string().contains(says), "{error}");
    }
}

#[test]
fn plain_http_to_a_port_of_tls_is_malformed() {
    let authority = Authority::new();
    let server = ok_server(authority.server());
    let record = rig(Endpoint::new(server.address())).closed(2, 1, 0.0);
    assert_eq!(record.succeeded, 0);
    assert_eq!(errors(&record), [("malformed", 2)], "{record:?}");
    let example = &record.errors[&"malformed".into()].example;
    assert!(example.contains("use https://"), "{example}");
}
