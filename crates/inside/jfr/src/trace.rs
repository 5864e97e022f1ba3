//! Calls of chosen methods, each with its time and its caller, by the JVM itself (JEP 520, from JDK
//! 25 on).

use crate::event::Event;
use crate::reader::{JfrError, Lines, Reading, read_lines};
use std::fmt::Write as _;

const EVENT: &str = "jdk.MethodTrace";
/// Callers that are kept: the next traced method is seldom further away.
const FRAMES: u32 = 32;

/// A call that has ended, with an exception or without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedCall {
    /// The method that was called: `package.Class.method`.
    pub method: String,
    /// Its callers, the nearest first: `package.Class.method:line`.
    pub callers: Vec<String>,
    /// With everything that it called.
    pub duration_ns: u64,
}

/// Settings of a recording of every call of these methods (`package.Class.method`, constructors as
/// `<init>`).
#[must_use]
pub fn trace_settings<'m>(methods: impl IntoIterator<Item = &'m str>) -> String {
    let mut filter = String::new();
    for method in methods {
        let Some((class, name)) = method.rsplit_once('.') else {
            continue;
        };
        let between = if filter.is_empty() { "" } else { ";" };
        let _ = write!(filter, "{between}{}::{}", escaped(class), escaped(name));
    }
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0" label="Tacho: trace" description="Calls of the methods that cost most" provider="Tacho">
  <event name="{EVENT}">
    <setting name="enabled">true</setting>
    <setting name="filter">{filter}</setting>
    <setting name="threshold">0 ms</setting>
    <setting name="stackTrace">true</setting>
  </event>
</configuration>
"#
    )
}

fn escaped(name: &str) -> String {
    name.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Gives every traced call of a recording to `take`. Returns how many lines were not understood.
///
/// # Errors
/// When there is no recording, or nobody who can read it.
pub fn read_calls(
    reading: &Reading<'_>,
    take: &mut dyn FnMut(TracedCall),
) -> Result<u64, JfrError> {
    let mut unread = 0;
    let lines = Lines {
        kinds: &[EVENT],
        frames: FRAMES,
    };
    read_lines(reading, &lines, &mut |line| match parse_call(line) {
        Some(call) => take(call),
        None => unread += 1,
    })?;
    Ok(unread)
}

/// Parses a line of the reader; `None` when it is no traced call, or lacks what one has.
#[must_use]
pub fn parse_call(line: &str) -> Option<TracedCall> {
    let event = Event::parse(line).filter(|event| event.kind == EVENT)?;
    Some(TracedCall {
        method: event.text("method")?.to_owned(),
        callers: event.frames(),
        duration_ns: event.number("duration")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constructors_are_named_as_xml_wants_it() {
        let settings = trace_settings(["shop.A.b", "shop.C$D.<init>", "nothing"]);
        assert!(
            settings.contains(r#""filter">shop.A::b;shop.C$D::&lt;init&gt;</"#),
            "{settings}"
        );
    }

    #[test]
    fn calls_have_their_callers() {
        let line = r#"{"event":"jdk.MethodTrace","fields":{"startTime":1,"duration":748,"eventThread":"main","method":"T.inner","stackTrace":["T.root:3","T.main:6"]}}"#;
        let call = parse_call(line).unwrap();
        assert_eq!(call.method, "T.inner");
        assert_eq!(call.callers, ["T.root:3", "T.main:6"]);
        assert_eq!(call.duration_ns, 748);
        assert_eq!(parse_call(&line.replace("Trace\"", "Timing\"")), None);
        assert_eq!(parse_call(&line.replace("748", "\"x\"")), None);
    }
}
