//! YAML as a tree in which every node knows its place in the text.

use super::problem::{Place, Problem};
use saphyr::{MarkedYaml, ScalarStyle, YamlData, YamlLoader};
use saphyr_parser::{Marker, Parser};

/// A node with its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub place: Place,
    pub value: Value,
}

/// What a node holds. Scalars keep their text: the field that takes one knows what it must be.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// Nothing was written.
    Null,
    Text(String),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Key {
    pub place: Place,
    pub name: String,
}

impl Node {
    /// For messages: what was found instead of what was expected.
    pub fn description(&self) -> String {
        match &self.value {
            Value::Null => "nothing".to_owned(),
            Value::Text(text) => format!("`{text}`"),
            Value::List(_) => "a list".to_owned(),
            Value::Map(_) => "a mapping".to_owned(),
        }
    }
}

/// Reads one document.
pub(super) fn parse(text: &str) -> Result<Node, Problem> {
    super::guard::check(text)?;
    let mut loader: YamlLoader<'_, MarkedYaml<'_>> = YamlLoader::default();
    // Scalars stay text: `250m` and `1` are told apart by the field, not by YAML's guesses.
    loader.early_parse(false);
    let loaded = Parser::new_from_str(text).load(&mut loader, true);
    if let Err(error) = loaded {
        return Err(Problem::syntax(place(error.marker()), error.info()));
    }
    if let Some(error) = loader.error() {
        return Err(Problem::syntax(place(error.marker()), error.info()));
    }
    let mut documents = loader.into_documents();
    match documents.len() {
        0 => Err(Problem::syntax(
            Place { line: 1, column: 1 },
            "the file is empty",
        )),
        1 => convert(&documents.remove(0)),
        _ => Err(Problem::syntax(
            place(&documents[1].span.start),
            "a second document begins here; an experiment is one document",
        )),
    }
}

pub(super) fn place(marker: &Marker) -> Place {
    Place {
        line: marker.line().max(1),
        column: marker.col() + 1,
    }
}

fn convert(yaml: &MarkedYaml<'_>) -> Result<Node, Problem> {
    let place = place(&yaml.span.start);
    let value = match &yaml.data {
        YamlData::Representation(text, ScalarStyle::Plain, _)
            if matches!(text.as_ref(), "" | "~" | "null") =>
        {
            Value::Null
        }
        YamlData::Representation(text, _, _) => Value::Text(text.to_string()),
        YamlData::Sequence(items) => {
            Value::List(items.iter().map(convert).collect::<Result<_, _>>()?)
        }
        YamlData::Mapping(entries) => Value::Map(
            entries
                .iter()
                .map(|(key, value)| Ok((convert_key(key)?, convert(value)?)))
                .collect::<Result<_, Problem>>()?,
        ),
        YamlData::Tagged(_, inner) => return convert(inner),
        YamlData::Value(_) | YamlData::Alias(_) | YamlData::BadValue => {
            return Err(Problem::syntax(place, "this cannot be read as YAML"));
        }
    };
    Ok(Node { place, value })
}

fn convert_key(key: &MarkedYaml<'_>) -> Result<Key, Problem> {
    let node = convert(key)?;
    match node.value {
        Value::Text(name) => Ok(Key {
            place: node.place,
            name,
        }),
        _ => Err(Problem::syntax(node.place, "a key must be a word")),
    }
}
