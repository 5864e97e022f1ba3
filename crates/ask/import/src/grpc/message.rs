//! From JSON to what is on the wire: the message, behind five bytes that say its length
//! (Length-Prefixed-Message of "gRPC over HTTP/2").

use super::filled;
use prost::Message;
use prost_reflect::{
    Cardinality, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage, Value,
};
use serde_json::Value as Json;
use tacho_workload::protobuf::{Piece, frame};

/// Most names of an enum that an error lists when another name was given.
const SHOWN_VALUES: usize = 12;

/// All messages of a text, each behind its length. The error says what is wrong with one.
pub fn messages(kind: &MessageDescriptor, text: &str) -> Result<Vec<Piece>, String> {
    let given = values(kind, text)?;
    let all = given.into_iter();
    all.map(|json| {
        let has_placeholder = filled::has_placeholder(&json);
        let message = message(kind, &filled::sample(&json));
        let message = message.map_err(|error| match has_placeholder {
            true => format!("{error}; placeholders stand in texts and numbers alone"),
            false => error,
        })?;
        if let Some(field) = lacking(&message) {
            return Err(format!(
                "the field {field} of {} is required and not given",
                kind.full_name()
            ));
        }
        match has_placeholder {
            true => filled::pieces(kind, &json).map(Piece::Frame),
            false => Ok(Piece::Bytes(length_prefixed(&message.encode_to_vec()))),
        }
    })
    .collect()
}

/// A message of JSON. The error names the field, which the library does not always do.
fn message(kind: &MessageDescriptor, json: &Json) -> Result<DynamicMessage, String> {
    let read = |json: &Json| DynamicMessage::deserialize(kind.clone(), json);
    read(json).map_err(|error| {
        let mut fields = json.as_object().into_iter().flatten();
        let wrong = fields.find_map(|(name, value)| {
            let alone = Json::Object([(name.clone(), value.clone())].into_iter().collect());
            Some((name, read(&alone).err()?))
        });
        match wrong {
            Some((name, error)) => format!(
                "{name}: {error} ({}){}",
                kind.full_name(),
                values_of(kind, name)
            ),
            None => format!("{error} ({})", kind.full_name()),
        }
    })
}

/// The names of the values of an enum field, for an error; empty for other fields.
fn values_of(kind: &MessageDescriptor, field: &str) -> String {
    let Some(Kind::Enum(known)) = field_of(kind, field).map(|field| field.kind()) else {
        return String::new();
    };
    let names = known.values().take(SHOWN_VALUES);
    let names: Vec<String> = names.map(|value| value.name().to_owned()).collect();
    format!("; {} has {}", known.full_name(), names.join(", "))
}

/// JSON may also use the name of the `.proto` file for a field.
pub fn field_of(kind: &MessageDescriptor, name: &str) -> Option<FieldDescriptor> {
    kind.get_field_by_json_name(name)
        .or_else(|| kind.get_field_by_name(name))
}

/// One value, one after another, or the items of a list.
fn values(kind: &MessageDescriptor, text: &str) -> Result<Vec<Json>, String> {
    let all = serde_json::Deserializer::from_str(text).into_iter::<Json>();
    let all: Result<Vec<Json>, _> = all.collect();
    let hint = match text.contains("{{") {
        true => "; a placeholder stands in quotes, for a number as well: \"{{counter}}\"",
        false => "",
    };
    let mut all = all.map_err(|error| format!("its messages are no JSON: {error}{hint}"))?;
    // A `ListValue` is itself a list in JSON.
    let is_list = kind.full_name() == "google.protobuf.ListValue";
    match all.as_mut_slice() {
        [Json::Array(items)] if !is_list => Ok(std::mem::take(items)),
        _ => Ok(all),
    }
}

/// A required field that is not there, in the message or in one that it holds.
fn lacking(message: &DynamicMessage) -> Option<String> {
    let kind = message.descriptor();
    let mut fields = kind.fields();
    let absent = fields
        .find(|field| field.cardinality() == Cardinality::Required && !message.has_field(field));
    if let Some(field) = absent {
        return Some(field.name().to_owned());
    }
    message.fields().find_map(|(_, value)| lacking_in(value))
}

fn lacking_in(value: &Value) -> Option<String> {
    match value {
        Value::Message(message) => lacking(message),
        Value::List(values) => values.iter().find_map(lacking_in),
        Value::Map(values) => values.values().find_map(lacking_in),
        _ => None,
    }
}

/// A message as it goes over the wire: not compressed, behind its length.
#[must_use]
pub fn length_prefixed(message: &[u8]) -> Vec<u8> {
    let mut framed = Vec::with_capacity(5 + message.len());
    frame(message, &mut framed);
    framed
}
