//! The published JSON Schema is that of the type.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;

#[test]
fn docs_hold_the_schema_of_the_type() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../docs/schema/warm.json");
    let schema = tacho_warm_up::schema().unwrap();
    if std::env::var_os("TACHO_RENEW_SCHEMAS").is_some() {
        std::fs::write(&path, &schema).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap_or_default() == schema,
        "renew it with TACHO_RENEW_SCHEMAS=1 cargo test -p tacho-warm-up --test schema"
    );
}
