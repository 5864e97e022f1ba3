//! What the variables of a collection stand for.

use super::entries::Entries;
use super::environment::Environment;
use super::tokens::{Token, tokens};
use crate::allowance::Allowance;
use crate::error::ImportError;
use std::collections::HashMap;

/// How many times Postman fills in variables that values themselves contain.
const ROUNDS: usize = 19;
/// How much longer a text may become, in bytes.
const LONGEST: usize = 4 << 20;

/// Names with their values; without one where the file leaves it empty.
#[derive(Debug, Default)]
struct Scope<'a>(HashMap<&'a str, Option<&'a str>>);

impl<'a> Scope<'a> {
    fn of_entries(entries: &'a Entries) -> Self {
        let values = entries.on().map(|entry| {
            let value = entry.value.given().filter(|value| !value.is_empty());
            (entry.name(), value)
        });
        Self(values.collect())
    }

    fn of_environment(environment: &'a Environment) -> Self {
        let values = environment.values.iter();
        Self(
            values
                .map(|v| (v.name.as_str(), v.value.as_deref()))
                .collect(),
        )
    }
}

/// The variables that are known at one place of the collection. The first scope that has a name
/// decides: environments, then the folders from the inner to the outer, the collection, the
/// globals.
#[derive(Debug)]
pub(super) struct Variables<'a> {
    environments: Vec<Scope<'a>>,
    /// The collection, and below it the folders in which the place is.
    places: Vec<Scope<'a>>,
    globals: Vec<Scope<'a>>,
}

impl<'a> Variables<'a> {
    pub fn new(environments: &'a [Environment]) -> Self {
        let scopes = |is_global: bool| {
            let kind = environments.iter().filter(|e| e.is_global == is_global);
            kind.map(Scope::of_environment).collect()
        };
        Self {
            environments: scopes(false),
            places: Vec::new(),
            globals: scopes(true),
        }
    }

    /// Goes into the collection, a folder or a request.
    pub fn enter(&mut self, values: &'a Entries) {
        self.places.push(Scope::of_entries(values));
    }

    pub fn leave(&mut self) {
        self.places.pop();
    }

    /// The value of a name: `None` when the name is unknown, `Some(None)` when its value is empty.
    pub fn look_up(&self, name: &str) -> Option<Option<&'a str>> {
        let scopes = self.environments.iter();
        let scopes = scopes.chain(self.places.iter().rev()).chain(&self.globals);
        let find = |name: &str| scopes.clone().find_map(|scope| scope.0.get(name).copied());
        find(name).or_else(|| find(name.trim()))
    }

    /// The text with its variables filled in, repeatedly until nothing changes. A variable without
    /// a value stays, and so does one that is made anew for each request.
    pub fn fill(
        &self,
        text: &str,
        allowance: &mut Allowance,
        place: &str,
    ) -> Result<String, ImportError> {
        allowance.take_bytes(text.len(), place)?;
        let limit = text.len().saturating_add(LONGEST);
        let mut filled = text.to_owned();
        for _ in 0..ROUNDS {
            match self.filled_once(&filled, limit, allowance, place)? {
                Some(next) => filled = next,
                None => break,
            }
        }
        Ok(filled)
    }

    /// None when there was nothing to fill in.
    fn filled_once(
        &self,
        text: &str,
        limit: usize,
        allowance: &mut Allowance,
        place: &str,
    ) -> Result<Option<String>, ImportError> {
        let mut filled = String::with_capacity(text.len());
        let mut is_changed = false;
        for token in tokens(text) {
            match token {
                Token::Text(text) => filled.push_str(text),
                Token::Variable(name) => match self.look_up(name) {
                    Some(Some(value)) => {
                        allowance.take_bytes(value.len(), place)?;
                        filled.push_str(value);
                        is_changed = true;
                    }
                    _ => ["{{", name, "}}"]
                        .iter()
                        .for_each(|piece| filled.push_str(piece)),
                },
            }
            if filled.len() > limit {
                return Err(ImportError::TooMuch {
                    place: place.to_owned(),
                    limit: "4 MiB in one text after its variables were filled in",
                });
            }
        }
        Ok(is_changed.then_some(filled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(json: &str) -> Entries {
        serde_json::from_str(json).unwrap()
    }

    fn environment(json: &str) -> Environment {
        Environment::read(json.as_bytes()).unwrap()
    }

    fn fill(variables: &Variables<'_>, text: &str) -> Result<String, String> {
        let filled = variables.fill(text, &mut Allowance::default(), "Orders");
        filled.map_err(|error| error.to_string())
    }

    #[test]
    fn the_first_scope_that_has_a_name_decides() {
        let environments = [
            environment(r#"{"a": "first"}"#),
            environment(r#"{"a": "second", "b": "second"}"#),
            environment(
                r#"{"values": [{"key": "a", "value": "g"}, {"key": "c", "value": "g"},
                {"key": "d", "value": "g"}], "_postman_variable_scope": "globals"}"#,
            ),
        ];
        let collection = entries(r#"{"a": "collection", "c": "collection", "e": "collection"}"#);
        let folder = entries(r#"{"b": "folder", "e": "folder"}"#);
        let mut variables = Variables::new(&environments);
        variables.enter(&collection);
        variables.enter(&folder);
        let text = "{{a}} {{b}} {{c}} {{d}} {{e}}";
        assert_eq!(
            fill(&variables, text).unwrap(),
            "first second collection g folder"
        );
        variables.leave();
        assert_eq!(fill(&variables, "{{e}}").unwrap(), "collection");
    }

    #[test]
    fn what_is_empty_hides_what_comes_later_and_is_no_value() {
        let environments = [environment(r#"{"values": [{"key": "a", "value": ""}]}"#)];
        let collection = entries(r#"{"a": "collection", "b": ""}"#);
        let mut variables = Variables::new(&environments);
        variables.enter(&collection);
        assert_eq!(
            fill(&variables, "{{a}}{{b}}{{c}}").unwrap(),
            "{{a}}{{b}}{{c}}"
        );
        assert_eq!(variables.look_up("a"), Some(None));
        assert_eq!(variables.look_up("c"), None);
        let written = [environment(r#"{"a": ""}"#)];
        assert_eq!(fill(&Variables::new(&written), "<{{a}}>").unwrap(), "<>");
    }

    #[test]
    fn values_hold_variables_and_names_are_put_together() {
        let environments = [environment(
            r#"{"base": "https://{{host}}/v1", "host": "{{region}}.a", "region": "eu",
            "n": "region", "around": "{{around}}!"}"#,
        )];
        let variables = Variables::new(&environments);
        for (text, filled) in [
            ("{{base}}/x", "https://eu.a/v1/x"),
            ("{{{{n}}}}", "eu"),
            ("{{ n }}", "region"),
            ("{{$guid}} {{}}", "{{$guid}} {{}}"),
        ] {
            assert_eq!(fill(&variables, text).unwrap(), filled, "{text}");
        }
        let around = fill(&variables, "{{around}}").unwrap();
        assert!(around.starts_with("{{around}}!"), "{around}");
    }

    #[test]
    fn values_that_grow_without_bound_are_refused() {
        let twice = r#"{"a": "{{b}}{{b}}", "b": "{{c}}{{c}}", "c": "{{a}}{{a}}"}"#;
        let long = format!(
            r#"{{"a": "{{{{b}}}}{{{{b}}}}", "b": "{}"}}"#,
            "x".repeat(3 << 20)
        );
        for values in [twice.to_owned(), long] {
            let environments = [environment(&values)];
            let refused = fill(&Variables::new(&environments), &"{{a}}".repeat(100)).unwrap_err();
            assert!(refused.contains("Orders: the input describes"), "{refused}");
        }
    }
}
