//! Values as they are found in collections: what one program writes as a text another writes as a
//! number, as null, or as an object.

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;
use std::marker::PhantomData;

/// A text. Numbers and truth values are written out, lists and objects as JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Text(Option<String>);

impl Text {
    /// None for null, and where there is nothing.
    pub fn given(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// Empty for null, and where there is nothing.
    pub fn as_str(&self) -> &str {
        self.given().unwrap_or_default()
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(Some(text))
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyText;

        impl<'de> Visitor<'de> for AnyText {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }
            fn visit_str<E>(self, text: &str) -> Result<Text, E> {
                Ok(text.to_owned().into())
            }
            fn visit_string<E>(self, text: String) -> Result<Text, E> {
                Ok(text.into())
            }
            fn visit_bool<E>(self, value: bool) -> Result<Text, E> {
                Ok(value.to_string().into())
            }
            fn visit_i64<E>(self, value: i64) -> Result<Text, E> {
                Ok(value.to_string().into())
            }
            fn visit_u64<E>(self, value: u64) -> Result<Text, E> {
                Ok(value.to_string().into())
            }
            fn visit_f64<E>(self, value: f64) -> Result<Text, E> {
                Ok(value.to_string().into())
            }
            fn visit_unit<E>(self) -> Result<Text, E> {
                Ok(Text(None))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Text, A::Error> {
                let value = Value::deserialize(SeqAccessDeserializer::new(list))?;
                Ok(value.to_string().into())
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Text, A::Error> {
                let value = Value::deserialize(MapAccessDeserializer::new(map))?;
                Ok(value.to_string().into())
            }
        }

        deserializer.deserialize_any(AnyText)
    }
}

/// A switch; whatever says neither yes nor no is off.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Flag(pub bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Text::deserialize(deserializer)?;
        Ok(Self(matches!(text.as_str(), "true" | "1")))
    }
}

/// What is written either as one text or in its parts.
#[derive(Debug, Clone)]
pub(super) enum Either<T> {
    Text(String),
    Parts(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Either<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrParts<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for TextOrParts<T> {
            type Value = Either<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or its parts")
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Either::Text(text.to_owned()))
            }
            fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
                Ok(Either::Text(text))
            }
            fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
                Ok(Either::Text(value.to_string()))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
                Ok(Either::Text(value.to_string()))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
                Ok(Either::Text(value.to_string()))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
                Ok(Either::Text(value.to_string()))
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Either::Text(String::new()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
                T::deserialize(SeqAccessDeserializer::new(list)).map(Either::Parts)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Either::Parts)
            }
        }

        deserializer.deserialize_any(TextOrParts(PhantomData))
    }
}

/// Null is as good as nothing.
pub(super) fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_written_in_many_ways() {
        for (json, text) in [
            (r#""a""#, Some("a")),
            ("10", Some("10")),
            ("-1", Some("-1")),
            ("12.50", Some("12.5")),
            ("true", Some("true")),
            ("null", None),
            (r#"{"a": [1, null]}"#, Some(r#"{"a":[1,null]}"#)),
            ("[1]", Some("[1]")),
        ] {
            let read: Text = serde_json::from_str(json).unwrap();
            assert_eq!(read.given(), text, "{json}");
        }
    }

    #[test]
    fn a_flag_is_on_when_it_says_so() {
        for (json, on) in [
            ("true", true),
            (r#""true""#, true),
            ("1", true),
            ("false", false),
            ("null", false),
            (r#""no""#, false),
            ("{}", false),
        ] {
            let read: Flag = serde_json::from_str(json).unwrap();
            assert_eq!(read.0, on, "{json}");
        }
    }

    #[test]
    fn a_text_stands_in_the_place_of_its_parts() {
        let read = |json: &str| serde_json::from_str::<Either<Vec<Text>>>(json);
        assert!(matches!(read(r#""a.b""#), Ok(Either::Text(text)) if text == "a.b"));
        assert!(matches!(read(r#"["a", 1]"#), Ok(Either::Parts(parts)) if parts.len() == 2));
        assert!(matches!(read("8080"), Ok(Either::Text(text)) if text == "8080"));
        assert!(read(r#"{"a": 1}"#).is_err());
    }
}
