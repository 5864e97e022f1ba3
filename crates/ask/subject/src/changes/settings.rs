//! Files of keys and values: properties, YAML, manifests.

use std::collections::BTreeMap;
use tacho_yaml::{Limits, Node, Value};

/// Larger files are compared as files.
pub(crate) const LIMIT: u64 = 1 << 20;
/// A file of keys that is nested deeper, or grows to more by its aliases, is compared as a file.
const LIMITS: Limits = Limits { depth: 64, mib: 16 };

/// Attributes of a manifest about the build itself. They change with each build.
const OF_THE_BUILD: [&str; 8] = [
    "Ant-Version",
    "Archiver-Version",
    "Bnd-LastModified",
    "Build-Jdk",
    "Build-Jdk-Spec",
    "Build-Time",
    "Built-By",
    "Created-By",
];

/// Keys with their values, or `None` where a file of this name holds none or cannot be read.
pub(crate) fn read(name: &str, bytes: &[u8]) -> Option<BTreeMap<String, String>> {
    let text = || String::from_utf8_lossy(bytes);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension)?;
    match extension {
        "properties" => Some(properties(&text())),
        "yaml" | "yml" => yaml(&text()),
        "MF" => Some(manifest(&text())),
        _ => None,
    }
}

/// Reads properties as `java.util.Properties` does, except that escapes within keys and values stay
/// as they are.
fn properties(text: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut lines = text.lines().map(str::trim_start);
    while let Some(line) = lines.next() {
        if line.is_empty() || line.starts_with(['#', '!']) {
            continue;
        }
        let mut whole = line.to_owned();
        while whole.ends_with('\\') && !whole.ends_with("\\\\") {
            whole.pop();
            let Some(next) = lines.next() else { break };
            whole.push_str(next);
        }
        let end = whole.find(['=', ':', ' ', '\t']).unwrap_or(whole.len());
        let (key, value) = whole.split_at(end);
        let value = value.trim_start().trim_start_matches(['=', ':']).trim();
        found.insert(key.to_owned(), value.to_owned());
    }
    found
}

/// What a start script gives to the JVM and to its environment: flags (`-Xmx512m` is `-Xmx`),
/// system properties, variables.
pub(crate) fn script(text: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let lines = text.lines().map(str::trim);
    for line in lines.filter(|line| !line.starts_with('#')) {
        let words = line.split(|c: char| c.is_whitespace() || "\"'();&|".contains(c));
        for word in words.filter(|word| !word.is_empty()) {
            if let Some((key, value)) = flag(word).or_else(|| variable(word)) {
                found.insert(key, value);
            }
        }
    }
    found
}

fn flag(word: &str) -> Option<(String, String)> {
    // `OPTS=-Xmx512m` has one, too.
    let start = ["-X", "-D", "--add-", "--enable-", "-javaagent"];
    let start = start.iter().filter_map(|start| word.find(start)).min()?;
    let word = &word[start..];
    let owned = |key: &str, value: &str| Some((key.to_owned(), value.to_owned()));
    if let Some(switch) = word.strip_prefix("-XX:+") {
        return owned(&format!("-XX:{switch}"), "on");
    }
    if let Some(switch) = word.strip_prefix("-XX:-") {
        return owned(&format!("-XX:{switch}"), "off");
    }
    if let Some((key, value)) = word.split_once('=') {
        return owned(key, value);
    }
    let sizes = ["-Xmx", "-Xms", "-Xmn", "-Xss"];
    match sizes
        .iter()
        .find_map(|size| Some((size, word.strip_prefix(*size)?)))
    {
        Some((size, value)) => owned(size, value),
        None => owned(word, "on"),
    }
}

fn variable(word: &str) -> Option<(String, String)> {
    let (name, value) = word.split_once('=')?;
    // What is quoted is a word of its own.
    let is_name = !name.is_empty()
        && !value.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| (name.to_owned(), value.to_owned()))
}

/// Paths of keys: `logging.level.root`; of lists `[0]` and on.
fn yaml(text: &str) -> Option<BTreeMap<String, String>> {
    let document = tacho_yaml::read(text, &LIMITS).ok()?;
    // Spring profiles may be several documents of one file. Such a file is compared as a whole.
    if document.second.is_some() {
        return None;
    }
    let mut found = BTreeMap::new();
    if let Some(root) = &document.root {
        flatten("", root, &mut found);
    }
    Some(found)
}

fn flatten(path: &str, node: &Node, found: &mut BTreeMap<String, String>) {
    match &node.value {
        Value::Null => {
            found.insert(path.to_owned(), String::new());
        }
        Value::Text(text) => {
            found.insert(path.to_owned(), text.clone());
        }
        Value::List(items) => {
            for (place, item) in items.iter().enumerate() {
                flatten(&format!("{path}[{place}]"), item, found);
            }
        }
        Value::Map(entries) => {
            for (key, value) in entries {
                let dot = if path.is_empty() { "" } else { "." };
                flatten(&format!("{path}{dot}{}", key.name), value, found);
            }
        }
    }
}

/// The main section.
fn manifest(text: &str) -> BTreeMap<String, String> {
    let text = text.replace("\r\n", "\n");
    let main = text.split("\n\n").next().unwrap_or_default();
    let joined = main.replace("\n ", "");
    let attributes = joined.lines().filter_map(|line| line.split_once(':'));
    attributes
        .filter(|(name, _)| !OF_THE_BUILD.iter().any(|of| of.eq_ignore_ascii_case(name)))
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, text: &str) -> String {
        let found = read(name, text.as_bytes()).unwrap();
        let pairs: Vec<String> = found.iter().map(|(k, v)| format!("{k}={v}")).collect();
        pairs.join("|")
    }

    #[test]
    fn properties_are_read_as_java_does() {
        let text = "# a comment\n! another\n a = 1\nb:2\nc 3\nd=x\\\n   y\n\nempty\n";
        assert_eq!(told("a.properties", text), "a=1|b=2|c=3|d=xy|empty=");
    }

    #[test]
    fn keys_of_yaml_are_paths() {
        let text = "server:\n  tomcat:\n    threads: {max: 3}\nlist: [a, {b: c}]\nnothing:\n";
        assert_eq!(
            told("application.yml", text),
            "list[0]=a|list[1].b=c|nothing=|server.tomcat.threads.max=3"
        );
        assert_eq!(read("a.yaml", b"a: [1"), None);
    }

    #[test]
    fn a_script_sets_flags_properties_and_variables() {
        let text = "#!/bin/sh\n# -Xint\nexport POOL=8\nOPTS=\"-Xmx512m -XX:+UseSerialGC\"\nexec java $OPTS -XX:TieredStopAtLevel=1 -Dlog.level=debug -jar a.jar\n";
        let pairs: Vec<String> = script(text)
            .iter()
            .map(|(k, v)| format!("{k}={v}"))
            .collect();
        assert_eq!(
            pairs.join("|"),
            "-Dlog.level=debug|-XX:TieredStopAtLevel=1|-XX:UseSerialGC=on|-Xmx=512m|POOL=8"
        );
    }

    #[test]
    fn who_built_it_when_is_no_change() {
        let text = "Manifest-Version: 1.0\r\nBuilt-By: me\r\nClass-Path: a.jar b\r\n .jar\r\n\r\nName: x\r\n";
        assert_eq!(
            told("META-INF/MANIFEST.MF", text),
            "Class-Path=a.jar b.jar|Manifest-Version=1.0"
        );
        assert_eq!(read("logback.xml", b"<a/>"), None);
    }
}
