//! From what an image says in its log to the reachability metadata that it lacks. Pure functions.
//!
//! The format is that of GraalVM for JDK 25 (`reachability-metadata.json`):
//! <https://www.graalvm.org/latest/reference-manual/native-image/metadata/>.

use regex::{Captures, Regex};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::sync::LazyLock;
use tacho_launch::log::plain;

/// The most entries that are gathered: building an image again takes minutes, so that all of them
/// are wanted at once.
const MOST: usize = 200;

/// The most whose names are listed.
const NAMED: usize = 3;

/// Characters of a message that is named.
const LONGEST: usize = 300;

/// What an image lacks, by its log.
#[derive(Debug, Default, PartialEq)]
pub struct Lacks {
    entries: Vec<Entry>,
}

/// An entry to add.
#[derive(Debug, PartialEq)]
struct Entry {
    /// What the log said: `ClassNotFoundException: a.B`.
    seen: String,
    /// Where it belongs: `reflection`, `resources`.
    section: String,
    element: Value,
}

impl Lacks {
    /// Nothing was found.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The first of them, in the log's words, and how many there are besides.
    pub fn seen(&self) -> String {
        let named: Vec<&str> = self
            .entries
            .iter()
            .map(|entry| &*entry.seen)
            .take(NAMED)
            .collect();
        let besides = self.entries.len() - named.len();
        let more = match besides {
            0 => String::new(),
            _ => format!("; {besides} more"),
        };
        format!("{}{more}", named.join("; "))
    }

    /// All of them as one `reachability-metadata.json`, a line each.
    pub fn document(&self) -> String {
        let mut sections: Map<String, Value> = Map::new();
        for entry in &self.entries {
            let section = sections
                .entry(&entry.section)
                .or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(elements) = section {
                elements.push(entry.element.clone());
            }
        }
        let sections: Vec<String> = sections
            .iter()
            .map(|(name, elements)| {
                let lines: Vec<String> = elements
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(|element| format!("    {element}"))
                    .collect();
                format!("  \"{name}\": [\n{}\n  ]", lines.join(",\n"))
            })
            .collect();
        format!("{{\n{}\n}}\n", sections.join(",\n"))
    }

    fn offer(&mut self, seen: &str, section: &str, element: Value) {
        let known = |entry: &Entry| entry.section == section && entry.element == element;
        if !self.entries.iter().any(known) && self.entries.len() < MOST {
            self.entries.push(Entry {
                seen: plain(seen.trim()).chars().take(LONGEST).collect(),
                section: section.to_owned(),
                element,
            });
        }
    }
}

/// A message of the JDK or of a framework that an image gives where metadata is absent.
struct Symptom {
    pattern: &'static str,
    section: &'static str,
    element: fn(&Captures<'_>) -> Value,
}

/// Names are such as `com.acme.Order$Line`.
const SYMPTOMS: [Symptom; 8] = [
    Symptom {
        pattern: r"ClassNotFoundException: ([\w.$]+)",
        section: REFLECTION,
        element: |found| json!({"type": &found[1]}),
    },
    Symptom {
        pattern: r"NoSuchMethodException: ([\w.$]+)\.(<init>|[\w$]+)\(([^)]*)\)",
        section: REFLECTION,
        element: |found| {
            let types: Vec<&str> = found[3]
                .split(',')
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .collect();
            let method = json!({"name": &found[2], "parameterTypes": types});
            json!({"type": &found[1], "methods": [method]})
        },
    },
    Symptom {
        // Jackson: most services report missing metadata by one of its messages.
        pattern: r"(?:No serializer found for class|Cannot construct instance of `|no properties discovered to create BeanSerializer for class) ?([\w.$]+)",
        section: REFLECTION,
        element: |found| whole_class(&found[1]),
    },
    Symptom {
        pattern: r"ServiceConfigurationError: [\w.$]+: Provider ([\w.$]+) not found",
        section: REFLECTION,
        element: |found| {
            let method = json!({"name": "<init>", "parameterTypes": []});
            json!({"type": &found[1], "methods": [method]})
        },
    },
    Symptom {
        // Helidon's registry, whose cause names the field alone (`NoSuchFieldException: INSTANCE`).
        pattern: r"Could not obtain the instance of service descriptor ([\w.$]+)",
        section: REFLECTION,
        element: |found| json!({"type": &found[1], "fields": [{"name": "INSTANCE"}]}),
    },
    Symptom {
        // HK2, which Jersey makes its objects with: private constructors too, and it looks at
        // fields and methods for @Inject.
        pattern: r"Could not find a suitable constructor in ([\w.$]+) class",
        section: REFLECTION,
        element: |found| whole_class(&found[1]),
    },
    Symptom {
        pattern: r"Can't find bundle for base name ([\w./$-]+)",
        section: RESOURCES,
        element: |found| json!({"bundle": &found[1]}),
    },
    Symptom {
        pattern: r"class path resource \[([^\]\s]+)\] cannot be (?:opened|resolved)",
        section: RESOURCES,
        element: |found| json!({"glob": &found[1]}),
    },
];

const REFLECTION: &str = "reflection";
const RESOURCES: &str = "resources";

fn whole_class(name: &str) -> Value {
    json!({
        "type": name,
        "allDeclaredConstructors": true,
        "allDeclaredMethods": true,
        "allDeclaredFields": true,
    })
}

/// The image itself says what to add where it was built with `--exact-reachability-metadata`.
const OWN_WORDS: &str = r"(?s)(Missing\w+RegistrationError: [^\n]*).*?add the following to the '(\w+)' section of 'reachability-metadata\.json'[^\n]*\n\s*(\{.*?\n? *\})\s*\n\s*\n?(?:The 'reachability|\s*at |$)";

/// What to add, by the messages in the image's log that the JVM's does not have. Each once.
pub fn missing(image: &str, jvm: &str) -> Lacks {
    let mut lacks = Lacks::default();
    for found in of(&PATTERNS.own_words, image) {
        if let Ok(own) = serde_json::from_str::<Value>(&found[3]) {
            lacks.offer(&found[1], &found[2], own);
        }
    }
    for (symptom, pattern) in SYMPTOMS.iter().zip(&PATTERNS.symptoms) {
        // A message that the JVM logs too does not show missing metadata. A set is used, not a
        // search, because a log may have a message in each of its lines.
        let mut known: HashSet<&str> = of(pattern, jvm).map(|found| whole(&found)).collect();
        for found in of(pattern, image) {
            if known.insert(whole(&found)) {
                lacks.offer(whole(&found), symptom.section, (symptom.element)(&found));
            }
        }
    }
    lacks
}

/// Compiled once. The patterns are constants, and each has its test: one that cannot be read would
/// find nothing there.
struct Patterns {
    own_words: Option<Regex>,
    symptoms: Vec<Option<Regex>>,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns {
    own_words: Regex::new(OWN_WORDS).ok(),
    symptoms: SYMPTOMS
        .iter()
        .map(|symptom| Regex::new(symptom.pattern).ok())
        .collect(),
});

fn of<'t>(pattern: &Option<Regex>, text: &'t str) -> impl Iterator<Item = Captures<'t>> {
    pattern
        .iter()
        .flat_map(move |pattern| pattern.captures_iter(text))
}

fn whole<'t>(found: &Captures<'t>) -> &'t str {
    found.get(0).map_or("", |whole| whole.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jsons(image: &str) -> Vec<String> {
        let lacks = missing(image, "");
        let alone = |e: &Entry| {
            let section = e.section.clone();
            json!({ section: [e.element] }).to_string()
        };
        lacks.entries.iter().map(alone).collect()
    }

    #[test]
    fn each_symptom_has_its_entry() {
        for (line, expected) in [
            (
                "Caused by: java.lang.ClassNotFoundException: com.acme.Order$Line",
                r#"{"reflection":[{"type":"com.acme.Order$Line"}]}"#,
            ),
            (
                "java.lang.NoSuchMethodException: com.acme.Order.<init>(java.lang.String, int)",
                r#"{"reflection":[{"methods":[{"name":"<init>","parameterTypes":["java.lang.String","int"]}],"type":"com.acme.Order"}]}"#,
            ),
            (
                "java.lang.NoSuchMethodException: com.acme.Order.total()",
                r#"{"reflection":[{"methods":[{"name":"total","parameterTypes":[]}],"type":"com.acme.Order"}]}"#,
            ),
            (
                "InvalidDefinitionException: No serializer found for class com.acme.User and no properties discovered",
                r#"{"reflection":[{"allDeclaredConstructors":true,"allDeclaredFields":true,"allDeclaredMethods":true,"type":"com.acme.User"}]}"#,
            ),
            (
                "java.util.ServiceConfigurationError: a.Codec: Provider a.b.JsonCodec not found",
                r#"{"reflection":[{"methods":[{"name":"<init>","parameterTypes":[]}],"type":"a.b.JsonCodec"}]}"#,
            ),
            (
                "ServiceRegistryException: Could not obtain the instance of service descriptor a.Web__ServiceDescriptor",
                r#"{"reflection":[{"fields":[{"name":"INSTANCE"}],"type":"a.Web__ServiceDescriptor"}]}"#,
            ),
            (
                "java.lang.NoSuchMethodException: Could not find a suitable constructor in a.Options$Plain class.",
                r#"{"reflection":[{"allDeclaredConstructors":true,"allDeclaredFields":true,"allDeclaredMethods":true,"type":"a.Options$Plain"}]}"#,
            ),
            (
                "java.util.MissingResourceException: Can't find bundle for base name messages, locale en",
                r#"{"resources":[{"bundle":"messages"}]}"#,
            ),
            (
                "FileNotFoundException: class path resource [templates/mail.html] cannot be opened because it does not exist",
                r#"{"resources":[{"glob":"templates/mail.html"}]}"#,
            ),
        ] {
            assert_eq!(jsons(line), [expected], "{line}");
        }
    }

    #[test]
    fn what_the_jvm_logs_as_well_is_no_lack_and_each_lack_is_named_once() {
        let line = "ClassNotFoundException: org.joda.time.DateTime\n";
        assert!(missing(line, line).is_empty());
        assert_eq!(jsons(&line.repeat(50)).len(), 1);
        let many: String = (0..2 * MOST)
            .map(|n| format!("ClassNotFoundException: a.C{n}\n"))
            .collect();
        assert_eq!(jsons(&many).len(), MOST);
    }

    #[test]
    fn what_a_log_says_is_shown_without_what_a_terminal_obeys() {
        let log = "MissingReflectionRegistrationError: \u{1b}[2J'a.B'. add the following to the 'reflection' section of 'reachability-metadata.json' and build:\n\n  {\"type\": \"a.B\"}\n\nThe 'reachability-metadata.json'\n";
        let seen = missing(log, "").seen();
        assert!(seen.contains("'a.B'"), "{seen}");
        assert!(!seen.contains(char::is_control), "{seen:?}");
        let long = log.replace("a.B", &"a".repeat(4000));
        assert!(missing(&long, "").seen().len() <= LONGEST);
    }

    #[test]
    fn all_lacks_are_one_document_and_the_first_are_named() {
        let log: String = ('A'..='E')
            .map(|c| {
                format!("ClassNotFoundException: a.{c}\nCan't find bundle for base name {c}\n")
            })
            .collect();
        let lacks = missing(&log, "");
        assert_eq!(
            lacks.seen(),
            "ClassNotFoundException: a.A; ClassNotFoundException: a.B; ClassNotFoundException: a.C; 7 more"
        );
        let document: Value = serde_json::from_str(&lacks.document()).unwrap();
        assert_eq!(document["reflection"][4], json!({"type": "a.E"}));
        assert_eq!(document["resources"][0], json!({"bundle": "A"}));
        assert_eq!(document["resources"].as_array().unwrap().len(), 5);
    }

    #[test]
    fn an_image_that_says_it_itself_is_believed() {
        let log = "Exception in thread \"main\" org.graalvm.nativeimage.MissingReflectionRegistrationError: Cannot reflectively access 'com.acme.Plugin'. To allow this operation, add the following to the 'reflection' section of 'reachability-metadata.json' and rebuild the native image:\n\n  {\n    \"type\": \"com.acme.Plugin\"\n  }\n\nThe 'reachability-metadata.json' file should be located in 'META-INF/native-image/'\n\tat a.B(C.java)\n";
        assert_eq!(
            jsons(log),
            [r#"{"reflection":[{"type":"com.acme.Plugin"}]}"#]
        );
    }
}
