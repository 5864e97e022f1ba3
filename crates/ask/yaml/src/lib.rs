//! YAML as a tree of bounded size in which every node has its line and column.
//!
//! Scalars keep their text: the reader of a value decides whether `1` is a number or a word, not
//! YAML's guesses. What an alias repeats is counted before it is copied, because anchors that refer
//! to anchors can double the size with each line. Nested brackets are limited, because each level
//! takes space on the stack.
//!
//! ```
//! use tacho_yaml::{Limits, Value, read};
//! let document = read("cpu: [250m]", &Limits { depth: 64, mib: 16 })?;
//! let Some(Value::Map(entries)) = document.root.map(|root| root.value) else { panic!() };
//! let (key, node) = &entries[0];
//! assert_eq!((key.name.as_str(), node.place.column), ("cpu", 6));
//! # Ok::<(), tacho_yaml::YamlError>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};
use std::collections::HashMap;
use std::fmt;

/// A place in the text, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column, in characters.
    pub column: usize,
}

/// A node with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it begins; for an alias, the position of the alias.
    pub place: Place,
    /// Written without quotes, so that `1` may be a number and `on` a boolean.
    pub is_plain: bool,
    /// What it holds.
    pub value: Value,
}

/// What a node holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing was written.
    Null,
    /// A scalar as it was written.
    Text(String),
    /// A list, in the order of the text.
    List(Vec<Node>),
    /// A mapping in its order; a key may come again.
    Map(Vec<(Key, Node)>),
}

/// A key of a mapping, always as text.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// Where it stands.
    pub place: Place,
    /// The word as text.
    pub name: String,
}

/// Limits for what is read.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Most levels of lists and mappings within each other.
    pub depth: usize,
    /// Size of the tree, including what aliases repeat, roughly; MiB.
    pub mib: usize,
}

/// What stands in a text.
#[derive(Debug)]
pub struct Document {
    /// The first document; `None` when there is none.
    pub root: Option<Node>,
    /// Where a second one begins. It is not read.
    pub second: Option<Place>,
}

/// Why a text cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum YamlError {
    /// It is no YAML.
    #[error("{place}: {problem}")]
    Syntax {
        /// Line and column of the fault.
        place: Place,
        /// What is wrong.
        problem: String,
    },
    /// Nested beyond reason.
    #[error("{place}: lists and mappings are nested deeper than {depth}")]
    TooDeep {
        /// Line and column at which the limit is passed.
        place: Place,
        /// Levels that are allowed.
        depth: usize,
    },
    /// Small text, huge tree.
    #[error("{place}: with its aliases expanded, the text takes more than {mib} MiB; use fewer")]
    TooLarge {
        /// Line and column of the alias that passes the limit.
        place: Place,
        /// The limit in MiB.
        mib: usize,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl Place {
    fn of(marker: &Marker) -> Self {
        Self {
            line: marker.line().max(1),
            column: marker.col() + 1,
        }
    }
}

impl Node {
    /// Its items, when it is a list; else the node as it is.
    ///
    /// # Errors
    /// With the node.
    pub fn into_list(self) -> Result<Vec<Self>, Self> {
        match self.value {
            Value::List(items) => Ok(items),
            value => Err(Self { value, ..self }),
        }
    }

    /// For messages: what was found instead of what was expected.
    #[must_use]
    pub fn description(&self) -> String {
        match &self.value {
            Value::Null => "nothing".to_owned(),
            Value::Text(text) => format!("`{text}`"),
            Value::List(_) => "a list".to_owned(),
            Value::Map(_) => "a mapping".to_owned(),
        }
    }
}

/// Reads the first document of a text.
///
/// # Errors
/// With the place: what is no YAML, or beyond the limits.
pub fn read(text: &str, limits: &Limits) -> Result<Document, YamlError> {
    let mut tree = Tree::new(limits);
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| YamlError::Syntax {
            place: Place::of(error.marker()),
            problem: error.info().to_owned(),
        })?;
        let place = Place::of(&span.start);
        match event {
            Event::DocumentStart(_) if documents > 0 => {
                return Ok(Document {
                    root: tree.root,
                    second: Some(place),
                });
            }
            Event::DocumentStart(_) => documents += 1,
            event => tree.take(event, place)?,
        }
    }
    Ok(Document {
        root: tree.root,
        second: None,
    })
}

/// Approximate size of a node with its place, without its text; bytes.
const NODE: usize = 256;

/// A list or mapping that is not closed yet.
struct Open {
    anchor: usize,
    node: Node,
    /// A key that was read and still has no value.
    key: Option<Key>,
    /// Bytes of the tree before it.
    bytes: usize,
    /// Depth of what is in it.
    depth: usize,
}

/// What an alias can repeat.
struct Anchored {
    node: Node,
    bytes: usize,
    depth: usize,
}

struct Tree<'a> {
    limits: &'a Limits,
    root: Option<Node>,
    open: Vec<Open>,
    anchors: HashMap<usize, Anchored>,
    bytes: usize,
}

impl<'a> Tree<'a> {
    fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            root: None,
            open: Vec::new(),
            anchors: HashMap::new(),
            bytes: 0,
        }
    }

    fn take(&mut self, event: Event<'_>, place: Place) -> Result<(), YamlError> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let bytes = NODE + text.len();
                self.add(bytes, place)?;
                let is_plain = style == ScalarStyle::Plain && tag.is_none();
                let is_key = matches!(
                    self.open.last(),
                    Some(Open {
                        node: Node {
                            value: Value::Map(_),
                            ..
                        },
                        key: None,
                        ..
                    })
                );
                let value = match text.as_ref() {
                    "" | "~" | "null" if style == ScalarStyle::Plain && !is_key => Value::Null,
                    text => Value::Text(text.to_owned()),
                };
                let node = Node {
                    place,
                    is_plain,
                    value,
                };
                self.put(node, anchor, bytes, 0)
            }
            Event::SequenceStart(anchor, _) => self.begin(anchor, Value::List(Vec::new()), place),
            Event::MappingStart(anchor, _) => self.begin(anchor, Value::Map(Vec::new()), place),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(open) => {
                    let bytes = self.bytes.saturating_sub(open.bytes);
                    self.put(open.node, open.anchor, bytes, open.depth + 1)
                }
                None => Ok(()),
            },
            Event::Alias(anchor) => {
                let Some(anchored) = self.anchors.get(&anchor) else {
                    return Err(wrong(place, "it refers to something that contains it"));
                };
                let (bytes, depth) = (anchored.bytes, anchored.depth);
                self.deep(depth, place)?;
                self.add(bytes, place)?;
                match self.anchors.get(&anchor) {
                    Some(anchored) => {
                        let node = anchored.node.clone();
                        self.attach(Node { place, ..node }, depth)
                    }
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn begin(&mut self, anchor: usize, value: Value, place: Place) -> Result<(), YamlError> {
        let bytes = self.bytes;
        self.deep(1, place)?;
        self.add(NODE, place)?;
        self.open.push(Open {
            anchor,
            node: Node {
                place,
                is_plain: false,
                value,
            },
            key: None,
            bytes,
            depth: 0,
        });
        Ok(())
    }

    /// Adds a node. A node with an anchor is also copied, for its aliases.
    fn put(
        &mut self,
        node: Node,
        anchor: usize,
        bytes: usize,
        depth: usize,
    ) -> Result<(), YamlError> {
        if anchor != 0 {
            self.add(bytes, node.place)?;
            let node = node.clone();
            self.anchors.insert(anchor, Anchored { node, bytes, depth });
        }
        self.attach(node, depth)
    }

    fn attach(&mut self, node: Node, depth: usize) -> Result<(), YamlError> {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        open.depth = open.depth.max(depth);
        match &mut open.node.value {
            Value::List(items) => items.push(node),
            Value::Map(entries) => match (open.key.take(), node.value) {
                (Some(key), value) => entries.push((key, Node { value, ..node })),
                (None, Value::Text(name)) => {
                    open.key = Some(Key {
                        place: node.place,
                        name,
                    });
                }
                _ => return Err(wrong(node.place, "a key must be a word")),
            },
            Value::Null | Value::Text(_) => {}
        }
        Ok(())
    }

    fn deep(&self, more: usize, place: Place) -> Result<(), YamlError> {
        let depth = self.limits.depth;
        if self.open.len() + more > depth {
            return Err(YamlError::TooDeep { place, depth });
        }
        Ok(())
    }

    fn add(&mut self, bytes: usize, place: Place) -> Result<(), YamlError> {
        self.bytes = self.bytes.saturating_add(bytes);
        let mib = self.limits.mib;
        if self.bytes > mib << 20 {
            return Err(YamlError::TooLarge { place, mib });
        }
        Ok(())
    }
}

fn wrong(place: Place, problem: &str) -> YamlError {
    YamlError::Syntax {
        place,
        problem: problem.to_owned(),
    }
}

#[cfg(test)]
mod tests;
