use super::*;
use proptest::prelude::*;
use prost::Message;
use std::path::PathBuf;

const TELEMETRY: &str = "syntax = \"proto3\";
package buoy.v1;
service Telemetry {
  rpc Last (Query) returns (Reading);
  rpc Upload (stream Reading) returns (Query);
}
message Query { string buoy = 1; uint32 max = 2; }
message Reading { string buoy = 1; double wave = 2; }
";

fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn schema(folder: &Path, text: &str) -> Result<Schema, NoSchema> {
    Schema::of_protos(&[file(folder, "a.proto", text)], &[])
}

fn call(text: &str) -> GrpcCall {
    text.parse().unwrap()
}

fn read(text: &str) -> Result<Imported, ImportError> {
    let folder = tempfile::tempdir().unwrap();
    let schema = schema(folder.path(), TELEMETRY).unwrap();
    read_grpc(&schema, &[call(text)], folder.path())
}

#[test]
fn a_call_is_a_method_and_its_messages() {
    assert_eq!(call("a.B/C").messages, Messages::Empty);
    assert_eq!(call("/a.B/C").method, "a.B/C");
    let text = call("a.B/C={\"x\": \"=\"}");
    assert_eq!(text.method, "a.B/C");
    assert_eq!(text.messages, Messages::Text("{\"x\": \"=\"}".to_owned()));
    let of_file = call("a.B.C=@m.json");
    assert_eq!(of_file.messages, Messages::File("m.json".to_owned()));
}

#[test]
fn the_request_is_a_post_of_the_framed_message() {
    let imported = read("buoy.v1.Telemetry/Last={\"buoy\": \"B-14\", \"max\": 3}").unwrap();
    let step = &imported.workload.scenarios[0].steps[0];
    assert_eq!(step.method, "POST");
    assert_eq!(step.path, "/buoy.v1.Telemetry/Last");
    let body = b"\x00\x00\x00\x00\x08\x0a\x04B-14\x10\x03";
    assert_eq!(step.body, Body::Bytes(body.to_vec()));
    let http2 = Some(HttpVersion::Http2PriorKnowledge);
    assert_eq!(imported.connection.http_version, http2);
}

#[test]
fn messages_of_a_stream_follow_each_other() {
    for text in [
        "{\"wave\": 1}\n\n{\"wave\": 2}",
        "[{\"wave\": 1}, {\"wave\": 2}]",
    ] {
        let imported = read(&format!("buoy.v1.Telemetry/Upload={text}")).unwrap();
        let Body::Bytes(body) = &imported.workload.scenarios[0].steps[0].body else {
            panic!("no bytes");
        };
        assert_eq!(body.len(), 2 * (5 + 9));
    }
    let refused = read("buoy.v1.Telemetry/Last=[{}, {}]").unwrap_err();
    assert!(refused.to_string().contains("Last takes one"), "{refused}");
}

/// As a server may send it, whether by mistake or not.
#[test]
fn a_set_with_some_bytes_changed_is_read_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    file(folder.path(), "a.proto", TELEMETRY);
    let set = protox::compile(["a.proto"], [folder.path()]).unwrap();
    let bytes = set.encode_to_vec();
    assert!(Schema::of_set_bytes(&bytes, Path::new("set")).is_ok());
    let at = 0..bytes.len();
    proptest!(|(changes in prop::collection::vec((at, any::<u8>()), 1..4))| {
        let mut bytes = bytes.clone();
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        let _ = Schema::of_set_bytes(&bytes, Path::new("set"));
    });
}

#[test]
fn what_cannot_be_made_is_told() {
    for (text, words) in [
        ("buoy.v1.Telemetry/Last={\"colour\": 1}", "colour"),
        ("buoy.v1.Telemetry/Last={\"max\": -1}", "max"),
        ("buoy.v1.Telemetry/Last={", "no JSON"),
        ("buoy.v1.Telemetry/First", "buoy.v1.Telemetry/Last"),
        ("Telemetry", "buoy.v1.Telemetry/Last"),
        ("buoy.v1.Telemetry/Last=@nothing.json", "nothing.json"),
    ] {
        let refused = read(text).unwrap_err().to_string();
        assert!(refused.contains(words), "{text}: {refused}");
    }
}

#[test]
fn a_call_that_cannot_be_made_is_left_out_beside_others() {
    let folder = tempfile::tempdir().unwrap();
    let schema = schema(folder.path(), TELEMETRY).unwrap();
    let calls = [
        call("buoy.v1.Telemetry/Last={\"colour\": 1}"),
        call("buoy.v1.Telemetry/Last"),
    ];
    let imported = read_grpc(&schema, &calls, folder.path()).unwrap();
    assert_eq!(imported.workload.scenarios[0].steps.len(), 1);
    assert!(imported.notes[0].text.starts_with("left out: "));
}

#[test]
fn a_file_without_methods_is_refused_with_its_empty_service() {
    let folder = tempfile::tempdir().unwrap();
    let text = "syntax = \"proto3\"; package parts.v1; service Parts {}";
    let schema = schema(folder.path(), text).unwrap();
    let refused = read_grpc(&schema, &[], folder.path())
        .unwrap_err()
        .to_string();
    assert!(refused.contains("parts.v1.Parts is empty"), "{refused}");
}

#[test]
fn which_methods_there_are_is_told_where_none_was_named() {
    let folder = tempfile::tempdir().unwrap();
    let schema = schema(folder.path(), TELEMETRY).unwrap();
    let refused = read_grpc(&schema, &[], folder.path())
        .unwrap_err()
        .to_string();
    assert!(refused.contains("--call"), "{refused}");
    assert!(refused.contains("buoy.v1.Telemetry/Upload"), "{refused}");
}

#[test]
fn an_import_that_leads_elsewhere_or_nowhere_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for import in ["/etc/passwd", "../a.proto", "nothing.proto"] {
        let text = format!("syntax = \"proto3\"; import \"{import}\";");
        let refused = schema(folder.path(), &text).unwrap_err().to_string();
        assert!(refused.contains("import-path"), "{refused}");
    }
    let refused = schema(folder.path(), "edition = \"2023\";").unwrap_err();
    assert!(refused.to_string().contains("edition"), "{refused}");
    let refused = schema(folder.path(), "<html>").unwrap_err().to_string();
    assert!(refused.contains("a.proto"), "{refused}");
}

#[test]
fn a_set_that_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "set", "<html>");
    let refused = Schema::of_set(&path).unwrap_err().to_string();
    assert!(refused.contains("protoc"), "{refused}");
}

const ALL: &str = "syntax = \"proto3\";
package a;
import \"google/protobuf/timestamp.proto\";
service S { rpc M (All) returns (All); rpc Some (stream All) returns (All); }
message All {
  string text = 1; int32 i32 = 2; int64 i64 = 3; uint32 u32 = 4; uint64 u64 = 5;
  sint32 s32 = 6; sint64 s64 = 7; fixed32 f32 = 8; fixed64 f64 = 9; sfixed32 sf32 = 10;
  sfixed64 sf64 = 11; float fl = 12; double dbl = 13; All inner = 14;
  repeated string texts = 15; repeated int32 numbers = 16; map<string, All> by_name = 17;
  map<int32, string> by_number = 18; bool is_so = 19; Kind kind = 20; bytes raw = 21;
  oneof one { string this = 22; All that = 23; }
  google.protobuf.Timestamp at = 24; repeated All inners = 25;
}
enum Kind { NONE = 0; SOME = 1; }
";

/// What is sent of a message, filled in with a counter of 1.
fn sent(method: &str, json: &str) -> Result<(Vec<u8>, Schema), ImportError> {
    let folder = tempfile::tempdir().unwrap();
    let schema = schema(folder.path(), ALL).unwrap();
    let call = call(&format!("a.S/{method}={json}"));
    let imported = read_grpc(&schema, &[call], folder.path())?;
    let step = &imported.workload.scenarios[0].steps[0];
    let script = tacho_workload::Script::of_step(step).unwrap();
    let filled = script.render(&mut tacho_workload::User::new(), 0, 0);
    Ok((filled.unwrap().body.to_vec(), schema))
}

/// However the bytes are ordered, they are the message that the filled JSON is.
#[test]
fn what_is_filled_in_is_what_a_message_without_placeholders_would_be() {
    for json in [
        r#"{"text": "C-{{counter}}", "i32": 7}"#,
        r#"{"i32": "{{counter}}", "i64": "{{counter}}", "u32": "{{counter}}", "u64": "{{counter}}"}"#,
        r#"{"s32": "-{{counter}}", "s64": "-{{counter}}", "i64": "-{{counter}}", "i32": "-{{counter}}"}"#,
        r#"{"f32": "{{counter}}", "f64": "{{counter}}", "sf32": "-{{counter}}", "sf64": "-{{counter}}"}"#,
        r#"{"fl": "{{counter}}.5", "dbl": "-{{counter}}e3"}"#,
        r#"{"inner": {"inner": {"text": "{{counter}}", "isSo": true}, "kind": "SOME"}, "raw": "AAE="}"#,
        r#"{"texts": ["a", "{{counter}}", "c"], "numbers": [1, "{{counter}}", 300]}"#,
        r#"{"byName": {"a{{counter}}": {"text": "x"}, "b": {"i32": "{{counter}}"}, "c": {"i32": 5}}}"#,
        r#"{"by_number": {"4": "four", "5": "{{counter}}"}, "that": {"this": "{{counter}}"}}"#,
        r#"{"inners": [{"text": "{{counter}}"}, {"text": "same"}], "at": "2026-11-29T10:00:00Z"}"#,
        r#"{"text": "{{\"{{\"}}{{counter}}"}"#,
    ] {
        let (body, schema) = sent("M", json).unwrap();
        let meant = json
            .replace("{{counter}}", "1")
            .replace(r#"{{\"{{\"}}"#, "{{");
        let kind = schema.method("a.S/M").unwrap().input();
        let mut text = serde_json::Deserializer::from_str(&meant);
        let meant = prost_reflect::DynamicMessage::deserialize(kind.clone(), &mut text).unwrap();
        let length = u32::from_be_bytes(body[1..5].try_into().unwrap());
        assert_eq!((body[0], length as usize), (0, body.len() - 5), "{json}");
        let seen = prost_reflect::DynamicMessage::decode(kind, &body[5..]).unwrap();
        assert_eq!(seen, meant, "{json}");
    }
}

#[test]
fn each_message_of_a_stream_is_filled_in_for_itself() {
    let (body, _) = sent(
        "Some",
        r#"[{"text": "a"}, {"text": "{{counter}}{{counter}}"}]"#,
    )
    .unwrap();
    assert_eq!(body, b"\0\0\0\0\x03\x0a\x01a\0\0\0\0\x04\x0a\x0211");
}

#[test]
fn what_cannot_be_filled_in_is_told() {
    for (json, words) in [
        (r#"{"isSo": "{{counter}}"}"#, "isSo"),
        (r#"{"kind": "{{counter}}"}"#, "a.Kind has NONE, SOME"),
        (r#"{"at": "{{now iso}}"}"#, "at"),
        (r#"{"raw": "{{counter}}AAA"}"#, "texts and numbers alone"),
        (r#"{"i32": {{counter}}}"#, "a placeholder stands in quotes"),
        (r#"{"colour": "{{counter}}"}"#, "colour"),
        (r#"{"text": "{{counter}}", "this": "a", "that": {}}"#, "one"),
    ] {
        let error = sent("M", json).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(words), "{json}: {error}");
    }
}
