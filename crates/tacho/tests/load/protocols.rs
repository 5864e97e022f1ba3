//! TLS and HTTP/2, and an OpenAPI document: what the engine's own tests prove of the parts, the
//! program does as a whole.

use crate::command::Load;
use crate::server::{first_lines, remembering};
use crate::support::Told;
use certificates::Authority;
use http2::{Http2Server, Reply, Settings};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use tacho_load::testkit::{Act, TestServer};

#[path = "../../../measure/load/tests/support/certificates.rs"]
mod certificates;
#[path = "../../../measure/load/tests/support/http2.rs"]
mod http2;

fn load(options: &str) -> Told {
    Load::json("--closed --connections 2 --requests 40")
        .and(options)
        .run()
}

#[test]
fn tls_with_an_authority_of_ones_own_is_trusted_when_it_is_named() {
    let authority = Authority::new();
    let server = TestServer::start_tls(Arc::new(authority.server()), |_| vec![Act::ok("ok")]);
    let url = format!("https://localhost:{}/", server.address().port());
    let ca = authority.ca_file().display().to_string();
    let report = load(&format!("--ca {ca} {url}")).json();
    assert_eq!(report["outcomes"]["2xx"]["count"], 40, "{report:#}");
    assert_eq!(report["notes"], serde_json::json!([]));

    let report = load(&url).exits(3).json();
    assert_eq!(report["outcomes"]["tls"]["count"], 40, "{report:#}");
    assert_eq!(report["certificate"]["state"], "invalid");

    let report = load(&format!("--insecure {url}")).json();
    assert_eq!(report["outcomes"]["2xx"]["count"], 40, "{report:#}");
    let note = report["notes"][0].as_str().unwrap();
    assert!(note.contains("certificate was not checked"), "{note}");
}

#[test]
fn http2_without_tls_shares_one_connection() {
    let server = Http2Server::start(|_| Reply::Answer(200, b"ok".to_vec()));
    let url = format!("http://{}/items", server.address());
    let report = load(&format!("--http2 {url}")).json();
    assert_eq!(report["outcomes"]["2xx"]["count"], 40, "{report:#}");
    assert_eq!(server.requests(), 40);
    assert_eq!(server.connections(), 1, "two streams of one connection");
}

#[test]
fn http2_over_tls_is_agreed_on() {
    let authority = Authority::new();
    let mut tls = authority.server();
    tls.alpn_protocols = vec![b"h2".to_vec()];
    let settings = Settings {
        tls: Some(Arc::new(tls)),
        ..Settings::default()
    };
    let server = Http2Server::with(settings, |seen| {
        assert!(seen.uri.starts_with("https://localhost"), "{}", seen.uri);
        Reply::Answer(200, b"ok".to_vec())
    });
    let url = format!("https://localhost:{}/", server.address().port());
    let ca = authority.ca_file().display().to_string();
    let report = load(&format!("--http2 --ca {ca} {url}")).json();
    assert_eq!(report["outcomes"]["2xx"]["count"], 40, "{report:#}");
}

#[test]
fn an_openapi_document_is_a_request_per_operation() {
    let (server, seen) = remembering();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.yaml");
    let document = format!(
        "openapi: 3.1.0\ninfo: {{title: shop, version: '1'}}\nservers: [{{url: 'http://{}/api'}}]\npaths:\n  /items/{{id}}:\n    get:\n      operationId: item\n      parameters: [{{name: id, in: path, required: true, schema: {{type: integer}}, example: 7}}]\n      responses: {{'200': {{description: ok}}}}\n  /items:\n    post:\n      operationId: add\n      requestBody: {{content: {{application/json: {{example: {{name: pen}}}}}}}}\n      responses: {{'200': {{description: ok}}}}\n",
        server.address()
    );
    std::fs::write(&path, document).unwrap();
    let report = load(&format!("--targets {}", path.display())).json();
    assert_eq!(report["outcomes"]["2xx"]["count"], 40, "{report:#}");
    let names: Vec<&str> = report["requests_by_kind"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|kind| kind["name"].as_str())
        .collect();
    assert_eq!(names, ["POST /items", "GET /items/{id}"]);
    let seen = first_lines(&seen);
    for line in ["GET /api/items/7 HTTP/1.1", "POST /api/items HTTP/1.1"] {
        assert!(seen.iter().any(|one| one == line), "{line}: {seen:?}");
    }
}

#[test]
fn a_method_of_grpc_is_called_by_its_proto_file() {
    let server = Http2Server::start(|seen| {
        assert!(
            seen.uri.ends_with("/buoy.v1.Telemetry/Last"),
            "{}",
            seen.uri
        );
        // Five bytes before a message of eight.
        for (name, value) in [
            ("content-type", "application/grpc"),
            ("te", "trailers"),
            ("content-length", "13"),
        ] {
            let header = (name.to_owned(), value.to_owned());
            assert!(seen.headers.contains(&header), "{:?}", seen.headers);
        }
        Reply::Grpc(b"\0\0\0\0\0", vec![("grpc-status", "0")])
    });
    let folder = tempfile::tempdir().unwrap();
    let proto = folder.path().join("telemetry.proto");
    let text = "syntax = \"proto3\"; package buoy.v1; message Query { string buoy = 1; uint32 max = 2; } service Telemetry { rpc Last (Query) returns (Query); }";
    std::fs::write(&proto, text).unwrap();
    let message = folder.path().join("message.json");
    std::fs::write(&message, "{\"buoy\": \"B-14\", \"max\": 3}").unwrap();
    let (proto, message) = (proto.display(), message.display());
    let url = format!("http://{}", server.address());
    let call = format!("--proto {proto} --call buoy.v1.Telemetry/Last=@{message} {url}");
    let report = load(&call).json();
    assert_eq!(report["outcomes"]["2xx"]["count"], 40, "{report:#}");

    // Which methods there are is said before anything is sent.
    let told = load(&format!("--proto {proto} {url}")).exits(2);
    assert!(told.err.contains("buoy.v1.Telemetry/Last"), "{told:#?}");
    assert_eq!(server.requests(), 40);

    // And where nobody says what the messages are, the server is asked.
    let silent = Http2Server::start(|_| Reply::Grpc(b"", vec![("grpc-status", "12")]));
    let url = format!("http://{}", silent.address());
    let told = load(&format!("--call buoy.v1.Telemetry/Last {url}")).exits(4);
    assert!(told.err.contains("--proto"), "{told:#?}");
    assert_eq!(silent.requests(), 2, "both versions, and no load");
}

#[test]
fn server_sent_events_are_waited_for() {
    let server = TestServer::start(|_| {
        vec![
            Act::raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"),
            Act::SendForever(b"data: {\"price\": 7}\n\n".to_vec()),
        ]
    });
    let url = format!("http://{}/prices", server.address());
    let report = load(&format!("--events 3 --expect body~price {url}")).json();
    assert_eq!(report["outcomes"]["2xx"]["count"], 40, "{report:#}");

    let server = TestServer::start(|_| vec![Act::ok("no stream")]);
    let url = format!("http://{}/", server.address());
    let report = load(&format!("--events 1 {url}")).exits(3).json();
    let failed = &report["outcomes"]["check"];
    assert_eq!(failed["count"], 40, "{report:#}");
    let example = failed["example"].as_str().unwrap();
    assert!(example.contains("text/event-stream"), "{example}");
}

/// Says back what it is told, and greets before that.
fn websocket() -> SocketAddr {
    websocket_over(Some)
}

/// The same over what is made of each connection; none where its beginning failed.
fn websocket_over<S: Read + Write>(
    made: impl Fn(TcpStream) -> Option<S> + Send + Clone + 'static,
) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let made = made.clone();
            std::thread::spawn(move || {
                let accepted = made(stream.unwrap()).map(tungstenite::accept);
                let Some(Ok(mut peer)) = accepted else {
                    return;
                };
                let greeting = tungstenite::Message::text("{\"welcome\": true}");
                peer.send(greeting).unwrap();
                while let Ok(message) = peer.read() {
                    if message.is_text() && peer.send(message).is_err() {
                        return;
                    }
                }
            });
        }
    });
    address
}

#[test]
fn a_websocket_may_be_opened_over_tls() {
    let authority = Authority::new();
    let tls = Arc::new(authority.server());
    let address = websocket_over(move |stream| {
        let connection = rustls::ServerConnection::new(Arc::clone(&tls)).ok()?;
        Some(rustls::StreamOwned::new(connection, stream))
    });
    let url = format!("wss://localhost:{}/echo", address.port());
    let body = r#"--greeting 1 -b {"id":{{counter}}} --expect json=$.id"#;
    let ca = authority.ca_file().display().to_string();
    let report = load(&format!("{body} --ca {ca} {url}")).json();
    assert_eq!(report["outcomes"]["1xx"]["count"], 40, "{report:#}");
    assert_eq!(report["url"], url);

    let report = load(&format!("{body} {url}")).exits(3).json();
    assert_eq!(report["outcomes"]["tls"]["count"], 40, "{report:#}");
}

#[test]
fn messages_of_a_websocket_have_answers() {
    let url = format!("ws://{}/echo", websocket());
    let body = r#"-b {"id":{{counter}}} --expect json=$.id"#;
    let report = load(&format!("--greeting 1 {body} {url}")).json();
    assert_eq!(report["outcomes"]["1xx"]["count"], 40, "{report:#}");
    assert_eq!(report["url"], url);
    assert_eq!(report["requests_by_kind"][0]["name"], "message to /echo");
    let evidence = report["certificate"]["evidence"].to_string();
    assert!(!evidence.contains("nobody waited"), "{evidence}");

    // Not told of the greeting, it is an answer to somebody, or to nobody.
    let report = load(&format!("{body} {url}")).json();
    let failed = report["outcomes"]["check"]["count"].as_u64().unwrap_or(0);
    let evidence = report["certificate"]["evidence"].to_string();
    let was_seen = evidence.contains("--greeting");
    assert!(failed > 0 || was_seen, "{report:#}");
}

#[test]
fn what_a_websocket_has_not_is_refused() {
    for (options, says) in [
        ("ws://127.0.0.1:9/", "--body"),
        ("-b a --http2 ws://127.0.0.1:9/", "--http2"),
        ("-b a -X PUT ws://127.0.0.1:9/", "--method"),
        ("-b a -H X:{{uuid}} ws://127.0.0.1:9/", "placeholder"),
        ("--greeting 1 http://127.0.0.1:9/", "ws://"),
    ] {
        load(options).exits(2).says(says);
    }
}
