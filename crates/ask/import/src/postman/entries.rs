//! Names with values: headers, parameters, fields of a form, variables, what an authorization
//! needs. One list in all of Postman's formats, in three ways of writing it.

use super::lenient::{Flag, Text};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// A name with its value.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Entry {
    key: Text,
    /// The name of a variable, before it was called `key`; later a number of the entry.
    id: Text,
    pub value: Text,
    #[serde(rename = "type")]
    kind: Text,
    disabled: Flag,
    /// Used in environments instead of `disabled`.
    enabled: Option<Flag>,
}

impl Entry {
    pub fn name(&self) -> &str {
        match self.key.as_str() {
            "" => self.id.as_str(),
            key => key,
        }
    }

    pub fn is_on(&self) -> bool {
        !self.disabled.0 && self.enabled.is_none_or(|enabled| enabled.0)
    }

    /// Neither a name nor a value, as an editor leaves it.
    pub fn is_blank(&self) -> bool {
        self.name().is_empty() && self.value.as_str().is_empty()
    }

    /// Marked as one.
    pub fn is_secret(&self) -> bool {
        self.kind.as_str() == "secret"
    }
}

/// Names with values, as a list, as an object, or in one text.
#[derive(Debug, Clone)]
pub(super) enum Entries {
    Listed(Vec<Entry>),
    /// A query, or lines of headers.
    Written(String),
}

impl Default for Entries {
    fn default() -> Self {
        Self::Listed(Vec::new())
    }
}

impl Entries {
    /// Those of a list that are switched on.
    pub fn on(&self) -> impl Iterator<Item = &Entry> {
        let listed = match self {
            Self::Listed(list) => list.as_slice(),
            Self::Written(_) => &[],
        };
        listed.iter().filter(|entry| entry.is_on())
    }

    /// None is there, switched on or not.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Listed(list) => list.is_empty(),
            Self::Written(text) => text.is_empty(),
        }
    }
}

/// Values by their names, of a list that is asked again and again; of several with one name the
/// last counts, as Postman has it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(from = "Entries")]
pub(super) struct Named(HashMap<String, String>);

impl From<Entries> for Named {
    fn from(entries: Entries) -> Self {
        let pairs = entries.on().filter_map(|entry| {
            let value = entry.value.given()?;
            Some((entry.name().to_owned(), value.to_owned()))
        });
        Self(pairs.collect())
    }
}

impl Named {
    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyEntries;

        impl<'de> Visitor<'de> for AnyEntries {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of keys and values")
            }
            fn visit_str<E>(self, text: &str) -> Result<Entries, E> {
                Ok(Entries::Written(text.to_owned()))
            }
            // Beside the lists of an authorization there may be anything.
            fn visit_bool<E>(self, _: bool) -> Result<Entries, E> {
                Ok(Entries::default())
            }
            fn visit_i64<E>(self, _: i64) -> Result<Entries, E> {
                Ok(Entries::default())
            }
            fn visit_u64<E>(self, _: u64) -> Result<Entries, E> {
                Ok(Entries::default())
            }
            fn visit_f64<E>(self, _: f64) -> Result<Entries, E> {
                Ok(Entries::default())
            }
            fn visit_unit<E>(self) -> Result<Entries, E> {
                Ok(Entries::default())
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = list.next_element::<Option<Entry>>()? {
                    entries.extend(entry);
                }
                Ok(Entries::Listed(entries))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Entries, A::Error> {
                let map = BTreeMap::<String, Text>::deserialize(MapAccessDeserializer::new(map))?;
                let entry = |(key, value): (String, Text)| Entry {
                    key: key.into(),
                    value,
                    ..Entry::default()
                };
                Ok(Entries::Listed(map.into_iter().map(entry).collect()))
            }
        }

        deserializer.deserialize_any(AnyEntries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Vec<(String, Option<String>)> {
        let entries: Entries = serde_json::from_str(json).unwrap();
        let read = entries.on().map(|entry| {
            let value = entry.value.given().map(str::to_owned);
            (entry.name().to_owned(), value)
        });
        read.collect()
    }

    #[test]
    fn a_list_and_an_object_say_the_same() {
        let both = [("a", Some("1")), ("b", None)];
        let both = both.map(|(name, value)| (name.to_owned(), value.map(str::to_owned)));
        assert_eq!(
            read(r#"[{"key": "a", "value": 1}, null, {"key": "b", "value": null}]"#),
            both
        );
        assert_eq!(read(r#"{"a": "1", "b": null}"#), both);
        assert_eq!(read("null"), []);
    }

    #[test]
    fn what_is_switched_off_is_not_there() {
        let one = r#"[{"id": "a", "value": "x"}, {"key": "b", "disabled": true},
            {"key": "c", "enabled": false}, {"key": "d", "enabled": true, "id": "7"}]"#;
        let names: Vec<String> = read(one).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a", "d"]);
    }

    #[test]
    fn the_last_of_a_name_counts() {
        let two = r#"[{"key": "a", "value": "x"}, {"key": "a", "value": "y"},
            {"key": "a", "value": "z", "disabled": true}]"#;
        let named: Named = serde_json::from_str(two).unwrap();
        assert_eq!(named.get("a"), Some("y"));
        assert_eq!(named.get("b"), None);
        assert_eq!(named.iter().collect::<Vec<_>>(), [("a", "y")]);
    }
}
