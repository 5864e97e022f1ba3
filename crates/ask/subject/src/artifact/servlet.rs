//! The servlet level of a WAR, which decides the Tomcat that can run it.

use super::archive::ClassSource;
use super::class_file::refers_to;
use super::framework::{library_version, release_of_version};

/// A generation of the servlet API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ServletLevel {
    /// `javax.servlet`, up to Servlet 4.0.
    Javax,
    /// `jakarta.servlet`, 5.0 and 6.0.
    Jakarta60,
    /// `jakarta.servlet`, 6.1 alone.
    Jakarta61,
}

/// Libraries whose major version tells the generation: (name, major, level).
/// Spring Framework 7 and Jersey 4 are built on Jakarta EE 11 (Servlet 6.1), Spring 6 and
/// Jersey 3 on Jakarta EE 9 and 10, what came before on Java EE.
const TELLING: [(&str, u32, ServletLevel); 7] = [
    ("spring-web", 7, ServletLevel::Jakarta61),
    ("spring-web", 6, ServletLevel::Jakarta60),
    ("spring-web", 5, ServletLevel::Javax),
    ("spring-web", 4, ServletLevel::Javax),
    ("jersey-server", 4, ServletLevel::Jakarta61),
    ("jersey-server", 3, ServletLevel::Jakarta60),
    ("jersey-server", 2, ServletLevel::Javax),
];

/// The level of a WAR from its libraries, else its deployment descriptor, else its classes; `None`
/// where none of them tells.
pub(crate) fn level(
    libraries: &[String],
    web_xml: Option<&[u8]>,
    classes: &mut dyn ClassSource,
) -> Option<ServletLevel> {
    let by_library = TELLING.iter().find_map(|(name, major, level)| {
        let version = library_version(libraries, name)?;
        (release_of_version(version)?.0 == *major).then_some(*level)
    });
    by_library
        .or_else(|| of_descriptor(web_xml?))
        .or_else(|| of_classes(classes))
}

/// A servlet container initializer of a library, which is called when an application starts
/// (Servlet 3.0, section 8.2.4). It is found whatever the library is called and however libraries
/// were merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Initializers {
    javax: bool,
    jakarta: bool,
}

impl Initializers {
    /// Adds the initializers of one more library.
    pub(crate) fn see(&mut self, library: &dyn ClassSource) {
        let has = |service: &str| !library.entries(&|name| name == service).is_empty();
        self.javax |= has("META-INF/services/javax.servlet.ServletContainerInitializer");
        self.jakarta |= has("META-INF/services/jakarta.servlet.ServletContainerInitializer");
    }

    /// `None` where there are none of them, or both.
    pub(crate) const fn level(self) -> Option<ServletLevel> {
        match (self.javax, self.jakarta) {
            (true, false) => Some(ServletLevel::Javax),
            (false, true) => Some(ServletLevel::Jakarta60),
            _ => None,
        }
    }
}

/// `<web-app version="6.1">`: 2.x to 4.0 are Java EE, 5.0 and 6.0 Jakarta EE 9 and 10.
fn of_descriptor(web_xml: &[u8]) -> Option<ServletLevel> {
    let text = String::from_utf8_lossy(web_xml);
    let element = text.split("<web-app").nth(1)?.split('>').next()?;
    let after = element
        .split_once(" version=")
        .or_else(|| element.split_once("\nversion="))?
        .1;
    let version = after.trim_start_matches(['"', '\'']);
    let digits: String = version
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    match release_of_version(&digits)? {
        (0..=4, _) => Some(ServletLevel::Javax),
        (5, _) | (6, 0) => Some(ServletLevel::Jakarta60),
        _ => Some(ServletLevel::Jakarta61),
    }
}

fn of_classes(classes: &mut dyn ClassSource) -> Option<ServletLevel> {
    const JAVAX: [&str; 2] = ["javax/servlet/", "javax/ws/rs/"];
    const JAKARTA: [&str; 2] = ["jakarta/servlet/", "jakarta/ws/rs/"];
    let names = [JAVAX, JAKARTA].concat();
    let found = refers_to(classes, "WEB-INF/classes/", &names);
    let javax = found.iter().any(|n| JAVAX.contains(n));
    let jakarta = found.iter().any(|n| JAKARTA.contains(n));
    match (javax, jakarta) {
        (true, false) => Some(ServletLevel::Javax),
        (false, true) => Some(ServletLevel::Jakarta60),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One class file with these bytes.
    struct OneClass(&'static [u8]);
    impl ClassSource for OneClass {
        fn entries(&self, accept: &dyn Fn(&str) -> bool) -> Vec<usize> {
            usize::from(accept("WEB-INF/classes/A.class"))
                .checked_sub(1)
                .into_iter()
                .collect()
        }
        fn bytes(&mut self, _: usize, _: u64) -> Vec<u8> {
            self.0.to_vec()
        }
    }

    fn lib(name: &str) -> Vec<String> {
        vec![format!("WEB-INF/lib/{name}.jar")]
    }

    #[test]
    fn the_libraries_decide_first() {
        let mut none = OneClass(b"javax/servlet/Filter");
        assert_eq!(
            level(&lib("spring-web-7.0.1"), None, &mut none),
            Some(ServletLevel::Jakarta61)
        );
        assert_eq!(
            level(&lib("spring-web-6.2.1"), None, &mut none),
            Some(ServletLevel::Jakarta60)
        );
        assert_eq!(
            level(&lib("spring-web-5.3.39"), None, &mut none),
            Some(ServletLevel::Javax)
        );
    }

    #[test]
    fn then_the_descriptor() {
        for (xml, expected) in [
            (r#"<web-app version="6.1">"#, ServletLevel::Jakarta61),
            (
                r#"<web-app xmlns="x" version='5.0' >"#,
                ServletLevel::Jakarta60,
            ),
            (
                "<web-app xmlns=\"x\"\nversion=\"3.1\">",
                ServletLevel::Javax,
            ),
        ] {
            let mut none = OneClass(b"");
            let found = level(&[], Some(xml.as_bytes()), &mut none);
            assert_eq!(found, Some(expected), "{xml}");
        }
    }

    #[test]
    fn then_the_classes() {
        assert_eq!(
            level(
                &[],
                None,
                &mut OneClass(b"..javax/servlet/http/HttpServlet")
            ),
            Some(ServletLevel::Javax)
        );
        assert_eq!(
            level(&[], Some(b"<web-app>"), &mut OneClass(b"jakarta/ws/rs/GET")),
            Some(ServletLevel::Jakarta60)
        );
        assert_eq!(level(&[], None, &mut OneClass(b"java/util/List")), None);
    }
}
