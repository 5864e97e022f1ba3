//! What describes calls of gRPC, and the messages of a call.

use std::path::Path;
use tacho_import::{GrpcCall, Messages, NoSchema, Schema, read_grpc};

/// Each type whose JSON is a form of its own.
const SCHEMA: &str = "syntax = \"proto3\";
package fuzz;
import \"google/protobuf/timestamp.proto\";
import \"google/protobuf/duration.proto\";
import \"google/protobuf/struct.proto\";
import \"google/protobuf/any.proto\";
import \"google/protobuf/wrappers.proto\";
import \"google/protobuf/field_mask.proto\";
service Any { rpc One (All) returns (All); rpc Many (stream All) returns (All); }
message All {
  enum Kind { NONE = 0; SOME = 1; }
  int64 id = 1;
  optional double price = 2;
  bytes thumb = 3;
  repeated Kind kinds = 4;
  map<string, All> parts = 5;
  oneof which { string left = 6; sint32 right = 7; }
  google.protobuf.Timestamp at = 8;
  google.protobuf.Duration lasts = 9;
  google.protobuf.Struct free = 10;
  google.protobuf.Any any = 11;
  google.protobuf.StringValue note = 12;
  google.protobuf.FieldMask mask = 13;
}
";

/// A `.proto` file, and a call of each of its methods.
pub fn proto(bytes: &[u8]) {
    crate::with_text(bytes, |text| call_all(Schema::of_text(text)));
}

/// A set of descriptors, likewise.
pub fn protoset(bytes: &[u8]) {
    call_all(Schema::of_set_bytes(bytes, Path::new("set")));
}

/// The messages of a call.
pub fn message(bytes: &[u8]) {
    crate::with_text(bytes, |text| {
        if let Ok(schema) = Schema::of_text(SCHEMA) {
            for method in ["fuzz.Any/One", "fuzz.Any/Many"] {
                call(&schema, method, text);
            }
        }
    });
}

fn call_all(schema: Result<Schema, NoSchema>) {
    let Ok(schema) = schema else { return };
    let names: Vec<String> = schema.names().take(20).collect();
    for name in names {
        call(&schema, &name, "{}");
    }
}

fn call(schema: &Schema, method: &str, text: &str) {
    let call = GrpcCall {
        method: method.to_owned(),
        messages: Messages::Text(text.to_owned()),
    };
    drop(read_grpc(schema, &[call], Path::new("/nonexistent")));
}
