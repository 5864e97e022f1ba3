//! What is written of variables is what there is.

use super::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Not ours, and known by that name everywhere.
const OF_OTHERS: &str = "SOURCE_DATE_EPOCH";

/// Around what is written from the definitions.
const FROM: &str = "<!-- variables -->\n";
const TO: &str = "<!-- /variables -->\n";

#[test]
fn each_variable_is_named_after_its_option_and_the_help_shows_no_value() {
    let all = Arguments::command();
    let mut seen = BTreeSet::new();
    each(&all, &mut |command, argument, name| {
        let long = argument.get_long().unwrap();
        let name = name.to_str().unwrap();
        let wanted = format!("{OWN}{}", long.to_uppercase().replace('-', "_"));
        let at = format!("--{long} of {}", command.get_name());
        let is_of_load = name == LOAD_CHECK && at == "--check of load";
        assert!(
            name == wanted || name == OF_OTHERS || is_of_load,
            "{at}: {name}"
        );
        assert!(argument.is_hide_env_values_set(), "{at}");
        seen.insert(name.to_owned());
    });
    assert!(seen.len() > 20, "{seen:?}");
}

/// Commands and their variables, by the definitions.
fn table() -> String {
    let all = Arguments::command();
    let mut rows: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    each(&all, &mut |command, argument, name| {
        let option = format!("`--{}`", argument.get_long().unwrap());
        let row = rows.entry(name.to_str().unwrap().to_owned());
        let (known, commands) = row.or_insert_with(|| (option.clone(), Vec::new()));
        assert_eq!(*known, option, "one variable, one option");
        commands.push(match argument.is_global_set() {
            true => "all".to_owned(),
            false => format!("`{}`", command.get_name()),
        });
    });
    let mut text = "| variable | option | of |\n|---|---|---|\n".to_owned();
    for (name, (option, commands)) in rows {
        text += &format!("| `{name}` | {option} | {} |\n", commands.join(", "));
    }
    text
}

#[test]
fn the_page_lists_each_variable() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/environment.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once(FROM).unwrap();
    let (_, after) = rest.split_once(TO).unwrap();
    let wanted = format!("{before}{FROM}{}{TO}{after}", table());
    if std::env::var_os("TACHO_RENEW_SCHEMAS").is_some() {
        std::fs::write(&page, &wanted).unwrap();
        return;
    }
    assert_eq!(
        text, wanted,
        "renew it with TACHO_RENEW_SCHEMAS=1 cargo test -p tacho the_page_lists"
    );
}

/// Whatever is called so in two commands is one thing, so that one value does for both.
#[test]
fn what_an_option_with_a_variable_takes_is_the_same_in_all_commands() {
    let all = Arguments::command();
    let mut kinds = BTreeMap::new();
    each(&all, &mut |command, argument, name| {
        let takes = (
            argument.get_action().takes_values(),
            argument.get_value_delimiter(),
            argument.get_value_parser().type_id(),
        );
        let shown = format!("{takes:?}");
        let (known, first) = kinds
            .entry(name.to_owned())
            .or_insert_with(|| (shown.clone(), command.get_name().to_owned()));
        assert_eq!(*known, shown, "{name:?}: {first}, {}", command.get_name());
    });
}

#[test]
fn where_no_variable_is_wrong_the_command_line_is() {
    let words = ["tacho", "run", "app.jar", "--launches", "many"].map(OsString::from);
    let error = read(&words).unwrap_err();
    assert_eq!(option(&error).as_deref(), Some("--launches"));
    assert_eq!(origin(&error, &words), None);
}
