//! Whether two services answered alike. Pure functions.

use super::ask::Answer;
use serde_json::Value;
use tacho_http1::KeptAnswer;

/// How much of a body is shown.
const SHOWN: usize = 120;

/// Where the image's answer departs from the JVM's.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Difference {
    /// No whole answer came.
    #[error("no answer came ({0})")]
    Broken(String),
    /// The image answers with another status.
    #[error("status {seen} instead of {expected}{}", in_brackets(body))]
    Status {
        /// The JVM's status.
        expected: u16,
        /// The image's status.
        seen: u16,
        /// The beginning of the image's body.
        body: String,
    },
    /// Another kind of content.
    #[error("content type `{seen}` instead of `{expected}`")]
    ContentType {
        /// The JVM's `Content-Type`.
        expected: String,
        /// The image's `Content-Type`.
        seen: String,
    },
    /// Another body, though the JVM gives the same each time.
    #[error("the body has `{seen}` where it has `{expected}` on the JVM")]
    Body {
        /// From the first character that differs, the JVM's.
        expected: String,
        /// The same of the image.
        seen: String,
    },
    /// The JVM's body changes from answer to answer, but its fields do not, and the image's are
    /// others.
    #[error("the body has other fields: {at}")]
    Fields {
        /// `/user/name: a string on the JVM, absent in the image`.
        at: String,
    },
}

fn in_brackets(body: &str) -> String {
    match body {
        "" => String::new(),
        _ => format!(" (`{body}`)"),
    }
}

/// How the image's answers differ from the JVM's. Each gave two answers to the same request. Parts
/// that already differ between the JVM's own two answers are not compared, except for the shape of
/// JSON.
pub fn difference(expected: &[Answer; 2], seen: &[Answer; 2]) -> Option<Difference> {
    let [Answer::Whole(first), Answer::Whole(second)] = expected else {
        // Where the JVM itself gives no answer, nothing can be asked of the image.
        return None;
    };
    for answer in seen {
        match answer {
            Answer::Broken(why) => return Some(Difference::Broken(why.clone())),
            Answer::Whole(answer) if first.status == second.status => {
                if let Some(difference) = between(first, second, answer) {
                    return Some(difference);
                }
            }
            Answer::Whole(_) => {}
        }
    }
    None
}

fn between(first: &KeptAnswer, second: &KeptAnswer, seen: &KeptAnswer) -> Option<Difference> {
    if seen.status != first.status {
        return Some(Difference::Status {
            expected: first.status,
            seen: seen.status,
            body: shown(&String::from_utf8_lossy(&seen.body)),
        });
    }
    let (expected_type, seen_type) = (content_type(first), content_type(seen));
    if expected_type != seen_type {
        return Some(Difference::ContentType {
            expected: expected_type,
            seen: seen_type,
        });
    }
    if seen.body == first.body {
        return None;
    }
    if first.body == second.body {
        return Some(bodies(&first.body, &seen.body));
    }
    let json = |answer: &KeptAnswer| serde_json::from_slice::<Value>(&answer.body).ok();
    let (first, second, seen) = (json(first)?, json(second)?, json(seen)?);
    if other_fields(&first, &second).is_some() {
        return None;
    }
    other_fields(&first, &seen).map(|at| Difference::Fields { at })
}

fn content_type(answer: &KeptAnswer) -> String {
    let named = |name: &str| name.eq_ignore_ascii_case("content-type");
    let field = answer.headers.iter().find(|(name, _)| named(name));
    field.map_or_else(String::new, |(_, value)| {
        let text = String::from_utf8_lossy(value).to_ascii_lowercase();
        text.replace(' ', "")
    })
}

/// Shows both bodies from a little before the first byte that differs.
fn bodies(expected: &[u8], seen: &[u8]) -> Difference {
    let same = expected
        .iter()
        .zip(seen)
        .take_while(|(a, b)| a == b)
        .count();
    let from = same.saturating_sub(20);
    let part = |body: &[u8]| {
        let text = String::from_utf8_lossy(&body[from.min(body.len())..]).into_owned();
        if text.is_empty() {
            "nothing".to_owned()
        } else {
            shown(&text)
        }
    };
    Difference::Body {
        expected: part(expected),
        seen: part(seen),
    }
}

fn shown(text: &str) -> String {
    let mut characters = text.chars();
    let mut shown: String = characters
        .by_ref()
        .take(SHOWN)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown.trim().to_owned()
}

/// The first place at which two documents have other fields or other kinds of value, as `/user/name
/// is absent in the image`. Of arrays the first elements are compared. The path is put together on
/// the way back: on the way there it would be copied for each field.
fn other_fields(expected: &Value, seen: &Value) -> Option<String> {
    match (expected, seen) {
        (Value::Object(expected), Value::Object(seen)) => {
            let absent =
                |here: &serde_json::Map<String, Value>, name: &String| !here.contains_key(name);
            if let Some(name) = expected.keys().find(|name| absent(seen, name)) {
                return Some(format!("/{} is absent in the image", shown(name)));
            }
            if let Some(name) = seen.keys().find(|name| absent(expected, name)) {
                return Some(format!("/{} is absent on the JVM", shown(name)));
            }
            expected.iter().find_map(|(name, value)| {
                let inside = other_fields(value, seen.get(name)?)?;
                Some(format!("/{}{inside}", shown(name)))
            })
        }
        (Value::Array(expected), Value::Array(seen)) => {
            let inside = other_fields(expected.first()?, seen.first()?)?;
            Some(format!("/0{inside}"))
        }
        _ if kind(expected) == kind(seen) => None,
        _ => Some(format!(
            " is {} on the JVM and {} in the image",
            kind(expected),
            kind(seen)
        )),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, content_type: &str, body: &str) -> Answer {
        Answer::Whole(Box::new(KeptAnswer {
            status,
            headers: vec![
                ("Date".to_owned(), b"today".to_vec()),
                ("Content-Type".to_owned(), content_type.as_bytes().to_vec()),
            ],
            body: body.as_bytes().to_vec(),
            ..KeptAnswer::default()
        }))
    }

    fn json(body: &str) -> Answer {
        answer(200, "application/json", body)
    }

    fn twice(answer: Answer) -> [Answer; 2] {
        [answer.clone(), answer]
    }

    fn said(expected: &[Answer; 2], seen: Answer) -> Option<String> {
        difference(expected, &twice(seen)).map(|d| d.to_string())
    }

    #[test]
    fn the_same_is_no_difference_and_content_types_are_compared_as_http_does() {
        let jvm = twice(answer(200, "text/plain; charset=UTF-8", "hello"));
        assert_eq!(
            said(&jvm, answer(200, "text/plain;charset=utf-8", "hello")),
            None
        );
        assert_eq!(
            said(&jvm, answer(200, "text/html", "hello")).unwrap(),
            "content type `text/html` instead of `text/plain;charset=utf-8`"
        );
    }

    #[test]
    fn another_status_is_shown_with_what_the_image_said() {
        let jvm = twice(json("{}"));
        let seen = answer(500, "application/json", "{\"error\":\"no such type\"}");
        let text = said(&jvm, seen).unwrap();
        assert_eq!(
            text,
            "status 500 instead of 200 (`{\"error\":\"no such type\"}`)"
        );
        let broken = Answer::Broken("connection reset".to_owned());
        assert!(said(&jvm, broken).unwrap().contains("connection reset"));
    }

    #[test]
    fn a_body_that_is_always_the_same_must_be_the_same() {
        let jvm = twice(json("{\"name\":\"Ada\",\"age\":36}"));
        let text = said(&jvm, json("{}")).unwrap();
        assert!(text.starts_with("the body has `{}` where"), "{text}");
    }

    #[test]
    fn of_a_body_that_changes_each_time_the_fields_are_compared() {
        let jvm = [
            json("{\"id\":1,\"tags\":[\"a\"]}"),
            json("{\"id\":2,\"tags\":[\"b\"]}"),
        ];
        assert_eq!(said(&jvm, json("{\"id\":3,\"tags\":[\"c\"]}")), None);
        let lacking = said(&jvm, json("{\"id\":3}")).unwrap();
        assert_eq!(
            lacking,
            "the body has other fields: /tags is absent in the image"
        );
        let other = said(&jvm, json("{\"id\":\"3\",\"tags\":[\"c\"]}")).unwrap();
        assert!(
            other.contains("/id is a number on the JVM and a text in the image"),
            "{other}"
        );
        let texts = [
            answer(200, "text/plain", "12:00:01"),
            answer(200, "text/plain", "12:00:02"),
        ];
        assert_eq!(said(&texts, answer(200, "text/plain", "12:00:03")), None);
    }

    #[test]
    fn a_field_with_an_endless_name_costs_no_more_than_its_length() {
        // A name of 1 MiB around 40,000 fields: a path for each of them would be 40 GB of copies.
        let body = |end: &str| {
            let fields: String = (0..40_000).map(|n| format!("\"f{n}\":0,")).collect();
            let name = format!("\\u001b[2J{}", "n".repeat(1 << 20));
            json(&format!("{{\"{name}\":{{{fields}\"last\":{end}}}}}"))
        };
        let (done, is_done) = std::sync::mpsc::channel();
        // A thread, so that what would go on for ever ends with the test.
        std::thread::spawn(move || done.send(said(&[body("1"), body("2")], body("\"x\""))));
        let patience = std::time::Duration::from_secs(300);
        let text = is_done.recv_timeout(patience).unwrap().unwrap();
        assert!(text.ends_with("/last is a number on the JVM and a text in the image"));
        assert!(text.chars().count() < 400, "{}", text.len());
        assert!(!text.contains(char::is_control), "{text:?}");
    }

    #[test]
    fn nothing_is_asked_of_the_image_that_the_jvm_does_not_keep_either() {
        let shaky = [json("{}"), answer(503, "text/plain", "busy")];
        assert_eq!(said(&shaky, answer(500, "text/plain", "x")), None);
        let broken = twice(Answer::Broken("refused".to_owned()));
        assert_eq!(said(&broken, json("{}")), None);
    }
}
