//! Calls of gRPC among the requests: a method, its messages as JSON, and what describes them.

use super::given::Given;
use std::path::{Path, PathBuf};
use tacho_fields::{Fields, Place, Value};
use tacho_import::{GrpcCall, Messages, NoSchema, Schema, read_call};
use tacho_workload::Step;

/// Where the messages of a method are described.
enum Described {
    /// In the file of protobuf that declares it.
    Proto,
    /// In a set of descriptors.
    Set,
}

pub(super) fn read(fields: &mut Fields<'_>, folder: &Path) -> Given<Step> {
    let method = fields.text("call");
    let message = message(fields);
    let file = fields.text("message-file");
    let proto = fields.text("proto");
    let import_path = fields.text("import-path");
    let set = fields.text("protoset");
    let problems = fields.problems;
    let Some((place, method)) = method else {
        let others = [
            ("message", &message),
            ("message-file", &file),
            ("proto", &proto),
            ("import-path", &import_path),
            ("protoset", &set),
        ];
        let mut result = Given::Nothing;
        for (key, given) in others {
            if let Some((place, _)) = given {
                let text = format!("`{key}` belongs to a call of gRPC: `call: shop.v1.Orders/Get`");
                problems.add(*place, text);
                result = Given::Wrong;
            }
        }
        return result;
    };
    let messages = match (message, file) {
        (Some(_), Some((place, _))) => {
            problems.add(
                place,
                "a call has a `message` or a `message-file`, not both",
            );
            return Given::Wrong;
        }
        (Some((_, text)), None) => Messages::Text(text),
        (None, Some((_, name))) => Messages::File(name),
        (None, None) => Messages::Empty,
    };
    let (kind, name) = match (proto, set) {
        (Some((_, name)), None) => (Described::Proto, name),
        (None, Some((_, name))) => (Described::Set, name),
        (None, None) => {
            let text = "a `call` needs what describes its messages: `proto`, the file that declares the method, or `protoset`";
            problems.add(place, text);
            return Given::Wrong;
        }
        (Some(_), Some((place, _))) => {
            problems.add(place, "a call has a `proto` or a `protoset`, not both");
            return Given::Wrong;
        }
    };
    let path = folder.join(name);
    let import_path = import_path.map(|(_, name)| folder.join(name));
    let import_paths: Vec<PathBuf> = import_path.into_iter().chain([folder.to_owned()]).collect();
    let schema = match kind {
        Described::Proto => Schema::of_protos(&[path], &import_paths),
        Described::Set => Schema::of_set(&path),
    };
    let call = GrpcCall { method, messages };
    let step = |schema| read_call(&schema, &call, folder).map_err(|error| error.to_string());
    match schema.map_err(said_of_files).and_then(step) {
        Ok(step) => Given::Made(step),
        Err(text) => {
            problems.add(place, text);
            Given::Wrong
        }
    }
}

/// JSON in quotes. As a mapping of YAML nobody would know whether `17` is a number or a text.
fn message(fields: &mut Fields<'_>) -> Option<(Place, String)> {
    let node = fields.take("message")?;
    match node.value {
        Value::Null => None,
        Value::Text(text) => Some((node.place, text)),
        Value::List(_) | Value::Map(_) => {
            let text = "`message` is JSON in quotes: message: '{\"id\": 1}'";
            fields.problems.add(node.place, text);
            None
        }
    }
}

fn said_of_files(error: NoSchema) -> String {
    match error {
        NoSchema::Proto { file, problem } => format!(
            "{file} cannot be used: {problem}; what it imports is looked for below `import-path`, beside the experiment and beside the file"
        ),
        other => other.to_string(),
    }
}

#[cfg(test)]
#[path = "calls_tests.rs"]
mod tests;
