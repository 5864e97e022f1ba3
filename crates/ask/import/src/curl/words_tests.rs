use super::words::*;
use proptest::prelude::*;

fn all(script: &[u8]) -> Result<Vec<Command>, crate::error::ImportError> {
    commands(script).collect()
}

fn split(script: &str) -> Vec<Vec<String>> {
    commands(script.as_bytes())
        .map(Result::unwrap)
        .map(|command| {
            command
                .words
                .into_iter()
                .map(|word| String::from_utf8(word.bytes).unwrap())
                .collect()
        })
        .collect()
}

#[test]
fn quotes_are_removed_as_a_shell_does() {
    for (script, words) in [
        ("a b", vec!["a", "b"]),
        ("'a b' \"c d\"", vec!["a b", "c d"]),
        (r#"a\ b "c\"d" "e\f""#, vec!["a b", "c\"d", "e\\f"]),
        ("'it'\\''s'", vec!["it's"]),
        ("a''b \"\"", vec!["ab", ""]),
        ("a \\\n b", vec!["a", "b"]),
        ("a \\\r\n b", vec!["a", "b"]),
        ("a\\\nb", vec!["ab"]),
        (
            "$'a\\n\\t\\x41\\u00e4\\U0001F600\\101\\'\\\\\\cA\\q'",
            vec!["a\n\tA\u{e4}\u{1f600}A'\\\u{1}\\q"],
        ),
        ("a#b # c", vec!["a#b"]),
        ("a >/dev/null 2>&1", vec!["a"]),
        ("a > out -b", vec!["a", "-b"]),
    ] {
        assert_eq!(split(script), [words], "{script}");
    }
}

#[test]
fn commands_end_where_a_shell_ends_them() {
    assert_eq!(
        split("a 1\nb 2; c 3 && d 4 | e\n\n# f\n'g\nh'"),
        [
            vec!["a", "1"],
            vec!["b", "2"],
            vec!["c", "3"],
            vec!["d", "4"],
            vec!["e"],
            vec!["g\nh"]
        ]
    );
}

#[test]
fn words_know_their_line() {
    let commands = all(b"a \\\n'b\nc' d\ne").unwrap();
    let lines: Vec<u64> = commands
        .iter()
        .flat_map(|command| command.words.iter().map(|word| word.line))
        .collect();
    assert_eq!(lines, [1, 2, 3, 4]);
}

#[test]
fn what_a_shell_would_replace_is_kept_and_marked() {
    for (script, text, unexpanded) in [
        ("$TOKEN", "$TOKEN", true),
        ("\"a ${B} c\"", "a ${B} c", true),
        ("\"$(cat 'a b' (x))\"", "$(cat 'a b' (x))", true),
        ("`date +%s`", "`date +%s`", true),
        ("~/a", "~/a", true),
        ("'$TOKEN'", "$TOKEN", false),
        ("\\$TOKEN", "$TOKEN", false),
        ("\"5$\"", "5$", false),
        ("a~b", "a~b", false),
    ] {
        let commands = all(script.as_bytes()).unwrap();
        assert_eq!(commands[0].words.len(), 1, "{script}");
        let word = &commands[0].words[0];
        assert_eq!(word.bytes, text.as_bytes(), "{script}");
        assert_eq!(word.unexpanded, unexpanded, "{script}");
    }
}

#[test]
fn what_is_never_closed_is_named_with_its_line() {
    for script in ["a\n'b", "a\n\"b", "a\n$'b", "a\n$(b", "a\n`b"] {
        let error = all(script.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("line 2: "), "{error}");
    }
}

proptest! {
    #[test]
    fn no_bytes_panic(script in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = all(&script);
    }

    #[test]
    fn no_shell_like_bytes_panic(script in "[ a$'\"\\\\`(){}\\n>&|;#~x0u]{0,60}") {
        let _ = all(script.as_bytes());
    }

    #[test]
    fn what_shlex_quotes_is_read_back(
        words in proptest::collection::vec(
            proptest::collection::vec(1..=255_u8, 1..30),
            1..6,
        )
    ) {
        let quoted: Vec<Vec<u8>> = words
            .iter()
            .map(|word| shlex::bytes::try_quote(word).unwrap().into_owned())
            .collect();
        let commands = all(&quoted.join(&b' ')).unwrap();
        prop_assert_eq!(commands.len(), 1);
        let read: Vec<&[u8]> = commands[0].words.iter().map(|word| word.bytes.as_slice()).collect();
        prop_assert_eq!(read, words);
    }
}
