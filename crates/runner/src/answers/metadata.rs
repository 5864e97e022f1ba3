//! From what an image says in its log to the reachability metadata that it lacks. Pure functions.
//!
//! The format is that of GraalVM for JDK 25 (`reachability-metadata.json`):
//! <https://www.graalvm.org/latest/reference-manual/native-image/metadata/>.

use regex::{Captures, Regex};
use serde_json::{Value, json};

/// So many entries are reported; the first are mostly the cause of the rest.
const MOST: usize = 10;

/// An entry to add.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What the log said: `ClassNotFoundException: a.B`.
    pub seen: String,
    /// The whole file, if this were all of it.
    pub json: String,
}

/// A message of the JDK or of a framework that an image gives where metadata is absent.
struct Symptom {
    pattern: &'static str,
    entry: fn(&Captures<'_>) -> Value,
}

/// Names are such as `com.acme.Order$Line`.
const SYMPTOMS: [Symptom; 6] = [
    Symptom {
        pattern: r"ClassNotFoundException: ([\w.$]+)",
        entry: |found| reflection(json!({"type": &found[1]})),
    },
    Symptom {
        pattern: r"NoSuchMethodException: ([\w.$]+)\.(<init>|[\w$]+)\(([^)]*)\)",
        entry: |found| {
            let types: Vec<&str> = found[3]
                .split(',')
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .collect();
            let method = json!({"name": &found[2], "parameterTypes": types});
            reflection(json!({"type": &found[1], "methods": [method]}))
        },
    },
    Symptom {
        // Jackson, in whose words most services learn of it.
        pattern: r"(?:No serializer found for class|Cannot construct instance of `|no properties discovered to create BeanSerializer for class) ?([\w.$]+)",
        entry: |found| {
            reflection(json!({
                "type": &found[1],
                "allDeclaredConstructors": true,
                "allDeclaredMethods": true,
                "allDeclaredFields": true,
            }))
        },
    },
    Symptom {
        pattern: r"ServiceConfigurationError: [\w.$]+: Provider ([\w.$]+) not found",
        entry: |found| {
            let method = json!({"name": "<init>", "parameterTypes": []});
            reflection(json!({"type": &found[1], "methods": [method]}))
        },
    },
    Symptom {
        pattern: r"Can't find bundle for base name ([\w./$-]+)",
        entry: |found| json!({"resources": [{"bundle": &found[1]}]}),
    },
    Symptom {
        pattern: r"class path resource \[([^\]\s]+)\] cannot be (?:opened|resolved)",
        entry: |found| json!({"resources": [{"glob": &found[1]}]}),
    },
];

/// The image itself says what to add where it was built with `--exact-reachability-metadata`.
const OWN_WORDS: &str = r"(?s)(Missing\w+RegistrationError: [^\n]*).*?add the following to the '(\w+)' section of 'reachability-metadata\.json'[^\n]*\n\s*(\{.*?\n? *\})\s*\n\s*\n?(?:The 'reachability|\s*at |$)";

fn reflection(entry: Value) -> Value {
    json!({ "reflection": [entry] })
}

/// What to add, by the messages in the image's log that the JVM's does not have. Each once.
pub fn missing(image: &str, jvm: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut offer = |entry: Entry| {
        let is_new = entries.iter().all(|known| known.json != entry.json);
        if is_new && entries.len() < MOST {
            entries.push(entry);
        }
    };
    for found in all(OWN_WORDS, image) {
        if let Ok(own) = serde_json::from_str::<Value>(&found[3]) {
            let section = found[2].to_owned();
            offer(Entry {
                seen: found[1].trim().to_owned(),
                json: json!({ section: [own] }).to_string(),
            });
        }
    }
    for symptom in &SYMPTOMS {
        for found in all(symptom.pattern, image) {
            // What is caught and logged on the JVM too is no lack of the image.
            if !jvm.contains(&found[0]) {
                offer(Entry {
                    seen: found[0].to_owned(),
                    json: (symptom.entry)(&found).to_string(),
                });
            }
        }
    }
    entries
}

/// The patterns are constants, and each has its test: one that cannot be read would find nothing there.
fn all<'t>(pattern: &str, text: &'t str) -> Vec<Captures<'t>> {
    Regex::new(pattern).map_or_else(|_| Vec::new(), |regex| regex.captures_iter(text).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jsons(image: &str) -> Vec<String> {
        missing(image, "").into_iter().map(|e| e.json).collect()
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
        assert_eq!(missing(line, line), []);
        assert_eq!(jsons(&line.repeat(50)).len(), 1);
        let many: String = (0..100)
            .map(|n| format!("ClassNotFoundException: a.C{n}\n"))
            .collect();
        assert_eq!(jsons(&many).len(), MOST);
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
