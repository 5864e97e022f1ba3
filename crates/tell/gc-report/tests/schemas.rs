//! The published JSON Schemas are those of the types.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;
use tacho_gc_report::schema;

fn holds(file: &str, text: &str) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../docs/schema");
    let path = folder.join(file);
    if std::env::var_os("TACHO_RENEW_SCHEMAS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let published = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        published == text,
        "docs/schema/{file} is not the schema of its type any more; renew it with\n  \
         TACHO_RENEW_SCHEMAS=1 cargo test -p tacho-gc-report --test schemas"
    );
}

#[test]
fn docs_hold_the_schema_of_a_log() {
    holds("gc.json", &schema::render().unwrap());
}

#[test]
fn docs_hold_the_schema_of_two() {
    holds("gc-two.json", &schema::render_two().unwrap());
}
