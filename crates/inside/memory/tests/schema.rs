//! The published JSON Schema is that of the type, and real output is as it says.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "support/conformance.rs"]
mod conformance;

use conformance::faults;
use serde_json::{Value, json};
use std::path::PathBuf;
use tacho_memory::{Wish, read, schema};

#[test]
fn docs_hold_the_schema_of_the_type() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../docs/schema/memory.json");
    let text = schema().unwrap();
    if std::env::var_os("TACHO_RENEW_SCHEMAS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap_or_default() == text,
        "docs/schema/memory.json is not the schema of its type any more; renew it with\n  \
         TACHO_RENEW_SCHEMAS=1 cargo test -p tacho-memory --test schema"
    );
}

#[test]
fn what_is_written_of_a_process_is_as_the_schema_says() {
    let schema: Value = serde_json::from_str(&schema().unwrap()).unwrap();
    let memory = read(std::process::id(), Wish::default()).unwrap();
    let written = serde_json::to_value(&memory).unwrap();
    assert_eq!(
        faults(&schema, &written),
        Vec::<String>::new(),
        "{written:#}"
    );

    // And the check would see it, were it otherwise.
    let mut without = written.clone();
    without.as_object_mut().unwrap().remove("parts");
    assert_eq!(faults(&schema, &without), ["$: `parts` is missing"]);
    let mut other = written;
    other["rss_bytes"] = json!("7");
    other["parts"][0]["more"] = json!(1);
    assert_eq!(
        faults(&schema, &other).len(),
        2,
        "{:?}",
        faults(&schema, &other)
    );
}
