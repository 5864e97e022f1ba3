//! Words of others in the documents of a run folder: names, messages, lines of logs.

use tacho_foreign::is_command;

/// The document with every character escaped once more that a terminal would obey, or that makes
/// text read in another order than it is stored (UAX 9, CVE-2021-42574): what is read from it holds
/// `\u001b`, in letters, wherever it is shown. Tabs and line feeds stay.
pub(crate) fn without_commands(json: &str) -> String {
    let mut harmless = String::with_capacity(json.len());
    let mut rest = json.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            // Raw C0 controls are space between values, or no JSON.
            match c >= ' ' && is_command(c) {
                true => harmless.push_str(&format!("\\\\u{:04x}", u32::from(c))),
                false => harmless.push(c),
            }
            continue;
        }
        let escaped = rest.next();
        let is_command = match escaped {
            Some('b' | 'f' | 'r') => true,
            Some('u') => {
                code_point(rest.as_str()).is_some_and(|c| is_command(c) && !"\t\n".contains(c))
            }
            _ => false,
        };
        harmless.push_str(if is_command { "\\\\" } else { "\\" });
        harmless.extend(escaped);
    }
    harmless
}

fn code_point(digits: &str) -> Option<char> {
    let code = u32::from_str_radix(digits.get(..4)?, 16).ok()?;
    char::from_u32(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> String {
        serde_json::from_str(&without_commands(json)).unwrap()
    }

    #[test]
    fn what_a_terminal_would_obey_is_read_as_letters() {
        assert_eq!(
            read(r#""a\u001b[2J\u0007\r\u009b""#),
            r"a\u001b[2J\u0007\r\u009b"
        );
        assert_eq!(read("\"\u{202e}x\u{9b}\""), r"\u202ex\u009b");
    }

    #[test]
    fn all_else_is_read_as_it_is() {
        for text in [
            "a\tb\nc",
            r"\u001b",
            r"C:\n\r",
            "\u{e4}\u{6f22}\u{1f600}",
            "\"quoted\"",
        ] {
            assert_eq!(read(&serde_json::to_string(text).unwrap()), text);
        }
        assert_eq!(without_commands("{\r\n}"), "{\r\n}");
        assert_eq!(without_commands("\"cut\\"), "\"cut\\");
    }
}
