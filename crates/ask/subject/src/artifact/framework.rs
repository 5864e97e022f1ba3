//! Which framework an application is built with, and what follows from it.

use super::manifest::Manifest;
use std::fmt;

/// A framework that Tacho knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Framework {
    /// Spring Boot.
    SpringBoot,
    /// Quarkus.
    Quarkus,
    /// Helidon, SE or MP.
    Helidon,
    /// Micronaut.
    Micronaut,
}

impl Framework {
    /// Its name, for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SpringBoot => "Spring Boot",
            Self::Quarkus => "Quarkus",
            Self::Helidon => "Helidon",
            Self::Micronaut => "Micronaut",
        }
    }
}

/// The framework that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameworkFound {
    /// The framework, whatever its version.
    pub framework: Framework,
    /// Its version, where it is told.
    pub version: Option<String>,
}

impl FrameworkFound {
    /// Major and minor number of its version.
    #[must_use]
    pub fn release(&self) -> Option<(u32, u32)> {
        release_of_version(self.version.as_deref()?)
    }
}

impl fmt::Display for FrameworkFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.version {
            Some(version) => write!(f, "{} {version}", self.framework.name()),
            None => f.write_str(self.framework.name()),
        }
    }
}

/// `3.5.1-SNAPSHOT` is (3, 5).
pub(crate) fn release_of_version(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split(['.', '-']).map(str::parse::<u32>);
    let major = numbers.next()?.ok()?;
    let minor = numbers.next().and_then(Result::ok).unwrap_or(0);
    Some((major, minor))
}

/// The version in the name of a library: `spring-web` in `lib/spring-web-6.2.1.jar` is `6.2.1`.
/// Quarkus puts the group before the name: `lib/main/io.quarkus.quarkus-core-3.30.1.jar`.
pub(crate) fn library_version<'a>(libraries: &'a [String], library: &str) -> Option<&'a str> {
    libraries.iter().find_map(|path| {
        let name = path.rsplit('/').next()?.strip_suffix(".jar")?;
        let after = name.strip_prefix(library)?.strip_prefix('-')?;
        after
            .starts_with(|c: char| c.is_ascii_digit())
            .then_some(after)
    })
}

/// Finds the framework from the manifest, the names of entries and the names of libraries.
pub(crate) fn find(
    manifest: &Manifest,
    entries: &[String],
    libraries: &[String],
) -> Option<FrameworkFound> {
    let found = |framework, version: Option<&str>| {
        Some(FrameworkFound {
            framework,
            version: version.map(str::to_owned),
        })
    };
    let boot = library_version(libraries, "spring-boot");
    let nested = entries.iter().any(|e| e.starts_with("BOOT-INF/"));
    if let Some(version) = manifest.spring_boot_version.as_deref().or(boot) {
        return found(Framework::SpringBoot, Some(version));
    }
    if nested {
        return found(Framework::SpringBoot, None);
    }
    let quarkus = library_version(libraries, "io.quarkus.quarkus-core");
    if quarkus.is_some()
        || libraries.iter().any(|l| l.contains("io.quarkus."))
        || entries.iter().any(|e| {
            e.starts_with("META-INF/io.quarkus") || e.starts_with("META-INF/maven/io.quarkus/")
        })
    {
        return found(Framework::Quarkus, quarkus);
    }
    for (framework, library) in [
        (Framework::Helidon, "helidon-webserver"),
        (Framework::Helidon, "helidon-common"),
        (Framework::Micronaut, "micronaut-core"),
        (Framework::Micronaut, "micronaut-runtime"),
    ] {
        if let Some(version) = library_version(libraries, library) {
            return found(framework, Some(version));
        }
    }
    // A shaded jar has no library names, but keeps the packages.
    for (framework, package) in [
        (Framework::Helidon, "io/helidon/webserver/"),
        (Framework::Micronaut, "io/micronaut/runtime/"),
        (Framework::Quarkus, "io/quarkus/runtime/"),
    ] {
        if entries.iter().any(|e| e.starts_with(package)) {
            return found(framework, None);
        }
    }
    None
}

/// How requests are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebStack {
    /// A servlet container: Spring MVC, Jersey in a WAR, ...
    Servlet,
    /// Spring WebFlux, when Spring MVC is not there too.
    WebFlux,
}

/// The stack of a Spring application. With both on the class path Boot chooses the servlet one
/// (`WebApplicationType.deduceFromClasspath`).
pub(crate) fn web_stack(libraries: &[String]) -> Option<WebStack> {
    if library_version(libraries, "spring-webmvc").is_some() {
        Some(WebStack::Servlet)
    } else if library_version(libraries, "spring-webflux").is_some() {
        Some(WebStack::WebFlux)
    } else {
        None
    }
}

/// What a subject of this framework does when nothing else was configured.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadyHints {
    /// Its default port.
    pub port: Option<u16>,
    /// Readiness paths, the most telling first; each is worth a try.
    pub paths: Vec<String>,
    /// Requests to try when the user named none, in order; the first that answers 2xx is good.
    pub requests: Vec<String>,
}

/// The hints for a framework, or for none.
#[must_use]
pub fn ready_hints(framework: Option<&FrameworkFound>) -> ReadyHints {
    let paths: &[&str] = match framework.map(|f| f.framework) {
        Some(Framework::SpringBoot) => &["/actuator/health/readiness", "/actuator/health"],
        Some(Framework::Quarkus) => &["/q/health/ready", "/q/health"],
        // Helidon 4 moved health below /observe; MP and Helidon 3 have it at the root.
        Some(Framework::Helidon) => &[
            "/observe/health/ready",
            "/observe/health",
            "/health/ready",
            "/health",
        ],
        Some(Framework::Micronaut) => &["/health/readiness", "/health"],
        None => &["/health", "/healthz"],
    };
    let requests = std::iter::once("/").chain(paths.iter().copied());
    ReadyHints {
        // All four listen on 8080 by default.
        port: framework.map(|_| 8080),
        paths: paths.iter().map(|&p| p.to_owned()).collect(),
        requests: requests.map(str::to_owned).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(names: &[&str]) -> Vec<String> {
        names.iter().map(|&n| n.to_owned()).collect()
    }

    #[test]
    fn each_framework_is_told_by_its_own_marks() {
        let none = Manifest::default();
        let boot = Manifest {
            spring_boot_version: Some("4.1.2".into()),
            ..Manifest::default()
        };
        let named = |manifest: &Manifest, entries: &[&str], libraries: &[&str]| {
            find(manifest, &strings(entries), &strings(libraries)).map(|f| f.to_string())
        };
        let expect = |text: &str| Some(text.to_owned());
        assert_eq!(
            named(&boot, &["BOOT-INF/classes/"], &[]),
            expect("Spring Boot 4.1.2")
        );
        assert_eq!(
            named(&none, &["BOOT-INF/classes/"], &[]),
            expect("Spring Boot")
        );
        assert_eq!(
            named(&none, &[], &["WEB-INF/lib/spring-boot-3.2.0.jar"]),
            expect("Spring Boot 3.2.0")
        );
        assert_eq!(
            named(&none, &[], &["lib/main/io.quarkus.quarkus-core-3.30.1.jar"]),
            expect("Quarkus 3.30.1")
        );
        assert_eq!(
            named(&none, &[], &["libs/helidon-webserver-4.3.1.jar"]),
            expect("Helidon 4.3.1")
        );
        assert_eq!(
            named(&none, &["io/micronaut/runtime/Micronaut.class"], &[]),
            expect("Micronaut")
        );
        assert_eq!(named(&none, &["a/Main.class"], &["lib/gson-2.jar"]), None);
    }

    #[test]
    fn a_library_is_not_taken_for_one_with_a_longer_name() {
        let libraries = strings(&[
            "x/spring-boot-actuator-3.1.0.jar",
            "x/spring-boot-3.2.0.jar",
        ]);
        assert_eq!(library_version(&libraries, "spring-boot"), Some("3.2.0"));
    }

    #[test]
    fn spring_chooses_servlets_when_it_has_both() {
        let both = strings(&["spring-webflux-6.0.0.jar", "spring-webmvc-6.0.0.jar"]);
        assert_eq!(web_stack(&both), Some(WebStack::Servlet));
        assert_eq!(web_stack(&both[..1]), Some(WebStack::WebFlux));
    }

    #[test]
    fn the_root_is_the_first_request_to_try() {
        let hints = ready_hints(Some(&FrameworkFound {
            framework: Framework::Quarkus,
            version: None,
        }));
        assert_eq!(hints.requests, ["/", "/q/health/ready", "/q/health"]);
        assert_eq!(hints.port, Some(8080));
        assert_eq!(ready_hints(None).port, None);
    }
}
