//! Whether a JVM runs with an agent (`-javaagent`). Such an agent may serve its metrics at a port
//! of its own: it opens before the service has begun to start, and often answers any path.

use tacho_observe::process::{Words, exe};

const FLAG: &[u8] = b"-javaagent:";
/// Variables from which a JVM takes further flags.
const VARIABLES: [&[u8]; 3] = [
    b"JAVA_TOOL_OPTIONS=",
    b"JDK_JAVA_OPTIONS=",
    b"_JAVA_OPTIONS=",
];

/// Whether this process has one. One that cannot be read has none.
pub(super) fn is_in(pid: u32) -> bool {
    let words = |words: Words| words.of(pid).unwrap_or_default();
    in_command(&words(Words::CommandLine))
        || is_java(pid) && in_environment(&words(Words::Environment))
}

/// Those who are not a JVM have the variables as well.
fn is_java(pid: u32) -> bool {
    exe(pid).is_ok_and(|program| program.file_name().is_some_and(|name| name == "java"))
}

fn in_command(line: &[u8]) -> bool {
    line.split(|byte| *byte == 0)
        .any(|word| word.starts_with(FLAG))
}

fn in_environment(environment: &[u8]) -> bool {
    let has_flag = |variable: &[u8]| variable.windows(FLAG.len()).any(|part| part == FLAG);
    environment
        .split(|byte| *byte == 0)
        .filter(|variable| VARIABLES.iter().any(|name| variable.starts_with(name)))
        .any(has_flag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_a_flag_of_the_command_or_of_a_variable() {
        assert!(in_command(b"java\0-javaagent:/a.jar=9404\0-jar\0b.jar\0"));
        assert!(!in_command(b"java\0-jar\0b.jar\0"));
        assert!(in_environment(
            b"A=1\0JAVA_TOOL_OPTIONS=-Xmx1g -javaagent:/a.jar\0"
        ));
        assert!(!in_environment(
            b"JAVA_OPTS=-javaagent:/a.jar\0_JAVA_OPTIONS=-Xint\0"
        ));
        assert!(!in_command(b"") && !in_environment(b""));
    }
}
