//! Calls of gRPC that another hand has made, with what should be sent (labs/inputs): the requests
//! with the bytes of their messages, and how many are left out. The held-back ones are asked by
//! `TACHO_HELD_BACK=1` only.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fmt::Write;
use support::sent::Sent;
use support::truth::Wanted;
use support::{Case, Cases, Known};
use tacho_import::{GrpcCall, ImportError, Imported, Messages, Schema, read_grpc};

const KNOWN: [(&str, Known); 3] = [
    // Its note takes a refusal that names the edition for as good.
    ("grpc-edition-2023", Known::Otherwise),
    // A file of another load generator, which is not read.
    ("grpc-ghz-config", Known::Otherwise),
    // Reflection is not asked.
    ("grpc-reflection-v1alpha", Known::Otherwise),
];

fn read(case: &Case) -> Result<Imported, ImportError> {
    let truth = &case.truth;
    let at = |name: &str| case.folder.join(name);
    let schema = match (truth.given("proto"), truth.given("protoset")) {
        (Some(proto), _) => {
            let paths: Vec<_> = truth.given("import-path").map(at).into_iter().collect();
            Schema::of_protos(&[at(proto)], &paths)
        }
        (None, Some(set)) => Schema::of_set(&at(set)),
        (None, None) => {
            return Err(ImportError::Nothing {
                hint: "a description of the messages",
            });
        }
    };
    let calls = truth.calls.iter().map(|(method, message)| GrpcCall {
        method: method.clone(),
        messages: match message {
            Some(file) => Messages::File(file.clone()),
            None => Messages::Empty,
        },
    });
    let calls: Vec<GrpcCall> = calls.collect();
    let mut imported = read_grpc(&schema?, &calls, &case.folder)?;
    // As `-H` adds them.
    for step in imported.workload.steps_mut() {
        step.headers.extend(truth.metadata.iter().cloned());
    }
    Ok(Imported {
        origin: truth.given("base").map(|base| base.parse().unwrap()),
        ..imported
    })
}

#[test]
fn what_should_be_sent_is_sent() {
    let cases = Cases {
        kind: "grpc",
        at_least: 8,
        known: &KNOWN,
    };
    cases.check(read, |case, _, all| {
        all.iter()
            .zip(&case.truth.requests)
            .try_for_each(|(sent, wanted)| request(sent, wanted))
    });
}

fn request(sent: &Sent, wanted: &Wanted) -> Result<(), String> {
    for (name, values) in &wanted.headers {
        let found = sent.values(name);
        let starts = found.len() == values.len()
            && found
                .iter()
                .zip(values)
                .all(|(f, w)| f.starts_with(w.as_str()));
        if !starts {
            return Err(format!("{}: {name} is {found:?}", wanted.at));
        }
    }
    let body = &sent.message.body;
    if let Some(length) = wanted.body_length
        && body.len() != usize::try_from(length).unwrap()
    {
        return Err(format!(
            "{}: {} bytes, should be {length}",
            wanted.at,
            body.len()
        ));
    }
    if wanted.messages_hex.is_empty() {
        return Ok(());
    }
    let found = messages(body)?;
    match found == wanted.messages_hex {
        true => Ok(()),
        false => Err(format!(
            "{}: {found:?}, should be {:?}",
            wanted.at, wanted.messages_hex
        )),
    }
}

/// In hex, without the five bytes before each.
fn messages(mut body: &[u8]) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    while let Some((head, rest)) = body.split_at_checked(5) {
        let length = u32::from_be_bytes(head[1..].try_into().unwrap());
        let (message, rest) = rest
            .split_at_checked(usize::try_from(length).unwrap())
            .ok_or("a message is cut off")?;
        let mut hex = String::new();
        for byte in message {
            write!(hex, "{byte:02x}").unwrap();
        }
        all.push(hex);
        body = rest;
    }
    match body {
        [] => Ok(all),
        _ => Err("bytes are left over".to_owned()),
    }
}
