//! `tacho init`: a commented experiment file to start from.

use crate::model::VariantSpec;
use std::fmt::Write;
use tacho_workload::Step;

/// What is known of the subject when the file is written.
#[derive(Debug, Clone)]
pub struct Template<'a> {
    /// Name of the experiment.
    pub name: &'a str,
    /// Path of the artifact as written into the file.
    pub artifact: &'a str,
    /// `Spring Boot 4.1.2`.
    pub framework: Option<&'a str>,
    /// Variants that can be made here.
    pub variants: &'a [VariantSpec],
    /// Variants that cannot, with the reason.
    pub left_out: &'a [(String, String)],
    /// Requests to begin with.
    pub requests: &'a [Step],
    /// The JDK that was asked for: the variants were chosen for it.
    pub jdk: Option<&'a str>,
}

/// Writes the file. Running it does the same as `tacho run ARTIFACT`.
#[must_use]
pub fn render(template: &Template<'_>) -> String {
    let mut out = String::new();
    let jdk = template.jdk.map_or_else(
        || {
            "  # jdk: 25                      # release or path; else the newest that suits"
                .to_owned()
        },
        |jdk| {
            format!(
                "  jdk: {}   # release or path; else the newest that suits",
                quoted(jdk)
            )
        },
    );
    let framework = template
        .framework
        .map_or(String::new(), |f| format!("  # {f}"));
    let _ = write!(
        out,
        "# What to compare, and how. Run it with: tacho run THIS-FILE
tacho: 1
name: {name}

subject:
  artifact: {artifact}{framework}
  # build: mvn -q package        # run in this folder when the artifact is absent
  # port: 8080                   # else found from the process's own sockets
  # ready: {{http: /health}}       # or {{log: 'Started .* in'}} or {{port: true}}; plus timeout: 60s
  # jvm-flags: [-Xmx128m]
  # arguments: []
  # environment: {{SPRING_PROFILES_ACTIVE: prod}}
{jdk}
  # own: [com.acme]              # packages of the application, for `tacho diagnose`; else found in the artifact

# One way to ship it a line. A variant may override whatever the subject says:
#   - {{name: jar-serial, kind: jar, jvm-flags: [-XX:+UseSerialGC]}}
#   - {{name: go, kind: exec, command: [./server, -port, \"8080\"]}}
#   - {{kind: native, only-if: built}}   # else it is left out; `possible`: where native-image is
variants:
",
        name = template.name,
        artifact = quoted(template.artifact),
    );
    for variant in template.variants {
        let _ = writeln!(out, "  - {}", variant.name);
    }
    for (name, reason) in template.left_out {
        let _ = writeln!(out, "  # - {name}: {}", reason.replace('\n', " "));
    }
    let baseline = template.variants.first().map_or("jar", |v| v.name.as_str());
    let _ = write!(
        out,
        "baseline: {baseline}

# What the service needs beside it, started and ended with the run; `fresh: true`: anew for each launch.
# companions:
#   - {{name: db, command: ./stub --port 9000, port: 9000}}

# CPU and memory, as Kubernetes would give them. Several sets: each variant runs under each.
# limits:
#   - {{cpu: 1}}
#   - {{cpu: 0.25, memory: 256MiB}}

# The mix; weights are relative. Of gRPC calls alone:
#   - {{call: shop.v1.Orders/Get, proto: orders.proto, message: '{{\"id\": 1}}'}}
requests:
"
    );
    for request in template.requests {
        let _ = writeln!(
            out,
            "  - {{method: {}, path: {}}}",
            request.method,
            quoted(&request.path)
        );
    }
    let _ = write!(
        out,
        "
# What happens in every launch, one after another.
phases:
  - cold: {{requests: 5}}                                  # one after another, on a cold service
  - settle: {{within: 30s, connections: 32}}               # until throughput is steady: it is warm
  - closed: {{requests: 10000, connections: 32}}           # as fast as it answers
  - open: {{rate: 200/s, duration: 5s, connections: 32}}   # at a constant rate, as users come
  # - closed: {{duration: 20s, think: 100ms, connections: 32}}   # users who think between requests
  # - ramp: {{from: 100, to: 1000, duration: 30s}}     # also: steps, sine, poisson, burst, replay
  # - search: {{objective: 'p99<50ms', from: 100, to: 20000}}   # the highest rate at which it holds

launches: auto     # of each variant until the advice is decided, at most 20; or a number
rest: 1s           # between two launches
threshold: 5%      # smaller differences count as the same
# request-timeout: 30s   # what takes longer has failed
# gc-log: off            # JVMs log their collections to their launch's folder unless told not to; `on`: native images, too
# diagnose: memory       # one more launch of each JVM, in no figure: native memory, live objects, who allocates
# diagnose: {{memory: false, connections: 8}}   # and over how many connections `tacho diagnose` looks into a build at least
# seed: 42         # order of the launches; printed by every run
# checks: ['p99<50ms', 'ready<5s']   # the exit code is 1 when one does not hold
"
    );
    out
}

/// A YAML scalar that is read as text, whatever is in it.
fn quoted(text: &str) -> String {
    let plain = !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c))
        && !text.starts_with('-');
    if plain {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VariantKind;
    use tacho_workload::Scenario;

    #[test]
    fn the_file_is_read_back_as_the_defaults_that_it_explains() {
        let variants = [
            VariantSpec::of(VariantKind::Jar),
            VariantSpec::of(VariantKind::Cds),
        ];
        let requests = [Step::get("/a?b=1&c={x}")];
        let text = render(&Template {
            name: "shop",
            artifact: "target/shop: the 'best'.jar",
            framework: Some("Spring Boot 4.1.2"),
            variants: &variants,
            left_out: &[("native".into(), "no native-image found".into())],
            requests: &requests,
            jdk: Some("./jdk 25"),
        });
        let experiment = crate::file::parse(&text, std::path::Path::new("/x")).unwrap();
        assert_eq!(experiment.variants, variants);
        assert_eq!(experiment.subject.jdk.as_deref(), Some("/x/./jdk 25"));
        let read = experiment.requests.unwrap();
        assert_eq!(read, requests.map(Scenario::of));
        assert_eq!(experiment.phases, crate::defaults::phases());
        assert_eq!(experiment.launches, crate::Launches::DEFAULT);
        assert!(
            experiment
                .subject
                .artifact
                .unwrap()
                .ends_with("shop: the 'best'.jar")
        );
    }
}
