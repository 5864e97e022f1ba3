//! The published JSON Schema is that of the types.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;
use tacho_gc_report::schema;

#[test]
fn docs_hold_the_schema_of_the_summary() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../docs/schema/gc.json");
    let text = schema::render().unwrap();
    if std::env::var_os("TACHO_RENEW_SCHEMAS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let published = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        published == text,
        "docs/schema/gc.json is not the schema of its type any more; renew it with\n  \
         TACHO_RENEW_SCHEMAS=1 cargo test -p tacho-gc-report --test schemas"
    );
}
