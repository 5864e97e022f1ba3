//! What differs between two builds, in lines.

use tacho_run_folder::{BuildChanges, Change, ClassChange, LibraryChange, PutBack, SettingChange};

/// Lines of each kind; diagnose.json has all.
const LINES: usize = 12;
/// Members of a class that are named.
const MEMBERS: usize = 6;
/// Characters of a value that are shown.
const VALUE: usize = 60;

/// One line a change: classes, libraries, settings, files. One that says so where nothing differs.
#[must_use]
pub fn lines(changes: &BuildChanges) -> Vec<String> {
    let mut lines = Vec::new();
    let mut add = |what: &str, all: Vec<String>| {
        let more = all.len().saturating_sub(LINES);
        lines.extend(all.into_iter().take(LINES));
        if more > 0 {
            lines.push(format!("and {more} more {what}; diagnose.json has all"));
        }
    };
    add("classes", changes.classes.iter().map(class).collect());
    add("libraries", changes.libraries.iter().map(library).collect());
    add("settings", changes.settings.iter().map(setting).collect());
    let file =
        |file: &tacho_run_folder::FileChange| format!("file {}{}", file.file, said(file.change));
    add("files", changes.files.iter().map(file).collect());
    if changes.more > 0 {
        lines.push(format!("and {} more, which are not listed", changes.more));
    }
    lines.extend(
        changes
            .not_looked
            .iter()
            .map(|why| format!("not compared: {why}")),
    );
    if lines.is_empty() {
        let nothing = "nothing: their classes, libraries, settings and files do the same";
        lines.push(nothing.to_owned());
    }
    lines
}

/// Names that are said of one change.
const NAMES: usize = 3;

/// A change that can be put back, in words: `the class com.acme.Orders`.
#[must_use]
pub fn change(what: &PutBack) -> String {
    let list = |names: Vec<String>| {
        let more = names.len().saturating_sub(NAMES);
        let mut text = names[..names.len() - more].join(", ");
        if more > 0 {
            text += &format!(" and {more} more");
        }
        text
    };
    match what {
        PutBack::Classes {
            classes,
            with,
            unused,
        } => {
            let noun = match classes.len() {
                1 => "the class",
                _ => "the classes",
            };
            let mut text = format!("{noun} {}", list(classes.clone()));
            if !unused.is_empty() {
                text += &format!(" with the new {}", list(unused.clone()));
            }
            if !with.is_empty() {
                let hang = match with.len() {
                    1 => "hangs",
                    _ => "hang",
                };
                text += &format!(" (and {}, which {hang} on it)", list(with.clone()));
            }
            text
        }
        PutBack::Settings { settings } => list(settings.iter().map(setting).collect()),
        PutBack::Lines {
            file,
            first,
            before,
            now,
        } => {
            let shown = |text: &str| match text.is_empty() {
                true => "(nothing)".to_owned(),
                false => format!("`{text}`"),
            };
            format!("{file}:{first}: {} → {}", shown(before), shown(now))
        }
        PutBack::File { file } => format!("the file {file}"),
        PutBack::Library { library } => format!("the library {library}"),
        PutBack::Launch { what } => what.clone(),
    }
}

fn said(change: Change) -> &'static str {
    match change {
        Change::Added => " is new",
        Change::Removed => " is gone",
        Change::Changed => "",
    }
}

fn class(class: &ClassChange) -> String {
    let members: Vec<&str> = class
        .members
        .iter()
        .take(MEMBERS)
        .map(|m| member(m))
        .collect();
    let mut text = format!("class {}{}", class.class, said(class.change));
    if !members.is_empty() {
        text += &format!(": {}", members.join(", "));
    }
    let more = class.members.len().saturating_sub(MEMBERS);
    if more > 0 {
        text += &format!(" and {more} more");
    }
    if let Some(library) = &class.library {
        text += &format!(" (in {library})");
    }
    text
}

/// As a developer says it.
fn member(name: &str) -> &str {
    match name {
        "<init>" => "constructor",
        "<clinit>" => "static initialiser",
        "class" => "the class itself",
        name => name,
    }
}

fn library(library: &LibraryChange) -> String {
    let version = |version: &Option<String>| version.clone().unwrap_or_else(|| "?".to_owned());
    let name = &library.library;
    match (library.change, &library.before, &library.after) {
        (Change::Changed, before, after) if before == after => {
            let version = before.as_ref().map_or(String::new(), |v| format!(" {v}"));
            format!("library {name}{version}: the same version with other contents")
        }
        (Change::Changed, before, after) => {
            format!("library {name} {} → {}", version(before), version(after))
        }
        (change, before, after) => {
            let version = before.as_ref().or(after.as_ref());
            let version = version.map_or(String::new(), |v| format!(" {v}"));
            format!("library {name}{version}{}", said(change))
        }
    }
}

fn setting(setting: &SettingChange) -> String {
    let value = |value: &Option<String>| {
        let text = value.as_deref().unwrap_or("(not set)");
        match text.char_indices().nth(VALUE) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None if text.is_empty() => "(empty)".to_owned(),
            None => text.to_owned(),
        }
    };
    format!(
        "setting {}: {} → {} ({})",
        setting.key,
        value(&setting.before),
        value(&setting.after),
        setting.file
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_change_is_a_line() {
        let changes = BuildChanges {
            classes: vec![ClassChange {
                class: "com.acme.Shop".to_owned(),
                change: Change::Changed,
                members: ["<init>", "find", "lambda$find$"]
                    .map(str::to_owned)
                    .to_vec(),
                library: Some("commons".to_owned()),
            }],
            libraries: vec![
                LibraryChange {
                    library: "commons".to_owned(),
                    change: Change::Changed,
                    before: Some("1.0".to_owned()),
                    after: Some("1.1".to_owned()),
                },
                LibraryChange {
                    library: "lz4".to_owned(),
                    change: Change::Added,
                    before: None,
                    after: Some("1.8".to_owned()),
                },
            ],
            settings: vec![SettingChange {
                file: "application.yml".to_owned(),
                key: "server.tomcat.threads.max".to_owned(),
                before: None,
                after: Some("3".to_owned()),
            }],
            more: 7,
            ..BuildChanges::default()
        };
        assert_eq!(
            lines(&changes),
            [
                "class com.acme.Shop: constructor, find, lambda$find$ (in commons)",
                "library commons 1.0 → 1.1",
                "library lz4 1.8 is new",
                "setting server.tomcat.threads.max: (not set) → 3 (application.yml)",
                "and 7 more, which are not listed",
            ]
        );
        assert_eq!(
            lines(&BuildChanges::default()),
            ["nothing: their classes, libraries, settings and files do the same"]
        );
    }
}
