//! `truth.yaml` of a case.

use saphyr::{LoadableYamlNode, Yaml};
use std::path::Path;

/// What a case says.
pub struct Truth {
    /// Names of files and the base, by their meanings.
    given: Vec<(String, String)>,
    /// Methods of gRPC, each with the file of its messages.
    pub calls: Vec<(String, Option<String>)>,
    /// Of calls of gRPC: name and value.
    pub metadata: Vec<(String, String)>,
    pub refuse: bool,
    pub requests: Vec<Wanted>,
    pub left_out: usize,
    pub secrets: Vec<String>,
    pub jar: bool,
    /// Of all requests: a header, or one with this in its value.
    pub never_sent: Vec<String>,
}

/// A request that should be sent.
pub struct Wanted {
    pub send: String,
    pub at: String,
    /// Names in lower case, with all their values.
    pub headers: Vec<(String, Vec<String>)>,
    pub never: Vec<String>,
    pub body: Option<String>,
    pub body_json: Option<String>,
    pub body_sha256: Option<String>,
    pub body_length: Option<i64>,
    /// Messages of gRPC, each in hex.
    pub messages_hex: Vec<String>,
    pub parts: Vec<WantedPart>,
    pub status: Option<i64>,
    pub each: bool,
}

/// A part of a form that should be sent.
pub struct WantedPart {
    pub name: String,
    pub value: Option<String>,
    pub value_sha256: Option<String>,
    pub file_name: Option<String>,
    pub content_type: Option<String>,
}

impl Truth {
    pub fn of(path: &Path) -> Self {
        let written = std::fs::read_to_string(path).unwrap();
        let documents = Yaml::load_from_str(&written).unwrap();
        let root = &documents[0];
        let given = root
            .as_mapping_get("given")
            .and_then(|given| given.as_mapping());
        let calls = root
            .as_mapping_get("given")
            .map(|given| list(given, "calls"));
        let calls = calls.unwrap_or_default().into_iter();
        let calls = calls.map(|call| (text(call, "method").unwrap(), text(call, "message")));
        let metadata = root
            .as_mapping_get("given")
            .map(|given| texts(given, "metadata"));
        let metadata = metadata.unwrap_or_default().into_iter().map(|line| {
            let (name, value) = line.split_once(':').unwrap();
            (name.trim().to_owned(), value.trim().to_owned())
        });
        let given = given.into_iter().flatten().filter_map(|(name, value)| {
            let name = name.as_str()?.to_owned();
            Some((name, value.as_str()?.to_owned()))
        });
        Self {
            given: given.collect(),
            calls: calls.collect(),
            metadata: metadata.collect(),
            refuse: flag(root, "refuse"),
            requests: list(root, "requests").into_iter().map(Wanted::of).collect(),
            left_out: list(root, "left-out").len(),
            secrets: texts(root, "secrets"),
            jar: text(root, "cookies").as_deref() == Some("jar"),
            never_sent: texts(root, "never-sent"),
        }
    }

    /// What is given under a meaning.
    pub fn given(&self, meaning: &str) -> Option<&str> {
        let found = self.given.iter().find(|(name, _)| name == meaning);
        found.map(|(_, value)| value.as_str())
    }

    /// Takes the second reading, in which these requests are left out.
    pub fn leave_out(&mut self, places: &[&str]) {
        let before = self.requests.len();
        self.requests
            .retain(|request| !places.contains(&request.at.as_str()));
        assert_eq!(before - self.requests.len(), places.len(), "{places:?}");
        self.left_out += places.len();
    }
}

impl Wanted {
    fn of(node: &Yaml<'_>) -> Self {
        let headers = node
            .as_mapping_get("headers")
            .and_then(|headers| headers.as_mapping());
        let headers = headers.into_iter().flatten().map(|(name, value)| {
            let values = match value.as_sequence() {
                Some(values) => values
                    .iter()
                    .map(|v| v.as_str().unwrap().to_owned())
                    .collect(),
                None => vec![value.as_str().unwrap().to_owned()],
            };
            (name.as_str().unwrap().to_owned(), values)
        });
        Self {
            send: text(node, "send").unwrap(),
            at: text(node, "at").unwrap_or_default(),
            headers: headers.collect(),
            never: texts(node, "never"),
            body: text(node, "body"),
            body_json: text(node, "body-json"),
            body_sha256: text(node, "body-sha256"),
            body_length: number(node, "body-length"),
            messages_hex: match text(node, "message-hex") {
                Some(one) => vec![one],
                None => texts(node, "messages-hex"),
            },
            parts: list(node, "parts")
                .into_iter()
                .map(WantedPart::of)
                .collect(),
            status: number(node, "status"),
            each: flag(node, "each"),
        }
    }
}

impl WantedPart {
    fn of(node: &Yaml<'_>) -> Self {
        Self {
            name: text(node, "name").unwrap(),
            value: text(node, "value"),
            value_sha256: text(node, "value-sha256"),
            file_name: text(node, "filename"),
            content_type: text(node, "type"),
        }
    }
}

fn text(node: &Yaml<'_>, key: &str) -> Option<String> {
    node.as_mapping_get(key)
        .and_then(|node| node.as_str())
        .map(str::to_owned)
}

fn texts(node: &Yaml<'_>, key: &str) -> Vec<String> {
    let all = list(node, key).into_iter();
    all.filter_map(|node| node.as_str().map(str::to_owned))
        .collect()
}

fn number(node: &Yaml<'_>, key: &str) -> Option<i64> {
    node.as_mapping_get(key).and_then(|node| node.as_integer())
}

fn flag(node: &Yaml<'_>, key: &str) -> bool {
    node.as_mapping_get(key).and_then(|node| node.as_bool()) == Some(true)
}

fn list<'y, 't>(node: &'y Yaml<'t>, key: &str) -> Vec<&'y Yaml<'t>> {
    let found = node.as_mapping_get(key).and_then(|node| node.as_sequence());
    found.map(|all| all.iter().collect()).unwrap_or_default()
}
