//! The phases of a launch.

use super::shape::{any, list, mapping, or_nothing, quantity, required, text};
use serde_json::{Map, Value, json};

/// A list of mappings, each with one key, the kind.
pub fn phases() -> Value {
    let kinds: Map<String, Value> = kinds()
        .into_iter()
        .map(|(kind, settings)| {
            // Only what needs no setting may have none.
            let settings = match settings.get("required") {
                Some(_) => settings,
                None => or_nothing(&settings),
            };
            (kind.to_owned(), settings)
        })
        .collect();
    list(
        "What happens in each launch, one after another. Else the first requests, settling, a closed loop and a moderate rate.",
        json!({
            "type": "object",
            "additionalProperties": false,
            "minProperties": 1,
            "maxProperties": 1,
            "properties": kinds,
        }),
    )
}

fn kinds() -> Vec<(&'static str, Value)> {
    vec![
        (
            "cold",
            phase(
                "The first requests, one after another.",
                &["requests"],
                [("requests", quantity("count", "How many."))],
            ),
        ),
        (
            "settle",
            phase(
                "A closed loop until throughput is steady; its figures are those of the cold service.",
                &[],
                [
                    (
                        "within",
                        quantity(
                            "duration",
                            "It ends after this time at the latest. Else 30s.",
                        ),
                    ),
                    connections("32"),
                ],
            ),
        ),
        (
            "closed",
            phase(
                "Each connection sends its next request when it has its answer, until `requests` or `duration` are reached.",
                &[],
                [
                    ("requests", quantity("count", "How many, in total.")),
                    (
                        "duration",
                        quantity("duration", "After it nothing more is sent."),
                    ),
                    connections("1"),
                    (
                        "ramp",
                        quantity("duration", "Time over which connections join in."),
                    ),
                    ("think", think()),
                ],
            ),
        ),
        (
            "open",
            phase(
                "Requests are sent at a constant rate, whatever the service does.",
                &["rate", "duration"],
                [
                    ("rate", quantity("rate", "Requests a second.")),
                    ("duration", quantity("duration", "How long.")),
                    connections("64"),
                ],
            ),
        ),
        (
            "ramp",
            phase(
                "A rate that rises or falls evenly.",
                &["from", "to", "duration"],
                [
                    ("from", quantity("rate", "At its beginning; may be 0.")),
                    ("to", quantity("rate", "At its end; may be 0.")),
                    ("duration", quantity("duration", "How long.")),
                    connections("64"),
                ],
            ),
        ),
        (
            "steps",
            phase(
                "One rate after another.",
                &["rates", "each"],
                [
                    (
                        "rates",
                        several("The rates, in their order.", quantity("rate", "A rate.")),
                    ),
                    (
                        "each",
                        several(
                            "How long each, or one duration for all.",
                            quantity("duration", "How long."),
                        ),
                    ),
                    connections("64"),
                ],
            ),
        ),
        (
            "sine",
            phase(
                "A rate that swings.",
                &["mean", "amplitude", "period", "duration"],
                [
                    ("mean", quantity("rate", "The mean rate.")),
                    (
                        "amplitude",
                        quantity("rate", "How far it swings; at most the mean."),
                    ),
                    ("period", quantity("duration", "Duration of one cycle.")),
                    ("duration", quantity("duration", "How long.")),
                    connections("64"),
                ],
            ),
        ),
        (
            "poisson",
            phase(
                "Requests come at random, as those of many independent users.",
                &["rate", "duration"],
                [
                    ("rate", quantity("rate", "Requests a second, on average.")),
                    ("duration", quantity("duration", "How long.")),
                    connections("64"),
                    (
                        "seed",
                        json!({"description": "Seed of the arrivals. Else that of the experiment.", "type": ["integer", "string"]}),
                    ),
                ],
            ),
        ),
        (
            "burst",
            phase(
                "Requests come in bursts: `requests`, or `rate` with `over`.",
                &["rest", "duration"],
                [
                    ("requests", quantity("count", "Requests of a burst.")),
                    ("rate", quantity("rate", "The rate within a burst.")),
                    (
                        "over",
                        quantity(
                            "duration",
                            "Length of a burst. Else its requests are sent at once.",
                        ),
                    ),
                    ("rest", quantity("duration", "Pause between bursts.")),
                    ("duration", quantity("duration", "How long, in all.")),
                    connections("64"),
                ],
            ),
        ),
        (
            "replay",
            phase(
                "Requests come at the instants that a file names.",
                &["file"],
                [
                    ("file", text("A list or table of instants.")),
                    (
                        "speed",
                        quantity("factor", "Replay is faster by this factor. Else 1."),
                    ),
                    ("column", text("The column of a table. Else it is found.")),
                    (
                        "unit",
                        json!({"description": "Unit of the instants. Else it is derived from them.", "enum": ["s", "ms", "us", "ns"]}),
                    ),
                    connections("64"),
                ],
            ),
        ),
        (
            "search",
            phase(
                "The highest rate at which an objective holds.",
                &["objective", "from", "to"],
                [
                    (
                        "objective",
                        json!({
                            "description": "What must hold, such as `p99<50ms`; a list means all of them.",
                            "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
                            "examples": ["p99<50ms, errors<0.1%"],
                        }),
                    ),
                    ("from", quantity("rate", "The lowest rate of interest.")),
                    ("to", quantity("rate", "The highest.")),
                    (
                        "trial",
                        quantity("duration", "Duration of each trial. Else 10s."),
                    ),
                    (
                        "rest",
                        quantity("duration", "Pause after a trial that failed. Else 5s."),
                    ),
                    (
                        "tolerance",
                        quantity("share", "How exact the answer is. Else 5%."),
                    ),
                    (
                        "confirmations",
                        quantity("count", "How often it must hold again, at most 20. Else 3."),
                    ),
                    connections("64"),
                ],
            ),
        ),
        (
            "rest",
            any(
                "Nothing is sent.",
                &[
                    quantity("duration", "How long."),
                    phase(
                        "Nothing is sent.",
                        &["duration"],
                        [("duration", quantity("duration", "How long."))],
                    ),
                ],
            ),
        ),
    ]
}

fn phase(
    description: &str,
    needed: &[&str],
    keys: impl IntoIterator<Item = (&'static str, Value)>,
) -> Value {
    let label =
        text("What it is called. Else by its kind, with `-2`, `-3` when there are several.");
    let keys: Vec<(&str, Value)> = keys.into_iter().chain([("label", label)]).collect();
    let mut phase = mapping(description, &keys);
    if !needed.is_empty() {
        required(&mut phase, needed);
    }
    phase
}

fn connections(default: &str) -> (&'static str, Value) {
    let description = format!("Connections over which requests are sent. Else {default}.");
    ("connections", quantity("count", &description))
}

fn several(description: &str, one: Value) -> Value {
    any(description, &[one.clone(), list(description, one)])
}

fn think() -> Value {
    let drawn = mapping(
        "A random pause.",
        &[
            (
                "uniform",
                json!({
                    "description": "Evenly, between two durations.",
                    "type": "array",
                    "items": {"$ref": "#/$defs/duration"},
                    "minItems": 2,
                    "maxItems": 2,
                }),
            ),
            ("exponential", quantity("duration", "With this mean.")),
        ],
    );
    any(
        "Pause of a connection between an answer and its next request.",
        &[quantity("duration", "Always the same."), drawn],
    )
}
