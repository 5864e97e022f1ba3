use super::*;
use crate::answer::Answer;

fn take(source: Source, body: &str) -> Result<String, String> {
    let head = b"X-Id: 42\r\nSet-Cookie: a=1; Path=/\r\nSet-Cookie: sid=\"s 1\"; HttpOnly\r\n";
    Capture::new("it", 0, &source)
        .unwrap()
        .take(&Seen::new(Answer {
            status: 200,
            head,
            body: body.as_bytes(),
            is_whole: true,
        }))
}

#[test]
fn values_are_taken_from_where_they_are() {
    let body = r#"{"token":"t\"1","n":12,"items":[{"id":1},{"id":2}],"o":{"a":null}}"#;
    for (source, expected) in [
        (Source::JsonPath("$.token".into()), "t\"1"),
        (Source::JsonPath("$.n".into()), "12"),
        (Source::JsonPath("$.items[*].id".into()), "1"),
        (Source::JsonPath("$.o".into()), r#"{"a":null}"#),
        (Source::Header("x-id".into()), "42"),
        (Source::Cookie("sid".into()), "\"s 1\""),
        (Source::Regex(r#""n":(\d+)"#.into()), "12"),
        (Source::Regex(r#""n":\d+"#.into()), "\"n\":12"),
        (Source::Regex(r#"(x)?"n""#.into()), ""),
    ] {
        let value = take(source.clone(), body);
        match (&source, expected) {
            // A first group that took no part in the match is no value.
            (Source::Regex(pattern), "") => assert!(value.is_err(), "{pattern}"),
            _ => assert_eq!(value.unwrap(), expected, "{source:?}"),
        }
    }
}

#[test]
fn a_value_that_is_not_there_is_missed_by_name() {
    for (source, expected) in [
        (
            Source::JsonPath("$.id".into()),
            "`it` is not captured: nothing at $.id in `{}` (2 bytes)",
        ),
        (
            Source::Header("Location".into()),
            "`it` is not captured: no header `Location`",
        ),
        (
            Source::Cookie("b".into()),
            "`it` is not captured: no cookie `b` is set",
        ),
        (
            Source::Regex("id=(.)".into()),
            "`it` is not captured: `id=(.)` does not match `{}` (2 bytes)",
        ),
    ] {
        assert_eq!(take(source, "{}").unwrap_err(), expected);
    }
}

#[test]
fn a_captured_value_is_bounded() {
    let body = "x".repeat(MAX_CAPTURED_BYTES + 1);
    assert_eq!(
        take(Source::Regex("x+".into()), &body).unwrap_err(),
        "`it` is not captured: it has 65537 bytes, more than 65536"
    );
    assert!(take(Source::Regex("x+".into()), &body[1..]).is_ok());
}

#[test]
fn captures_that_mean_nothing_are_refused() {
    for source in [
        Source::JsonPath("id".into()),
        Source::Header("a:".into()),
        Source::Regex("[".into()),
    ] {
        assert!(Capture::new("it", 0, &source).is_err(), "{source:?}");
    }
}
