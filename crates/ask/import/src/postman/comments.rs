//! Comments in a JSON body, which Postman takes out before it is sent.

use std::borrow::Cow;

/// The text without `// ...` and `/* ... */` outside of its strings.
pub(super) fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("//") && !text.contains("/*") {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '/']) {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        let length = if from.starts_with('"') {
            let string = string(from);
            kept.push_str(&from[..string]);
            string
        } else if from.starts_with("//") {
            from.find(['\n', '\r']).unwrap_or(from.len())
        } else if let Some(inside) = from.strip_prefix("/*") {
            inside.find("*/").map_or(from.len(), |end| end + 4)
        } else {
            kept.push('/');
            1
        };
        rest = &from[length..];
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// Bytes of the string with which a text begins, its quotes included.
fn string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn comments_are_taken_out_and_strings_are_not() {
        for (text, kept) in [
            ("{// a\n\"b\": 1 // c\r\n}", "{\n\"b\": 1 \r\n}"),
            ("{/* a\n*/\"b\": /**/ 1 /* c", "{\"b\":  1 "),
            (
                "{\"url\": \"http://a/*b*/\"}",
                "{\"url\": \"http://a/*b*/\"}",
            ),
            ("{\"a\\\"//\": 1} // \"", "{\"a\\\"//\": 1} "),
            ("\"// not closed", "\"// not closed"),
            ("1 / 2 /", "1 / 2 /"),
            ("/*/ a", ""),
        ] {
            assert_eq!(without_comments(text), kept, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_taken(text in "[\"/*a\\\\\n\u{e4}]{0,30}") {
            prop_assert!(without_comments(&text).len() <= text.len());
        }
    }
}
