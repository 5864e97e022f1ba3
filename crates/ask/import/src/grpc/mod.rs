//! Calls of gRPC as people type them: a method, and its messages as JSON, as grpcurl and ghz take
//! them. They become requests of HTTP/2 ("gRPC over HTTP/2", Requests).
//!
//! ```text
//! schema    methods, by the .proto files that declare them or by a set of descriptors
//! sources   these files, and those that they import, each below its own folder
//! message   from JSON to the bytes of a request
//! filled    the same of messages in which something is filled in
//! ```

mod filled;
mod message;
mod schema;
mod sources;
#[cfg(test)]
mod tests;

pub use message::length_prefixed;
pub use schema::{NoSchema, Schema};

use crate::allowance::Allowance;
use crate::error::ImportError;
use crate::file;
use crate::imported::{Connection, HttpVersion, Imported};
use crate::note::Notes;
use prost_reflect::MethodDescriptor;
use std::path::Path;
use std::str::FromStr;
use tacho_workload::protobuf::Piece;
use tacho_workload::{Body, Scenario, Step, Workload};

/// A call as it is typed: `shop.Orders/Get`, `shop.Orders/Get={"id": 1}`, `shop.Orders/Get=@FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrpcCall {
    /// `package.Service/Method`; a dot before the method is as good.
    pub method: String,
    /// What is sent.
    pub messages: Messages,
}

/// Where the messages of a call stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Messages {
    /// One message without anything in it.
    Empty,
    /// JSON: one message, one a line, or a list of them.
    Text(String),
    /// The same in a file.
    File(String),
}

impl FromStr for GrpcCall {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (method, messages) = match text.split_once('=') {
            None => (text, Messages::Empty),
            Some((method, messages)) => match messages.strip_prefix('@') {
                Some(file) => (method, Messages::File(file.to_owned())),
                None => (method, Messages::Text(messages.to_owned())),
            },
        };
        Ok(Self {
            method: method.trim().trim_start_matches('/').to_owned(),
            messages,
        })
    }
}

impl GrpcCall {
    fn text(&self, base: &Path) -> Result<String, ImportError> {
        match &self.messages {
            Messages::Empty => Ok("{}".to_owned()),
            Messages::Text(text) => Ok(text.clone()),
            Messages::File(name) => {
                let bytes = file::read(base, name, &self.method)?;
                crate::error::text(&bytes, crate::MAX_INPUT_BYTES).map(str::to_owned)
            }
        }
    }
}

/// Why a call cannot be sent.
#[derive(Debug, thiserror::Error)]
pub enum NotCalled {
    /// Its method, or the file of its messages.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The input is no message of the method.
    #[error("{given} cannot be made a message of {method}: {reason}; give it as JSON")]
    Message {
        /// Its file, or what else it is called.
        given: String,
        /// The method's name.
        method: String,
        /// What of it does not fit.
        reason: String,
    },
}

/// Makes a request of one call. A file of messages counts from `base`.
///
/// # Errors
/// When there is no such method, a file cannot be read, or it holds no messages of the method.
pub fn read_call(schema: &Schema, call: &GrpcCall, base: &Path) -> Result<Step, NotCalled> {
    let step = made(schema, call, base)?;
    Allowance::default().take_step(&step, &call.method)?;
    Ok(step)
}

fn made(schema: &Schema, call: &GrpcCall, base: &Path) -> Result<Step, NotCalled> {
    let method = schema.method(&call.method)?;
    let text = call.text(base)?;
    let body = body(&method, &text).map_err(|reason| NotCalled::Message {
        given: match &call.messages {
            Messages::File(name) => name.clone(),
            Messages::Text(_) | Messages::Empty => "the message".to_owned(),
        },
        method: call.method.clone(),
        reason,
    })?;
    Ok(step(&method, body))
}

/// Makes requests of calls, in their order. What cannot be made is left out, with the reason.
/// Files of messages count from `base`.
///
/// # Errors
/// When there is no such method, a file cannot be read, or nothing is left to be sent.
pub fn read_grpc(
    schema: &Schema,
    calls: &[GrpcCall],
    base: &Path,
) -> Result<Imported, ImportError> {
    let mut notes = Notes::default();
    let mut allowance = Allowance::default();
    let mut steps = Vec::new();
    let mut first_left_out = None;
    for call in calls {
        match made(schema, call, base) {
            Ok(step) => {
                allowance.take_step(&step, &call.method)?;
                steps.push(step);
            }
            Err(NotCalled::Message { reason, .. }) => {
                notes.add(&call.method, format_args!("left out: {reason}"));
                first_left_out.get_or_insert((call.method.clone(), reason));
            }
            Err(NotCalled::Import(error)) => return Err(error),
        }
    }
    if steps.is_empty() {
        return Err(match first_left_out {
            Some((place, reason)) => ImportError::AllLeftOut {
                all: calls.len(),
                place,
                reason,
                way_out: "Give the message as JSON: --call METHOD='{...}', or =@FILE",
            },
            None => schema.nothing_to_call(),
        });
    }
    Ok(Imported {
        workload: Workload {
            scenarios: vec![Scenario {
                name: "calls".to_owned(),
                weight: 1.0,
                steps,
            }],
            ..Workload::default()
        },
        connection: Connection {
            http_version: Some(HttpVersion::Http2PriorKnowledge),
            ..Connection::default()
        },
        notes: notes.finish(),
        ..Imported::default()
    })
}

/// The body of a call. The error says why it cannot be made.
fn body(method: &MethodDescriptor, text: &str) -> Result<Body, String> {
    let messages = message::messages(&method.input(), text)?;
    match messages.len() {
        1 => {}
        0 => return Err("there is no message in what was given".to_owned()),
        many if !method.is_client_streaming() => {
            return Err(format!(
                "{many} messages are given, and {} takes one message",
                method.name()
            ));
        }
        _ => {}
    }
    let fixed: Option<Vec<&[u8]>> = messages.iter().map(bytes).collect();
    Ok(match fixed {
        Some(fixed) => Body::Bytes(fixed.concat()),
        None => Body::Messages(messages),
    })
}

/// The bytes of a piece that is the same in each request.
fn bytes(piece: &Piece) -> Option<&[u8]> {
    match piece {
        Piece::Bytes(bytes) => Some(bytes),
        _ => None,
    }
}

fn step(method: &MethodDescriptor, body: Body) -> Step {
    let service = method.parent_service().full_name().to_owned();
    let name = format!("{service}/{}", method.name());
    Step {
        method: "POST".to_owned(),
        path: format!("/{name}"),
        headers: vec![
            ("content-type".to_owned(), "application/grpc".to_owned()),
            // "Used to detect incompatible proxies"; a server may refuse a call without it.
            ("te".to_owned(), "trailers".to_owned()),
        ],
        body,
        name,
        ..Step::default()
    }
}
