//! Security schemes. Only the user knows the secrets, so a note says where they go.

use super::document::Document;
use crate::note::{Notes, shorten};
use serde_json::Value;
use std::collections::BTreeMap;

/// Counts the operations that need each scheme.
#[derive(Debug, Default)]
pub(super) struct Needs {
    schemes: BTreeMap<String, u64>,
}

impl Needs {
    /// Takes note of what an operation needs: its own list, or that of the document.
    pub fn add(&mut self, document: &Document, operation: &Value) {
        let requirements = operation
            .get("security")
            .or_else(|| document.root.get("security"))
            .and_then(Value::as_array);
        let Some(requirements) = requirements else {
            return;
        };
        // Any one of these requirements is enough; an empty one means that no authorization is
        // needed.
        let easiest = requirements
            .iter()
            .filter_map(Value::as_object)
            .min_by_key(|requirement| requirement.len());
        for scheme in easiest
            .into_iter()
            .flat_map(|requirement| requirement.keys())
        {
            *self.schemes.entry(scheme.clone()).or_default() += 1;
        }
    }

    pub fn note(&self, document: &Document, notes: &mut Notes) {
        for (name, operations) in &self.schemes {
            let scheme = document
                .root
                .get("components")
                .and_then(|components| document.member(components, "securitySchemes"))
                .and_then(|schemes| document.member(schemes, name));
            notes.add(
                format!("security scheme {}", shorten(name, 60)),
                format!("{operations} operations need it: {}", way_in(scheme)),
            );
        }
    }
}

fn way_in(scheme: Option<&Value>) -> String {
    let text = |name: &str| scheme?.get(name)?.as_str();
    let name = shorten(text("name").unwrap_or_default(), 60);
    match (text("type"), text("in"), text("scheme")) {
        (Some("apiKey"), Some("header"), _) => format!("give the header `{name}: ...`"),
        (Some("apiKey"), Some("cookie"), _) => format!("give the header `Cookie: {name}=...`"),
        (Some("apiKey"), Some("query"), _) => {
            format!("the key belongs into the query as `{name}=...`, which cannot be added here")
        }
        (Some("http"), _, Some(scheme)) if scheme.eq_ignore_ascii_case("basic") => {
            "give the header `Authorization: Basic ...`".to_owned()
        }
        (Some("http"), _, Some(scheme)) if !scheme.eq_ignore_ascii_case("bearer") => {
            format!(
                "give the header `Authorization: {} ...`",
                shorten(scheme, 30)
            )
        }
        (Some("http" | "oauth2" | "openIdConnect"), ..) => {
            "give the header `Authorization: Bearer ...`".to_owned()
        }
        (Some("mutualTLS"), ..) => "give a client certificate".to_owned(),
        _ => "the document does not say how".to_owned(),
    }
}
