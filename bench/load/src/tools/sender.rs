//! A thread that only sleeps and sends ([`crate::sender`]), called as a tool.

use super::{Load, Said, count};
use std::process::Command;

pub fn arguments(command: &mut Command, load: Load) {
    command.arg("sender");
    let (rate, seconds, connections) = match load {
        Load::Constant {
            connections,
            rate,
            seconds,
        } => (rate, seconds, connections),
        // It waits for no answer, so it cannot be a closed loop; a Load that no scenario asks of
        // it.
        Load::Closed { connections, .. } => (1, 1, connections),
    };
    command.args(["--rate", &rate.to_string()]);
    command.args(["--seconds", &seconds.to_string()]);
    command.args(["--connections", &connections.to_string()]);
}

pub fn read(text: &str) -> Result<Said, String> {
    Ok(Said {
        requests: count(text.trim())?,
        ..Said::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_how_many_it_sent() {
        assert_eq!(read("500\n").unwrap().requests, 500);
        assert!(read("").is_err());
    }
}
