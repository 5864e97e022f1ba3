//! JMeter's functions that have an equivalent in Tacho.

use super::context::Context;
use crate::error::ImportError;
use crate::form::encode;
use crate::note::shorten;
use crate::template::Template;

/// What stands for `${__name(arguments)}`.
pub(super) fn value(
    context: &mut Context<'_>,
    inner: &str,
    depth: usize,
) -> Result<Template, ImportError> {
    let (name, arguments) = parse(inner);
    let mut resolved = Vec::new();
    for argument in &arguments {
        resolved.push(context.resolve(argument, depth + 1)?);
    }
    let text = |n: usize| resolved.get(n).and_then(Template::as_text).map(str::trim);
    Ok(match name {
        "__UUID" => placeholder("uuid"),
        "__Random" => random(context, inner, text(0), text(1)),
        "__counter" => {
            if text(0).is_some_and(|per_user| per_user.eq_ignore_ascii_case("true")) {
                context.note("a counter of each user becomes one of all users together");
            }
            placeholder("counter")
        }
        "__time" => match text(0) {
            None | Some("") => placeholder("now"),
            Some("/1000") => placeholder("now s"),
            Some(_) => context.as_written(inner, "writes a time in a form without an equal here"),
        },
        "__P" => property(context, text(0), resolved.get(1), "1"),
        "__property" => property(context, text(0), resolved.get(2), ""),
        "__V" => {
            let name = text(0).unwrap_or_default().to_owned();
            // A variable of this name, whose value may not be a function again.
            if name.starts_with("__") {
                context.as_written(inner, "is a function without an equal here")
            } else {
                context.resolve(&format!("${{{name}}}"), depth + 1)?
            }
        }
        "__urlencode" | "__lowercase" | "__uppercase" => match resolved.first() {
            Some(argument) if !argument.has_placeholders() => {
                argument.map_text(|text| match name {
                    "__urlencode" => encode(text.as_bytes()),
                    "__lowercase" => text.to_lowercase(),
                    _ => text.to_uppercase(),
                })
            }
            // A value is encoded where it has to be.
            Some(argument) if name == "__urlencode" => argument.clone(),
            _ => context.as_written(inner, "changes a text that is known only in the run"),
        },
        _ => context.as_written(inner, "is a function without an equal here"),
    })
}

fn placeholder(expression: &str) -> Template {
    let mut template = Template::default();
    template.push_placeholder(expression);
    template
}

fn random(
    context: &mut Context<'_>,
    inner: &str,
    low: Option<&str>,
    high: Option<&str>,
) -> Template {
    let number = |text: Option<&str>| text?.parse::<i64>().ok();
    match (number(low), number(high)) {
        (Some(low), Some(high)) if low <= high => placeholder(&format!("random {low} {high}")),
        _ => context.as_written(inner, "needs two whole numbers, the lower one first"),
    }
}

/// `-Jname=value` on JMeter's command line is not known here.
fn property(
    context: &mut Context<'_>,
    name: Option<&str>,
    default: Option<&Template>,
    otherwise: &str,
) -> Template {
    let value = match default {
        Some(default) if !default.is_empty() => default.clone(),
        _ => Template::from(otherwise),
    };
    context.note(format!(
        "the property `{}` has its default, `{}`",
        shorten(name.unwrap_or_default(), 60),
        shorten(&value.finish(), 60)
    ));
    value
}

/// The name, and the arguments between commas that are neither in `${...}` nor escaped by a
/// backslash.
fn parse(inner: &str) -> (&str, Vec<String>) {
    let Some((name, arguments)) = inner.split_once('(') else {
        return (inner, Vec::new());
    };
    let Some(arguments) = arguments.trim_end().strip_suffix(')') else {
        return (inner, Vec::new());
    };
    let mut split = vec![String::new()];
    let mut depth = 0_usize;
    let mut characters = arguments.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\\' if characters.peek() == Some(&',') => {
                characters.next();
                push(&mut split, ',');
            }
            ',' if depth == 0 => split.push(String::new()),
            '{' => {
                depth += 1;
                push(&mut split, c);
            }
            '}' => {
                depth = depth.saturating_sub(1);
                push(&mut split, c);
            }
            _ => push(&mut split, c),
        }
    }
    (name.trim(), split)
}

fn push(split: &mut [String], c: char) {
    if let Some(last) = split.last_mut() {
        last.push(c);
    }
}
