use super::*;
use proptest::prelude::*;

const LIMITS: Limits = Limits { depth: 60, mib: 8 };

fn root(text: &str) -> Node {
    read(text, &LIMITS).unwrap().root.unwrap()
}

/// As it is told in short: `{a: [x, "y"], b: null}`.
fn shown(node: &Node) -> String {
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Text(text) if node.is_plain => text.clone(),
        Value::Text(text) => format!("{text:?}"),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(shown).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{}: {}", key.name, shown(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}

#[test]
fn scalars_keep_their_text_and_keys_are_words() {
    for (text, is_read_as) in [
        (
            "a: 1\nb: [250m, 'y', ~, '']\n200: {c: !!str 3}\n",
            "{a: 1, b: [250m, \"y\", null, \"\"], 200: {c: \"3\"}}",
        ),
        (
            "null: 1\non: 2\na: 3\na: 4\n",
            "{null: 1, on: 2, a: 3, a: 4}",
        ),
        ("a: &x {b: 1}\nc: *x\n", "{a: {b: 1}, c: {b: 1}}"),
        ("d: |\n  two\n  lines\n", "{d: \"two\\nlines\\n\"}"),
        ("&k a: 1\n", "{a: 1}"),
    ] {
        assert_eq!(shown(&root(text)), is_read_as, "{text}");
    }
}

#[test]
fn a_node_has_the_place_where_it_was_written() {
    let Value::Map(entries) = root("a:\n  bc: x\n").value else {
        panic!("no mapping");
    };
    let Value::Map(inner) = &entries[0].1.value else {
        panic!("no mapping");
    };
    let (key, value) = &inner[0];
    assert_eq!((key.place.line, key.place.column), (2, 3));
    assert_eq!((value.place.line, value.place.column), (2, 7));
    let Value::Map(entries) = root("a: &x 1\nb: *x\n").value else {
        panic!("no mapping");
    };
    let alias = &entries[1].1;
    assert_eq!((alias.place.line, alias.place.column), (2, 4));
}

#[test]
fn one_document_is_read_and_the_place_of_the_next_is_told() {
    assert!(read("", &LIMITS).unwrap().root.is_none());
    let two = read("a: 1\n---\nb: 2\n", &LIMITS).unwrap();
    assert_eq!(shown(&two.root.unwrap()), "{a: 1}");
    assert_eq!(two.second.unwrap().line, 2);
}

#[test]
fn what_cannot_be_read_is_named_with_its_line() {
    for (text, line) in [
        ("a: ]", 1),
        ("a: 1\nb: 'c", 2),
        ("a: 1\n[b]: 2\n", 2),
        ("a: &x\n  b: *x\n", 2),
        ("a: *nobody\n", 1),
    ] {
        match read(text, &LIMITS) {
            Err(YamlError::Syntax { place, .. }) => assert_eq!(place.line, line, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn neither_anchors_of_anchors_nor_brackets_fill_the_memory() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for n in 1..30 {
        let before = vec![format!("*a{}", n - 1); 10].join(", ");
        text.push_str(&format!("a{n}: &a{n} [{before}]\n"));
    }
    let refused = |text: &str| read(text, &LIMITS).unwrap_err();
    assert!(matches!(refused(&text), YamlError::TooLarge { .. }));
    let mut text = "a0: &a0 [x]\n".to_owned();
    for n in 1..200 {
        text.push_str(&format!("a{n}: &a{n} [*a{}]\n", n - 1));
    }
    assert!(matches!(refused(&text), YamlError::TooDeep { .. }));
    assert!(matches!(
        refused(&"- ".repeat(1000)),
        YamlError::TooDeep { .. }
    ));
    assert!(read(&"[".repeat(100_000), &LIMITS).is_err());
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,200}", near in "[ \\-:\\[\\]{},&*!|>'\"#%@a1\\n?<~.]{0,80}") {
        let _ = read(&text, &LIMITS);
        let _ = read(&near, &LIMITS);
    }
}
