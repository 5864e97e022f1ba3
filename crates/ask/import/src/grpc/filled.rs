//! Messages with placeholders: texts and numbers that differ each time. They are inserted where
//! their lengths and the lengths before them are computed.

use super::message::field_of;
use prost::Message;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value as Json};
use tacho_workload::Template;
use tacho_workload::protobuf::{Number, Piece, varint};

/// What stands before a varint, and before what has a length (Message Structure of the encoding).
const VARINT: u32 = 0;
const EIGHT_BYTES: u32 = 1;
const LENGTH: u32 = 2;
const FOUR_BYTES: u32 = 5;

/// Whether something in it has to be filled in.
pub fn has_placeholder(json: &Json) -> bool {
    match json {
        Json::String(text) => is_template(text),
        Json::Array(items) => items.iter().any(has_placeholder),
        Json::Object(fields) => fields
            .iter()
            .any(|(name, value)| is_template(name) || has_placeholder(value)),
        _ => false,
    }
}

/// Whether a text is a template. A text that cannot be parsed counts as one; its error is reported
/// when it is compiled.
fn is_template(text: &str) -> bool {
    Template::parse(text).map_or(true, |template| template.as_text().is_none())
}

/// The same JSON, with a value that is both a text and a number in place of each placeholder.
pub fn sample(json: &Json) -> Json {
    changed(json, &|text| match Template::parse(text) {
        Ok(template) => template.as_text().unwrap_or("1").to_owned(),
        Err(_) => "1".to_owned(),
    })
}

fn changed(json: &Json, text: &impl Fn(&str) -> String) -> Json {
    match json {
        Json::String(value) => Json::String(text(value)),
        Json::Array(items) => items.iter().map(|item| changed(item, text)).collect(),
        Json::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, value)| (name.clone(), changed(value, text)));
            Json::Object(fields.collect())
        }
        other => other.clone(),
    }
}

/// The pieces of a message whose [`sample`] is valid. The error names a field that cannot be filled
/// in.
pub fn pieces(kind: &MessageDescriptor, json: &Json) -> Result<Vec<Piece>, String> {
    // The JSON of these types does not follow their fields.
    if kind.full_name().starts_with("google.protobuf.") && has_placeholder(json) {
        return Err(format!(
            "a {} cannot be filled in; texts and numbers can",
            kind.full_name()
        ));
    }
    let Json::Object(fields) = json else {
        return Ok(vec![fixed(kind, json)?]);
    };
    let is_filled = |(name, value): &(&String, &Json)| is_template(name) || has_placeholder(value);
    let (filled, same): (Vec<_>, Vec<_>) = fields.iter().partition(is_filled);
    let same: Map<String, Json> = same
        .into_iter()
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let mut pieces = vec![fixed(kind, &Json::Object(same))?];
    for (name, value) in filled {
        let field = field_of(kind, name);
        let field = field.ok_or_else(|| format!("{} has no field {name}", kind.full_name()))?;
        pieces.extend(field_pieces(&field, value)?);
    }
    Ok(pieces)
}

fn field_pieces(field: &FieldDescriptor, value: &Json) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    match (field.kind(), value) {
        // A map is a list of messages of a key and a value.
        (Kind::Message(entry), Json::Object(entries)) if field.is_map() => {
            for (key, value) in entries {
                let fields = [("key", Json::from(key.as_str())), ("value", value.clone())];
                let fields = fields.into_iter();
                let fields = fields.map(|(name, value)| (name.to_owned(), value));
                let message = self::pieces(&entry, &Json::Object(fields.collect()))?;
                pieces.extend([tag(field, LENGTH), Piece::Message(message)]);
            }
        }
        // Each number with a tag of its own, which every reader accepts.
        (_, Json::Array(items)) if field.is_list() => {
            for item in items {
                pieces.extend(one(field, item)?);
            }
        }
        _ => pieces.extend(one(field, value)?),
    }
    Ok(pieces)
}

fn one(field: &FieldDescriptor, value: &Json) -> Result<[Piece; 2], String> {
    let text = match value {
        Json::String(text) => text.clone(),
        Json::Number(number) => number.to_string(),
        _ => String::new(),
    };
    if let Some(number) = number(&field.kind()) {
        return Ok([tag(field, wire_type(number)), Piece::Number(number, text)]);
    }
    match field.kind() {
        Kind::String => Ok([tag(field, LENGTH), Piece::Text(text)]),
        Kind::Message(kind) if !field.is_group() => {
            Ok([tag(field, LENGTH), Piece::Message(pieces(&kind, value)?)])
        }
        _ => Err(format!(
            "{} cannot be filled in; texts and numbers can",
            field.full_name()
        )),
    }
}

fn number(kind: &Kind) -> Option<Number> {
    Some(match kind {
        Kind::Int32 => Number::Int32,
        Kind::Int64 => Number::Int64,
        Kind::Uint32 => Number::Uint32,
        Kind::Uint64 => Number::Uint64,
        Kind::Sint32 => Number::Sint32,
        Kind::Sint64 => Number::Sint64,
        Kind::Fixed32 => Number::Fixed32,
        Kind::Fixed64 => Number::Fixed64,
        Kind::Sfixed32 => Number::Sfixed32,
        Kind::Sfixed64 => Number::Sfixed64,
        Kind::Float => Number::Float,
        Kind::Double => Number::Double,
        _ => return None,
    })
}

fn wire_type(number: Number) -> u32 {
    match number {
        Number::Fixed64 | Number::Sfixed64 | Number::Double => EIGHT_BYTES,
        Number::Fixed32 | Number::Sfixed32 | Number::Float => FOUR_BYTES,
        _ => VARINT,
    }
}

fn tag(field: &FieldDescriptor, wire_type: u32) -> Piece {
    let mut bytes = Vec::new();
    varint(u64::from(field.number() << 3 | wire_type), &mut bytes);
    Piece::Bytes(bytes)
}

/// What is the same each time, with braces that are quoted as they are meant.
fn fixed(kind: &MessageDescriptor, json: &Json) -> Result<Piece, String> {
    let message = DynamicMessage::deserialize(kind.clone(), &sample(json));
    let message = message.map_err(|error| format!("{error} ({})", kind.full_name()))?;
    Ok(Piece::Bytes(message.encode_to_vec()))
}
