use super::*;
use proptest::prelude::*;
use saphyr::{LoadableYamlNode, Yaml};

fn sample() -> Mapping {
    Mapping::new()
        .with("apiVersion", "apps/v1")
        .with("replicas", 3u32)
        .because("Three of them.")
        .with(
            "spec",
            Mapping::new().with(
                "containers",
                vec![
                    Mapping::new()
                        .with("name", "app")
                        .because("First.")
                        .with(
                            "args",
                            Node::List(vec!["warm".into(), ":9000".into(), "2m".into()]),
                        )
                        .with("limits", Mapping::new().with("cpu", "500m"))
                        .into(),
                    Mapping::new()
                        .with("name", "off")
                        .with("none", Mapping::new())
                        .into(),
                ],
            ),
        )
}

#[test]
fn block_style_with_reasons_above_the_lines() {
    assert_eq!(
        sample().document(),
        "apiVersion: apps/v1
# Three of them.
replicas: 3
spec:
  containers:
    - # First.
      name: app
      args: [warm, \":9000\", 2m]
      limits:
        cpu: 500m
    - name: \"off\"
      none: {}
"
    );
}

#[test]
fn long_reasons_are_broken_and_laid_out_ones_kept() {
    let words = "word ".repeat(60);
    let text = Mapping::new()
        .with("a", 1u32)
        .because(words)
        .because("  x   y")
        .document();
    assert!(
        text.lines().all(|line| line.chars().count() <= WIDTH),
        "{text}"
    );
    assert!(text.contains("#   x   y\na: 1\n"), "{text}");
}

fn texts() -> impl Strategy<Value = String> {
    let words = [
        "",
        "true",
        "No",
        "~",
        "null",
        "1",
        "1e3",
        "0x1f",
        "12m",
        "1_0",
        ".inf",
        "-",
        "a: b",
        "a #b",
        "[x",
        "2026-11-22",
        "=",
        "<<",
    ];
    prop_oneof![
        prop::sample::select(words.to_vec()).prop_map(str::to_owned),
        any::<String>(),
        "[ -~\\n\\t]{0,20}"
    ]
}

proptest! {
    /// Whatever the text: a reader gets it back, as a text, as value, key and in a list.
    #[test]
    fn a_text_is_read_as_it_was_written(value in texts(), key in texts(), item in texts()) {
        let list = Node::List(vec![item.as_str().into(), value.as_str().into()]);
        let document = Mapping::new().with(&key, value.as_str()).because("why\nnot").with("the list", list).document();
        let read = Yaml::load_from_str(&document).unwrap();
        let mut pairs = read[0].as_mapping().unwrap().iter();
        let (first, text) = pairs.next().unwrap();
        prop_assert_eq!(first.as_str(), Some(key.as_str()), "{}", document);
        prop_assert_eq!(text.as_str(), Some(value.as_str()), "{}", document);
        if key != "the list" {
            let (_, items) = pairs.next().unwrap();
            let items: Vec<_> = items.as_sequence().unwrap().iter().map(|item| item.as_str()).collect();
            prop_assert_eq!(items, [Some(item.as_str()), Some(value.as_str())], "{}", document);
        }
    }
}
