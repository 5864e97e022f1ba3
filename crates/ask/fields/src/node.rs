//! The text of a file as a tree in which every node has its line and column.

use super::problem::Problem;
use std::collections::HashSet;
use tacho_yaml::{Limits, Node, Place, Value, YamlError};

/// Limits of a file. Nobody writes a deeper or a larger one by hand.
const LIMITS: Limits = Limits {
    depth: 64,
    mib: 128,
};

/// Reads one document. `remedy` is what to do about a file with nothing in it.
///
/// # Errors
/// With the place: what is no YAML, too large, a second document, or a key that comes twice.
pub fn parse(text: &str, remedy: &str) -> Result<Node, Problem> {
    let document = tacho_yaml::read(text, &LIMITS).map_err(problem)?;
    if let Some(place) = document.second {
        return Err(Problem::syntax(
            place,
            "a second document begins here; the file is one document",
        ));
    }
    let root = document.root.ok_or_else(|| {
        let message = format!("the file is empty; {remedy}");
        Problem::syntax(Place { line: 1, column: 1 }, &message)
    })?;
    each_key_once(&root)?;
    Ok(root)
}

fn problem(error: YamlError) -> Problem {
    match error {
        YamlError::Syntax { place, problem } => {
            // YAML 1.2.2, section 6.1: tabs are no indentation.
            let instead = match problem.contains("tab") {
                true => "; YAML is indented with spaces alone",
                false => "",
            };
            Problem::syntax(place, &format!("{problem}{instead}"))
        }
        YamlError::TooDeep { place, depth } => Problem::syntax(
            place,
            &format!("lists and mappings are nested deeper than {depth}"),
        ),
        YamlError::TooLarge { place, mib } => Problem::syntax(
            place,
            &format!(
                "with what its aliases repeat the text takes more than {mib} MiB; write large bodies into a `body-file`"
            ),
        ),
    }
}

/// Refuses a key that occurs twice. Otherwise one of both values would be lost silently.
fn each_key_once(node: &Node) -> Result<(), Problem> {
    match &node.value {
        Value::List(items) => items.iter().try_for_each(each_key_once),
        Value::Map(entries) => {
            let mut names = HashSet::new();
            for (key, value) in entries {
                if !names.insert(&key.name) {
                    return Err(Problem::syntax(key.place, "duplicated key in mapping"));
                }
                each_key_once(value)?;
            }
            Ok(())
        }
        Value::Null | Value::Text(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_file_and_a_tab_say_what_to_do() {
        let said = |text: &str| parse(text, "begin with `a:`").err().map(|p| p.message);
        let empty = Some("the file is empty; begin with `a:`");
        assert_eq!(said("").as_deref(), empty);
        assert_eq!(said("# only a remark\n").as_deref(), empty);
        let tab = said("tacho: 1\n\tname: x\n").unwrap_or_default();
        assert!(tab.contains("spaces alone"), "{tab}");
        assert_eq!(said("tacho: 1\n"), None);
    }
}
