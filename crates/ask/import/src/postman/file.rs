//! The file of a collection, as far as it is looked at. Saved answers are not: they may be large,
//! and are not always text. <https://schema.postman.com/collection/json/v2.1.0/docs/index.html>

use super::entries::{Entries, Named};
use super::lenient::{Either, Flag, Text, or_default};
use crate::error::ImportError;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

/// A collection, or what is taken for one.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Collection {
    #[serde(deserialize_with = "or_default")]
    pub info: Info,
    #[serde(rename = "item")]
    items: Option<Vec<Item>>,
    pub auth: Option<Auth>,
    pub variable: Entries,
    #[serde(deserialize_with = "or_default")]
    pub event: Vec<Event>,
    #[serde(rename = "protocolProfileBehavior")]
    pub behaviour: Option<Behaviour>,
    /// As Postman's own interface answers.
    collection: Option<Box<Collection>>,
    /// Of version 1.
    requests: Option<IgnoredAny>,
    /// Of an environment.
    values: Option<IgnoredAny>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Info {
    pub name: Text,
    schema: Text,
}

/// A request, or a folder of some.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Item {
    pub name: Text,
    /// What is in a folder.
    #[serde(rename = "item")]
    pub items: Option<Vec<Item>>,
    pub request: Option<Box<Either<Request>>>,
    pub auth: Option<Box<Auth>>,
    pub variable: Entries,
    #[serde(deserialize_with = "or_default")]
    pub event: Vec<Event>,
    #[serde(rename = "protocolProfileBehavior")]
    pub behaviour: Option<Box<Behaviour>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Request {
    pub method: Text,
    pub url: Option<Either<Address>>,
    pub header: Entries,
    pub body: Option<Body>,
    pub auth: Option<Auth>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Address {
    pub raw: Text,
    pub protocol: Text,
    pub auth: Option<Login>,
    pub host: Option<Either<Vec<Text>>>,
    pub port: Text,
    pub path: Option<Either<Vec<Segment>>>,
    pub query: Entries,
    /// Values of the path's `:names`.
    pub variable: Named,
}

/// Before the `@` of an address.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Login {
    pub user: Text,
    pub password: Text,
}

/// Between two slashes.
pub(super) type Segment = Either<Valued>;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Valued {
    pub value: Text,
}

/// The kind, and below its name what it needs.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Auth {
    #[serde(rename = "type")]
    pub kind: Text,
    #[serde(flatten)]
    needs: BTreeMap<String, Named>,
}

impl Auth {
    /// What its kind needs.
    pub fn needs(&self) -> Option<&Named> {
        self.needs.get(self.kind.as_str())
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Body {
    pub mode: Text,
    pub raw: Text,
    pub urlencoded: Entries,
    #[serde(deserialize_with = "or_default")]
    pub formdata: Vec<Field>,
    pub graphql: Option<Either<GraphQl>>,
    pub file: Option<Either<FileBody>>,
    pub options: Option<Options>,
    pub disabled: Flag,
}

impl Body {
    /// Nothing would be sent of it.
    pub fn is_empty(&self) -> bool {
        self.disabled.0
            || match self.mode.as_str() {
                "raw" => self.raw.as_str().is_empty(),
                "urlencoded" => self.urlencoded.is_empty(),
                "formdata" => self.formdata.is_empty(),
                "graphql" => self.graphql.is_none(),
                "file" => self.file.is_none(),
                _ => true,
            }
    }
}

/// A field of a form in parts.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Field {
    pub key: Text,
    pub value: Text,
    #[serde(rename = "type")]
    pub kind: Text,
    /// A path, or several.
    pub src: Option<Either<Vec<Text>>>,
    pub content_type: Text,
    pub file_name: Text,
    pub disabled: Flag,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct GraphQl {
    pub query: Text,
    pub operation_name: Text,
    /// A text that holds JSON, or JSON.
    pub variables: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FileBody {
    pub src: Text,
    pub content: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Options {
    pub raw: Option<RawOptions>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RawOptions {
    pub language: Text,
}

/// A script, and when it runs.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Event {
    pub listen: Text,
    pub script: Option<Either<Script>>,
    pub disabled: Flag,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Script {
    /// Lines.
    pub exec: Option<Either<Vec<Text>>>,
}

/// How requests are sent, where it is not as usual.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Behaviour {
    pub disable_body_pruning: Option<Flag>,
    pub disable_cookies: Option<Flag>,
    pub disable_url_encoding: Option<Flag>,
    pub disabled_system_headers: Option<BTreeMap<String, Flag>>,
    pub follow_redirects: Option<Flag>,
    pub max_redirects: Text,
    #[serde(rename = "strictSSL")]
    pub strict_ssl: Option<Flag>,
}

impl Collection {
    /// Reads a file.
    ///
    /// # Errors
    /// When it is none, or one of a version that is not read.
    pub fn read(text: &str) -> Result<Self, ImportError> {
        if text.trim().is_empty() {
            return Err(ImportError::Empty {
                what: "the Postman collection",
                way_out: "export it again, as Collection v2.1",
            });
        }
        let mut file: Self = serde_json::from_str(text).map_err(|error| ImportError::Syntax {
            line: error.line() as u64,
            format: "a Postman collection",
            problem: error.to_string(),
        })?;
        let collection = match file.collection.take() {
            Some(inner) => *inner,
            None => file,
        };
        collection.check_version()?;
        Ok(collection)
    }

    pub fn items(&self) -> &[Item] {
        self.items.as_deref().unwrap_or_default()
    }

    fn check_version(&self) -> Result<(), ImportError> {
        let schema = self.info.schema.as_str();
        let version = schema.split_once("/collection/v").map(|(_, rest)| rest);
        if version.is_some_and(|version| !version.starts_with("2.")) {
            return Err(ImportError::Unsupported {
                what: "this is no version of Postman's collections that is read",
                way_out: "export it from Postman as Collection v2.1",
            });
        }
        if self.items.is_some() {
            return Ok(());
        }
        if self.requests.is_some() {
            return Err(ImportError::Unsupported {
                what: "this is a Postman collection of version 1",
                way_out: "import it into Postman and export it as Collection v2.1, or convert it with postman-collection-transformer",
            });
        }
        if self.values.is_some() {
            return Err(ImportError::Unsupported {
                what: "these are the values of a Postman environment, and no requests",
                way_out: "give the collection as --targets, and this as --environment",
            });
        }
        Err(ImportError::Syntax {
            line: 1,
            format: "a Postman collection",
            problem: "it has no list `item` of requests and folders".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_collection_of_version_2_says_what_to_do() {
        for (text, way_out) in [
            (
                r#"{"id": "1", "requests": [], "order": []}"#,
                "export it as Collection v2.1",
            ),
            (r#"{"name": "QA", "values": []}"#, "--environment"),
            (
                r#"{"info": {"schema": "https://schema.postman.com/collection/v3.0.0/"}, "item": []}"#,
                "Collection v2.1",
            ),
            ("{}", "`item`"),
            (r#"{"item": {}}"#, "line 1"),
            ("[", "line 1"),
        ] {
            let error = Collection::read(text).unwrap_err().to_string();
            assert!(error.contains(way_out), "{text}: {error}");
        }
    }

    #[test]
    fn answers_of_the_interface_hold_the_collection() {
        let read = Collection::read(r#"{"collection": {"item": [{"name": "a"}]}}"#).unwrap();
        assert_eq!(read.items().len(), 1);
    }

    #[test]
    fn null_is_as_good_as_nothing() {
        let read = Collection::read(
            r#"{"info": {"name": null}, "item": [{"name": null, "item": null, "request": null,
            "auth": null, "event": null, "variable": null, "protocolProfileBehavior": null},
            {"request": {"method": null, "url": null, "header": null, "body": null, "auth": null}},
            {"request": {"url": {"raw": null, "host": null, "path": [null], "query": null,
            "variable": null}, "body": {"mode": null, "formdata": null, "options": null}}}],
            "auth": null, "variable": null, "event": null, "protocolProfileBehavior": null}"#,
        );
        assert_eq!(read.unwrap().items().len(), 3);
    }
}
