//! Texts with variables: `{{baseUrl}}/orders/{{id}}`.

/// A piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'t> {
    Text(&'t str),
    /// What stands between the braces.
    Variable(&'t str),
}

/// The pieces of a text, in order.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || match first_variable(rest) {
        _ if rest.is_empty() => None,
        Some((0, name)) => {
            rest = &rest[name.len() + BRACES..];
            Some(Token::Variable(name))
        }
        found => {
            let (before, after) = rest.split_at(found.map_or(rest.len(), |(at, _)| at));
            rest = after;
            Some(Token::Text(before))
        }
    })
}

/// Bytes of the braces around one variable.
const BRACES: usize = "{{}}".len();

/// Where the first variable begins, and its name. As in Postman a name holds no brace, so of nested
/// variables the inner one is found first.
fn first_variable(text: &str) -> Option<(usize, &str)> {
    let bytes = text.as_bytes();
    let mut from = 0;
    loop {
        let at = from + text[from..].find("{{")?;
        let name = at + 2;
        let is_brace = |byte: &u8| matches!(byte, b'{' | b'}');
        let end = name + bytes[name..].iter().position(is_brace)?;
        if end > name && bytes[end..].starts_with(b"}}") {
            return Some((at, &text[name..end]));
        }
        // Of three braces in a row the last two open it.
        from = if end == name { at + 1 } else { end };
    }
}

/// Where one of these characters stands outside of variables for the first time.
pub(super) fn find_outside(text: &str, characters: &[char]) -> Option<usize> {
    let mut at = 0;
    for token in tokens(text) {
        match token {
            Token::Text(piece) => match piece.find(characters) {
                Some(found) => return Some(at + found),
                None => at += piece.len(),
            },
            Token::Variable(name) => at += name.len() + BRACES,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(text: &str) -> String {
        let pieces = tokens(text).map(|token| match token {
            Token::Text(text) => text.to_owned(),
            Token::Variable(name) => format!("<{name}>"),
        });
        pieces.collect::<Vec<_>>().join("|")
    }

    #[test]
    fn variables_are_found_as_postman_finds_them() {
        for (text, pieces) in [
            ("", ""),
            ("a", "a"),
            ("{{a}}", "<a>"),
            ("x{{a}}{{b}}y", "x|<a>|<b>|y"),
            ("{{{a}}}", "{|<a>|}"),
            ("{{a{{b}}c}}", "{{a|<b>|c}}"),
            ("{{}}{{ä b}}", "{{}}|<ä b>"),
            ("{{a}", "{{a}"),
            ("{{a} }}{{b}}", "{{a} }}|<b>"),
            ("{\"a\":{\"b\":{{c}}}}", "{\"a\":{\"b\":|<c>|}}"),
        ] {
            assert_eq!(written(text), pieces, "{text}");
        }
    }

    #[test]
    fn characters_are_found_outside_of_variables() {
        assert_eq!(find_outside("{{a/b}}c/d", &['/']), Some(8));
        assert_eq!(find_outside("ab?c", &['/', '?']), Some(2));
        assert_eq!(find_outside("{{/}}", &['/']), None);
    }

    proptest! {
        #[test]
        fn nothing_of_a_text_is_lost(text in "[{}ab/]{0,40}") {
            let whole: String = tokens(&text)
                .map(|token| match token {
                    Token::Text(text) => text.to_owned(),
                    Token::Variable(name) => format!("{{{{{name}}}}}"),
                })
                .collect();
            prop_assert_eq!(whole, text);
        }
    }
}
