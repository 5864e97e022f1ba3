//! Finds the jar of the reader of recordings.

#[path = "../built_jar.rs"]
mod built_jar;

fn main() -> std::process::ExitCode {
    built_jar::Jar {
        what: "the reader of recordings",
        place: "jfr-reader/target/tacho-jfr-reader.jar",
        instead: "TACHO_JFR_READER",
        known_as: "TACHO_JFR_READER_JAR",
    }
    .find()
}
