//! A loop that only sends and reads ([`crate::bare`]), called as a tool.

use super::Load;
use std::process::Command;

pub fn arguments(command: &mut Command, load: Load) {
    command.arg("bare-loop");
    let (connections, requests) = match load {
        Load::Closed {
            connections,
            requests,
            ..
        } => (connections, requests),
        // It has no rate; a load that no scenario asks of it.
        Load::Constant { connections, .. } => (connections, 1),
    };
    command.args(["--connections", &connections.to_string()]);
    command.args(["--requests", &requests.to_string()]);
}
