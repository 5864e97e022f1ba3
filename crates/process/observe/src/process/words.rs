//! `/proc/<pid>/cmdline` and `environ`: whatever a process has written there, up to a bound.

use std::fs;
use std::io;
use std::path::Path;
use tacho_files::input;

/// Words that a process has for others to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    /// The arguments that it was started with.
    CommandLine,
    /// The variables that it was started with.
    Environment,
}

impl Words {
    /// The words of a process, a zero byte after each. A process may claim a terabyte of them:
    /// `input::WORDS` of them are read.
    ///
    /// # Errors
    /// When it has ended, or may not be read.
    pub fn of(self, pid: u32) -> io::Result<Vec<u8>> {
        let name = match self {
            Self::CommandLine => "cmdline",
            Self::Environment => "environ",
        };
        input::read_beginning(Path::new(&format!("/proc/{pid}/{name}")), input::WORDS)
    }
}

/// The command line of a process, or its name where it has none.
#[must_use]
pub fn command(pid: u32) -> Option<String> {
    let line = Words::CommandLine.of(pid).ok()?;
    if let Some(words) = joined(&line) {
        return Some(words);
    }
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    Some(name.trim().to_owned())
}

/// The words of a command line with blanks between them, where there are any.
#[must_use]
pub fn joined(line: &[u8]) -> Option<String> {
    let words: Vec<_> = line
        .split(|b| *b == 0)
        .filter(|word| !word.is_empty())
        .map(String::from_utf8_lossy)
        .collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Whether one of the variables of an environment is `wanted`, a name with its value.
#[must_use]
pub fn has_variable(environment: &[u8], wanted: &str) -> bool {
    environment
        .split(|b| *b == 0)
        .any(|variable| variable == wanted.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_found_whole_and_a_command_line_is_told_with_blanks() {
        assert!(has_variable(b"A=1\0B=2\0", "B=2"));
        assert!(!has_variable(b"A=1\0B=23\0", "B=2"));
        assert_eq!(
            joined(b"java\0-jar\0a b.jar\0").unwrap(),
            "java -jar a b.jar"
        );
        assert_eq!(joined(b"\0\0"), None);
    }
}
