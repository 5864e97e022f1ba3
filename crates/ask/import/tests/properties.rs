//! What holds for all inputs: nothing crashes a reader, and what is written in a format is read
//! back as it was.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use base64::Engine;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;
use tacho_import::{Format, Imported, Target, TargetSyntax, Targets, read};
use tacho_workload::{Body, Step};

/// A request that can be written in each of the formats.
#[derive(Debug, Clone, PartialEq)]
struct Request {
    method: String,
    target: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

fn request() -> impl Strategy<Value = Request> {
    let method = prop::sample::select(vec!["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
    let target = "/[a-zA-Z0-9._~/%{}!$&'()*+,;:@-]{0,20}(\\?[a-zA-Z0-9=&{}/?-]{0,20})?";
    let header = ("X-[A-Za-z0-9-]{1,10}", "[!-~]([ -~]{0,20}[!-~])?");
    (method, target, vec(header, 0..4), vec(any::<u8>(), 0..40)).prop_map(
        |(method, target, headers, body)| Request {
            method: method.to_owned(),
            target,
            headers,
            body,
        },
    )
}

const HOST: &str = "http://127.0.0.1:8080";

fn as_text(requests: &[Request], folder: &Path) -> String {
    let mut text = String::new();
    for (n, request) in requests.iter().enumerate() {
        text.push_str(&format!(
            "# {n}\n{} {HOST}{}\n",
            request.method, request.target
        ));
        for (name, value) in &request.headers {
            text.push_str(&format!("{name}: {value}\n"));
        }
        if !request.body.is_empty() {
            std::fs::write(folder.join(n.to_string()), &request.body).unwrap();
            text.push_str(&format!("@{n}\n"));
        }
        if n % 2 == 0 {
            text.push('\n');
        }
    }
    text
}

fn as_json(requests: &[Request]) -> String {
    let mut text = String::new();
    for request in requests {
        let mut headers = serde_json::Map::new();
        for (name, value) in &request.headers {
            let values = headers
                .entry(name.clone())
                .or_insert_with(|| serde_json::json!([]));
            values.as_array_mut().unwrap().push(value.clone().into());
        }
        let object = serde_json::json!({
            "method": request.method,
            "url": format!("{HOST}{}", request.target),
            "header": headers,
            "body": base64::engine::general_purpose::STANDARD.encode(&request.body),
        });
        text.push_str(&format!("{object}\n"));
    }
    text
}

/// A request as Postman keeps it: what a variable or a `:name` would be is another matter.
fn postman_request() -> impl Strategy<Value = Value> {
    let method = prop::sample::select(vec!["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
    let segments = vec("[a-zA-Z0-9._~%!$&()*+,;@=-][a-zA-Z0-9._~%:@-]{0,8}", 0..4);
    let query = vec(
        (
            "[a-zA-Z0-9._~-]{1,5}",
            prop::option::of("[a-zA-Z0-9._~/?-]{0,5}"),
        ),
        0..3,
    );
    let headers = vec(("X-[A-Za-z0-9-]{1,10}", "[!-z]([ -z]{0,20}[!-z])?"), 0..4);
    (method, segments, query, headers, "[ -z\\n\u{e4}]{1,40}").prop_map(
        |(method, segments, query, headers, body)| {
            let pairs = |pairs: Vec<(String, Option<String>)>| -> Value {
                let pairs = pairs.into_iter();
                pairs
                    .map(|(key, value)| json!({"key": key, "value": value}))
                    .collect()
            };
            let headers = headers.into_iter().map(|(name, value)| (name, Some(value)));
            json!({"method": method, "header": pairs(headers.collect()),
                "url": {"host": ["{{base}}"], "path": segments, "query": pairs(query)},
                "body": {"mode": "raw", "raw": body}})
        },
    )
}

/// What Postman would send of one, in a line.
fn as_postman_sends(request: &Value) -> (String, String, Vec<(String, String)>, String) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().unwrap().clone();
    let segments = list(&request["url"]["path"]);
    let segments = segments.iter().map(|segment| format!("/{}", text(segment)));
    let query = list(&request["url"]["query"]);
    let query = query.iter().map(|pair| match &pair["value"] {
        Value::Null => text(&pair["key"]),
        value => format!("{}={}", text(&pair["key"]), text(value)),
    });
    let (path, query) = (
        segments.collect::<String>(),
        query.collect::<Vec<_>>().join("&"),
    );
    let path = if path.is_empty() {
        "/".to_owned()
    } else {
        path
    };
    let path = if query.is_empty() {
        path
    } else {
        format!("{path}?{query}")
    };
    let headers = list(&request["header"]);
    let headers = headers
        .iter()
        .map(|pair| (text(&pair["key"]), text(&pair["value"])));
    (
        text(&request["method"]),
        path,
        headers.collect(),
        text(&request["body"]["raw"]),
    )
}

fn read_back(target: Target) -> Request {
    assert_eq!(target.origin.unwrap().to_string(), HOST);
    Request {
        method: target.method,
        target: target.path,
        headers: target.headers,
        body: match target.body {
            Body::None => Vec::new(),
            Body::Bytes(bytes) => bytes,
            Body::File(path) => std::fs::read(path).unwrap(),
            other => panic!("{other:?}"),
        },
    }
}

/// JSON objects keep no order among their headers.
fn sorted(mut request: Request) -> Request {
    request.headers.sort_by(|a, b| a.0.cmp(&b.0));
    request
}

/// Texts that are no templates, read as templates.
fn plain(template: &str) -> String {
    tacho_workload::Template::parse(template)
        .unwrap()
        .as_text()
        .unwrap()
        .to_owned()
}

fn steps(imported: &Imported) -> Vec<&Step> {
    imported
        .workload
        .scenarios
        .iter()
        .flat_map(|scenario| &scenario.steps)
        .collect()
}

proptest! {
    #[test]
    fn vegeta_text_reads_back(requests in vec(request(), 1..6)) {
        let folder = tempfile::tempdir().unwrap();
        let text = as_text(&requests, folder.path());
        let read: Vec<Request> = Targets::new(text.as_bytes(), TargetSyntax::Text, folder.path())
            .map(|target| read_back(target.unwrap()))
            .collect();
        prop_assert_eq!(read, requests);
    }

    #[test]
    fn vegeta_json_reads_back(requests in vec(request(), 1..6)) {
        let text = as_json(&requests);
        let read: Vec<Request> = Targets::new(text.as_bytes(), TargetSyntax::Json, Path::new("."))
            .map(|target| read_back(target.unwrap()))
            .collect();
        let requests: Vec<Request> = requests.into_iter().map(sorted).collect();
        prop_assert_eq!(read, requests);
    }

    #[test]
    fn a_workload_of_targets_sends_what_was_written(requests in vec(request(), 1..6)) {
        let text = as_json(&requests);
        let imported = read(Format::VegetaJson, text.as_bytes(), Path::new(".")).unwrap();
        prop_assert_eq!(imported.origin.as_ref().unwrap().to_string(), HOST);
        for (step, request) in steps(&imported).into_iter().zip(&requests) {
            prop_assert_eq!(plain(&step.path), request.target.clone());
        }
    }

    #[test]
    fn curl_commands_read_back(requests in vec(request(), 1..4)) {
        let mut script = Vec::new();
        for request in &requests {
            let mut words: Vec<Vec<u8>> = vec![
                b"curl".to_vec(),
                b"-X".to_vec(),
                request.method.clone().into_bytes(),
                format!("{HOST}{}", request.target).into_bytes(),
            ];
            for (name, value) in &request.headers {
                words.push(b"--header".to_vec());
                words.push(format!("{name}: {value}").into_bytes());
            }
            // No shell has a zero byte in a word.
            let body: Vec<u8> = request.body.iter().copied().filter(|&byte| byte != 0).collect();
            if let Ok(body) = String::from_utf8(body) {
                words.push(b"--data-raw".to_vec());
                words.push(body.into_bytes());
            }
            let quoted: Vec<Vec<u8>> = words
                .iter()
                .map(|word| shlex::bytes::try_quote(word).unwrap().into_owned())
                .collect();
            script.extend(quoted.join(&b' '));
            script.push(b'\n');
        }
        let imported = read(Format::Curl, &script, Path::new(".")).unwrap();
        let steps = steps(&imported);
        prop_assert_eq!(steps.len(), requests.len());
        for (step, request) in steps.into_iter().zip(&requests) {
            prop_assert_eq!(&step.method, &request.method);
            prop_assert_eq!(plain(&step.path), request.target.clone());
            let given = step.headers.iter().filter(|(name, _)| name.starts_with("X-"));
            let headers: Vec<(String, String)> =
                given.map(|(name, value)| (name.clone(), plain(value))).collect();
            prop_assert_eq!(headers, request.headers.clone());
        }
    }

    #[test]
    fn postman_collections_read_back(requests in vec(postman_request(), 1..5)) {
        let items: Vec<Value> = requests
            .iter()
            .map(|request| json!({"name": "one", "request": request}))
            .collect();
        let collection = json!({"item": [{"name": "folder", "item": items}],
            "variable": [{"key": "base", "value": HOST}]});
        let imported = read(Format::Postman, collection.to_string().as_bytes(), Path::new("."));
        let imported = imported.unwrap();
        prop_assert_eq!(imported.origin.as_ref().unwrap().to_string(), HOST);
        prop_assert_eq!(steps(&imported).len(), requests.len());
        for (step, request) in steps(&imported).into_iter().zip(&requests) {
            let Body::Bytes(body) = &step.body else {
                panic!("{:?}", step.body)
            };
            let body = String::from_utf8(body.clone()).unwrap();
            let headers = step.headers.iter().filter(|(name, _)| name.starts_with("X-"));
            let headers: Vec<(String, String)> =
                headers.map(|(name, value)| (name.clone(), plain(value))).collect();
            let sent = (step.method.clone(), plain(&step.path), headers, body);
            prop_assert_eq!(sent, as_postman_sends(request));
        }
    }

    #[test]
    fn no_bytes_crash_a_reader(input in vec(any::<u8>(), 0..400)) {
        for format in Format::ALL {
            let _ = read(format, &input, Path::new("/nowhere"));
        }
        let _ = Format::guess(&input, None);
    }

    #[test]
    fn no_damage_to_a_good_input_crashes_a_reader(
        damage in vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        for (format, name) in [
            (Format::Vegeta, "targets.txt"),
            (Format::VegetaJson, "targets.jsonl"),
            (Format::Curl, "browser.sh"),
            (Format::OpenApi, "library.yaml"),
            (Format::Jmx, "shop.jmx"),
        ] {
            let mut input = std::fs::read(Path::new("tests/fixtures").join(name)).unwrap();
            for (place, byte) in &damage {
                let at = place.index(input.len());
                input[at] = *byte;
            }
            let _ = read(format, &input, Path::new("/nowhere"));
            input.truncate(cut.index(input.len()));
            let _ = read(format, &input, Path::new("/nowhere"));
        }
    }
}
