//! Names and versions of libraries.

use super::listing::Listing;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek};

/// Most bytes of one `pom.xml` that are read.
const POM_LIMIT: u64 = 1 << 20;
/// Most merged artifacts of a jar whose `pom.xml` is read; the largest jars have some hundred.
const MOST_POMS: usize = 1_000;

/// What a jar's file name tells: `jackson-databind` and `2.17.1` of `jackson-databind-2.17.1.jar`.
/// The version begins with the first hyphen that a digit follows, and goes on to the end.
pub(super) fn named(file: &str) -> (String, Option<String>) {
    let file = file.rsplit('/').next().unwrap_or(file);
    let stem = file.strip_suffix(".jar").unwrap_or(file);
    let mut hyphens = stem.match_indices('-').map(|(place, _)| place);
    let begins_version = |place: usize| {
        let after = stem.as_bytes().get(place + 1);
        after.is_some_and(u8::is_ascii_digit)
    };
    match hyphens.find(|place| begins_version(*place)) {
        Some(place) => (stem[..place].to_owned(), Some(stem[place + 1..].to_owned())),
        None => (stem.to_owned(), None),
    }
}

/// An artifact whose classes are merged into a jar, by the `pom.properties` that Maven leaves:
/// `META-INF/maven/GROUP/ARTIFACT/pom.properties`.
pub(super) fn merged(path: &str) -> Option<(&str, &str)> {
    let rest = path.strip_prefix("META-INF/maven/")?;
    let (group, rest) = rest.split_once('/')?;
    let (artifact, file) = rest.split_once('/')?;
    (file == "pom.properties").then_some((group, artifact))
}

/// Of the artifacts that were merged into a jar, those that no other one depends upon: the
/// application. Groups and names. Maven leaves the `pom.xml` of each beside its `pom.properties`.
pub(super) fn applications<R: Read + Seek>(jar: &mut Listing<R>) -> BTreeSet<(String, String)> {
    let artifacts: BTreeSet<(String, String)> = jar
        .names()
        .filter_map(merged)
        .take(MOST_POMS)
        .map(|(group, artifact)| (group.to_owned(), artifact.to_owned()))
        .collect();
    let poms: BTreeMap<&(String, String), Vec<u8>> = artifacts
        .iter()
        .map(|named @ (group, artifact)| {
            let path = format!("META-INF/maven/{group}/{artifact}/pom.xml");
            (named, jar.bytes(&path, POM_LIMIT))
        })
        .collect();
    let depended: BTreeSet<String> = poms.values().flat_map(|pom| dependencies(pom)).collect();
    let nobody_needs = |(_, artifact): &&(String, String)| !depended.contains(artifact);
    artifacts.iter().filter(nobody_needs).cloned().collect()
}

/// Names of the dependencies in a `pom.xml`. The text is only searched, so that nothing in a
/// foreign XML file is resolved.
fn dependencies(pom: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(pom);
    let dependencies = text.split("<dependency>").skip(1);
    let names = dependencies.filter_map(|dependency| {
        let within = dependency.split("</dependency>").next()?;
        let (_, name) = within.split_once("<artifactId>")?;
        Some(name.split_once("</artifactId>")?.0.trim().to_owned())
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_pom_depends_upon_is_found() {
        let pom = "<project><artifactId>shop</artifactId><dependencies><dependency>\n<groupId>g</groupId><artifactId> a </artifactId></dependency><dependency><artifactId>b</artifactId><exclusions/></dependency></dependencies></project>";
        assert_eq!(dependencies(pom.as_bytes()), ["a", "b"]);
        assert!(dependencies(b"<dependency><artifactId>").is_empty());
    }

    #[test]
    fn a_version_begins_where_a_digit_follows_a_hyphen() {
        let told = |file: &str| {
            let (name, version) = named(file);
            format!("{name} {}", version.as_deref().unwrap_or("-"))
        };
        assert_eq!(
            told("BOOT-INF/lib/jackson-databind-2.17.1.jar"),
            "jackson-databind 2.17.1"
        );
        assert_eq!(told("log4j-1.2-api-2.24.3.jar"), "log4j 1.2-api-2.24.3");
        assert_eq!(told("commons.jar"), "commons -");
        assert_eq!(told("tool-2-SNAPSHOT.jar"), "tool 2-SNAPSHOT");
    }

    #[test]
    fn a_merged_artifact_is_known_by_what_maven_leaves() {
        let path = "META-INF/maven/com.acme/shop-commons/pom.properties";
        assert_eq!(merged(path), Some(("com.acme", "shop-commons")));
        assert_eq!(merged("META-INF/maven/com.acme/shop/pom.xml"), None);
    }
}
