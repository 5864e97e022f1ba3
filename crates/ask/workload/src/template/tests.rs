use super::*;
use crate::chance::{Purpose, Seed};
use crate::feed::Row;
use proptest::prelude::*;

/// A feed `users` with a column `name`, and a captured `token`.
fn look_up(name: &str) -> Result<Insert, Unknown> {
    match name {
        "users.name" => Ok(Insert::Column { feed: 0, column: 0 }),
        "token" => Ok(Insert::Captured(0)),
        _ => Err(Unknown::Name { nearest: None }),
    }
}

fn render(
    text: &str,
    place: Place,
    name: &str,
    token: Option<&str>,
) -> Result<String, RenderFault> {
    let template = Template::parse(text).unwrap();
    let bound = Bound::new(&template, place, look_up).unwrap();
    bound.render(&mut Scope {
        counter: 42,
        stream: Seed::new(7).stream(0, 41, Purpose::Step(0)),
        // 2026-11-22T10:11:12.345678901Z
        now: 1_795_342_272_345_678_901,
        rows: &[Some(Row::new([name]))],
        captured: &[token.map(str::to_owned)],
    })
}

fn plain(text: &str) -> String {
    render(text, Place::PlainBody, "Ann", Some("t0")).unwrap()
}

#[test]
fn placeholders_are_filled_in() {
    for (text, expected) in [
        ("", ""),
        ("no placeholder } } {", "no placeholder } } {"),
        ("/items/{{counter}}", "/items/42"),
        ("{{ counter }}{{counter}}", "4242"),
        ("{{users.name}} has {{token}}", "Ann has t0"),
        ("{{now}}", "1795342272345"),
        ("{{now ms}}", "1795342272345"),
        ("{{now s}}", "1795342272"),
        ("{{now iso}}", "2026-11-22T10:11:12.345Z"),
        ("{{random 5 5}}", "5"),
        ("{{random -3 -3}}", "-3"),
        (r#"{{"{{"}}counter}}"#, "{{counter}}"),
        (r#"{{ "a }} b" }}"#, "a }} b"),
        // Of three or more braces the last two open the placeholder.
        (r#"{"n":{{{counter}}}}"#, r#"{"n":{42}}"#),
        ("{{{{counter}}", "{{42"),
    ] {
        assert_eq!(plain(text), expected, "{text}");
    }
}

#[test]
fn random_values_are_those_of_the_scenario_run() {
    let once = plain("{{uuid}} {{random 1 1000000}}");
    assert_eq!(once, plain("{{uuid}} {{random 1 1000000}}"));
    // Version 4 and the variant of RFC 9562.
    let uuid = once.split(' ').next().unwrap();
    assert_eq!(uuid.len(), 36);
    assert_eq!(&uuid[14..15], "4");
    assert!("89ab".contains(&uuid[19..20]), "{uuid}");
    let two = plain("{{uuid}} {{uuid}}");
    let (first, second) = two.split_once(' ').unwrap();
    assert_ne!(first, second);
}

#[test]
fn a_value_does_not_break_what_it_stands_in() {
    let name = "a\"b\\c\n&/ü";
    let token = Some("{\"x\":1}");
    for (place, text, expected) in [
        (
            Place::Path,
            "/u/{{users.name}}?q=1",
            "/u/a%22b%5Cc%0A%26%2F%C3%BC?q=1",
        ),
        (
            Place::FormBody,
            "a={{users.name}}",
            "a=a%22b%5Cc%0A%26%2F%C3%BC",
        ),
        (Place::PlainBody, "{{users.name}}", name),
        (
            Place::JsonBody,
            r#"{"a":"x{{users.name}}","b":"{{users.name}}"}"#,
            r#"{"a":"xa\"b\\c\n&/ü","b":"a\"b\\c\n&/ü"}"#,
        ),
        // Outside of quotes as it is; after an escaped quote still inside.
        (Place::JsonBody, r#"{"o":{{token}}}"#, r#"{"o":{"x":1}}"#),
        (
            Place::JsonBody,
            r#"{"o":"\"{{token}}"}"#,
            r#"{"o":"\"{\"x\":1}"}"#,
        ),
        (
            Place::JsonBody,
            r#"{"o":"\\",{{token}}}"#,
            r#"{"o":"\\",{"x":1}}"#,
        ),
        (
            Place::JsonBody,
            r#"{"o":"{{raw token}}"}"#,
            r#"{"o":"{"x":1}"}"#,
        ),
        (Place::Header, "Bearer {{token}}", "Bearer {\"x\":1}"),
    ] {
        assert_eq!(
            render(text, place, name, token).unwrap(),
            expected,
            "{text}"
        );
    }
    assert_eq!(
        render("/x{{raw token}}", Place::Path, "", Some("/a?b=c%20d")).unwrap(),
        "/x/a?b=c%20d"
    );
    assert_eq!(
        render("{{raw token}}", Place::Path, "", Some("/next?page=2")).unwrap(),
        "/next?page=2"
    );
}

#[test]
fn a_value_that_would_break_a_line_is_refused() {
    let fault = |text, place, token| render(text, place, "", token).unwrap_err();
    assert_eq!(
        fault("{{token}}", Place::Header, Some("a\r\nEvil: 1")).to_string(),
        "the value of `token` would break the header line in which it stands: `a\\r\\nEvil: 1`; take another value, or put it into the path or body"
    );
    // Raw is no way around it.
    assert!(matches!(
        fault("{{raw token}}", Place::Header, Some("a\nb")),
        RenderFault::BreaksHeader { .. }
    ));
    for value in ["/a b", "/a\r\nX: y", "/a#b", "", "a"] {
        assert!(
            matches!(
                fault("{{raw token}}", Place::Path, Some(value)),
                RenderFault::BreaksPath { .. }
            ),
            "{value:?}"
        );
    }
    assert_eq!(
        fault("{{token}}", Place::PlainBody, None).to_string(),
        "`token` has no value in this scenario run; an earlier step did not capture it"
    );
}

#[test]
fn errors_say_where_and_what_to_do() {
    for (text, expected) in [
        (
            "a\nüb{{counter",
            "the placeholder at line 2, column 3 is not closed; close it with `}}`, or write `{{\"{{\"}}` where two braces are meant as they stand",
        ),
        (
            "{{a {{counter}}",
            "the placeholder at line 1, column 1 is not closed; close it with `}}`, or write `{{\"{{\"}}` where two braces are meant as they stand",
        ),
        (
            "{{ }}",
            "the placeholder at line 1, column 1 is empty; give a name, or write `{{\"{{\"}}` where two braces are meant as they stand",
        ),
        (
            "{{\"a\" b}}",
            "the placeholder at line 1, column 1 begins with a quote, so it has to be one quoted text: `{{\"text\"}}`",
        ),
        (
            "{{\"a}}",
            "the placeholder at line 1, column 1 begins with a quote, so it has to be one quoted text: `{{\"text\"}}`",
        ),
        (
            "{{random 9 1}}",
            "`random 9 1` at line 1, column 1 is not understood; write `{{random 1 100}}` with two whole numbers, the lower one first",
        ),
        (
            "{{random}}",
            "`random` at line 1, column 1 is not understood; write `{{random 1 100}}` with two whole numbers, the lower one first",
        ),
        (
            "{{now utc}}",
            "`now utc` at line 1, column 1 is not understood; write `{{now}}` (milliseconds), `{{now s}}` or `{{now iso}}`",
        ),
        (
            "{{counter 3}}",
            "`counter 3` at line 1, column 1 is not understood; write `{{counter}}` and nothing after it",
        ),
        (
            "{{raw}}",
            "`raw` at line 1, column 1 is not understood; write the name of a value after `raw`: `{{raw name}}`",
        ),
    ] {
        assert_eq!(
            Template::parse(text).unwrap_err().to_string(),
            expected,
            "{text}"
        );
    }
}

#[test]
fn the_names_that_a_template_wants() {
    let template = Template::parse("{{a.b}}{{counter}}{{raw c}}{{a.b}}").unwrap();
    assert_eq!(template.names().collect::<Vec<_>>(), ["a.b", "c", "a.b"]);
    assert_eq!(template.as_text(), None);
    assert_eq!(Template::parse("x").unwrap().as_text(), Some("x"));
}

proptest! {
    #[test]
    fn a_quoted_text_comes_back_as_it_was(text in "[{}\"a\n ü]{0,24}|\\PC{0,40}") {
        let template = Template::parse(&Template::quote(&text)).unwrap();
        prop_assert_eq!(template.as_text(), Some(text.as_str()));
    }

    #[test]
    fn a_text_without_double_braces_is_its_own_template(text in "\\PC{0,40}") {
        prop_assume!(!text.contains("{{"));
        let template = Template::parse(&text).unwrap();
        prop_assert_eq!(template.as_text(), Some(text.as_str()));
    }

    #[test]
    fn no_text_is_too_strange(text in "([{}\" a.]|raw |random |now |[0-9]|\\PC|\n){0,24}") {
        _ = Template::parse(&text);
    }

    #[test]
    fn percent_encoding_is_undone_by_the_other_side(value in "\\PC{0,40}|[\\x00-\\x7f]{0,40}") {
        let path = render("/{{users.name}}", Place::Path, &value, None).unwrap();
        prop_assert!(path.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~%/".contains(&b)));
        let decoded = percent_encoding::percent_decode_str(&path[1..]).decode_utf8().unwrap();
        prop_assert_eq!(decoded, value);
    }

    #[test]
    fn a_value_in_json_is_read_back_as_it_was(value in "\\PC{0,40}|[\\x00-\\x7f]{0,40}") {
        let body = render(r#"{"a":"{{users.name}}"}"#, Place::JsonBody, &value, None).unwrap();
        let read: serde_json::Value = serde_json::from_str(&body).unwrap();
        prop_assert_eq!(read["a"].as_str(), Some(value.as_str()));
    }
}
