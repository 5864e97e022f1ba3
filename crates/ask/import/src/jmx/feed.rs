//! CSV data sets, as feeds.

use super::context::Context;
use super::element::Node;
use super::variables::template_name;
use crate::error::ImportError;
use crate::file;
use std::path::Path;
use tacho_workload::{Feed, FeedFormat, FeedOrder};

/// A feed, and what JMeter calls its columns.
pub(super) struct ReadFeed {
    pub feed: Feed,
    /// Variable, and the expression of a template that stands for it.
    pub variables: Vec<(String, String)>,
}

/// Reads a `CSVDataSet`. `None` when it cannot be used; a note says why.
pub(super) fn read(
    node: &Node<'_>,
    context: &mut Context<'_>,
) -> Result<Option<ReadFeed>, ImportError> {
    let element = node.element;
    let file_name = context.text(element.filled("filename").unwrap_or_default())?;
    let Some(file_name) = file_name.filter(|name| !name.is_empty()) else {
        context.note("the data set names no file; left out");
        return Ok(None);
    };
    let Some(delimiter) = delimiter(element.property("delimiter")) else {
        context.note("columns are separated by one ASCII character here; left out");
        return Ok(None);
    };
    let path = context.base_dir.join(&file_name);
    let variables = context.text(element.filled("variableNames").unwrap_or_default())?;
    let variables: Vec<String> = variables
        .unwrap_or_default()
        .split(',')
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect();
    let has_header = element.is_true("ignoreFirstLine") || variables.is_empty();
    let header = if has_header {
        header(&path, delimiter)
    } else {
        None
    };
    if has_header && header.is_none() {
        context.note(format!(
            "the first line of `{file_name}` cannot be read; the columns are taken to have the names of the variables"
        ));
    }
    note_order(node, context);
    let name = unused_name(&file_name, &context.feeds);
    let variables = match (variables.is_empty(), header) {
        (true, header) => pairs(&name, header.clone().unwrap_or_default(), header),
        (false, header) => pairs(&name, variables.clone(), header),
    };
    let columns = (!has_header).then(|| variables.iter().map(|(name, _)| name.clone()).collect());
    Ok(Some(ReadFeed {
        feed: Feed {
            name,
            path,
            format: FeedFormat::Csv { delimiter, columns },
            order: order(node),
        },
        variables,
    }))
}

/// Each variable with the column at its place: that of the file where it has names of its own.
fn pairs(feed: &str, variables: Vec<String>, header: Option<Vec<String>>) -> Vec<(String, String)> {
    variables
        .into_iter()
        .enumerate()
        .map(|(n, variable)| {
            let column = header
                .as_ref()
                .and_then(|header| header.get(n))
                .unwrap_or(&variable);
            let expression = format!("{feed}.{column}");
            (variable, expression)
        })
        // A name with these characters would end the placeholder.
        .filter(|(_, expression)| !expression.contains(['{', '}', '"']))
        .collect()
}

fn header(path: &Path, delimiter: u8) -> Option<Vec<String>> {
    let line = file::first_line(path)?;
    let names = line.split(char::from(delimiter));
    Some(
        names
            .map(|name| name.trim().trim_matches('"').to_owned())
            .collect(),
    )
}

/// `\t` is written as two characters.
fn delimiter(text: Option<&str>) -> Option<u8> {
    match text.unwrap_or(",") {
        "" => Some(b','),
        "\\t" => Some(b'\t'),
        text => match text.as_bytes() {
            [byte] if byte.is_ascii() => Some(*byte),
            _ => None,
        },
    }
}

fn order(node: &Node<'_>) -> FeedOrder {
    match node.element.filled("recycle") {
        Some("false") => FeedOrder::Once,
        _ => FeedOrder::Cycle,
    }
}

fn note_order(node: &Node<'_>, context: &mut Context<'_>) {
    let element = node.element;
    if order(node) == FeedOrder::Once && !element.is_true("stopThread") {
        context
            .note("after the last row the phase ends; JMeter would go on with `<EOF>` for values");
    }
    if let Some(mode) = element
        .filled("shareMode")
        .filter(|mode| *mode != "shareMode.all")
    {
        context.note(format!(
            "the rows are shared by all virtual users, not by `{mode}`"
        ));
    }
}

fn unused_name(file_name: &str, taken: &[Feed]) -> String {
    let stem = Path::new(file_name).file_stem();
    let name =
        template_name(&stem.map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()));
    let is_free = |name: &str| taken.iter().all(|feed| feed.name != name);
    if is_free(&name) {
        return name;
    }
    (2_u64..)
        .map(|number| format!("{name}-{number}"))
        .find(|name| is_free(name))
        .unwrap_or(name)
}
