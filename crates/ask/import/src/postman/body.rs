//! The body of a request, in each of the ways in which Postman has one.

use super::comments::without_comments;
use super::entries::Entries;
use super::file::{Body as Written, FileBody, GraphQl};
use super::filling::{Filling, has_missing};
use super::left_out::{LeftOut, Stop};
use super::lenient::Either;
use super::made::{is_made_anew, template};
use super::parts;
use crate::file::below;
use crate::form;
use crate::note::shorten;
use crate::template::Template;
use serde::de::IgnoredAny;
use std::path::Path;
use tacho_workload::Body;

const JSON: &str = "application/json";

/// A body, and the type of its content where its kind says one.
#[derive(Debug, PartialEq)]
pub(super) struct Content {
    pub body: Body,
    pub content_type: Option<String>,
    /// The type contains the boundary of the parts, so no other type can be used.
    pub is_parts: bool,
}

impl Content {
    pub fn none() -> Self {
        Self {
            body: Body::None,
            content_type: None,
            is_parts: false,
        }
    }

    fn of(template: &Template, content_type: &str) -> Self {
        let body = match template.as_text() {
            Some("") => return Self::none(),
            Some(text) => Body::Bytes(text.as_bytes().to_vec()),
            None => Body::Template(template.finish()),
        };
        Self {
            body,
            content_type: Some(content_type.to_owned()),
            is_parts: false,
        }
    }
}

/// Reads a body.
pub(super) fn read(
    written: &Written,
    base_dir: &Path,
    filling: &mut Filling<'_, '_>,
) -> Result<Content, Stop> {
    if written.disabled.0 {
        return Ok(Content::none());
    }
    match written.mode.as_str() {
        "" | "none" => Ok(Content::none()),
        "raw" => {
            let filled = filling.fill(written.raw.as_str())?;
            let language = language(written);
            let text = match language {
                JSON => without_comments(&filled),
                _ => filled.into(),
            };
            Ok(Content::of(&template(&text, str::to_owned), language))
        }
        "urlencoded" => fields(written, filling),
        "formdata" => parts::read(&written.formdata, base_dir, filling),
        "graphql" => graphql(written.graphql.as_ref(), filling),
        "file" => file(written.file.as_ref(), base_dir, filling),
        other => Err(LeftOut::BodyKind(shorten(other, 40)).into()),
    }
}

/// The type of a raw body; where no language was chosen it is text.
fn language(written: &Written) -> &'static str {
    let raw = written.options.as_ref().and_then(|o| o.raw.as_ref());
    match raw.map(|raw| raw.language.as_str()).unwrap_or_default() {
        "json" => JSON,
        "xml" => "application/xml",
        "html" => "text/html",
        "javascript" => "application/javascript",
        _ => "text/plain",
    }
}

fn fields(written: &Written, filling: &mut Filling<'_, '_>) -> Result<Content, Stop> {
    if let Entries::Written(text) = &written.urlencoded {
        let filled = filling.fill(text)?;
        return Ok(Content::of(
            &template(&filled, str::to_owned),
            form::URLENCODED,
        ));
    }
    let mut body = Template::default();
    for entry in written.urlencoded.on().filter(|entry| !entry.is_blank()) {
        if !body.is_empty() {
            body.push_text("&");
        }
        let encode = |text: &str| form::encode(text.as_bytes());
        body.append(&template(&filling.fill(entry.name())?, encode));
        body.push_text("=");
        body.append(&template(&filling.fill(entry.value.as_str())?, encode));
    }
    Ok(Content::of(&body, form::URLENCODED))
}

/// The variables are a text that holds JSON, and go into the body as JSON.
fn graphql(
    written: Option<&Either<GraphQl>>,
    filling: &mut Filling<'_, '_>,
) -> Result<Content, Stop> {
    let parts = match written {
        None => return Ok(Content::none()),
        Some(Either::Text(text)) => {
            let filled = filling.fill(text)?;
            return Ok(Content::of(&template(&filled, str::to_owned), JSON));
        }
        Some(Either::Parts(parts)) => parts,
    };
    let mut body = Template::from("{\"query\":\"");
    body.append(&template(
        &filling.fill(parts.query.as_str())?,
        json_content,
    ));
    body.push_text("\"");
    let operation = parts.operation_name.as_str();
    if !operation.is_empty() {
        body.push_text(",\"operationName\":\"");
        body.append(&template(&filling.fill(operation)?, json_content));
        body.push_text("\"");
    }
    let variables = filling.fill(parts.variables.as_str())?;
    if !variables.trim().is_empty() {
        let is_known = !has_missing(&variables) && !is_made_anew(&variables);
        let is_json = || serde_json::from_str::<IgnoredAny>(&variables).is_ok();
        if is_known && !is_json() {
            return Err(LeftOut::GraphQlVariables.into());
        }
        body.push_text(",\"variables\":");
        body.append(&template(variables.trim(), str::to_owned));
    }
    body.push_text("}");
    Ok(Content::of(&body, JSON))
}

/// Between the quotes of a JSON text.
fn json_content(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn file(
    written: Option<&Either<FileBody>>,
    base_dir: &Path,
    filling: &mut Filling<'_, '_>,
) -> Result<Content, Stop> {
    let name = match written {
        Some(Either::Parts(file)) if file.src.as_str().is_empty() => {
            // What was typed in place of a file.
            let filled = filling.fill(file.content.as_str())?;
            let text = template(&filled, str::to_owned);
            return match text.is_empty() {
                true => Err(LeftOut::NoFileNamed.into()),
                false => Ok(Content::of(&text, "text/plain")),
            };
        }
        Some(Either::Parts(file)) => file.src.as_str(),
        Some(Either::Text(name)) => name,
        None => "",
    };
    let name = file_name(name, filling)?;
    let path = below(base_dir, &name).map_err(|why| LeftOut::File {
        name: shorten(&name, 80),
        why,
    })?;
    Ok(Content {
        body: Body::File(path),
        content_type: None,
        is_parts: false,
    })
}

/// The name of a file, which has to be known before the load.
pub(super) fn file_name(written: &str, filling: &mut Filling<'_, '_>) -> Result<String, Stop> {
    let name = filling.fill(written)?;
    match name.as_str() {
        "" => Err(LeftOut::NoFileNamed.into()),
        made if is_made_anew(made) => Err(LeftOut::MadeFile(shorten(made, 80)).into()),
        _ => Ok(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allowance::Allowance;
    use crate::postman::environment::Environment;
    use crate::postman::scripts::Scripts;
    use crate::postman::variables::Variables;
    use serde_json::{Value, json};

    fn body_in(folder: &Path, written: Value) -> Result<Content, String> {
        let written: Written = serde_json::from_value(written).unwrap();
        let environments = [Environment::read(br#"{"n": 7, "quote": "say \"x\""}"#).unwrap()];
        let variables = Variables::new(&environments);
        let (scripts, mut allowance) = (Scripts::default(), Allowance::default());
        let mut filling = Filling::new(&variables, &scripts, &mut allowance, "Orders");
        read(&written, folder, &mut filling).map_err(|stop| stop.to_string())
    }

    /// The type and the text.
    fn body(written: Value) -> (String, String) {
        let content = body_in(Path::new("/nowhere"), written).unwrap();
        let text = match content.body {
            Body::None => String::new(),
            Body::Bytes(bytes) => String::from_utf8(bytes).unwrap(),
            Body::Template(text) => format!("template {text}"),
            other => panic!("{other:?}"),
        };
        (content.content_type.unwrap_or_default(), text)
    }

    #[test]
    fn each_kind_has_its_type_and_its_text() {
        let raw = |language: &str| json!({"raw": {"language": language}});
        for (written, kind, text) in [
            (json!({}), "", ""),
            (json!({"mode": "raw", "raw": ""}), "", ""),
            (json!({"mode": "raw", "raw": "x", "disabled": true}), "", ""),
            (json!({"mode": "raw", "raw": "{{n}}"}), "text/plain", "7"),
            (
                json!({"mode": "raw", "raw": "{{{\"n\": {{n}}}", "options": raw("json")}),
                "application/json",
                "{{{\"n\": 7}",
            ),
            (
                json!({"mode": "raw", "raw": "{ // {{n}}\n}", "options": raw("json")}),
                "application/json",
                "{ \n}",
            ),
            (
                json!({"mode": "raw", "raw": "// {{n}}"}),
                "text/plain",
                "// 7",
            ),
            (
                json!({"mode": "raw", "raw": {"a": "{{n}}"}, "options": raw("json")}),
                "application/json",
                "{\"a\":\"7\"}",
            ),
            (
                json!({"mode": "raw", "raw": "{{}}{{$guid}}", "options": raw("xml")}),
                "application/xml",
                "template {{\"{{\"}}}}{{uuid}}",
            ),
            (
                json!({"mode": "urlencoded", "urlencoded": [{"key": "a b", "value": "{{quote}}"},
                    {"key": "c", "value": null}, {"key": "d", "value": "x", "disabled": true}]}),
                form::URLENCODED,
                "a%20b=say%20%22x%22&c=",
            ),
            (
                json!({"mode": "urlencoded", "urlencoded": {"a": "x{{$timestamp}} y"}}),
                form::URLENCODED,
                "template a=x{{now s}}%20y",
            ),
            (
                json!({"mode": "urlencoded", "urlencoded": "a=b&c={{n}}"}),
                form::URLENCODED,
                "a=b&c=7",
            ),
            (
                json!({"mode": "file", "file": {"content": "typed"}}),
                "text/plain",
                "typed",
            ),
        ] {
            let (read_kind, read_text) = body(written.clone());
            assert_eq!(
                (read_kind.as_str(), read_text.as_str()),
                (kind, text),
                "{written}"
            );
        }
    }

    #[test]
    fn variables_of_graphql_go_in_as_json() {
        let graphql = |graphql: Value| json!({"mode": "graphql", "graphql": graphql});
        for (written, text) in [
            (
                json!({"query": "{ a }", "variables": ""}),
                r#"{"query":"{ a }"}"#,
            ),
            (
                json!({"query": "q(\"{{quote}}\")", "operationName": "x",
                    "variables": "{\"n\": {{n}}}"}),
                r#"{"query":"q(\"say \"x\"\")","operationName":"x","variables":{"n": 7}}"#,
            ),
            (
                json!({"query": "", "operationName": null, "variables": {"n": "{{n}}"}}),
                r#"{"query":"","variables":{"n":"7"}}"#,
            ),
            (
                json!({"query": "a", "variables": "{\"id\": \"{{$guid}}\"}"}),
                r#"template {"query":"a","variables":{"id": "{{uuid}}"}}"#,
            ),
        ] {
            let (kind, read) = body(graphql(written.clone()));
            assert_eq!(
                (kind.as_str(), read.as_str()),
                ("application/json", text),
                "{written}"
            );
        }
        let broken = graphql(json!({"query": "a", "variables": "{n}"}));
        assert!(
            body_in(Path::new("/"), broken)
                .unwrap_err()
                .contains("no JSON")
        );
    }

    #[test]
    fn files_are_taken_from_below_the_folder_alone() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.pdf"), [0xff, 0]).unwrap();
        let file = |name: &str| json!({"mode": "file", "file": {"src": name}});
        let content = body_in(folder.path(), file("./a.pdf")).unwrap();
        assert_eq!(content.body, Body::File(folder.path().join("a.pdf")));
        for (written, told) in [
            (file("/etc/passwd"), "is not below the folder"),
            (file("../x"), "is not below the folder"),
            (file("none"), "is not there"),
            (file(""), "which one is not in the collection"),
            (file("{{$guid}}"), "made anew"),
            (
                json!({"mode": "file"}),
                "which one is not in the collection",
            ),
            (json!({"mode": "smoke"}), "`smoke`, which is not known"),
        ] {
            let refused = body_in(folder.path(), written.clone()).unwrap_err();
            assert!(refused.contains(told), "{written}: {refused}");
        }
    }

    #[test]
    fn parts_are_texts_and_files() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.txt"), "hello {{no template}}").unwrap();
        std::fs::write(folder.path().join("b.bin"), [0xff]).unwrap();
        let form = |fields: Value| json!({"mode": "formdata", "formdata": fields});
        let content = body_in(
            folder.path(),
            form(json!([
                {"key": "n", "value": "{{n}}", "type": "text", "contentType": "text/x"},
                {"key": "f", "type": "file", "src": ["a.txt", "b.bin"], "fileName": "c"},
                {"key": "off", "type": "file", "src": "/etc/passwd", "disabled": true}
            ])),
        )
        .unwrap();
        assert!(content.is_parts);
        let Body::Bytes(bytes) = content.body else {
            panic!("{:?}", content.body)
        };
        let text = String::from_utf8_lossy(&bytes);
        for part in [
            "name=\"n\"\r\nContent-Type: text/x\r\n\r\n7\r\n",
            "name=\"f\"; filename=\"c\"\r\nContent-Type: text/plain\r\n\r\nhello {{no template}}",
            "Content-Type: application/octet-stream\r\n\r\n\u{fffd}\r\n",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let made = |file: &str| {
            form(
                json!([{"key": "id", "value": "{{$guid}}"}, {"key": "f", "type": "file",
                "src": file}]),
            )
        };
        let Body::Template(text) = body_in(folder.path(), made("a.txt")).unwrap().body else {
            panic!("a template")
        };
        assert!(
            text.contains("{{uuid}}") && text.contains("{{\"{{\"}}no template}}"),
            "{text}"
        );
        let refused = body_in(folder.path(), made("b.bin")).unwrap_err();
        assert!(refused.contains("`b.bin` cannot be combined"), "{refused}");
        let nameless = form(json!([{"key": "f", "type": "file", "src": null}]));
        assert!(body_in(folder.path(), nameless).is_err());
        let none = body_in(folder.path(), form(json!([]))).unwrap();
        assert_eq!(none, Content::none());
    }
}
