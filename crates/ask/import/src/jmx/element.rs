//! The elements of a test plan, their properties, and the tree that `hashTree` makes of them.

use super::xml::Element;

/// An element of the test plan with those that stand below it.
#[derive(Debug)]
pub(super) struct Node<'x> {
    pub element: &'x Element,
    pub children: Vec<Node<'x>>,
}

/// JMeter writes an element, and after it, in a `hashTree`, its children.
pub(super) fn nodes(hash_tree: &Element) -> Vec<Node<'_>> {
    let mut found: Vec<Node<'_>> = Vec::new();
    for child in &hash_tree.children {
        if child.tag == "hashTree" {
            if let Some(node) = found.last_mut() {
                node.children.extend(nodes(child));
            }
        } else {
            found.push(Node {
                element: child,
                children: Vec::new(),
            });
        }
    }
    found
}

impl Node<'_> {
    pub fn is_enabled(&self) -> bool {
        self.element.attribute("enabled") != Some("false")
    }

    /// The class without its package: plugins write `kg.apc.jmeter.threads.UltimateThreadGroup`.
    pub fn kind(&self) -> &str {
        let tag = &self.element.tag;
        tag.rsplit('.').next().unwrap_or(tag)
    }

    /// As the user named it.
    pub fn name(&self) -> &str {
        match self.element.attribute("testname").map(str::trim) {
            None | Some("") => self.kind(),
            Some(name) => name,
        }
    }
}

const SCALARS: [&str; 6] = [
    "stringProp",
    "boolProp",
    "intProp",
    "longProp",
    "floatProp",
    "doubleProp",
];

impl Element {
    /// A property that holds a value. Some classes are written with the name and value of the
    /// property as elements of their own.
    pub fn property(&self, name: &str) -> Option<&str> {
        self.children
            .iter()
            .filter(|child| SCALARS.contains(&child.tag.as_str()))
            .find_map(|child| match child.attribute("name") {
                Some(found) if found == name => Some(child.text.as_str()),
                Some(_) => None,
                None => {
                    let part = |tag: &str| child.children.iter().find(|part| part.tag == tag);
                    let is_it = part("name").is_some_and(|part| part.text.trim() == name);
                    part("value")
                        .filter(|_| is_it)
                        .map(|part| part.text.as_str())
                }
            })
    }

    /// The same, and nothing when it is empty.
    pub fn filled(&self, name: &str) -> Option<&str> {
        self.property(name)
            .map(str::trim)
            .filter(|text| !text.is_empty())
    }

    /// All properties that hold a value and are not empty.
    pub fn filled_properties(&self) -> impl Iterator<Item = (&str, &str)> {
        self.children
            .iter()
            .filter(|child| SCALARS.contains(&child.tag.as_str()))
            .filter_map(|child| Some((child.attribute("name")?, child.text.trim())))
            .filter(|(_, value)| !value.is_empty())
    }

    pub fn is_true(&self, name: &str) -> bool {
        self.filled(name) == Some("true")
    }

    /// A property that holds an element.
    pub fn inner(&self, name: &str) -> Option<&Element> {
        self.children
            .iter()
            .find(|child| child.tag == "elementProp" && child.attribute("name") == Some(name))
    }

    /// The elements of a property that holds a list.
    pub fn collection(&self, name: &str) -> &[Element] {
        self.children
            .iter()
            .find(|child| child.tag == "collectionProp" && child.attribute("name") == Some(name))
            .map_or(&[], |list| &list.children)
    }
}
