//! The companions: programs that the subject needs beside it and that the experiment starts.

use super::subject::{path, read_command, read_port, read_ready};
use super::{checked_name, is_name};
use crate::companion::CompanionSpec;
use crate::model::ReadyCondition;
use std::path::Path;
use tacho_fields::Node;
use tacho_fields::{Fields, Problems, items};

const EXAMPLE: &str = "[{command: ./stub --port 9000, port: 9000}]";

/// Reads the list. Each companion needs its own name and port; `subject` is the port of the
/// subject.
pub(super) fn read(
    node: Node,
    folder: &Path,
    subject: Option<u16>,
    problems: &Problems,
) -> Vec<CompanionSpec> {
    let mut all: Vec<CompanionSpec> = Vec::new();
    for item in items(node, "companions", EXAMPLE, problems).unwrap_or_default() {
        let place = item.place;
        let Some(companion) = read_one(item, folder, problems) else {
            continue;
        };
        if all.iter().any(|other| other.name == companion.name) {
            problems.add(
                place,
                format!(
                    "a second companion has the name `{}`; give it a `name` of its own",
                    companion.name
                ),
            );
        }
        let mut taken = all.iter().map(|other| other.port).chain([subject]);
        if let Some(port) = companion.port
            && taken.any(|other| other == Some(port))
        {
            problems.add(
                place,
                format!(
                    "port {port} stands here a second time: each companion, and the subject, needs a `port` of its own"
                ),
            );
        }
        all.push(companion);
    }
    all
}

fn read_one(node: Node, folder: &Path, problems: &Problems) -> Option<CompanionSpec> {
    let mut fields = Fields::of(node, "a companion", problems)?;
    let place = fields.place;
    let name = fields.text("name");
    let command = read_command(&mut fields);
    let companion = CompanionSpec {
        name: name.map_or_else(
            || named_after(&command),
            |name| checked_name("name", name, problems),
        ),
        port: read_port(&mut fields),
        ready: read_ready(&mut fields, ReadyCondition::Port),
        environment: fields.words("environment"),
        directory: path(&mut fields, "directory", folder),
        fresh: fields
            .one_of("fresh", "`true` or `false`", |word| word.parse().ok())
            .unwrap_or_default(),
        command,
    };
    fields.finish();
    if companion.command.is_empty() {
        problems.add(
            place,
            format!("a companion needs its `command`, for example `companions: {EXAMPLE}`"),
        );
    }
    Some(companion)
}

/// The name of the command's program, where it can serve as a name.
fn named_after(command: &[String]) -> String {
    let program = command.first().map(Path::new).and_then(Path::file_name);
    let name = program.map(|name| name.to_string_lossy().into_owned());
    name.filter(|name| is_name(name))
        .unwrap_or_else(|| "companion".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ReadySpec;
    use std::time::Duration;

    fn parse(companions: &str) -> Result<Vec<CompanionSpec>, String> {
        let text = format!(
            "tacho: 1\nsubject: {{port: 8080}}\nvariants: [{{kind: exec, command: ./a}}]\ncompanions: {companions}\n"
        );
        let read = crate::file::parse(&text, Path::new("/x"));
        read.map(|experiment| experiment.companions)
            .map_err(|problems| {
                let said = problems
                    .iter()
                    .map(|p| format!("{}: {}", p.place, p.message));
                said.collect::<Vec<_>>().join("\n")
            })
    }

    #[test]
    fn a_line_is_a_command_and_a_companion_is_ready_when_it_takes_connections() {
        let read = parse("[{command: \"bin/stub --say 'a b'\"}]").unwrap();
        let stub = CompanionSpec {
            name: "stub".into(),
            command: ["bin/stub", "--say", "a b"].map(str::to_owned).to_vec(),
            port: None,
            ready: ReadySpec {
                condition: ReadyCondition::Port,
                timeout: Duration::from_secs(60),
            },
            environment: Default::default(),
            directory: None,
            fresh: false,
        };
        assert_eq!(read, [stub]);
    }

    #[test]
    fn it_takes_the_keys_of_a_subject() {
        let read = parse(
            "[{name: db, command: [postgres, -D, data], port: 5432, ready: {log: ready to accept, timeout: 5s}, environment: {PGPASSWORD: hunter2}, directory: db, fresh: true}]",
        );
        let [db] = read.unwrap().try_into().unwrap();
        assert_eq!(
            (db.name.as_str(), db.port, db.fresh),
            ("db", Some(5432), true)
        );
        assert_eq!(db.command, ["postgres", "-D", "data"]);
        let ready = ReadySpec {
            condition: ReadyCondition::Log("ready to accept".into()),
            timeout: Duration::from_secs(5),
        };
        assert_eq!(db.ready, ready);
        assert_eq!(db.environment["PGPASSWORD"], "hunter2");
        assert_eq!(db.directory.as_deref(), Some(Path::new("/x/db")));
        // A time alone changes nothing of what ready means.
        let [timed] = parse("[{command: a, ready: {timeout: 1s}}]")
            .unwrap()
            .try_into()
            .unwrap();
        assert_eq!(timed.ready.condition, ReadyCondition::Port);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, said) in [
            ("{command: a}", "4:13: `companions` must be a list"),
            ("[a]", "4:14: a companion must be a mapping"),
            ("[{port: 1}]", "4:14: a companion needs its `command`"),
            (
                "[{command: a}, {command: b/a}]",
                "a second companion has the name `a`",
            ),
            (
                "[{command: a, port: 8080}]",
                "port 8080 stands here a second time",
            ),
            (
                "[{command: a, port: 1}, {command: b, port: 1}]",
                "port 1 stands here a second time",
            ),
            ("[{command: a, freh: true}]", "did you mean `fresh`?"),
            (
                "[{command: a, fresh: often}]",
                "`fresh` must be `true` or `false`",
            ),
            ("[{command: a, name: a/b}]", "`name` may hold letters"),
            (
                "[{command: \"a 'b\"}]",
                "`command` has a quote that is not closed",
            ),
        ] {
            let problems = parse(text).unwrap_err();
            assert!(problems.contains(said), "{text}: {problems}");
        }
    }

    /// The plan is what `--dry-run` shows.
    #[test]
    fn the_plan_says_what_is_started_beside_the_subject() {
        let text = "tacho: 1\nvariants: [{kind: exec, command: ./a}]\ncompanions: [{command: ./stub, port: 9000}, {name: db, command: [db, 'a b'], fresh: true, ready: {log: up, timeout: 5s}}]\n";
        let experiment = crate::file::parse(text, Path::new("/x")).unwrap();
        let notes = crate::plan(&experiment, vec!["first".into()]).notes;
        assert_eq!(
            notes,
            [
                "first",
                "companion stub: started before the first launch and ended after the last; ready when it takes connections on port 9000, within 60 s: ./stub",
                "companion db: started for each launch and ended with it; ready when its output says `up`, within 5 s: db 'a b'",
            ]
        );
    }
}
