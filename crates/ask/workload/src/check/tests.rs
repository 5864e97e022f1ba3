use super::*;

const HEAD: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Tag: one\r\nX-Tag: two\r\n\r\n";

fn failure(check: spec::Check, status: u16, body: &str) -> Option<String> {
    Check::new(&check).unwrap().failure(&Seen::new(Answer {
        status,
        head: HEAD,
        body: body.as_bytes(),
        is_whole: true,
    }))
}

#[test]
fn checks_that_hold_say_nothing() {
    use spec::Check::*;
    let body = r#"{"id":7,"tags":["a","b"],"note":"ok\nfine"}"#;
    for check in [
        Status(vec![(200, 299)]),
        Status(vec![(404, 404), (200, 200)]),
        Header("content-type".into(), "json".into()),
        Header("x-tag".into(), "two".into()),
        Header("X-Tag".into(), String::new()),
        BodyContains("\"id\":7".into()),
        BodyLacks("error".into()),
        BodyMatches(r#""id":\d+,"#.into()),
        JsonPath("$.id".into(), None),
        JsonPath("$.id".into(), Some("7".into())),
        JsonPath("$.tags[*]".into(), Some("b".into())),
        JsonPath("$.note".into(), Some("ok\nfine".into())),
    ] {
        assert_eq!(failure(check.clone(), 200, body), None, "{check:?}");
    }
}

#[test]
fn checks_that_fail_say_what_was_expected_and_what_was_seen() {
    use spec::Check::*;
    for (check, expected) in [
        (
            Status(vec![(200, 204), (304, 304)]),
            "expected a status of 200-204 or 304, got 500",
        ),
        (
            Header("Location".into(), String::new()),
            "expected a header `Location`, got none",
        ),
        (
            Header("X-Tag".into(), "three".into()),
            "expected a header `X-Tag` with `three`, got `one`",
        ),
        (
            BodyContains("ok".into()),
            "expected the body to contain `ok`, got `{\"e\":\"no\"}` (10 bytes)",
        ),
        (
            BodyLacks("no".into()),
            "expected the body to lack `no`, found it after 6 bytes",
        ),
        (
            BodyMatches("^ok$".into()),
            "expected the body to match `^ok$`, got `{\"e\":\"no\"}` (10 bytes)",
        ),
        (
            JsonPath("$.id".into(), None),
            "expected $.id to be there, got nothing there in `{\"e\":\"no\"}` (10 bytes)",
        ),
        (
            JsonPath("$.e".into(), Some("yes".into())),
            "expected $.e to be `yes`, got `no`",
        ),
    ] {
        assert_eq!(failure(check, 500, r#"{"e":"no"}"#).unwrap(), expected);
    }
}

#[test]
fn a_body_that_is_no_json_is_shown() {
    let check = spec::Check::JsonPath("$.id".into(), None);
    assert_eq!(
        failure(check.clone(), 200, "<html>").unwrap(),
        "expected $.id to be there, got no JSON (expected value at line 1 column 1): `<html>` (6 bytes)"
    );
    assert_eq!(
        failure(check, 200, "").unwrap(),
        "expected $.id to be there, got no JSON (EOF while parsing a value at line 1 column 0): an empty body"
    );
}

#[test]
fn an_excerpt_of_a_large_body_is_short() {
    let check = spec::Check::BodyContains("needle".into());
    let text = failure(check, 200, &"hay ".repeat(10_000)).unwrap();
    assert!(text.len() < 200, "{text}");
    assert!(text.ends_with("…` (40000 bytes)"), "{text}");
}

#[test]
fn a_body_that_was_cut_proves_no_absence() {
    let seen = |body: &'static str, head: &'static [u8]| {
        Seen::new(Answer {
            status: 200,
            head,
            body: body.as_bytes(),
            is_whole: false,
        })
    };
    let lacks = Check::new(&spec::Check::BodyLacks("x".into())).unwrap();
    assert_eq!(
        lacks.failure(&seen("abc", b"")).unwrap(),
        "expected the body to lack `x`, but it is longer than the 1024 KiB that are looked at"
    );
    let contains = Check::new(&spec::Check::BodyContains("x".into())).unwrap();
    assert_eq!(
        contains
            .failure(&seen("abc", b"Content-Encoding: gzip\r\n"))
            .unwrap(),
        "expected the body to contain `x`, got `abc` (3 bytes), the part of a longer body that is looked at, encoded as gzip; leave out `Accept-Encoding` to have it plain"
    );
}

#[test]
fn checks_that_mean_nothing_are_refused() {
    use spec::Check::*;
    for check in [
        Status(vec![]),
        Status(vec![(99, 200)]),
        Status(vec![(200, 600)]),
        Status(vec![(300, 200)]),
        Header("a b".into(), String::new()),
        BodyContains(String::new()),
        BodyLacks(String::new()),
        BodyMatches("(".into()),
        JsonPath("id".into(), None),
    ] {
        assert!(Check::new(&check).is_err(), "{check:?}");
    }
}

#[test]
fn no_more_is_kept_of_an_answer_than_a_check_needs() {
    use spec::Check::*;
    for (check, keep) in [
        (Status(vec![(200, 200)]), Keep::Nothing),
        (Header("a".into(), String::new()), Keep::Head),
        (BodyLacks("a".into()), Keep::HeadAndBody),
        (JsonPath("$".into(), None), Keep::HeadAndBody),
    ] {
        assert_eq!(Check::new(&check).unwrap().needs(), keep, "{check:?}");
    }
}

#[test]
fn expectations_are_read() {
    use crate::spec::Check;
    let expect = |text: &str| text.parse::<Check>();
    assert_eq!(
        expect("status=200-299,404"),
        Ok(Check::Status(vec![(200, 299), (404, 404)]))
    );
    assert_eq!(
        expect("header=X-Id: a"),
        Ok(Check::Header("X-Id".to_owned(), "a".to_owned()))
    );
    assert_eq!(
        expect("json=$.v==HELLO"),
        Ok(Check::JsonPath("$.v".to_owned(), Some("HELLO".to_owned())))
    );
    assert_eq!(
        expect("body!~error"),
        Ok(Check::BodyLacks("error".to_owned()))
    );
    assert_eq!(expect("body=~^a"), Ok(Check::BodyMatches("^a".to_owned())));
    assert!(
        expect("p99<1")
            .unwrap_err()
            .to_string()
            .contains("status=200")
    );
    assert!(expect("status=900").is_err());
}
