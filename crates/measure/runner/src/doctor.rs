//! What this machine can and cannot do, and how to mend it.

use std::path::Path;
use tacho_cgroup::Hierarchy;
use tacho_launch::descriptors;
use tacho_observe::machine;
use tacho_profiler::{AsyncProfiler, Places};
use tacho_subject::{ImageBuilder, Surroundings};

/// How one finding stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It is there.
    Good,
    /// Something cannot be done here, most can.
    Missing,
    /// Nothing can be measured.
    Bad,
}

/// A finding with its remedies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How it stands.
    pub state: State,
    /// What was found, in one line.
    pub text: String,
    /// What would mend it; empty when nothing has to be mended.
    pub remedies: Vec<String>,
}

/// Looks at everything that a run or a look into a JVM may need; `profiler` is where async-profiler
/// may be, `asked` is a JDK by release or path.
#[must_use]
pub fn findings(
    surroundings: &Surroundings,
    profiler: &Places,
    asked: Option<&str>,
) -> Vec<Finding> {
    let mut findings = vec![the_machine()];
    findings.extend(jdks(surroundings, asked));
    findings.push(control_groups());
    findings.push(maven(surroundings.host.program("mvn").as_deref()));
    findings.push(native_image(
        ImageBuilder::find(&surroundings.host).as_ref(),
    ));
    findings.push(async_profiler(profiler));
    findings.push(open_files(descriptors::most()));
    findings.push(steal(machine::steal_s()));
    findings
}

impl Finding {
    fn with(state: State, text: String, remedies: Vec<String>) -> Self {
        Self {
            state,
            text,
            remedies,
        }
    }
}

fn good(text: String) -> Finding {
    Finding::with(State::Good, text, Vec::new())
}

fn missing(text: impl Into<String>, remedy: impl Into<String>) -> Finding {
    Finding::with(State::Missing, text.into(), vec![remedy.into()])
}

fn the_machine() -> Finding {
    let machine = machine::machine();
    let text = format!(
        "machine: {} processors ({}), {}, {}, Linux {}",
        machine.cpus,
        machine.cpu_model,
        tacho_figures::bytes(machine.memory_bytes as f64),
        machine.os,
        machine.kernel
    );
    if machine.cpus < 2 {
        return missing(
            text,
            "the generator and the subject share one processor: give the subject less than one with --cpu, and mind the certificate",
        );
    }
    good(text)
}

/// The first JDK that makes AOT caches; 25 stores method profiles in them as well.
const AOT_SINCE: u32 = 24;

fn jdks(surroundings: &Surroundings, asked: Option<&str>) -> Vec<Finding> {
    let all = surroundings.jdks.all();
    let mut findings: Vec<Finding> = all
        .iter()
        .map(|jdk| {
            let text = format!("JDK {}: {}", jdk.title(), jdk.home.display());
            if jdk.is_full() {
                good(text)
            } else {
                missing(text, "it has no compiler: `jlink` variants need a full JDK")
            }
        })
        .collect();
    if all.is_empty() {
        findings.push(missing(
            "no JDK was found; only `exec` variants can be run",
            "apt-get install openjdk-17-jdk, or: sdk install java 25-tem; then set JAVA_HOME",
        ));
    } else if all.iter().all(|jdk| jdk.feature < AOT_SINCE) {
        findings.push(missing(
            "no JDK 24 or newer was found: `aot` variants cannot be made",
            "sdk install java 25-tem, or unpack one into /usr/lib/jvm",
        ));
    }
    if let Some(spec) = asked {
        findings.push(match surroundings.jdks.by_spec(spec) {
            Ok(jdk) => good(format!(
                "--jdk {spec} is {}: {}",
                jdk.title(),
                jdk.home.display()
            )),
            Err(error) => Finding::with(State::Bad, format!("--jdk {spec}: {error}"), Vec::new()),
        });
    }
    findings
}

fn control_groups() -> Finding {
    let description = match Hierarchy::detect() {
        Ok(hierarchy) => hierarchy.describe(),
        Err(error) => {
            return missing(
                "control groups: none; limits cannot be applied",
                error.to_string(),
            );
        }
    };
    let what = |can: bool| if can { "yes" } else { "no" };
    let text = format!(
        "control groups {}: limit CPU: {}, limit memory: {}",
        description.version,
        what(description.can_limit_cpu),
        what(description.can_limit_memory)
    );
    let state = match description.can_limit_cpu && description.can_limit_memory {
        true => State::Good,
        false => State::Missing,
    };
    Finding::with(state, text, description.remedies)
}

fn maven(found: Option<&Path>) -> Finding {
    match found {
        Some(path) => good(format!("mvn: {}", path.display())),
        None => missing(
            "mvn is not on the PATH: Tomcat for `war` variants is fetched with it",
            "apt-get install maven",
        ),
    }
}

fn native_image(found: Option<&ImageBuilder>) -> Finding {
    match found {
        Some(builder) => good(format!(
            "native-image: {} ({})",
            builder.program().display(),
            builder.title()
        )),
        None => missing(
            "native-image was not found: `native` variants cannot be made",
            "tacho native-kit install; or sdk install java 25-graalce and set GRAALVM_HOME; or compare an image that is built already as `kind: exec`",
        ),
    }
}

/// Whether async-profiler is there. It is optional: without it another sampler is used, and the
/// user should know that before reading its figures.
fn async_profiler(places: &Places) -> Finding {
    const INSTEAD: &str =
        "the JVM's own flight recorder samples instead, less exactly, and no native code";
    let Some(found) = AsyncProfiler::find(places) else {
        return match &places.own {
            Some(named) => missing(
                format!(
                    "async-profiler: {}, which TACHO_ASYNC_PROFILER names, is no file; {INSTEAD}",
                    named.display()
                ),
                "name a libasyncProfiler.so that is there, or unset TACHO_ASYNC_PROFILER",
            ),
            None => missing(
                format!("async-profiler is not installed: {INSTEAD}"),
                format!(
                    "tacho profiler install (version {}, from Maven Central; where that cannot be reached, --from a jar that was carried over); or name a libasyncProfiler.so in TACHO_ASYNC_PROFILER",
                    tacho_profiler::VERSION
                ),
            ),
        };
    };
    let library = found.library.display();
    match (found.check(), &found.version) {
        (Ok(()), Some(version)) => good(format!("async-profiler {version}: {library}")),
        (Ok(()), None) => good(format!(
            "async-profiler: {library}, which TACHO_ASYNC_PROFILER names; only a JVM can tell its version"
        )),
        (Err(error), _) => missing(
            format!("async-profiler: {library} may not be loaded; {INSTEAD}"),
            error.to_string(),
        ),
    }
}

fn open_files(most: u64) -> Finding {
    if most >= 4096 {
        return good(format!(
            "open files: up to {most}, so up to {} connections",
            most.saturating_sub(64)
        ));
    }
    missing(
        format!("open files: up to {most}; phases with more connections will be refused"),
        "ulimit -Hn 65536 as root, or LimitNOFILE= of the service that starts Tacho",
    )
}

fn steal(seen: Option<f64>) -> Finding {
    match seen {
        Some(_) => good("processor time taken by the hypervisor can be seen".to_owned()),
        None => missing(
            "the kernel does not say how much processor time the hypervisor takes",
            "prefer a machine of your own: the certificate cannot see a noisy neighbour here",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::Digest;
    use tacho_subject::{Host, Jdk, Jdks};

    #[test]
    fn what_is_not_there_is_told_with_what_helps() {
        let host = Host::default();
        let jdks = Jdks::discover(&host);
        let bare = Surroundings { host, jdks };
        let empty = tempfile::tempdir().unwrap();
        let found = findings(&bare, &places(empty.path()), Some("99"));
        let of = |word: &str| found.iter().find(|f| f.text.contains(word)).unwrap();
        for word in [
            "no JDK was found",
            "mvn",
            "native-image was not found",
            "async-profiler is not installed",
        ] {
            let finding = of(word);
            assert_eq!(finding.state, State::Missing, "{finding:?}");
            assert_eq!(finding.remedies.len(), 1, "{finding:?}");
        }
        // Asked for, and not there: nothing can be measured with it.
        assert_eq!(of("--jdk 99").state, State::Bad);
    }

    #[test]
    fn an_aot_cache_is_made_by_jdk_24_and_newer() {
        let is_said_of = |feature: u32| {
            let jdk = Jdk {
                home: "/nowhere".into(),
                feature,
                version: format!("{feature}.0.1"),
                vendor: "Temurin".to_owned(),
                modules: Vec::new(),
            };
            let here = Surroundings {
                host: Host::default(),
                jdks: Jdks::of([jdk]),
            };
            let found = jdks(&here, None);
            found.iter().any(|finding| finding.text.contains("`aot`"))
        };
        assert_eq!([23, 24, 25].map(is_said_of), [true, false, false]);
    }

    fn places(root: &Path) -> Places {
        Places {
            own: None,
            unpacked: root.join("data"),
            maven: root.join("maven"),
        }
    }

    #[test]
    fn without_async_profiler_it_is_told_who_samples_and_what_installs_it() {
        let root = tempfile::tempdir().unwrap();
        let places = places(root.path());
        let finding = async_profiler(&places);
        assert!(finding.text.contains("flight recorder"), "{finding:?}");
        let remedy = &finding.remedies[0];
        assert!(remedy.contains("tacho profiler install"), "{finding:?}");
        assert!(remedy.contains(tacho_profiler::VERSION), "{finding:?}");
        // Who names one and mistypes it is not told to install one.
        let named = Places {
            own: Some(root.path().join("none.so")),
            ..places
        };
        let finding = async_profiler(&named);
        assert_eq!(finding.state, State::Missing);
        assert!(finding.text.contains("none.so"), "{finding:?}");
        assert!(!finding.remedies[0].contains("install"), "{finding:?}");
    }

    #[test]
    fn async_profiler_is_told_by_its_version_and_only_where_it_may_be_loaded() {
        let root = tempfile::tempdir().unwrap();
        let mut places = places(root.path());
        let folder = places.unpacked.join("3.0");
        std::fs::create_dir_all(&folder).unwrap();
        let library = folder.join("libasyncProfiler.so");
        std::fs::write(&library, b"\x7fELF mine").unwrap();
        let recorded = folder.join("libasyncProfiler.so.sha256");
        let sum = |bytes: &[u8]| -> String {
            let digest = sha2::Sha256::digest(bytes);
            digest.iter().map(|byte| format!("{byte:02x}")).collect()
        };
        std::fs::write(&recorded, sum(b"\x7fELF mine")).unwrap();
        let finding = async_profiler(&places);
        assert_eq!(finding.state, State::Good, "{finding:?}");
        let told = format!("async-profiler 3.0: {}", library.display());
        assert_eq!(finding.text, told);
        // Something else lies there since.
        std::fs::write(&recorded, sum(b"\x7fELF other")).unwrap();
        let finding = async_profiler(&places);
        assert_eq!(finding.state, State::Missing);
        assert!(finding.text.contains("flight recorder"), "{finding:?}");
        assert!(finding.remedies[0].contains("SHA-256"), "{finding:?}");
        // What the user names goes first, and is of no version that is known.
        places.own = Some(library);
        let finding = async_profiler(&places);
        assert_eq!(finding.state, State::Good, "{finding:?}");
        assert!(finding.text.contains("TACHO_ASYNC_PROFILER"), "{finding:?}");
    }

    #[test]
    fn few_open_files_are_told_before_a_phase_needs_them() {
        assert_eq!(open_files(1_024).state, State::Missing);
        assert!(open_files(65_536).text.ends_with("up to 65472 connections"));
    }
}
