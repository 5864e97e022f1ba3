//! `case.yaml` of a pair.

use std::path::Path;
use tacho_yaml::{Limits, Node, Value};

const LIMITS: Limits = Limits { depth: 16, mib: 4 };

/// What its author says of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Case {
    pub stack: String,
    pub kind: String,
    pub artifact: String,
    /// A script that starts it.
    pub start: Option<String>,
    pub java: String,
    pub requests: Vec<String>,
    pub innocent: bool,
    /// Names of which one has to be claimed.
    pub accept: Vec<String>,
}

impl Case {
    /// Reads it.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let document = tacho_yaml::read(&text, &LIMITS).map_err(|e| format!("{e:?}"))?;
        let root = document.root.ok_or("it is empty")?;
        let Value::Map(entries) = &root.value else {
            return Err("it is no map".to_owned());
        };
        let found = |name: &str| {
            let entry = entries.iter().find(|(key, _)| key.name == name);
            entry.map(|(_, node)| node)
        };
        let one = |name: &str| found(name).and_then(text_of).unwrap_or_default();
        Ok(Self {
            stack: one("stack"),
            kind: one("kind"),
            artifact: one("artifact"),
            start: Some(one("start")).filter(|start| !start.is_empty() && start != "null"),
            java: one("java"),
            requests: found("requests").map_or_else(Vec::new, list),
            innocent: one("innocent") == "true",
            accept: found("accept").map_or_else(Vec::new, list),
        })
    }
}

fn text_of(node: &Node) -> Option<String> {
    match &node.value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    }
}

fn list(node: &Node) -> Vec<String> {
    match &node.value {
        Value::List(items) => items.iter().filter_map(text_of).collect(),
        Value::Text(text) => vec![text.clone()],
        _ => Vec::new(),
    }
}
