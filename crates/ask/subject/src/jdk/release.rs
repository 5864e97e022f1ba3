//! What a JDK says about itself.

use std::path::Path;
use std::process::Command;

/// Version and vendor of a JDK.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Release {
    /// Full version: `25.0.3+9`.
    pub version: String,
    /// `Temurin`, `Debian`, ...
    pub vendor: String,
    /// Names of its modules; empty for Java 8 or when it does not list them.
    pub modules: Vec<String>,
}

/// Reads the file `release` of a JDK's folder, or asks `java` itself when there is none.
pub(super) fn of(home: &Path) -> Option<Release> {
    let file = std::fs::read_to_string(home.join("release")).ok();
    file.and_then(|text| parse_file(&text))
        .or_else(|| parse_settings(&ask(&home.join("bin/java"))?))
}

/// The text taken for the one and for the other.
pub(super) fn read(text: &str) -> [Option<u32>; 2] {
    [parse_file(text), parse_settings(text)].map(|release| feature(&release?.version))
}

/// The file holds lines such as `JAVA_VERSION="25.0.3"`.
fn parse_file(text: &str) -> Option<Release> {
    let value = |key: &str| {
        text.lines().find_map(|line| {
            let (name, value) = line.split_once('=')?;
            let value = value.trim().trim_matches('"');
            (name.trim() == key && !value.is_empty()).then(|| value.to_owned())
        })
    };
    let short = value("JAVA_VERSION")?;
    let full = value("JAVA_RUNTIME_VERSION").map(|v| without_suffix(&v));
    Some(Release {
        // The two disagree in shape only: 25.0.3 and 25.0.3+9, 1.8.0_392 and 1.8.0_392-b08.
        version: full.filter(|f| f.starts_with(&short)).unwrap_or(short),
        vendor: value("IMPLEMENTOR_VERSION")
            .as_deref()
            .and_then(product)
            .or_else(|| value("IMPLEMENTOR"))
            .unwrap_or_else(|| "unknown vendor".to_owned()),
        modules: value("MODULES")
            .map(|m| m.split_whitespace().map(str::to_owned).collect())
            .unwrap_or_default(),
    })
}

/// `25.0.3+9-LTS` and `17.0.15+6-Debian-1deb12u1` without what follows the build number.
fn without_suffix(version: &str) -> String {
    version.split('-').next().unwrap_or(version).to_owned()
}

/// `Temurin-25.0.3+9` is Temurin, `Corretto-21.0.1.12.1` Corretto; a bare number is nothing.
fn product(implementor_version: &str) -> Option<String> {
    let name = implementor_version
        .split(|c: char| c.is_ascii_digit())
        .next()?
        .trim_end_matches(['-', ' ', '+', '_']);
    (!name.is_empty()).then(|| name.to_owned())
}

/// Java 8 of some vendors has no `release` file.
fn ask(java: &Path) -> Option<String> {
    let asked = Command::new(java)
        .args(["-XshowSettings:properties", "-version"])
        .output()
        .ok()?;
    Some(String::from_utf8_lossy(&asked.stderr).into_owned())
}

/// Lines such as `    java.version = 1.8.0_392`.
fn parse_settings(text: &str) -> Option<Release> {
    let value = |key: &str| {
        text.lines().find_map(|line| {
            let (name, value) = line.split_once(" = ")?;
            (name.trim() == key).then(|| value.trim().to_owned())
        })
    };
    Some(Release {
        version: value("java.version")?,
        vendor: value("java.vendor").unwrap_or_else(|| "unknown vendor".to_owned()),
        modules: Vec::new(),
    })
}

/// The feature release of a version: `25.0.3+9` is 25, `1.8.0_392` is 8, `26-ea` is 26.
pub(super) fn feature(version: &str) -> Option<u32> {
    let mut numbers = version.split(|c: char| !c.is_ascii_digit());
    let first: u32 = numbers.next()?.parse().ok()?;
    if first == 1 {
        return numbers.next()?.parse().ok();
    }
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn version_and_vendor_are_read_from_the_release_file() {
        let temurin = parse_file(
            "IMPLEMENTOR=\"Eclipse Adoptium\"\nIMPLEMENTOR_VERSION=\"Temurin-25.0.3+9\"\nJAVA_RUNTIME_VERSION=\"25.0.3+9-LTS\"\nJAVA_VERSION=\"25.0.3\"\nMODULES=\"java.base jdk.jlink\"\n",
        )
        .unwrap();
        assert_eq!(temurin.version, "25.0.3+9");
        assert_eq!(temurin.vendor, "Temurin");
        assert_eq!(temurin.modules, ["java.base", "jdk.jlink"]);
        let debian = parse_file(
            "IMPLEMENTOR=\"Debian\"\nJAVA_RUNTIME_VERSION=\"17.0.15+6-Debian-1deb12u1\"\nJAVA_VERSION=\"17.0.15\"\n",
        )
        .unwrap();
        assert_eq!(
            (debian.version.as_str(), debian.vendor.as_str()),
            ("17.0.15+6", "Debian")
        );
        assert_eq!(parse_file("OS_NAME=\"Linux\"\n"), None);
    }

    #[test]
    fn version_and_vendor_are_read_from_javas_own_settings() {
        let asked = "Property settings:\n    java.vendor = Azul\n    java.version = 1.8.0_392\n";
        let release = parse_settings(asked).unwrap();
        assert_eq!(
            (release.version.as_str(), release.vendor.as_str()),
            ("1.8.0_392", "Azul")
        );
        assert_eq!(parse_settings("Error: could not create the JVM"), None);
    }

    #[test]
    fn the_feature_release_is_the_first_number_but_for_java_8() {
        for (version, expected) in [
            ("25.0.3+9", Some(25)),
            ("17", Some(17)),
            ("26-ea", Some(26)),
            ("1.8.0_392", Some(8)),
            ("x", None),
        ] {
            assert_eq!(feature(version), expected, "{version}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_readers_panic(text in ".{0,200}") {
            let _ = (parse_file(&text), parse_settings(&text), feature(&text), product(&text));
        }
    }
}
