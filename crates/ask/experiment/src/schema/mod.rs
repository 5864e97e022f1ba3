//! The JSON Schema of an experiment file. Editors use it to complete keys, explain them and mark
//! mistakes.
//!
//! It describes what [`crate::file`] reads, and no more. Only that reader finds problems between
//! keys, and in files beside the experiment. Tests compare both: each mapping has exactly the keys
//! that the reader knows, and the reader takes nothing that the schema refuses, and vice versa.

mod phases;
#[cfg(test)]
mod reference;
mod shape;
mod subject;
mod warm_up;

use serde_json::{Value, json};
use shape::{any, list, mapping, one_of, quantity, required, text, texts};

/// The schema, ending in a newline.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn render() -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(&document()).map(|text| text + "\n")
}

/// The schema (2020-12).
#[must_use]
pub fn document() -> Value {
    let mut document = mapping(
        "An experiment of Tacho: what is compared, how it is loaded, and what must hold.",
        &[
            (
                "tacho",
                json!({
                    "description": "The version of this format.",
                    "enum": [1, "1"],
                }),
            ),
            (
                "name",
                text("What the run is called. Else the name of the folder."),
            ),
            ("subject", subject::subject()),
            ("companions", subject::companions()),
            ("variants", subject::variants()),
            ("warm-up", warm_up::section()),
            (
                "pods",
                quantity(
                    "count",
                    "Processes of each launch, to which requests go in turn; each has the limits for itself. Else 1.",
                ),
            ),
            (
                "baseline",
                text("The variant that the others are compared with. Else the first."),
            ),
            ("limits", limits()),
            ("requests", requests()),
            (
                "seed",
                json!({
                    "description": "Seed of all random choices, the order of launches included. Else taken from the clock and written into the plan.",
                    "anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^[0-9]+$"}],
                }),
            ),
            ("phases", phases::phases()),
            (
                "launches",
                json!({
                    "description": "Launches of each cell: a number, `auto` (until the advice is decided, at most 20) or `auto:30`. Else `auto`.",
                    "anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": "^([0-9_,]+|auto(:[0-9_,]+)?)$"}],
                    "examples": ["auto", 5],
                }),
            ),
            (
                "rest",
                quantity("duration", "Pause between launches. Else 1s."),
            ),
            (
                "threshold",
                quantity("share", "Differences below it do not matter. Else 5%."),
            ),
            (
                "duet",
                shape::truth(
                    "The baseline and one candidate run at the same time, each on half of the processors: for a machine that is shared.",
                ),
            ),
            (
                "request-timeout",
                quantity(
                    "duration",
                    "A request that is not answered by then has failed. Else 30s.",
                ),
            ),
            (
                "gc-log",
                one_of(
                    "What logs its collections: every JVM (`jvm`), native images too (`on`), or nothing (`off`). Else `jvm`.",
                    &["jvm", "on", "off", "true", "false"],
                ),
            ),
            ("diagnose", diagnose()),
            (
                "checks",
                texts(
                    "What must hold, or the exit code is 1: `phase.metric<value`, perhaps for some cells (`closed.p99<50ms@jar`).",
                ),
            ),
            (
                "mask",
                texts(
                    "Names of variables, flags and headers whose values are secret, in addition to the known ones.",
                ),
            ),
        ],
    );
    required(&mut document, &["tacho", "variants"]);
    document["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");

    document["title"] = json!("Tacho experiment");
    document["$defs"] = shape::definitions();
    document
}

fn limits() -> Value {
    let one = mapping(
        "One set of limits: a column of the results.",
        &[
            ("cpu", quantity("cpus", "Processors, as a quota. Else all.")),
            (
                "memory",
                quantity("size", "Memory, the page cache included. Else all."),
            ),
            (
                "name",
                text("What it is called. Else after its values, such as `1cpu-512MiB`."),
            ),
        ],
    );
    any(
        "Limits of processor time and memory, by control groups: one set, or a list of them.",
        &[one.clone(), list("Several sets.", one)],
    )
}

fn requests() -> Value {
    let one = mapping(
        "A request.",
        &[
            (
                "name",
                text("What it is called in results. Else its method and path."),
            ),
            (
                "method",
                text("Such as PUT. Else GET, and POST where there is a body."),
            ),
            (
                "path",
                json!({
                    "description": "With its query; may hold placeholders such as `{{random 1 100}}`.",
                    "type": "string",
                    "pattern": "^/[^ #]*$|\\{\\{",
                    "examples": ["/ping"],
                }),
            ),
            (
                "headers",
                shape::words("Names and values; values may hold placeholders."),
            ),
            (
                "template",
                text("A body that may hold placeholders, such as `{\"n\": {{counter}}}`."),
            ),
            ("body", text("A body that is sent as it stands.")),
            (
                "body-file",
                text("A file beside the experiment whose bytes are sent as they are."),
            ),
            (
                "call",
                json!({
                    "description": "Instead of a path: a method of gRPC, which is called over HTTP/2. A run sends calls or other requests, not both.",
                    "type": "string",
                    "examples": ["shop.v1.Orders/Get"],
                }),
            ),
            (
                "message",
                text(
                    "Of a call: its message as JSON, such as `{\"id\": 1}`; for a stream several, one per line or as a list. Else an empty one.",
                ),
            ),
            (
                "message-file",
                text("A file beside the experiment with such messages."),
            ),
            (
                "proto",
                text("A file of protobuf beside the experiment that declares the method."),
            ),
            (
                "import-path",
                text(
                    "The folder that its imports are relative to, if that is not its own or that of the experiment.",
                ),
            ),
            (
                "protoset",
                text("A set of descriptors instead, as `buf build -o FILE` writes it."),
            ),
            (
                "websocket",
                json!({
                    "description": "Instead of a path: where a WebSocket is opened. The body or template is the message; the next one is its answer.",
                    "type": "string",
                    "examples": ["/quotes"],
                }),
            ),
            (
                "greeting",
                json!({
                    "description": "How many messages the service sends first, when a WebSocket is opened. Else none.",
                    "anyOf": [
                        {"type": "integer", "minimum": 0, "maximum": u32::MAX},
                        {"type": "string", "pattern": "^[0-9]+$"},
                    ],
                }),
            ),
            (
                "events",
                json!({
                    "description": "Of server-sent events or a WebSocket: how many of them end the answer. Else its last byte, or the next message.",
                    "anyOf": [
                        {"type": "integer", "minimum": 1, "maximum": u32::MAX},
                        {"type": "string", "pattern": "^[0-9]+$"},
                    ],
                }),
            ),
            (
                "status",
                json!({
                    "description": "Statuses of a good answer, such as 302 or 200-299,404. Else those below 400.",
                    "anyOf": [
                        {"type": "integer", "minimum": 200, "maximum": 599},
                        {"type": "string"},
                    ],
                }),
            ),
            (
                "weight",
                json!({
                    "description": "How often it is sent, relative to the others. Else 1.",
                    "anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "string"}],
                }),
            ),
        ],
    );
    let mut one = one;
    one["anyOf"] =
        json!([{"required": ["path"]}, {"required": ["call"]}, {"required": ["websocket"]}]);
    list(
        "The requests that all phases send, chosen at random by weight. Without them Tacho finds a path that answers.",
        any(
            "`GET /ping`, `/ping`, or a mapping.",
            &[
                json!({"type": "string", "examples": ["GET /ping", "/ping"]}),
                one,
            ],
        ),
    )
}

fn diagnose() -> Value {
    let how = mapping(
        "`memory` as a setting of the run, and how `tacho diagnose` looks into a build.",
        &[
            (
                "memory",
                shape::truth("One more launch of each JVM shows where its memory is."),
            ),
            (
                "connections",
                quantity(
                    "count",
                    "Connections over which a build is looked into. Else 4.",
                ),
            ),
        ],
    );
    any(
        "What extra launches look into; they count in no figure.",
        &[one_of("`memory` or `off`.", &["memory", "off"]), how],
    )
}

#[cfg(test)]
mod tests;
