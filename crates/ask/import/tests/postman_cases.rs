//! Postman collections that another hand has made, with what should be sent (labs/inputs): the
//! requests with their headers and bodies, and how many are left out. The held-back ones are asked
//! by `TACHO_HELD_BACK=1` only.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use serde_json::Value;
use sha2::{Digest, Sha256};
use support::marks::{has_marks, is_like};
use support::sent::Sent;
use support::truth::{Wanted, WantedPart};
use support::{Case, Cases, Known};
use tacho_import::{Environment, ImportError, Imported, PostmanOptions, read_postman};

const KNOWN: [(&str, Known); 2] = [
    // Names of people and places are not made: to leave the request out is as good.
    ("postman-dynamic-variables", Known::LeftOut(&["Sign up"])),
    // Three origins of one host: the truth wants all, and a run has one.
    ("postman-v20-short-forms", Known::Otherwise),
];

#[test]
fn what_should_be_sent_is_sent() {
    let cases = Cases {
        kind: "postman",
        at_least: 12,
        known: &KNOWN,
    };
    cases.check(read, and);
}

fn read(case: &Case) -> Result<Imported, ImportError> {
    let truth = &case.truth;
    let given = ["environment", "globals"].into_iter();
    let files = given.filter_map(|meaning| truth.given(meaning));
    let environments: Result<Vec<_>, _> = files
        .map(|file| Environment::read(&case.read(file)))
        .collect();
    let options = PostmanOptions {
        base: truth.given("base").map(|base| base.parse().unwrap()),
        environments: environments?,
    };
    let input = case.read(truth.given("targets").unwrap());
    read_postman(&input, &case.folder, &options)
}

/// What else of each request is looked at.
fn and(case: &Case, imported: &Imported, all: &[Sent]) -> Result<(), String> {
    for (sent, wanted) in all.iter().zip(&case.truth.requests) {
        let at = |why: String| format!("{}: {why}", wanted.at);
        headers(case, sent, wanted).map_err(at)?;
        body(sent, wanted).map_err(at)?;
        if let Some(status) = wanted.status
            && !sent.admits(status.try_into().unwrap())
        {
            return Err(at(format!("{status} counts as a failure")));
        }
        let texts = [&wanted.send]
            .into_iter()
            .chain(&wanted.body)
            .chain(wanted.headers.iter().flat_map(|(_, values)| values));
        let is_random = texts
            .into_iter()
            .any(|text| has_marks(text) && text.contains("uuid"));
        if wanted.each && is_random && sent.message == sent.again {
            return Err(at("it is the same for each user".to_owned()));
        }
    }
    let workload = &imported.workload;
    let steps = workload
        .scenarios
        .iter()
        .flat_map(|scenario| &scenario.steps);
    let names: Vec<&str> = steps.map(|step| step.name.as_str()).collect();
    let names = names.join("\n");
    match case
        .truth
        .secrets
        .iter()
        .find(|secret| names.contains(secret.as_str()))
    {
        Some(secret) => Err(format!("a request is called by `{secret}`")),
        None => Ok(()),
    }
}

fn headers(case: &Case, sent: &Sent, wanted: &Wanted) -> Result<(), String> {
    for (name, values) in &wanted.headers {
        let found = sent.values(name);
        let is_so = found.len() == values.len()
            && found
                .iter()
                .zip(values)
                .all(|(found, wanted)| is_like(found, wanted));
        if !is_so {
            return Err(format!("{name} is {found:?}, should be {values:?}"));
        }
    }
    for never in case.truth.never_sent.iter().chain(&wanted.never) {
        let (name, part) = never.split_once(": ").unwrap_or((never, ""));
        if sent.values(name).iter().any(|value| value.contains(part)) {
            return Err(format!("{never} is sent"));
        }
    }
    Ok(())
}

fn body(sent: &Sent, wanted: &Wanted) -> Result<(), String> {
    let bytes = &sent.message.body;
    let text = sent.text();
    if let Some(body) = &wanted.body
        && !is_like(&text, body)
    {
        return Err(format!("the body is {text}, should be {body}"));
    }
    if let Some(body) = &wanted.body_json {
        let json = |text: &str| serde_json::from_str::<Value>(text).map_err(|e| e.to_string());
        if json(&text)? != json(body)? {
            return Err(format!("the body is {text}, should be {body}"));
        }
    }
    if let Some(sha256) = &wanted.body_sha256
        && hex(bytes) != *sha256
    {
        return Err("the body has other bytes".to_owned());
    }
    if let Some(length) = wanted.body_length
        && bytes.len() != usize::try_from(length).unwrap()
    {
        return Err(format!(
            "the body has {} bytes, should have {length}",
            bytes.len()
        ));
    }
    if wanted.parts.is_empty() {
        return Ok(());
    }
    let kind = sent.values("content-type").concat();
    let (_, boundary) = kind.split_once("boundary=").ok_or("no boundary")?;
    let parts: Vec<&str> = text.split(&format!("--{boundary}\r\n")).skip(1).collect();
    if parts.len() != wanted.parts.len() {
        return Err(format!("{} parts: {text}", parts.len()));
    }
    let end = format!("--{boundary}--\r\n");
    let mut all = parts.iter().zip(&wanted.parts);
    all.try_for_each(|(found, wanted)| part(found.strip_suffix(&end).unwrap_or(found), wanted))
}

fn part(found: &str, wanted: &WantedPart) -> Result<(), String> {
    let (head, content) = found
        .split_once("\r\n\r\n")
        .ok_or("a part without a head")?;
    let content = content
        .strip_suffix("\r\n")
        .ok_or("a part without an end")?;
    let has = |key: &str, value: &str| head.contains(&format!("{key}=\"{value}\""));
    let is_so = has("; name", &wanted.name)
        && wanted
            .file_name
            .as_ref()
            .is_none_or(|name| has("; filename", name))
        && wanted.file_name.is_some() == head.contains("; filename=")
        && wanted
            .value
            .as_ref()
            .is_none_or(|value| is_like(content, value))
        && wanted
            .value_sha256
            .as_ref()
            .is_none_or(|sha| hex(content.as_bytes()) == *sha)
        && wanted
            .content_type
            .as_ref()
            .is_none_or(|kind| head.contains(&format!("\r\nContent-Type: {kind}")));
    match is_so {
        true => Ok(()),
        false => Err(format!("the part {} is {found}", wanted.name)),
    }
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
