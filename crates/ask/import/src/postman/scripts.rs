//! Scripts are not run. The user is told which values they would have set. The expected status is
//! read from their tests.

use super::file::{Collection, Event, Item};
use super::lenient::{Either, Text};
use super::place::Place;
use std::collections::HashMap;

/// What the scripts of a collection would have done.
#[derive(Debug, Default)]
pub(super) struct Scripts {
    /// Names of variables, and whose script sets them.
    setters: HashMap<String, String>,
    /// A script looks at answers.
    has_tests: bool,
    /// A script decides which request comes next.
    decides_order: bool,
}

impl Scripts {
    pub fn of(collection: &Collection) -> Self {
        let mut scripts = Self::default();
        scripts.learn(&collection.event, || "the collection".to_owned());
        let mut place = Place::default();
        for item in collection.items() {
            scripts.learn_item(item, &mut place);
        }
        scripts
    }

    fn learn_item<'a>(&mut self, item: &'a Item, place: &mut Place<'a>) {
        place.enter(item.name.as_str());
        self.learn(&item.event, || format!("`{place}`"));
        for inner in item.items.iter().flatten() {
            self.learn_item(inner, place);
        }
        place.leave();
    }

    fn learn(&mut self, events: &[Event], place: impl Fn() -> String) {
        for event in events.iter().filter(|event| !event.disabled.0) {
            for name in lines(event).flat_map(names_set) {
                self.setters.entry(name.to_owned()).or_insert_with(&place);
            }
            self.decides_order |= lines(event).any(|line| line.contains("setNextRequest("));
        }
        self.has_tests |= is_written(events, AFTER);
    }

    /// The place whose script would set a variable.
    pub fn setter(&self, variable: &str) -> Option<&str> {
        self.setters.get(variable).map(String::as_str)
    }

    pub fn has_tests(&self) -> bool {
        self.has_tests
    }

    pub fn decides_order(&self) -> bool {
        self.decides_order
    }
}

/// Before a request.
pub(super) const BEFORE: &str = "prerequest";
/// After its answer.
const AFTER: &str = "test";

/// Whether there is a script for this instant that is more than the empty one that Postman writes.
pub(super) fn is_written(events: &[Event], instant: &str) -> bool {
    events
        .iter()
        .filter(|event| event.listen.as_str() == instant && !event.disabled.0)
        .any(|event| lines(event).next().is_some())
}

/// Lines of code.
fn lines(event: &Event) -> impl Iterator<Item = &str> {
    let exec = match &event.script {
        Some(Either::Parts(script)) => script.exec.as_ref(),
        _ => None,
    };
    let (whole, listed): (&str, &[Text]) = match (&event.script, exec) {
        (Some(Either::Text(text)), _) | (_, Some(Either::Text(text))) => (text, &[]),
        (_, Some(Either::Parts(list))) => ("", list),
        _ => ("", &[]),
    };
    whole
        .lines()
        .chain(listed.iter().flat_map(|line| line.as_str().lines()))
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
}

/// Ways to set a variable, the name after them in quotes.
const SETS: [&str; 3] = [".set(", "setEnvironmentVariable(", "setGlobalVariable("];

fn names_set(line: &str) -> Vec<&str> {
    let after = SETS.iter().flat_map(|set| line.split(set).skip(1));
    after.filter_map(quoted).collect()
}

/// What stands in the quotes with which a text begins.
fn quoted(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|c| "\"'`".contains(*c))?;
    let (name, _) = text[1..].split_once(quote)?;
    Some(name)
}

/// The status that a test expects, where there is one expectation of it. Two ways of writing it
/// that Postman itself offers.
pub(super) fn expected_status(events: &[Event]) -> Option<Vec<(u16, u16)>> {
    let tests = events
        .iter()
        .filter(|event| event.listen.as_str() == AFTER && !event.disabled.0);
    let mut expected = tests.flat_map(lines).flat_map(statuses);
    let first = expected.next()?;
    expected.next().is_none().then_some(first)
}

const STATUS: &str = "pm.response.to.have.status(";
const ONE_OF: &str = "pm.expect(pm.response.code).to.be.oneOf([";

fn statuses(line: &str) -> Vec<Vec<(u16, u16)>> {
    let single = line.split(STATUS).skip(1).filter_map(|after| {
        let (number, _) = after.split_once(')')?;
        codes(number)
    });
    let several = line.split(ONE_OF).skip(1).filter_map(|after| {
        let (numbers, _) = after.split_once(']')?;
        codes(numbers)
    });
    single.chain(several).collect()
}

fn codes(numbers: &str) -> Option<Vec<(u16, u16)>> {
    let code = |text: &str| {
        let code = text.trim().parse::<u16>().ok()?;
        (100..600).contains(&code).then_some((code, code))
    };
    numbers.split(',').take(100).map(code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(listen: &str, lines: &[&str]) -> Vec<Event> {
        let json = serde_json::json!([{"listen": listen, "script": {"exec": lines}}]);
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn the_names_that_a_line_sets() {
        for (line, names) in [
            ("pm.environment.set(\"token\", body.token);", vec!["token"]),
            ("pm.collectionVariables.set( 'id', 1)", vec!["id"]),
            ("postman.setEnvironmentVariable(`a`, b)", vec!["a"]),
            (
                "pm.variables.set(\"a\", 1); pm.globals.set(\"b\", 2)",
                vec!["a", "b"],
            ),
            ("map.set(key, 1); x.set(\"open", vec![]),
            ("pm.environment.unset(\"a\")", vec![]),
        ] {
            assert_eq!(names_set(line), names, "{line}");
        }
    }

    #[test]
    fn empty_scripts_and_comments_are_none() {
        assert!(!is_written(&events(BEFORE, &["", "  // later"]), BEFORE));
        assert!(is_written(&events(BEFORE, &["", "x()"]), BEFORE));
        assert!(!is_written(&events(BEFORE, &["x()"]), AFTER));
        for exec in [r#""a()""#, "null"] {
            let json = format!(r#"[{{"listen": "test", "script": {{"exec": {exec}}}}}]"#);
            let events: Vec<Event> = serde_json::from_str(&json).unwrap();
            assert_eq!(is_written(&events, AFTER), exec != "null");
        }
    }

    #[test]
    fn one_expectation_of_the_status_is_read() {
        let expected = |lines: &[&str]| expected_status(&events(AFTER, lines));
        assert_eq!(
            expected(&[
                "pm.test(\"x\", () => {",
                "  pm.response.to.have.status(404);",
                "});"
            ]),
            Some(vec![(404, 404)])
        );
        assert_eq!(
            expected(&["pm.expect(pm.response.code).to.be.oneOf([201, 202]);"]),
            Some(vec![(201, 201), (202, 202)])
        );
        for none in [
            &["pm.response.to.not.have.status(404)"][..],
            &["// pm.response.to.have.status(404)"],
            &["pm.response.to.have.status(\"Created\")"],
            &["pm.response.to.have.status(99)"],
            &["pm.response.to.have.status(1", "00)"],
            &[
                "pm.response.to.have.status(200)",
                "pm.response.to.have.status(201)",
            ],
        ] {
            assert_eq!(expected(none), None, "{none:?}");
        }
    }
}
