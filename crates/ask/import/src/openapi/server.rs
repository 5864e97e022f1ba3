//! Servers: where the operations are.

use crate::origin::{Origin, Url};
use serde_json::Value;

/// Where paths begin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Base {
    pub origin: Option<Origin>,
    /// Without a slash at its end.
    pub path: String,
}

/// The first of the servers, with its variables replaced by their defaults, or what is wrong with
/// it.
pub(super) fn first(servers: &Value) -> Option<Result<Base, String>> {
    let server = servers.as_array()?.first()?;
    let mut url = server.get("url")?.as_str()?.trim().to_owned();
    let variables = server.get("variables").and_then(Value::as_object);
    for (name, variable) in variables.into_iter().flatten().take(MOST_VARIABLES) {
        if let Some(default) = variable.get("default").and_then(Value::as_str) {
            url = replace(&url, &format!("{{{name}}}"), default);
        }
    }
    // A relative URL counts from where the document was found.
    if !url.contains("://") {
        url = format!("/{}", url.trim_start_matches('.').trim_start_matches('/'));
    }
    Some(match Url::parse(&url) {
        Ok(parsed) => Ok(Base {
            origin: parsed.origin,
            path: crate::origin::path_of(&parsed.target)
                .trim_end_matches('/')
                .to_owned(),
        }),
        Err(problem) => Err(problem.to_string()),
    })
}

/// How many there are besides the first.
pub(super) fn others(servers: &Value) -> usize {
    servers
        .as_array()
        .map_or(0, |servers| servers.len().saturating_sub(1))
}

/// More is a mistake.
const MOST_VARIABLES: usize = 64;
/// Longest URL; replacing must not make it grow without bound.
const LONGEST: usize = 64 << 10;

fn replace(url: &str, placeholder: &str, value: &str) -> String {
    let replaced = url.replacen(placeholder, value, 16);
    if replaced.len() > LONGEST {
        url.to_owned()
    } else {
        replaced
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn base(server: Value) -> (Option<String>, String) {
        let base = first(&json!([server])).unwrap().unwrap();
        (base.origin.map(|origin| origin.to_string()), base.path)
    }

    #[test]
    fn a_server_is_an_origin_and_a_path() {
        for (server, origin, path) in [
            (
                json!({"url": "https://api.test/v1/"}),
                Some("https://api.test"),
                "/v1",
            ),
            (
                json!({"url": "http://127.0.0.1:8080"}),
                Some("http://127.0.0.1:8080"),
                "",
            ),
            (json!({"url": "/v2"}), None, "/v2"),
            (json!({"url": "./v2/"}), None, "/v2"),
            (json!({"url": "/"}), None, ""),
            (
                json!({"url": "https://{host}:{port}/{base}", "variables": {
                    "host": {"default": "a.test"}, "port": {"default": "8443"}, "base": {"default": "v3"},
                }}),
                Some("https://a.test:8443"),
                "/v3",
            ),
        ] {
            assert_eq!(
                base(server.clone()),
                (origin.map(str::to_owned), path.to_owned()),
                "{server}"
            );
        }
        assert!(
            first(&json!([{"url": "https://{host}/"}]))
                .unwrap()
                .is_err()
        );
        assert_eq!(first(&json!([])), None);
    }
}
