//! Events, as lines of the reader.

use crate::names;
use serde_json::Value;

/// One event of a flight recording. Its fields are read each as what it has to be; `a.b` names the
/// field `b` of what is in the field `a`.
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

    /// 0 to 1; the JVM rounds to a little more now and then.
    pub(crate) fn share(&self, name: &str) -> Option<f64> {
        let share = self.field(name)?.as_f64()?;
        Some(share.clamp(0.0, 1.0))
    }

    /// Absent is no.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.field(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// A name, or what somebody wrote.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.field(name)?.as_str()
    }

    /// Events of threads without Java frames have no stack.
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
    // Cheaper than to parse each line twice; an event's line begins with its name.
    line.starts_with("{\"end\"")
}
