//! Warming.

use super::shape::{any, list, mapping, quantity, text};
use serde_json::{Value, json};

/// A word or a mapping.
pub fn one() -> Value {
    let recipe = mapping(
        "What is sent before users come: one of `requests`, `each`, `bursts` and `settled`.",
        &[
            ("requests", quantity("count", "So many requests.")),
            ("each", quantity("count", "So many of each request.")),
            ("bursts", quantity("count", "So many requests, in bursts.")),
            ("size", quantity("count", "Requests of a burst.")),
            ("rest", quantity("duration", "Pause between bursts.")),
            ("settled", settled()),
            (
                "connections",
                quantity("count", "Connections over which requests are sent."),
            ),
            (
                "boost-cpu",
                quantity("cpus", "Processors while it is warmed."),
            ),
            ("name", text("What follows the name of the variant.")),
        ],
    );
    let word = json!({
        "type": ["string", "number"],
        "examples": ["none", "1000", "each:200", "bursts:1000", "settled", "boost:2"],
    });
    any("How a launch is warmed before users come.", &[word, recipe])
}

fn settled() -> Value {
    let bounds = mapping(
        "Until response times stop changing, within bounds.",
        &[
            ("at-least", quantity("count", "Requests, at least.")),
            ("at-most", quantity("count", "Requests, at most.")),
            ("within", quantity("duration", "Time, at most.")),
        ],
    );
    any(
        "Until response times stop changing.",
        &[json!({"enum": [true, "true"]}), bounds],
    )
}

/// Which warm-up is worth its price.
pub fn section() -> Value {
    let recipes = list("Each variant is launched with each of them.", one());
    let section = mapping(
        "Which warm-up is worth its price.",
        &[
            (
                "objective",
                quantity(
                    "duration",
                    "Response time above which a user is not served well.",
                ),
            ),
            ("recipes", recipes.clone()),
        ],
    );
    any(
        "Warm-ups that are compared: a list, or a mapping with `recipes` and `objective`.",
        &[recipes, section],
    )
}
