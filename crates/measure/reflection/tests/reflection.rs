//! A server of another hand's case (labs/inputs), which offers the older version alone and gives
//! each file by itself; and servers that offer nothing, or nonsense.
#![allow(clippy::unwrap_used)]

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http2::{Http2Server, Reply};
use serde_json::Value;
use std::path::Path;
use std::sync::LazyLock;
use tacho_import::{GrpcCall, Schema, read_grpc};
use tacho_load::Endpoint;
use tacho_load::transport::Limits;
use tacho_reflection::{ReflectionError, reflect};

#[path = "../../load/tests/support/http2.rs"]
mod http2;

const CASE: &str = "../../../labs/inputs/seen/grpc-reflection-v1alpha";

static SERVER: LazyLock<Value> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(CASE);
    let text = std::fs::read_to_string(path.join("server.json")).unwrap();
    serde_json::from_str(&text).unwrap()
});

fn asked(server: &Http2Server, methods: &[&str]) -> Result<Schema, ReflectionError> {
    let (endpoint, _) = Endpoint::parse_url(&format!("http://{}", server.address())).unwrap();
    let limits = Limits {
        connect_ns: 60_000_000_000,
        request_ns: 60_000_000_000,
    };
    let methods: Vec<String> = methods.iter().map(|&name| name.to_owned()).collect();
    reflect(&endpoint, limits, &methods)
}

/// Field `tag` of a message: its bytes, behind their length.
fn field(tag: u8, bytes: &[u8]) -> Vec<u8> {
    let mut all = vec![tag << 3 | 2];
    let mut length = bytes.len();
    while length > 127 {
        all.push((length & 127 | 128) as u8);
        length >>= 7;
    }
    all.push(length as u8);
    all.extend_from_slice(bytes);
    all
}

/// As the protocol has it: number of the question's field, and its text.
fn questions(mut body: &[u8]) -> Vec<(u8, String)> {
    let mut all = Vec::new();
    while let [0, length @ ..] = body.split_at_checked(5).map_or(&[][..], |(head, _)| head) {
        let length = length
            .iter()
            .fold(0, |sum, byte| sum << 8 | usize::from(*byte));
        let (question, rest) = body[5..].split_at(length);
        // A tag, a length below 128, and the text.
        let text = String::from_utf8(question[2..].to_vec()).unwrap();
        all.push((question[0] >> 3, text));
        body = rest;
    }
    all
}

/// What the case's server says.
fn answers(body: &[u8]) -> Vec<u8> {
    let texts = |key: &str| SERVER[key].as_array().unwrap().clone();
    let files = SERVER["files-each-alone"].as_object().unwrap();
    let file = |name: &str| {
        let bytes = BASE64_STANDARD.decode(files[name].as_str().unwrap());
        field(4, &field(1, &bytes.unwrap()))
    };
    let mut all = Vec::new();
    for (kind, text) in questions(body) {
        let answer = match kind {
            7 => {
                let names = texts("list_services");
                let names = names.iter().map(|name| name.as_str().unwrap());
                let services = names.flat_map(|name| field(1, &field(1, name.as_bytes())));
                field(6, &services.collect::<Vec<u8>>())
            }
            4 if text == "tide.v1.Tides" => file("tide/v1/tides.proto"),
            3 if files.contains_key(&text) => file(&text),
            // Not found.
            _ => field(7, &[8, 5]),
        };
        all.push(0);
        all.extend_from_slice(&u32::try_from(answer.len()).unwrap().to_be_bytes());
        all.extend_from_slice(&answer);
    }
    all
}

#[test]
fn the_older_version_is_asked_where_there_is_no_newer_one_and_imports_one_by_one() {
    let server = Http2Server::start(|seen| match seen.uri.contains("v1alpha") {
        true => Reply::GrpcOf(answers),
        false => Reply::Grpc(b"", vec![("grpc-status", "12")]),
    });
    let schema = asked(&server, &["tide.v1.Tides/Forecast"]).unwrap();
    let names: Vec<String> = schema.names().collect();
    assert_eq!(
        names,
        ["Stations", "Forecast", "Follow", "Report"].map(|name| format!("tide.v1.Tides/{name}"))
    );
    let call: GrpcCall = "tide.v1.Tides/Forecast=@forecast.json".parse().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(CASE);
    let imported = read_grpc(&schema, &[call], &folder).unwrap();
    let step = &imported.workload.scenarios[0].steps[0];
    let message = b"\0\0\0\0\x09\x0a\x05Husum\x10\x02";
    assert_eq!(step.body, tacho_workload::Body::Bytes(message.to_vec()));
}

#[test]
fn a_server_that_offers_nothing_is_told_so() {
    for reply in [
        Reply::Grpc(b"", vec![("grpc-status", "12")]),
        Reply::Answer(404, b"no such page".to_vec()),
    ] {
        let server = Http2Server::start(move |_| reply.clone());
        let refused = asked(&server, &[]).unwrap_err();
        assert!(
            matches!(refused, ReflectionError::NotOffered { .. }),
            "{refused}"
        );
        assert!(refused.to_string().contains("--proto"), "{refused}");
    }
}

#[test]
fn nonsense_and_failures_are_told_apart() {
    let server = Http2Server::start(|_| Reply::Grpc(b"\0\0\0\0\xff", vec![("grpc-status", "0")]));
    let refused = asked(&server, &[]).unwrap_err();
    assert!(
        matches!(refused, ReflectionError::Nonsense { .. }),
        "{refused}"
    );
    let denied = || Reply::Grpc(b"", vec![("grpc-status", "16")]);
    let server = Http2Server::start(move |_| denied());
    let refused = asked(&server, &[]).unwrap_err();
    assert!(
        matches!(refused, ReflectionError::Failed { .. }),
        "{refused}"
    );
}
