//! Finds the agent's jar.

#[path = "../built_jar.rs"]
mod built_jar;

fn main() -> std::process::ExitCode {
    built_jar::Jar {
        what: "the agent",
        place: "agent/target/tacho-agent.jar",
        instead: "TACHO_AGENT",
        known_as: "TACHO_AGENT_JAR",
    }
    .find()
}
