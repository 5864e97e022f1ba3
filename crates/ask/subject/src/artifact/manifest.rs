//! `META-INF/MANIFEST.MF`, as the JAR File Specification has it.

/// The attributes of a jar's manifest that say how to run it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manifest {
    /// Class that `java -jar` starts.
    pub main_class: Option<String>,
    /// Spring Boot: the application's own main class.
    pub start_class: Option<String>,
    /// Spring Boot: its version.
    pub spring_boot_version: Option<String>,
    /// Spring Boot: its AOT processing was run for a native image.
    pub spring_boot_native_processed: bool,
    /// Jars beside it, relative to its folder.
    pub class_path: Vec<String>,
    /// It has classes for newer releases under `META-INF/versions`.
    pub multi_release: bool,
}

impl Manifest {
    /// Reads the main section. A line that begins with a space continues the one before it
    /// (lines are cut at 72 bytes); what is no attribute is passed over.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        let main_section = text.split("\n\n").next().unwrap_or_default();
        let joined = main_section.replace("\n ", "");
        let mut manifest = Self::default();
        for line in joined.lines() {
            if let Some((name, value)) = line.split_once(':') {
                manifest.take(name, value.trim());
            }
        }
        manifest
    }

    /// Attribute names are compared without case.
    fn take(&mut self, name: &str, value: &str) {
        let text = || Some(value.to_owned()).filter(|v| !v.is_empty());
        match name.to_ascii_lowercase().as_str() {
            "main-class" => self.main_class = text(),
            "start-class" => self.start_class = text(),
            "spring-boot-version" => self.spring_boot_version = text(),
            "spring-boot-native-processed" => {
                self.spring_boot_native_processed = value.eq_ignore_ascii_case("true");
            }
            "class-path" => {
                self.class_path = value.split_whitespace().map(str::to_owned).collect();
            }
            "multi-release" => self.multi_release = value.eq_ignore_ascii_case("true"),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn attributes_of_the_main_section_are_read_and_long_lines_joined() {
        let manifest = Manifest::parse(
            b"Manifest-Version: 1.0\r\nmain-class: a.Main\r\nClass-Path: lib/one.jar lib/t\r\n wo.jar\r\nMulti-Release: true\r\n\r\nName: x/\r\nMain-Class: other\r\n",
        );
        assert_eq!(manifest.main_class.as_deref(), Some("a.Main"));
        assert_eq!(manifest.class_path, ["lib/one.jar", "lib/two.jar"]);
        assert!(manifest.multi_release);
        assert_eq!(manifest.start_class, None);
    }

    proptest! {
        #[test]
        fn a_value_is_found_wherever_its_line_was_cut(name in "[a-zA-Z.]{1,300}", width in 20usize..71) {
            let mut text = String::new();
            let line = format!("Main-Class: {name}");
            for (i, part) in line.as_bytes().chunks(width).enumerate() {
                text.push_str(if i == 0 { "" } else { "\r\n " });
                text.push_str(std::str::from_utf8(part).unwrap());
            }
            prop_assert_eq!(Manifest::parse(text.as_bytes()).main_class, Some(name));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = Manifest::parse(&bytes);
        }
    }
}
