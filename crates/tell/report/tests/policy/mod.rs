//! What has to hold of the policy of every page; used by the tests of all crates that write one.

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

/// What tries to leave the place where it is put.
pub const HOSTILE: &str =
    "</script><!--<script>alert(1)</script>\u{2028}'\"><img src=x onerror=alert(1)>&";

/// Only the script with the sum that the policy names runs, and there is no other; data is data.
#[track_caller]
pub fn holds(page: &str) {
    let (_, rest) = page
        .split_once("http-equiv=\"Content-Security-Policy\" content=\"")
        .expect("a policy");
    let policy = rest.split_once('"').expect("its end").0;
    let directive = |name: &str| {
        let found = policy.split("; ").find(|part| part.starts_with(name));
        found
            .unwrap_or_else(|| panic!("{name} is not in {policy}"))
            .to_owned()
    };
    assert_eq!(directive("default-src"), "default-src 'none'");
    assert_eq!(directive("base-uri"), "base-uri 'none'");
    assert_eq!(directive("form-action"), "form-action 'none'");

    // As a browser reads it: an element ends at the first closing tag.
    let mut scripts = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once("<script") {
        let (attributes, after) = after.split_once('>').expect("a tag");
        let (content, after) = after.split_once("</script>").expect("an end");
        scripts.push((attributes, content));
        rest = after;
    }
    let data = |attributes: &str| attributes.contains("type=\"application/json\"");
    let code: Vec<&str> = scripts
        .iter()
        .filter(|(attributes, _)| !data(attributes))
        .map(|(_, content)| *content)
        .collect();
    assert_eq!(
        code.len(),
        1,
        "one script, and nothing that somebody else has put there"
    );
    let sum = BASE64_STANDARD.encode(Sha256::digest(code[0]));
    assert_eq!(
        directive("script-src"),
        format!("script-src 'sha256-{sum}'")
    );
    for (_, content) in scripts.iter().filter(|(attributes, _)| data(attributes)) {
        assert!(!content.contains(['<', '\u{2028}', '\u{2029}']));
        serde_json::from_str::<serde_json::Value>(content).expect("JSON");
    }
    let without = scripts.iter().fold(page.to_owned(), |page, (_, content)| {
        page.replace(content, "")
    });
    assert!(!without.contains("<img src=x") && !without.contains("alert(1)</script>"));
    for event in [
        " onclick=",
        " onload=",
        " onerror=\"",
        " onmouseover=",
        "javascript:",
    ] {
        assert!(!without.contains(event), "{event}");
    }
}
