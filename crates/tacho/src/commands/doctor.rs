//! `tacho doctor`.

use crate::arguments::Doctor;
use crate::exit::Exit;
use crate::{Done, print};
use std::fmt::Write;
use tacho_cgroup::Hierarchy;
use tacho_observe::machine;
use tacho_runner::Surroundings;
use tacho_subject::ImageBuilder;

/// How one finding stands.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Good,
    /// Something cannot be done here, most can.
    Missing,
    /// Nothing can be measured.
    Bad,
}

/// A finding with its remedies.
struct Finding {
    state: State,
    text: String,
    remedies: Vec<String>,
}

/// Says what this machine can and cannot do, and how to mend it.
pub fn doctor(arguments: &Doctor) -> Done {
    let surroundings = Surroundings::here();
    let mut findings = vec![the_machine()];
    findings.extend(jdks(&surroundings, arguments.jdk.as_deref()));
    findings.extend(control_groups());
    findings.push(tool(
        &surroundings,
        "mvn",
        "Tomcat for `war` variants is fetched with it",
        "apt-get install maven",
    ));
    findings.push(native_image(&surroundings));
    findings.push(descriptors());
    findings.push(steal());
    let mut text = String::new();
    for finding in &findings {
        let (colour, sign) = match finding.state {
            State::Good => ("32", "ok     "),
            State::Missing => ("33", "missing"),
            State::Bad => ("31", "bad    "),
        };
        let _ = writeln!(text, "\x1b[{colour}m{sign}\x1b[0m {}", finding.text);
        for remedy in &finding.remedies {
            let _ = writeln!(text, "        -> {remedy}");
        }
    }
    print(&text)?;
    let bad = findings.iter().any(|f| f.state == State::Bad);
    Ok(if bad { Exit::Machine } else { Exit::Done })
}

fn good(text: String) -> Finding {
    Finding {
        state: State::Good,
        text,
        remedies: Vec::new(),
    }
}

fn missing(text: String, remedy: String) -> Finding {
    Finding {
        state: State::Missing,
        text,
        remedies: vec![remedy],
    }
}

fn the_machine() -> Finding {
    let machine = machine::machine();
    let text = format!(
        "machine: {} processors ({}), {:.1} GiB, {}, Linux {}",
        machine.cpus,
        machine.cpu_model,
        machine.memory_bytes as f64 / 1073741824.0,
        machine.os,
        machine.kernel
    );
    if machine.cpus < 2 {
        return Finding {
            state: State::Missing,
            text,
            remedies: vec![
                "the generator and the subject share one processor: give the subject less than one with --cpu, and mind the certificate".to_owned(),
            ],
        };
    }
    good(text)
}

fn jdks(surroundings: &Surroundings, asked: Option<&str>) -> Vec<Finding> {
    let all = surroundings.jdks.all();
    let mut findings: Vec<Finding> = all
        .iter()
        .map(|jdk| {
            let text = format!("JDK {}: {}", jdk.title(), jdk.home.display());
            if jdk.is_full() {
                good(text)
            } else {
                missing(
                    text,
                    "it has no compiler: `jlink` variants need a full JDK".to_owned(),
                )
            }
        })
        .collect();
    if all.is_empty() {
        findings.push(missing(
            "no JDK was found; only `exec` variants can be run".to_owned(),
            "apt-get install openjdk-17-jdk, or: sdk install java 25-tem; then set JAVA_HOME"
                .to_owned(),
        ));
    } else if all.iter().all(|jdk| jdk.feature < 25) {
        findings.push(missing(
            "no JDK 25 was found: `aot` variants cannot be made".to_owned(),
            "sdk install java 25-tem, or unpack one into /usr/lib/jvm".to_owned(),
        ));
    }
    if let Some(spec) = asked {
        findings.push(match surroundings.jdks.by_spec(spec) {
            Ok(jdk) => good(format!(
                "--jdk {spec} is {}: {}",
                jdk.title(),
                jdk.home.display()
            )),
            Err(error) => Finding {
                state: State::Bad,
                text: format!("--jdk {spec}: {error}"),
                remedies: Vec::new(),
            },
        });
    }
    findings
}

fn control_groups() -> Vec<Finding> {
    let description = match Hierarchy::detect() {
        Ok(hierarchy) => hierarchy.describe(),
        Err(error) => {
            return vec![missing(
                "control groups: none; limits cannot be applied".to_owned(),
                error.to_string(),
            )];
        }
    };
    let what = |can: bool| if can { "yes" } else { "no" };
    let text = format!(
        "control groups {}: limit CPU: {}, limit memory: {}",
        description.version,
        what(description.can_limit_cpu),
        what(description.can_limit_memory)
    );
    let state = if description.can_limit_cpu && description.can_limit_memory {
        State::Good
    } else {
        State::Missing
    };
    vec![Finding {
        state,
        text,
        remedies: description.remedies,
    }]
}

fn tool(surroundings: &Surroundings, name: &str, what_for: &str, install: &str) -> Finding {
    match surroundings.host.program(name) {
        Some(path) => good(format!("{name}: {}", path.display())),
        None => missing(
            format!("{name} is not on the PATH: {what_for}"),
            install.to_owned(),
        ),
    }
}

fn native_image(surroundings: &Surroundings) -> Finding {
    match ImageBuilder::find(&surroundings.host) {
        Some(builder) => good(format!(
            "native-image: {} ({})",
            builder.program().display(),
            builder.title()
        )),
        None => missing(
            "native-image was not found: `native` variants cannot be made".to_owned(),
            "tacho native-kit install; or sdk install java 25-graalce and set GRAALVM_HOME; or compare an image that is built already as `kind: exec`".to_owned(),
        ),
    }
}

fn descriptors() -> Finding {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    let most = limit.maximum.unwrap_or(u64::MAX);
    if most >= 4096 {
        return good(format!(
            "open files: up to {most}, so up to {} connections",
            most.saturating_sub(64)
        ));
    }
    missing(
        format!("open files: up to {most}; phases with more connections will be refused"),
        "ulimit -Hn 65536 as root, or LimitNOFILE= of the service that starts Tacho".to_owned(),
    )
}

fn steal() -> Finding {
    match machine::steal_s() {
        Some(_) => good("processor time taken by the hypervisor can be seen".to_owned()),
        None => missing(
            "the kernel does not say how much processor time the hypervisor takes".to_owned(),
            "prefer a machine of your own: the certificate cannot see a noisy neighbour here"
                .to_owned(),
        ),
    }
}
