//! How much a file may hold, before it is taken apart: an empty request is three bytes long and
//! takes a hundred times as much memory.

use crate::error::ImportError;

/// Objects and lists in each other. A folder in a folder takes two.
const DEEPEST: usize = 100;
/// Values of lists and objects. The longest collections that are published have a tenth of it.
const VALUES: usize = 4_000_000;

/// Checks the bounds by counting, in one pass and without allocating. Invalid JSON is left for the
/// parser to report.
pub(super) fn check(text: &str) -> Result<(), ImportError> {
    let (mut depth, mut values, mut line) = (0_usize, 0_usize, 1_u64);
    let (mut is_string, mut is_escaped) = (false, false);
    for byte in text.bytes() {
        if byte == b'\n' {
            line += 1;
        }
        if is_string {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => is_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => is_string = true,
            b'{' | b'[' => {
                depth += 1;
                values += 1;
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' => values += 1,
            _ => {}
        }
        if depth > DEEPEST {
            return Err(ImportError::TooDeep {
                line,
                limit: DEEPEST,
            });
        }
        if values > VALUES {
            return Err(ImportError::TooMuch {
                place: format!("line {line}"),
                limit: "4,000,000 values",
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_and_number_have_bounds_outside_of_texts() {
        assert!(check(&"[".repeat(DEEPEST)).is_ok());
        let deep = format!("\n{}", "[".repeat(DEEPEST + 1));
        let error = check(&deep).unwrap_err().to_string();
        assert!(error.starts_with("line 2: nested more than 100"), "{error}");
        let text = format!("\"\\\"{}\"", "[{,".repeat(VALUES));
        assert!(check(&text).is_ok());
        let error = check(&"{},".repeat(VALUES)).unwrap_err().to_string();
        assert!(error.contains("4,000,000 values"), "{error}");
    }
}
