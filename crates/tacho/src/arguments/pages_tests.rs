//! Every command that a page shows is one that the program understands.

use super::*;
use clap::error::ErrorKind;
use std::path::{Path, PathBuf};

/// Pages of this repository that people read.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let within = |folder: &str| {
        let entries = std::fs::read_dir(root.join(folder)).unwrap();
        entries.map(|entry| entry.unwrap().path())
    };
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let documents = ["docs", "docs/tutorials"].into_iter().flat_map(within);
    let projects = ["labs", "jvm"].into_iter().flat_map(within);
    let readmes = projects.map(|folder| folder.join("README.md"));
    let first = [root.join("README.md"), root.join("labs/README.md")];
    let rest = documents
        .filter(is_page)
        .chain(readmes.filter(|path| path.exists()));
    first.into_iter().chain(rest).collect()
}

/// A command as a page shows it.
#[derive(Debug)]
struct Shown {
    text: String,
    /// Within a sentence it may be a part of one: `tacho run` without what is run.
    is_whole: bool,
}

/// Lines of blocks of code, and what stands between backticks in sentences.
fn shown(page: &str) -> Vec<Shown> {
    let page = page.replace("\\\n", " ");
    let mut all = Vec::new();
    let mut is_block = false;
    let mut prose = String::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
            prose.push_str("\n\n");
        } else if is_block {
            let line = line.trim_start().trim_start_matches("$ ");
            all.push(Shown {
                text: line.to_owned(),
                is_whole: true,
            });
        } else {
            prose += line.trim_start();
            // A code span may be broken between lines, and never between paragraphs.
            prose.push(if line.trim().is_empty() { '\n' } else { ' ' });
        }
    }
    for paragraph in prose.split('\n') {
        let spans = paragraph.split('`').skip(1).step_by(2);
        all.extend(spans.map(|span| Shown {
            text: span.replace("\\|", "|"),
            is_whole: false,
        }));
    }
    all
}

/// Up to where the shell goes on with something else: a comment, a pipe, another command.
fn first_command(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '|' | ';' | '&' | '>') if before == ' ' => return &line[..at],
            // `2>file`: the number is part of it.
            (None, '>') if before.is_ascii_digit() => return &line[..at - 1],
            (None, '#') if before == ' ' => return &line[..at],
            _ => {}
        }
        before = c;
    }
    line
}

/// Its words from the program on; `None`: it is another program's.
fn words(text: &str) -> Option<Vec<String>> {
    // What may be left out is there, and what stands for more of the same is not.
    let is_optional = |word: &str| word.starts_with('[') && !word.contains(':');
    let text = first_command(text).replace("$(command -v tacho)", "tacho");
    let words = shlex::split(&text)?;
    let is_setting = |word: &&String| word.split_once('=').is_some_and(|(name, _)| is_name(name));
    let rest = words.iter().skip_while(is_setting);
    let words: Vec<String> = rest
        .filter(|word| !["...", "…"].contains(&word.as_str()))
        .map(|word| match is_optional(word) {
            true => word.trim_matches(['[', ']']).to_owned(),
            false => word.clone(),
        })
        .collect();
    let program = words.first()?;
    // In a build file of Gradle it begins a block.
    let is_block = words.get(1).is_some_and(|word| word == "{");
    let is_ours = program == "tacho" || program.ends_with("/tacho");
    (is_ours && !is_block).then_some(words)
}

fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    !text.is_empty() && text.chars().all(is_part)
}

/// Why the program does not understand it.
fn refusal(shown: &Shown, words: &[String]) -> Option<String> {
    let given: Vec<OsString> = words.iter().map(OsString::from).collect();
    let error = Arguments::of(&given).err()?;
    let stands_for_another = words.iter().skip(1).any(|word| {
        let value = word.rsplit(['=', ':', '/']).next().unwrap_or(word);
        is_name(value.trim_end_matches("..."))
    });
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => None,
        ErrorKind::ValueValidation | ErrorKind::InvalidValue if stands_for_another => None,
        // Which JVMs run is a matter of this machine.
        ErrorKind::ValueValidation if error.to_string().contains("'<PID|NAME>'") => None,
        ErrorKind::MissingRequiredArgument
        | ErrorKind::MissingSubcommand
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        | ErrorKind::InvalidValue
            if !shown.is_whole =>
        {
            None
        }
        _ => Some(error.to_string()),
    }
}

#[test]
fn every_command_of_the_pages_is_understood() {
    let mut seen = 0;
    let mut refused = Vec::new();
    for path in pages() {
        let page = std::fs::read_to_string(&path).unwrap();
        for shown in shown(&page) {
            let Some(words) = words(&shown.text) else {
                continue;
            };
            seen += 1;
            if let Some(why) = refusal(&shown, &words) {
                refused.push(format!("{}: {}\n{why}", path.display(), shown.text));
            }
        }
    }
    assert!(seen > 300, "{seen}");
    let number = refused.len();
    assert!(
        refused.is_empty(),
        "{number} of {seen}:\n{}",
        refused.join("\n")
    );
}

#[test]
fn a_mistake_in_a_page_is_found() {
    let page = "```\n$ tacho run a.jar --variant jar # x\n```\nSay `tacho laod URL` or\n`tacho\nload URL --rate RATE`, `tacho run`.\n";
    let found: Vec<String> = shown(page)
        .iter()
        .filter_map(|shown| refusal(shown, &words(&shown.text)?).map(|_| shown.text.clone()))
        .collect();
    assert_eq!(
        found,
        ["tacho run a.jar --variant jar # x", "tacho laod URL"]
    );
}
