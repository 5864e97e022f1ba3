//! Commands to copy and paste.

/// A command as a shell takes it: arguments are quoted where they need it.
#[must_use]
pub fn command_line(command: &[String]) -> String {
    command
        .iter()
        .map(|argument| quoted(argument))
        .collect::<Vec<_>>()
        .join(" ")
}

/// One argument for a POSIX shell.
#[must_use]
pub fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_can_be_pasted_into_a_shell() {
        let command = ["java", "-Da=b c", "it's", ""].map(str::to_owned);
        let line = command_line(&command);
        assert_eq!(line, r"java '-Da=b c' 'it'\''s' ''");
        let shell = std::process::Command::new("sh")
            .args(["-c", &format!("printf '%s\\n' {line}")])
            .output()
            .unwrap();
        assert_eq!(
            String::from_utf8(shell.stdout).unwrap(),
            "java\n-Da=b c\nit's\n\n"
        );
    }
}
