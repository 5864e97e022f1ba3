//! Marks in a truth, each of which stands for a value of its kind: `⟨uuid⟩`, `⟨number 0 to 9⟩`.

use regex::Regex;

/// Whether a text is as the truth has it.
pub fn is_like(text: &str, wanted: &str) -> bool {
    if !wanted.contains('⟨') {
        return text == wanted;
    }
    let mut pattern = String::from("(?s)^");
    let mut rest = wanted;
    while let Some((before, after)) = rest.split_once('⟨') {
        let (mark, after) = after.split_once('⟩').unwrap();
        pattern += &regex::escape(before);
        pattern += of_kind(mark);
        rest = after;
    }
    pattern += &regex::escape(rest);
    pattern += "$";
    Regex::new(&pattern).unwrap().is_match(text)
}

/// Whether it has marks at all.
pub fn has_marks(wanted: &str) -> bool {
    wanted.contains('⟨')
}

fn of_kind(mark: &str) -> &'static str {
    match mark.split(' ').next().unwrap() {
        "uuid" => "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
        "unix-seconds" => "[0-9]{10}",
        "iso-instant" => r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z",
        "number" => r"-?[0-9]+(\.[0-9]+)?",
        "mail" => r#"[^@\s"]+@[^@\s"]+"#,
        "word" => r#"[^"{}]+"#,
        "boundary" => r#"[^\s;"]+"#,
        "jar" => ".*",
        other => panic!("an unknown mark: {other}"),
    }
}
