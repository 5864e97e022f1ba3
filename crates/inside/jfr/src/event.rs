//! Events, as lines of the reader.

use crate::names;
use serde_json::Value;

/// One event of a flight recording. Each field is read as the type that it must have. `a.b` names
/// the field `b` within the field `a`.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// As the JVM calls it: `jdk.GarbageCollection`.
    pub kind: String,
    fields: Value,
}

impl Event {
    /// Parses a line of the reader; `None` when it is no event.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let mut line: Value = serde_json::from_str(line).ok()?;
        Some(Self {
            fields: line.get_mut("fields")?.take(),
            kind: line["event"].as_str()?.to_owned(),
        })
    }

    fn field(&self, name: &str) -> Option<&Value> {
        let mut names = name.split('.');
        names.try_fold(&self.fields, |inside, name| inside.get(name))
    }

    /// A count, or nanoseconds, or bytes.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u64> {
        self.field(name)?.as_u64()
    }

    /// 0 to 1. The JVM sometimes rounds to slightly more.
    pub(crate) fn share(&self, name: &str) -> Option<f64> {
        let share = self.field(name)?.as_f64()?;
        Some(share.clamp(0.0, 1.0))
    }

    /// False if absent.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.field(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// A name, or what somebody wrote.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.field(name)?.as_str()
    }

    /// Empty for threads without Java frames.
    pub(crate) fn frames(&self) -> Vec<String> {
        let frames = self.field("stackTrace").and_then(Value::as_array);
        frames
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(names::frame)
            .collect()
    }
}

/// The last line of a whole stream.
pub fn is_end(line: &str) -> bool {
    // Cheaper than parsing each line twice. Lines of events begin with the event's name.
    line.starts_with("{\"end\"")
}
