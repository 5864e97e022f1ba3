//! XML as a tree of bounded size, in which every element knows its line.

use crate::error::ImportError;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// JMeter's own window cannot show more.
const DEEPEST: usize = 200;
/// This many elements take roughly half a gigabyte of memory.
const MOST_ELEMENTS: usize = 1_000_000;

/// An element with what is in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Element {
    pub tag: String,
    /// Line on which it begins, counted from 1.
    pub line: u64,
    attributes: Vec<(String, String)>,
    /// Its own text, without that of its children.
    pub text: String,
    pub children: Vec<Element>,
}

impl Element {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, value)| value.as_str())
    }
}

/// Reads a document and gives its root.
pub(super) fn parse(text: &str) -> Result<Element, ImportError> {
    let mut tree = Tree {
        text,
        counted_to: 0,
        line: 1,
        open: vec![Element::default()],
        elements: 0,
    };
    let mut reader = Reader::from_str(text);
    loop {
        let event = reader.read_event();
        tree.move_to(usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX));
        match event {
            Ok(Event::Eof) => return tree.finish(),
            Ok(event) => tree.take(event)?,
            Err(error) => return Err(tree.wrong(error.to_string())),
        }
    }
}

struct Tree<'a> {
    text: &'a str,
    /// Up to where the lines were counted.
    counted_to: usize,
    line: u64,
    /// The document, and within it the elements that are open.
    open: Vec<Element>,
    elements: usize,
}

impl Tree<'_> {
    fn move_to(&mut self, position: usize) {
        let position = position.min(self.text.len());
        if let Some(passed) = self.text.as_bytes().get(self.counted_to..position) {
            self.line += passed.iter().filter(|&&byte| byte == b'\n').count() as u64;
            self.counted_to = position;
        }
    }

    fn take(&mut self, event: Event<'_>) -> Result<(), ImportError> {
        match event {
            Event::Start(start) => {
                let element = self.element(&start)?;
                self.open.push(element);
            }
            Event::Empty(start) => {
                let element = self.element(&start)?;
                self.attach(element);
            }
            Event::End(_) => {
                if let Some(element) = self.open.pop() {
                    self.attach(element);
                }
            }
            Event::Text(text) => self.push_text(&text.xml10_content()),
            Event::CData(text) => self.push_text(&text.into_inner()),
            Event::GeneralRef(reference) => {
                let name = reference.xml10_content().into_owned();
                match reference.resolve_char_ref() {
                    Ok(Some(c)) => self.push_text(c.encode_utf8(&mut [0; 4])),
                    Ok(None) => match resolve_xml_entity(&name) {
                        Some(text) => self.push_text(text),
                        None => {
                            return Err(self.wrong(format!("the entity `&{name};` is not known")));
                        }
                    },
                    Err(error) => return Err(self.wrong(error.to_string())),
                }
            }
            // Entities can be made of entities, and files of the machine: JMeter writes none.
            Event::DocType(_) => {
                return Err(self.wrong("a document type is not read; remove `<!DOCTYPE ...>`"));
            }
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::Eof => {}
        }
        Ok(())
    }

    fn element(&mut self, start: &BytesStart<'_>) -> Result<Element, ImportError> {
        self.elements += 1;
        if self.open.len() > DEEPEST {
            return Err(ImportError::TooDeep {
                line: self.line,
                limit: DEEPEST,
            });
        }
        if self.elements > MOST_ELEMENTS {
            return Err(self.wrong(format!("it has more than {MOST_ELEMENTS} elements")));
        }
        let mut attributes = Vec::new();
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|error| self.wrong(error.to_string()))?;
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|error| self.wrong(error.to_string()))?;
            attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
        }
        Ok(Element {
            tag: start.name().as_ref().to_owned(),
            line: self.line,
            attributes,
            ..Element::default()
        })
    }

    fn push_text(&mut self, text: &str) {
        if let Some(open) = self.open.last_mut() {
            open.text.push_str(text);
        }
    }

    fn attach(&mut self, element: Element) {
        if let Some(parent) = self.open.last_mut() {
            parent.children.push(element);
        }
    }

    fn finish(mut self) -> Result<Element, ImportError> {
        if self.open.len() > 1 {
            let tag = self
                .open
                .pop()
                .map(|element| element.tag)
                .unwrap_or_default();
            return Err(self.wrong(format!("it ends inside `<{tag}>`")));
        }
        let root = self
            .open
            .pop()
            .and_then(|document| document.children.into_iter().next());
        root.ok_or_else(|| ImportError::Syntax {
            line: 1,
            format: "XML",
            problem: "there is no element in it".to_owned(),
        })
    }

    fn wrong(&self, problem: impl Into<String>) -> ImportError {
        ImportError::Syntax {
            line: self.line,
            format: "XML",
            problem: problem.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_text_attributes_and_lines() {
        let root = parse(
            "<?xml version=\"1.0\"?>\n<!-- c -->\n<a b=\"1 &amp; 2\">\n  <c>x&lt;&#65;<![CDATA[<y>]]></c>\n  <d/></a>",
        )
        .unwrap();
        assert_eq!((root.tag.as_str(), root.line), ("a", 3));
        assert_eq!(root.attribute("b"), Some("1 & 2"));
        assert_eq!(root.children[0].text, "x<A<y>");
        assert_eq!(
            (root.children[1].tag.as_str(), root.children[1].line),
            ("d", 5)
        );
    }

    #[test]
    fn what_is_no_document_is_refused_with_its_line() {
        for (text, start) in [
            ("", "line 1: "),
            ("<a>\n<b>\n</a>", "line 3: "),
            ("<a>\n", "line 2: "),
            (
                "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
                "line 1: this cannot be read as XML: a document type",
            ),
            (
                "<a>\n&b;</a>",
                "line 2: this cannot be read as XML: the entity `&b;`",
            ),
            ("<a b=\"&c;\"/>", "line 1: "),
            ("<a b=c/>", "line 1: "),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.starts_with(start), "{text}: {error}");
        }
    }

    #[test]
    fn a_control_character_in_a_body_is_read_as_jmeter_wrote_it() {
        let root = parse("<a>&#x1b;[0m<!-- c -->&#27;</a>").unwrap();
        assert_eq!(root.text, "\u{1b}[0m\u{1b}");
    }

    #[test]
    fn nesting_is_bounded() {
        let nested = |depth: usize| "<a>".repeat(depth) + &"</a>".repeat(depth);
        assert!(parse(&nested(DEEPEST)).is_ok());
        let error = parse(&nested(DEEPEST + 1)).unwrap_err();
        assert!(matches!(error, ImportError::TooDeep { .. }));
        assert!(parse(&"<a>".repeat(1 << 20)).is_err());
    }
}
