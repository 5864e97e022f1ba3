use crate::file::parse;
use tacho_workload::{Body, Step};

const ORDERS: &str = r#"
syntax = "proto3";
package shop.v1;
service Orders { rpc Get(Asked) returns (Order); rpc Place(stream Order) returns (Order); }
message Asked { string id = 1; }
message Order { string id = 1; int32 pieces = 2; }
"#;

const CARTS: &str = r#"
syntax = "proto3";
package shop.v1;
import "shop/v1/added.proto";
service Carts { rpc Add(Added) returns (Added); }
"#;

const ADDED: &str = r#"syntax = "proto3"; package shop.v1; message Added { int32 pieces = 1; }"#;

/// An experiment with such requests, beside the file that declares the methods.
fn read(requests: &str) -> Result<Vec<Step>, Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("orders.proto"), ORDERS).unwrap();
    std::fs::write(folder.path().join("message.json"), r#"{"id": "C-17"}"#).unwrap();
    let protos = folder.path().join("protos/shop/v1");
    std::fs::create_dir_all(&protos).unwrap();
    std::fs::write(protos.join("carts.proto"), CARTS).unwrap();
    std::fs::write(protos.join("added.proto"), ADDED).unwrap();
    let text =
        format!("tacho: 1\nsubject: {{artifact: a.jar}}\nvariants: [jar]\nrequests:\n{requests}\n");
    match parse(&text, folder.path()) {
        Ok(experiment) => {
            let requests = experiment.requests.unwrap().into_iter();
            Ok(requests.flat_map(|request| request.steps).collect())
        }
        Err(problems) => {
            let said = problems.iter().map(|problem| {
                let place = problem.place;
                format!("{}:{}: {}", place.line, place.column, problem.message)
            });
            Err(said.collect())
        }
    }
}

#[test]
fn a_call_is_a_post_of_its_messages_over_http2() {
    let steps = read(
        "  - {call: shop.v1.Orders/Get, proto: orders.proto, message: '{\"id\": \"C-17\"}', headers: {X-Shop: a}}
  - {call: shop.v1.Orders/Get, proto: orders.proto, message-file: message.json, name: get, weight: 3}
  - {call: shop.v1.Orders.Place, proto: orders.proto, message: '[{\"id\": \"a\"}, {\"pieces\": 2}]'}",
    )
    .unwrap();
    assert!(steps.iter().all(Step::is_grpc));
    // A flag of no compression, four bytes of length, and field 1 with its four letters.
    let get = Body::Bytes(b"\x00\x00\x00\x00\x06\x0a\x04C-17".to_vec());
    assert_eq!(steps[0].method, "POST");
    assert_eq!(steps[0].path, "/shop.v1.Orders/Get");
    assert_eq!(steps[0].name, "shop.v1.Orders/Get");
    assert_eq!(steps[0].body, get);
    let metadata = ("X-Shop".to_owned(), "a".to_owned());
    assert_eq!(steps[0].headers.last(), Some(&metadata));
    assert_eq!((&*steps[1].name, &steps[1].body), ("get", &get));
    assert_eq!(steps[2].path, "/shop.v1.Orders/Place");
    let place = Body::Bytes(b"\x00\x00\x00\x00\x03\x0a\x01a\x00\x00\x00\x00\x02\x10\x02".to_vec());
    assert_eq!(steps[2].body, place);
}

#[test]
fn what_is_wrong_with_a_call_is_said_where_it_stands() {
    for (requests, said) in [
        (
            "call: shop.v1.Orders/Get",
            "needs what describes its messages",
        ),
        (
            "call: shop.v1.Orders/Get, proto: none.proto",
            "none.proto cannot be used",
        ),
        (
            "call: shop.v1.Orders/Fetch, proto: orders.proto",
            "shop.v1.Orders/Place",
        ),
        (
            "call: shop.v1.Orders/Get, proto: orders.proto, message: '{\"ids\": 1}'",
            "cannot be made a message of shop.v1.Orders/Get: ids",
        ),
        (
            "call: shop.v1.Orders/Get, proto: orders.proto, message: '{}', message-file: a",
            "not both",
        ),
        (
            "call: shop.v1.Orders/Get, proto: orders.proto, protoset: a.binpb",
            "not both",
        ),
        (
            "call: shop.v1.Orders/Get, protoset: orders.proto",
            "no set of descriptors",
        ),
        (
            "call: shop.v1.Orders/Get, proto: orders.proto, path: /a",
            "a request by itself",
        ),
        (
            "call: shop.v1.Orders/Get, proto: orders.proto, template: x",
            "a request by itself",
        ),
        (
            "call: shop.v1.Orders/Get, proto: orders.proto, status: 200",
            "a request by itself",
        ),
        (
            "call: shop.v1.Orders/Get, proto: orders.proto, message-file: ../a.json",
            "a.json",
        ),
        (
            "call: shop.v1.Orders/Get, proto: orders.proto, message: {id: a}",
            "is JSON in quotes",
        ),
        (
            "call: shop.v1.Orders/Get, proto: orders.proto, message: '{\"id\": \"{{uuids}}\"}'",
            "`uuids`",
        ),
        (
            "path: /a, import-path: protos",
            "`import-path` belongs to a call of gRPC",
        ),
        (
            "path: /a, message: '{}'",
            "`message` belongs to a call of gRPC",
        ),
        (
            "path: /a, proto: orders.proto",
            "`proto` belongs to a call of gRPC",
        ),
    ] {
        let problems = read(&format!("  - {{{requests}}}")).unwrap_err();
        assert_eq!(problems.len(), 1, "{requests}: {problems:#?}");
        assert!(problems[0].contains(said), "{requests}: {problems:#?}");
        assert!(problems[0].starts_with("5:"), "{requests}: {problems:#?}");
        let is_of_flags = ["--call", "--import-path"].map(|flag| problems[0].contains(flag));
        assert_eq!(is_of_flags, [false, false], "{problems:#?}");
    }
}

/// As buf lays them out: all names count from one folder.
#[test]
fn imports_may_count_from_a_folder_that_is_named() {
    let call = "call: shop.v1.Carts/Add, proto: protos/shop/v1/carts.proto";
    let message = "message: '{\"pieces\": 2}'";
    let steps = read(&format!("  - {{{call}, import-path: protos, {message}}}")).unwrap();
    let add = Body::Bytes(b"\x00\x00\x00\x00\x02\x08\x02".to_vec());
    assert_eq!(steps[0].body, add);
    let problems = read(&format!("  - {{{call}, {message}}}")).unwrap_err();
    assert!(problems[0].contains("shop/v1/added.proto"), "{problems:#?}");
    assert!(problems[0].contains("below `import-path`"), "{problems:#?}");
}

#[test]
fn calls_and_other_requests_do_not_go_together() {
    let call = "{call: shop.v1.Orders/Get, proto: orders.proto}";
    let problems = read(&format!("  - /ping\n  - {call}")).unwrap_err();
    assert!(
        problems[0].contains("leave out `GET /ping` or `shop.v1.Orders/Get`"),
        "{problems:#?}"
    );
    let by_hand = "{path: /shop.v1.Orders/Get, headers: {Content-Type: application/grpc-web}}";
    read(&format!("  - /ping\n  - {by_hand}")).unwrap();
}
