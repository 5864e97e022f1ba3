//! JMeter's `${...}`: variables and functions, as templates of ours.

use super::context::Context;
use super::function;
use crate::error::ImportError;
use crate::note::shorten;
use crate::template::Template;
use std::collections::BTreeMap;

/// Longest text after its variables were replaced, in bytes.
const LONGEST: usize = 4 << 20;
/// Functions in the arguments of functions.
const DEEPEST: usize = 8;

/// What the names stand for at one place of the plan.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// User defined variables, resolved.
    pub defined: BTreeMap<String, Template>,
    /// Columns of the CSV data sets of the plan: `feed.column`.
    pub columns: BTreeMap<String, String>,
    /// Columns of those of the thread group.
    pub group_columns: BTreeMap<String, String>,
    /// Captured by an earlier step of the same thread group.
    pub captured: BTreeMap<String, String>,
}

impl Names {
    /// A captured value hides a column of a data set, and that hides a defined variable.
    fn look_up(&self, name: &str) -> Option<Template> {
        let placeholder = [&self.captured, &self.group_columns, &self.columns]
            .into_iter()
            .find_map(|names| names.get(name));
        match placeholder {
            Some(expression) => {
                let mut template = Template::default();
                template.push_placeholder(expression);
                Some(template)
            }
            None => self.defined.get(name).cloned(),
        }
    }

    /// Forgets what this group captures and reads: other groups do not have it.
    pub fn leave_group(&mut self) {
        self.captured.clear();
        self.group_columns.clear();
    }
}

impl Context<'_> {
    /// The text with its variables and functions replaced.
    pub fn template(&mut self, text: &str) -> Result<Template, ImportError> {
        self.resolve(text, 0)
    }

    pub fn resolve(&mut self, text: &str, depth: usize) -> Result<Template, ImportError> {
        let mut template = Template::default();
        let mut rest = text;
        while let Some(at) = rest.find("${") {
            // `\${` is meant as it stands.
            if let Some(before) = rest[..at].strip_suffix('\\') {
                template.push_text(before);
                template.push_text("${");
                rest = &rest[at + 2..];
                continue;
            }
            template.push_text(&rest[..at]);
            let Some(length) = closing(&rest[at + 2..]) else {
                rest = &rest[at..];
                break;
            };
            let inner = &rest[at + 2..at + 2 + length];
            let value = self.value(inner, depth)?;
            self.allowance.take_bytes(value.len(), &self.place)?;
            template.append(&value);
            if template.len() > LONGEST {
                return Err(self.too_much("4 MiB in one text after its variables were replaced"));
            }
            rest = &rest[at + 3 + length..];
        }
        template.push_text(rest);
        Ok(template)
    }

    /// The value of `${inner}`; the text itself when there is none.
    fn value(&mut self, inner: &str, depth: usize) -> Result<Template, ImportError> {
        if depth > DEEPEST {
            return Ok(self.as_written(inner, "is nested too deep"));
        }
        if inner.starts_with("__") {
            return function::value(self, inner, depth);
        }
        // `${a${b}}` is a variable only within a function of JMeter's.
        Ok(self
            .names
            .look_up(inner)
            .unwrap_or_else(|| self.as_written(inner, "has no value that is known before the run")))
    }

    pub fn as_written(&mut self, inner: &str, why: &str) -> Template {
        self.note(format!(
            "`${{{}}}` {why}; it is sent as it stands",
            shorten(inner, 80)
        ));
        Template::from(format!("${{{inner}}}").as_str())
    }
}

/// Length of what stands before the brace that closes.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// A name that templates accept, as close to the original as possible.
pub(super) fn template_name(name: &str) -> String {
    let mut clean: String = name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || c == '_' || c == '-' {
                c
            } else {
                '_'
            }
        })
        .collect();
    if clean.is_empty() || ["counter", "random", "uuid", "now", "raw"].contains(&clean.as_str()) {
        clean.push('_');
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn names() -> Names {
        let mut names = Names::default();
        names
            .defined
            .insert("host".to_owned(), Template::from("localhost"));
        names.defined.insert("id".to_owned(), Template::from("0"));
        names.columns.insert("id".to_owned(), "users.id".to_owned());
        names
            .captured
            .insert("token".to_owned(), "token".to_owned());
        names
    }

    fn resolve(text: &str) -> (String, Vec<String>) {
        let mut context = Context::new(Path::new(""));
        context.names = names();
        let template = context.template(text).unwrap();
        let notes = context.notes.finish().into_iter();
        let notes = notes.map(|note| note.text).collect();
        (template.finish(), notes)
    }

    #[test]
    fn variables_become_texts_and_placeholders() {
        for (text, template) in [
            ("plain", "plain"),
            ("http://${host}/${id}", "http://localhost/{{users.id}}"),
            ("${token}${token}", "{{token}}{{token}}"),
            ("\\${host}", "${host}"),
            ("{${id}}", "{{{users.id}}}"),
            ("${", "${"),
            ("a ${b", "a ${b"),
            ("${__UUID} ${__UUID()}", "{{uuid}} {{uuid}}"),
            ("${__Random(1,10)}", "{{random 1 10}}"),
            ("${__Random(1, 10 ,)}", "{{random 1 10}}"),
            (
                "${__time}|${__time()}|${__time(,)}",
                "{{now}}|{{now}}|{{now}}",
            ),
            ("${__time(/1000,)}", "{{now s}}"),
            ("${__counter(FALSE)}", "{{counter}}"),
            ("${__urlencode(a b)}", "a%20b"),
            ("${__V(host)}", "localhost"),
            ("${__lowercase(A${host})}", "alocalhost"),
            ("${__UrlDecode}", "${__UrlDecode}"),
        ] {
            assert_eq!(resolve(text).0, template, "{text}");
        }
    }

    #[test]
    fn what_has_no_equal_is_noted_and_kept() {
        for (text, note) in [
            (
                "${nobody}",
                "`${nobody}` has no value that is known before the run; it is sent as it stands",
            ),
            (
                "${__groovy(1+1)}",
                "`${__groovy(1+1)}` is a function without an equal here; it is sent as it stands",
            ),
            (
                "${__Random(a,b)}",
                "`${__Random(a,b)}` needs two whole numbers, the lower one first; it is sent as it stands",
            ),
        ] {
            assert_eq!(resolve(text), (text.to_owned(), vec![note.to_owned()]));
        }
    }

    #[test]
    fn properties_take_their_defaults_and_say_so() {
        let (text, notes) = resolve("${__P(threads,${id}0)} ${__property(a,,b)} ${__P(c)}");
        assert_eq!(text, "{{users.id}}0 b 1");
        assert_eq!(notes.len(), 3);
        assert!(notes[0].contains("property `threads`"));
    }

    #[test]
    fn texts_that_grow_without_bound_are_refused() {
        let mut context = Context::new(Path::new(""));
        let long = Template::from("x".repeat(1 << 20).as_str());
        context.names.defined.insert("a".to_owned(), long);
        let error = context.template(&"${a}".repeat(10)).unwrap_err();
        assert!(error.to_string().contains("4 MiB"), "{error}");
    }

    #[test]
    fn names_are_made_fit_for_templates() {
        assert_eq!(template_name("a.b c"), "a_b_c");
        assert_eq!(template_name("uuid"), "uuid_");
        assert_eq!(template_name(""), "_");
    }
}
