//! `tacho schema`.

use crate::arguments::Schema;
use crate::error::Error;
use crate::exit::Exit;
use crate::load::error::LoadCommandError;
use crate::{Done, print};
use tacho_report::ReportError;

/// Makes the text of a schema.
type Render = fn() -> Result<String, Error>;

/// What commands read and write; the files of a run folder are listed where they are written.
const OF_COMMANDS: [(&str, Render); 11] = [
    ("claims", || Ok(tacho_claims_report::schema()?)),
    ("diagnose", || {
        Ok(tacho_diagnosis_report::schema().map_err(ReportError::from)?)
    }),
    ("experiment", || {
        Ok(tacho_experiment::schema::render().map_err(ReportError::from)?)
    }),
    (
        "fit",
        || Ok(tacho_fit::schema().map_err(ReportError::from)?),
    ),
    ("gc", || Ok(tacho_gc_report::schema::render()?)),
    ("gc-two", || Ok(tacho_gc_report::schema::render_two()?)),
    ("image", || Ok(tacho_image_report::schema()?)),
    ("load", || {
        Ok(tacho_load_report::schema::render().map_err(LoadCommandError::from)?)
    }),
    ("memory", || {
        Ok(tacho_memory::schema().map_err(ReportError::from)?)
    }),
    ("rollout", || Ok(tacho_rollout_report::schema()?)),
    ("warm", || {
        Ok(tacho_warm_up::schema().map_err(ReportError::from)?)
    }),
];

/// Prints the JSON Schema of an experiment, of a file of the run folder, or of what a command
/// writes.
pub fn schema(arguments: &Schema) -> Done {
    let wanted = arguments.file.trim_end_matches(".json");
    let of_command = OF_COMMANDS.iter().find(|(name, _)| *name == wanted);
    let text = match of_command {
        Some((_, render)) => render()?,
        None => of_run_folder(wanted, &arguments.file)?,
    };
    print(&text)?;
    Ok(Exit::Done)
}

fn of_run_folder(wanted: &str, asked: &str) -> Result<String, Error> {
    let files = tacho_report::schema::all()?;
    let (others, found): (Vec<_>, Vec<_>) = files
        .into_iter()
        .partition(|file| stem(file.name) != wanted);
    match found.into_iter().next() {
        Some(file) => Ok(file.text),
        None => Err(Error::NoSchema {
            asked: asked.to_owned(),
            there_are: names(others.iter().map(|file| file.name)).join(", "),
        }),
    }
}

/// All of them, when these are the files of a run folder.
fn names(files: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut names: Vec<&str> = OF_COMMANDS.iter().map(|(name, _)| *name).collect();
    names.extend(files.map(stem));
    names.sort_unstable();
    names
}

fn stem(file: &'static str) -> &'static str {
    file.trim_end_matches(".json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Arguments;
    use clap::CommandFactory;
    use std::collections::BTreeMap;
    use std::path::Path;

    /// What can be printed, by its name.
    fn all() -> BTreeMap<String, String> {
        let of_commands = OF_COMMANDS.iter();
        let mut all: BTreeMap<String, String> = of_commands
            .map(|(name, render)| ((*name).to_owned(), render().unwrap()))
            .collect();
        for file in tacho_report::schema::all().unwrap() {
            let before = all.insert(stem(file.name).to_owned(), file.text);
            assert_eq!(before, None, "{} is there twice", file.name);
        }
        all
    }

    #[test]
    fn what_is_printed_under_a_name_is_what_is_published_under_it() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
        let published: BTreeMap<String, String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap();
                let name = name.strip_suffix(".json").unwrap().to_owned();
                (name, std::fs::read_to_string(path).unwrap())
            })
            .collect();
        let printed = all();
        assert!(printed.keys().eq(published.keys()), "{:?}", printed.keys());
        for (name, text) in &printed {
            let is_same = *text == published[name];
            assert!(is_same, "docs/schema/{name}.json is not what is printed");
        }
    }

    #[test]
    fn help_and_refusal_list_them_all_and_no_others() {
        let there = all();
        let command = Arguments::command();
        let command = command.find_subcommand("schema").unwrap();
        let file = command.get_positionals().next().unwrap();
        let help = file.get_help().unwrap().to_string();
        let words = help.split([' ', '\n', ',', ';']);
        let mut listed: Vec<&str> = words
            .filter(|word| !word.is_empty() && *word != "or")
            .collect();
        listed.sort_unstable();
        assert!(there.keys().eq(&listed), "{help}");

        let refused = of_run_folder("tea", "tea.json").unwrap_err().to_string();
        let (asked, list) = refused.split_once("; there are: ").unwrap();
        assert_eq!(asked, "there is no schema `tea.json`");
        assert!(there.keys().eq(list.split(", ")), "{refused}");
    }
}
