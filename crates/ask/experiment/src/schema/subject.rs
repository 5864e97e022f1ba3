//! The subject, its variants, and what runs beside it.

use super::shape::{any, list, mapping, one_of, quantity, required, text, texts, truth, words};
use super::warm_up;
use crate::VariantKind;
use serde_json::{Value, json};

pub fn subject() -> Value {
    let mut keys = common();
    keys.push((
        "own",
        texts("The application's own packages, such as `com.acme`. Else found in the artifact."),
    ));
    mapping("What all variants have in common.", &keys)
}

/// What a subject and a variant are both told.
fn common() -> Vec<(&'static str, Value)> {
    vec![
        (
            "artifact",
            text(
                "The jar or WAR that variants are made from, or the folder of a Quarkus application.",
            ),
        ),
        (
            "build",
            text("A line for the shell that makes the artifact; run when it is missing."),
        ),
        ("port", port()),
        ("ready", ready()),
        ("arguments", texts("Arguments of the program.")),
        ("jvm-flags", texts("Flags of the JVM.")),
        ("environment", words("Variables of its processes.")),
        (
            "jdk",
            text("A JDK by release (`25`) or path. Else the newest that fits."),
        ),
        ("directory", text("The working folder of its processes.")),
    ]
}

fn port() -> Value {
    json!({
        "description": "Where it listens. Else it is found.",
        "anyOf": [
            {"type": "integer", "minimum": 1, "maximum": 65535},
            {"type": "string", "pattern": "^[0-9]+$"},
        ],
    })
}

fn ready() -> Value {
    ready_else(
        "at the first 2xx of a path that is found",
        "A launch that is not ready by then has failed. Else 60s.",
    )
}

/// `otherwise` is what counts when nothing is said.
fn ready_else(otherwise: &str, timeout: &str) -> Value {
    let description =
        format!("When it counts as ready; one of `http`, `log` and `port`. Else {otherwise}.");
    mapping(
        &description,
        &[
            (
                "http",
                json!({
                    "description": "At the first 2xx of this path.",
                    "type": "string",
                    "pattern": "^/",
                    "examples": ["/actuator/health/readiness"],
                }),
            ),
            (
                "log",
                text("When its output has a line that this regular expression matches."),
            ),
            (
                "port",
                json!({
                    "description": "When it accepts a connection.",
                    "enum": [true, "true"],
                }),
            ),
            ("timeout", quantity("duration", timeout)),
        ],
    )
}

pub fn variants() -> Value {
    let mut keys = vec![
        (
            "name",
            text("What it is called. Else its kind; names differ."),
        ),
        ("kind", kinds()),
        ("command", command("Command of an `exec` variant.")),
        (
            "only-if",
            one_of(
                "Left out unless it can be made here (`possible`), or its slow steps were done before (`built`).",
                &["possible", "built"],
            ),
        ),
        ("warm-up", warm_up::one()),
        (
            "training",
            one_of(
                "What `cds` and `aot` are trained with. Else the experiment's own requests.",
                &["requests", "start-up"],
            ),
        ),
    ];
    keys.extend(common());
    let mut variants = list(
        "The ways to ship it that are compared.",
        any(
            "A kind, or a mapping with what differs.",
            &[kinds(), mapping("A variant.", &keys)],
        ),
    );
    variants["minItems"] = json!(1);
    variants
}

fn kinds() -> Value {
    one_of("How it is made.", &VariantKind::names())
}

pub fn companions() -> Value {
    let mut one = mapping(
        "A process that the subject needs.",
        &[
            (
                "name",
                text("What it is called. Else after its program; names differ."),
            ),
            ("command", command("What is started.")),
            ("port", port()),
            (
                "ready",
                ready_else(
                    "when it accepts a connection",
                    "The run ends if it is not ready by then. Else 60s.",
                ),
            ),
            ("environment", words("Its variables.")),
            ("directory", text("Its working folder.")),
            (
                "fresh",
                truth("Started for each launch and ended with it. Else one for all launches."),
            ),
        ],
    );
    required(&mut one, &["command"]);
    list("What the subject needs beside it.", one)
}

fn command(description: &str) -> Value {
    let mut command = texts(description);
    command["examples"] = json!(["./server --port 8080"]);
    command
}
