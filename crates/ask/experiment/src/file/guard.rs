//! What YAML may ask for, found before a tree is made of it: anchors that refer to anchors double with each line, and brackets pile
//! up on the stack.

use super::node::place;
use super::problem::Problem;
use saphyr_parser::{Event, Marker, Parser};
use std::collections::HashMap;

/// Nobody nests an experiment so.
const DEEPEST: usize = 64;
/// A node of the tree with its place, without its text.
const NODE: usize = 256;
/// Of the tree, with what aliases repeat.
const MOST_MIB: usize = 128;

/// Walks the text once, keeping one number for each anchor.
pub(super) fn check(text: &str) -> Result<(), Problem> {
    let mut size = Size::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|e| Problem::syntax(place(e.marker()), e.info()))?;
        size.take(&event, &span.start)?;
    }
    Ok(())
}

#[derive(Default)]
struct Size {
    bytes: usize,
    /// Anchor of each list or mapping that is not closed yet, and the size before it.
    open: Vec<(usize, usize)>,
    anchors: HashMap<usize, usize>,
}

impl Size {
    fn take(&mut self, event: &Event<'_>, at: &Marker) -> Result<(), Problem> {
        match event {
            Event::Scalar(text, _, anchor, _) => {
                let bytes = NODE + text.len();
                self.add(bytes);
                self.anchor(*anchor, bytes);
            }
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                self.open.push((*anchor, self.bytes));
                self.add(NODE);
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some((anchor, before)) = self.open.pop() {
                    self.anchor(anchor, self.bytes.saturating_sub(before));
                }
            }
            Event::Alias(anchor) => {
                let repeated = self.anchors.get(anchor).copied();
                self.add(repeated.unwrap_or(NODE));
            }
            _ => {}
        }
        if self.open.len() > DEEPEST {
            return Err(Problem::syntax(
                place(at),
                &format!("lists and mappings are nested deeper than {DEEPEST}"),
            ));
        }
        if self.bytes > MOST_MIB << 20 {
            return Err(Problem::syntax(
                place(at),
                &format!(
                    "with what its aliases repeat the text takes more than {MOST_MIB} MiB; write large bodies into a `body-file`"
                ),
            ));
        }
        Ok(())
    }

    /// The loader keeps a copy of what has an anchor.
    fn anchor(&mut self, anchor: usize, bytes: usize) {
        if anchor > 0 {
            self.add(bytes);
            self.anchors.insert(anchor, bytes);
        }
    }

    fn add(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
    }
}
