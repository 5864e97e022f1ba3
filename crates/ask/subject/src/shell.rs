//! Commands as text that a shell takes back.

use std::collections::BTreeMap;
use std::path::Path;

/// One line to copy and paste: folder, environment, command.
pub(crate) fn line(
    directory: &Path,
    environment: &BTreeMap<String, String>,
    command: &[String],
) -> String {
    let settings = environment.iter().map(|(k, v)| format!("{k}={}", word(v)));
    let words: Vec<_> = settings.chain(command.iter().map(|w| word(w))).collect();
    let command = words.join(" ");
    format!(
        "(cd {} && {command})",
        word(&directory.display().to_string())
    )
}

/// Quotes a word when a POSIX shell would not take it as it is.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=+,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::process::Command;

    #[test]
    fn plain_words_stay_plain() {
        let command = ["java", "-jar", "my app.jar"].map(str::to_owned);
        let environment = BTreeMap::from([("A".to_owned(), "x y".to_owned())]);
        assert_eq!(
            line(Path::new("/w"), &environment, &command),
            "(cd /w && A='x y' java -jar 'my app.jar')"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn the_shell_gets_back_what_went_in(text in "[^\0]{0,20}") {
            let script = format!("printf %s {}", word(&text));
            let out = Command::new("sh").args(["-c", &script]).output().unwrap();
            prop_assert_eq!(String::from_utf8(out.stdout).unwrap(), text);
        }
    }
}
