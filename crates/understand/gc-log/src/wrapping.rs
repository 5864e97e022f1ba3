//! What carries a line when a log has gone through other programs: JSON of a container's runtime or
//! of a log shipper, and colours.
//!
//! A prefix (of a log viewer, of syslog) is not removed here: the reader of lines finds the log
//! line after it. `prefix` removes those that look like decorations of the JVM.

use serde_json::Value;

/// Fields that are looked at first: `log` of Docker's json-file, the others of log shippers.
const FIELDS: [&str; 7] = ["log", "message", "msg", "MESSAGE", "text", "line", "body"];
/// Objects in each other that are looked into.
const DEEPEST: usize = 3;
const ESCAPE: u8 = 0x1b;

/// Takes lines out of what carries them.
#[derive(Debug, Default)]
pub struct Wrapping {
    inner: Vec<u8>,
}

impl Wrapping {
    /// What a line carries, one line or several; `None` when it carries nothing but itself.
    pub fn peel(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        if line.first() == Some(&b'{')
            && line.last() == Some(&b'}')
            && let Some(text) = of_json(line)
        {
            let text = text.into_bytes();
            return Some(match self.without_colours(&text) {
                true => std::mem::take(&mut self.inner),
                false => text,
            });
        }
        self.without_colours(line)
            .then(|| std::mem::take(&mut self.inner))
    }

    /// Leaves the escape sequences of terminals out (ECMA-48, CSI). Whether there are any.
    fn without_colours(&mut self, line: &[u8]) -> bool {
        let Some(mut escape) = memchr::memchr(ESCAPE, line) else {
            return false;
        };
        self.inner.clear();
        let mut rest = line;
        loop {
            self.inner.extend_from_slice(&rest[..escape]);
            rest = &rest[escape + 1..];
            if let Some(sequence) = rest.strip_prefix(b"[") {
                let end = sequence.iter().position(|b| (0x40..=0x7e).contains(b));
                rest = end.map_or(&[], |end| &sequence[end + 1..]);
            }
            match memchr::memchr(ESCAPE, rest) {
                Some(next) => escape = next,
                None => break,
            }
        }
        self.inner.extend_from_slice(rest);
        true
    }
}

fn of_json(line: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(line).ok()?;
    text(value, DEEPEST)
}

/// The message of an object.
fn text(value: Value, depth: usize) -> Option<String> {
    let Value::Object(mut fields) = value else {
        return None;
    };
    for field in FIELDS {
        match fields.remove(field) {
            Some(Value::String(text)) => return Some(text),
            Some(inner @ Value::Object(_)) if depth > 0 => {
                if let Some(found) = text(inner, depth - 1) {
                    return Some(found);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Wrapping;

    fn peeled(line: &str) -> Option<String> {
        let inner = Wrapping::default().peel(line.as_bytes());
        inner.map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn json_and_colours() {
        let docker = r#"{"log":"[0.6s][info][gc] GC(0) Pause\n","stream":"stdout","time":"2024"}"#;
        assert_eq!(
            peeled(docker).as_deref(),
            Some("[0.6s][info][gc] GC(0) Pause\n")
        );
        let nested = r#"{"@timestamp":"x","kubernetes":{},"body":{"text":"GC(1)"}}"#;
        assert_eq!(peeled(nested).as_deref(), Some("GC(1)"));
        assert_eq!(
            peeled("\u{1b}[32m[0.6s]\u{1b}[0m GC(0)").as_deref(),
            Some("[0.6s] GC(0)")
        );
        assert_eq!(peeled("\u{1b}[").as_deref(), Some(""));
        assert_eq!(peeled("{\"a\":1}"), None);
        assert_eq!(peeled("[0.6s] GC(0)"), None);
    }
}
