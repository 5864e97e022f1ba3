//! `jlink`: a runtime with only the modules that the service needs.

use super::java;
use super::java::text;
use super::layout::{self, must_exist};
use super::maker::Maker;
use super::prepared::Finished;
use super::{Context, PrepareError, ProofNeeded, StepError, Unavailable, Variant};
use crate::artifact::jars_below;
use crate::{Host, Jdk};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Modules that jdeps cannot see, because they are found by name or as a service at run time.
const UNSEEN: [&str; 5] = [
    "java.naming",     // JNDI: host names, data sources, TLS host checks
    "java.management", // MX beans, which servers and metrics read
    "jdk.crypto.ec",   // elliptic curves of TLS; before JDK 22 a module of its own
    "jdk.unsupported", // sun.misc.Unsafe: Netty and others
    "jdk.zipfs",       // file systems in jars: resources
];

/// The same, needed with a framework only.
const UNSEEN_OF_FRAMEWORKS: [&str; 8] = [
    "java.instrument",    // load-time weaving of Spring
    "java.desktop",       // java.beans: Spring and Jackson introspect with it
    "java.sql",           // JDBC drivers are services; Jackson looks for java.sql.Date
    "java.net.http",      // HTTP clients choose it when it is there
    "java.security.jgss", // Kerberos of JDBC drivers and HTTP clients
    "jdk.management",     // memory and processor beans of com.sun.management
    "jdk.net",            // socket options: keep-alive times
    "jdk.naming.dns",     // name look-ups by JNDI, in service discovery
];

/// What a JDK must have for this.
const TOOLS: [&str; 2] = ["jlink", "jdeps"];

#[derive(Debug)]
pub(super) struct Jlink;

impl Variant for Jlink {
    fn available(&self, context: &Context) -> Result<(), Unavailable> {
        let (artifact, facts) = context.runnable()?;
        layout::extraction(artifact, facts)?;
        context.jdk_with(&TOOLS).map(|_| ())
    }

    fn make(&self, context: &Context, maker: &mut Maker<'_>) -> Result<Finished, PrepareError> {
        self.available(context)?;
        let jdk = context.jdk_with(&TOOLS)?;
        let layout = layout::extracted_if_nested(context, &jdk, maker)?;
        let mut notes = Vec::new();
        let modules = modules(context, &jdk, maker, &layout.files, &mut notes)?;
        notes.push(format!("modules: {}", modules.join(", ")));
        let image = maker.directory().join("runtime");
        link(context.host, &jdk, maker, &modules, &image, &mut notes)?;
        Ok(Finished {
            command: java::command(context, &image.join("bin/java"), &[], &layout.target),
            runtime: Some(format!(
                "{}, {} modules by jlink",
                jdk.title(),
                modules.len()
            )),
            runtimes: vec![image.clone()],
            jdk: Some(jdk),
            proof: ProofNeeded::Runtime {
                claim: "it runs on the trimmed runtime".into(),
                exe_under: image,
            },
            application: layout.files,
            notes,
            ..Finished::default()
        })
    }
}

/// What jdeps sees in the class files, and what it cannot see.
fn modules(
    context: &Context,
    jdk: &Jdk,
    maker: &mut Maker<'_>,
    files: &[PathBuf],
    notes: &mut Vec<String>,
) -> Result<Vec<String>, PrepareError> {
    let there = modules_of(jdk, maker)?;
    let roots: Vec<PathBuf> = files
        .iter()
        .flat_map(|f| jars_below(f))
        .chain(
            files
                .iter()
                .map(|f| f.join("BOOT-INF/classes"))
                .filter(|c| c.is_dir()),
        )
        .collect();
    let mut needed: BTreeSet<String> = match seen_by_jdeps(jdk, maker, &roots) {
        Ok(seen) => seen,
        Err(PrepareError::Step(StepError::Interrupted)) => {
            return Err(StepError::Interrupted.into());
        }
        Err(error) => {
            notes.push(format!(
                "jdeps could not read the class files, so all modules of Java SE were taken ({error})"
            ));
            BTreeSet::from(["java.se".to_owned()])
        }
    };
    needed.extend(UNSEEN.map(str::to_owned));
    let artifact = context.artifact.as_ref();
    if artifact.is_some_and(|artifact| artifact.framework().is_some()) {
        needed.extend(UNSEEN_OF_FRAMEWORKS.map(str::to_owned));
    }
    Ok(needed.into_iter().filter(|m| there.contains(m)).collect())
}

/// The modules of a JDK: listed in its `release` file, or asked for.
fn modules_of(jdk: &Jdk, maker: &mut Maker<'_>) -> Result<BTreeSet<String>, PrepareError> {
    if !jdk.modules.is_empty() {
        return Ok(jdk.modules.iter().cloned().collect());
    }
    let command = [text(&jdk.tool("java")), "--list-modules".to_owned()];
    let output = maker.run("listing modules", &maker.directory(), &command)?;
    let names = output
        .stdout
        .lines()
        .filter_map(|line| line.split('@').next());
    Ok(names.map(|n| n.trim().to_owned()).collect())
}

/// All jars are analysed, not only those that the one with `main` refers to: frameworks load the
/// rest by name.
fn seen_by_jdeps(
    jdk: &Jdk,
    maker: &mut Maker<'_>,
    roots: &[PathBuf],
) -> Result<BTreeSet<String>, PrepareError> {
    let mut command = vec![
        text(&jdk.tool("jdeps")),
        "--print-module-deps".to_owned(),
        "--ignore-missing-deps".to_owned(),
        "--multi-release".to_owned(),
        jdk.feature.to_string(),
    ];
    command.extend(roots.iter().map(|root| text(root)));
    let output = maker.run(
        "looking for the modules that are used",
        &maker.directory(),
        &command,
    )?;
    Ok(parse_module_list(&output.stdout))
}

/// The last line is `java.base,java.logging`; warnings may stand before it.
fn parse_module_list(stdout: &str) -> BTreeSet<String> {
    let line = stdout.lines().rfind(|l| l.contains("java.base"));
    let names = line.unwrap_or_default().split(',').map(str::trim);
    names.filter(|n| !n.is_empty()).map(str::to_owned).collect()
}

/// Since this release the compression is named by its method, and the image can have CDS archives.
const NAMED_COMPRESSION: u32 = 21;
const ARCHIVES_BY_JLINK: u32 = 19;

fn link(
    host: &Host,
    jdk: &Jdk,
    maker: &mut Maker<'_>,
    modules: &[String],
    image: &Path,
    notes: &mut Vec<String>,
) -> Result<(), PrepareError> {
    layout::empty(image)?;
    let strip = if host.program("objcopy").is_some() {
        "--strip-debug"
    } else {
        notes.push("symbols of native libraries were kept: there is no objcopy (binutils)".into());
        "--strip-java-debug-attributes"
    };
    let compression = if jdk.feature >= NAMED_COMPRESSION {
        "zip-6"
    } else {
        "2"
    };
    let mut command = vec![text(&jdk.tool("jlink"))];
    command.extend(["--add-modules", &modules.join(",")].map(str::to_owned));
    command.extend([strip, "--no-man-pages", "--no-header-files"].map(str::to_owned));
    command.extend(["--compress", compression].map(str::to_owned));
    // An image without the default archive starts slower than the JDK that it was made of.
    let archives_by_jlink = jdk.feature >= ARCHIVES_BY_JLINK;
    if archives_by_jlink {
        command.push("--generate-cds-archive".to_owned());
    }
    command.extend(["--output".to_owned(), text(image)]);
    maker.run("linking the runtime", &maker.directory(), &command)?;
    let java = image.join("bin/java");
    must_exist("the runtime", &java, "Look at what jlink printed")?;
    if !archives_by_jlink {
        let dump = [text(&java), "-Xshare:dump".to_owned()];
        maker.run(
            "making the runtime's CDS archive",
            &maker.directory(),
            &dump,
        )?;
    }
    notes.push(
        "the runtime has a default CDS archive, as a JDK has; jlink makes none unless told".into(),
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_found_below_warnings() {
        let printed = "Warning: split package: a b c\njava.base,java.logging, jdk.net\n";
        let found: Vec<_> = parse_module_list(printed).into_iter().collect();
        assert_eq!(found, ["java.base", "java.logging", "jdk.net"]);
        assert!(parse_module_list("Error: no\n").is_empty());
    }
}
