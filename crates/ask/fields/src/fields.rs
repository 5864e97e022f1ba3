//! Takes the fields of a mapping one by one. A key that was not taken is reported as unknown.

use crate::{Place, Problem};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::str::FromStr;
use std::time::Duration;
use tacho_quantity::{Count, QuantityError, nearest};
use tacho_yaml::{Key, Node, Value};

/// All problems found so far. Reading continues after a problem, so that one run reports all of
/// them.
#[derive(Debug, Default)]
pub struct Problems(RefCell<Vec<Problem>>);

impl Problems {
    /// Adds one.
    pub fn add(&self, place: Place, message: impl Into<String>) {
        self.0.borrow_mut().push(Problem {
            place,
            message: message.into(),
        });
    }

    /// In the order of the text.
    #[must_use]
    pub fn into_sorted(self) -> Vec<Problem> {
        let mut problems = self.0.into_inner();
        problems.sort_by_key(|p| p.place);
        problems
    }
}

/// The fields of one mapping.
#[derive(Debug)]
pub struct Fields<'p> {
    /// For messages: `a phase`, `the subject`.
    what: &'static str,
    /// Where the mapping begins.
    pub place: Place,
    entries: Vec<(Key, Node)>,
    /// Every key that was asked for: the list that suggestions are made from.
    known: Vec<&'static str>,
    /// Collects the problems.
    pub problems: &'p Problems,
}

impl<'p> Fields<'p> {
    /// The node's fields, or a problem when it is no mapping.
    pub fn of(node: Node, what: &'static str, problems: &'p Problems) -> Option<Self> {
        let found = node.description();
        let entries = match node.value {
            Value::Map(entries) => entries,
            Value::Null => Vec::new(),
            _ => {
                problems.add(
                    node.place,
                    format!("{what} must be a mapping of keys to values, not {found}"),
                );
                return None;
            }
        };
        Some(Self {
            what,
            place: node.place,
            entries,
            known: Vec::new(),
            problems,
        })
    }

    /// Takes the node under a key; a second call returns `None`. Null counts as absent.
    pub fn take(&mut self, key: &'static str) -> Option<Node> {
        self.known.push(key);
        let index = self.entries.iter().position(|(k, _)| k.name == key)?;
        let (_, node) = self.entries.remove(index);
        (node.value != Value::Null).then_some(node)
    }

    /// True when the key stands there with a value, whatever it is. Null counts as absent.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        let mut entries = self.entries.iter();
        entries.any(|(k, node)| k.name == key && node.value != Value::Null)
    }

    /// A word with its place.
    pub fn text(&mut self, key: &'static str) -> Option<(Place, String)> {
        let node = self.take(key)?;
        self.text_of(node, key)
    }

    /// A node as a word.
    #[must_use]
    pub fn text_of(&self, node: Node, key: &str) -> Option<(Place, String)> {
        match node.value {
            Value::Text(text) => Some((node.place, text)),
            _ => {
                self.problems.add(
                    node.place,
                    format!("`{key}` must be a word, not {}", node.description()),
                );
                None
            }
        }
    }

    /// A list of words; a single word is a list of one.
    pub fn texts(&mut self, key: &'static str) -> Vec<String> {
        let Some(node) = self.take(key) else {
            return Vec::new();
        };
        let items = node.into_list().unwrap_or_else(|node| vec![node]);
        let texts = items.into_iter().filter_map(|item| self.text_of(item, key));
        texts.map(|(_, text)| text).collect()
    }

    /// A word, converted by a function; `expected` lists the words that are allowed.
    pub fn one_of<T>(
        &mut self,
        key: &'static str,
        expected: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let (place, word) = self.text(key)?;
        let value = read(&word);
        if value.is_none() {
            self.problems
                .add(place, format!("`{key}` must be {expected}, not `{word}`"));
        }
        value
    }

    /// A count. One that is too large for a `u32` becomes the largest `u32`.
    pub fn count(&mut self, key: &'static str) -> Option<u32> {
        let Count(count) = self.quantity(key)?;
        Some(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// A mapping of words to words.
    pub fn words(&mut self, key: &'static str) -> BTreeMap<String, String> {
        self.pairs(key).into_iter().collect()
    }

    /// A mapping of words to words in its order.
    pub fn pairs(&mut self, key: &'static str) -> Vec<(String, String)> {
        let Some(node) = self.take(key) else {
            return Vec::new();
        };
        match node.value {
            Value::Map(entries) => entries
                .into_iter()
                .filter_map(|(k, v)| match v.value {
                    Value::Null => Some((k.name, String::new())),
                    _ => self.text_of(v, &k.name).map(|(_, text)| (k.name, text)),
                })
                .collect(),
            _ => {
                self.problems.add(
                    node.place,
                    format!(
                        "`{key}` must be a mapping of names to values, not {}",
                        node.description()
                    ),
                );
                Vec::new()
            }
        }
    }

    /// A quantity such as `10s` or `256MiB`.
    pub fn quantity<T: FromStr<Err = QuantityError>>(&mut self, key: &'static str) -> Option<T> {
        self.placed(key).map(|(_, value)| value)
    }

    /// A time, which may be 0.
    pub fn duration(&mut self, key: &'static str) -> Option<Duration> {
        self.quantity::<tacho_quantity::Duration>(key)
            .map(|duration| duration.0)
    }

    /// As [`Self::quantity`], with its place, for errors that concern several keys together.
    pub fn placed<T: FromStr<Err = QuantityError>>(
        &mut self,
        key: &'static str,
    ) -> Option<(Place, T)> {
        let node = self.take(key)?;
        self.quantity_of(node, key)
    }

    /// A node as a quantity.
    #[must_use]
    pub fn quantity_of<T: FromStr<Err = QuantityError>>(
        &self,
        node: Node,
        key: &str,
    ) -> Option<(Place, T)> {
        let (place, text) = self.text_of(node, key)?;
        match text.parse() {
            Ok(value) => Some((place, value)),
            Err(error) => {
                self.problems.add(place, said(key, &error));
                None
            }
        }
    }

    /// As [`Self::quantity`], and a problem when it is absent.
    pub fn required<T: FromStr<Err = QuantityError>>(
        &mut self,
        key: &'static str,
        example: &str,
    ) -> Option<T> {
        self.required_placed(key, example).map(|(_, value)| value)
    }

    /// As [`Self::placed`], and a problem when it is absent.
    pub fn required_placed<T: FromStr<Err = QuantityError>>(
        &mut self,
        key: &'static str,
        example: &str,
    ) -> Option<(Place, T)> {
        let node = self.required_node(key, example)?;
        self.quantity_of(node, key)
    }

    /// As [`Self::take`], and a problem when it is absent.
    pub fn required_node(&mut self, key: &'static str, example: &str) -> Option<Node> {
        let node = self.take(key);
        if node.is_none() {
            self.problems.add(
                self.place,
                format!(
                    "{} needs `{key}`, for example `{key}: {example}`",
                    self.what
                ),
            );
        }
        node
    }

    /// Ends the reading. Every key that was not asked for is reported as unknown.
    pub fn finish(self) {
        for (key, _) in &self.entries {
            let hint = hint(&key.name, &format!("{} knows", self.what), &self.known);
            self.problems.add(
                key.place,
                format!("unknown key `{}` in {}; {hint}", key.name, self.what),
            );
        }
    }
}

/// Suggests the word that was probably meant, or lists all words.
#[must_use]
pub fn hint(word: &str, all: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()).first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("{all}: {}", known.join(", ")),
    }
}

/// The items of a list; `key` needs one, such as `example`.
#[must_use]
pub fn items(node: Node, key: &str, example: &str, problems: &Problems) -> Option<Vec<Node>> {
    match node.into_list() {
        Ok(items) => Some(items),
        Err(node) => {
            problems.add(
                node.place,
                format!("`{key}` must be a list, for example `{example}`"),
            );
            None
        }
    }
}

/// What is wrong with a quantity, and what it must be.
#[must_use]
pub fn said(key: &str, error: &QuantityError) -> String {
    let QuantityError {
        found,
        slip,
        expected,
    } = error;
    format!("`{key}` must be {expected}, not `{found}`, which {slip}")
}
