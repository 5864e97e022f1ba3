//! `war`: deployed as the root application of a real Apache Tomcat, in one JVM of its own.

use super::error::CLASS_PATH;
use super::java::{command, text};
use super::layout::empty;
use super::maker::Maker;
use super::prepared::Finished;
use super::tomcat::{Tomcat, bootstrap};
use super::{Context, PrepareError, Unavailable, Variant};
use crate::{Artifact, ArtifactKind, Framework, Jdk, ServletLevel};
use std::fs;
use std::path::Path;

/// Tomcat's own default, and Spring Boot's.
const DEFAULT_PORT: u16 = 8080;
/// The word of a command that gives Tomcat its port begins with this. The port is not in
/// `server.xml`, so that several processes can be started from one folder.
pub const TOMCAT_PORT_FLAG: &str = "-Dtacho.port=";
const SERVER_XML: &str = include_str!("war/server.xml");
const LOGGING_PROPERTIES: &str = include_str!("war/logging.properties");

#[derive(Debug)]
pub(super) struct War;

/// What is needed to deploy.
struct Deployment<'a> {
    artifact: &'a Artifact,
    tomcat: Tomcat,
    jdk: Jdk,
}

impl<'a> Deployment<'a> {
    fn of(context: &'a Context) -> Result<Self, Unavailable> {
        let (artifact, facts) = context.jvm_artifact()?;
        if artifact.kind != ArtifactKind::War {
            return Err(Unavailable::NotAWar(artifact.file.clone()));
        }
        let tomcat = Tomcat::for_level(facts.servlet.unwrap_or(ServletLevel::Jakarta60));
        let release = tomcat.java_release.max(facts.java_release.unwrap_or(0));
        let jdk = context
            .jdks
            .choose(context.settings.jdk.as_deref(), Some(release))?;
        if !jdk.has("jar") {
            return Err(Unavailable::NoTool {
                tool: "jar",
                jdk: Box::new(jdk),
            });
        }
        tomcat.can_be_got(context.host)?;
        Ok(Self {
            artifact,
            tomcat,
            jdk,
        })
    }
}

impl Variant for War {
    fn available(&self, context: &Context) -> Result<(), Unavailable> {
        Deployment::of(context).map(|_| ())
    }

    fn make(&self, context: &Context, maker: &mut Maker<'_>) -> Result<Finished, PrepareError> {
        let deployment = Deployment::of(context)?;
        let home = deployment.tomcat.get(context.host, maker)?;
        PrepareError::unless_one_path(&home, CLASS_PATH)?;
        let base = maker.directory().join("tomcat");
        let port = context.settings.port.unwrap_or(DEFAULT_PORT);
        lay_out(&home, &base)?;
        deploy(&deployment, &base, maker)?;
        let (properties, mut notes) = arguments_as_properties(context, deployment.artifact);
        notes.push(format!(
            "deployed as the root application, unpacked, on port {port}"
        ));
        let jdk = &deployment.jdk;
        let mut without_arguments = context.clone();
        without_arguments.settings.arguments.clear();
        let flags = [tomcat_flags(jdk, &home, &base, port), properties].concat();
        let target = bootstrap_target(&home);
        Ok(Finished {
            command: command(&without_arguments, &jdk.tool("java"), &flags, &target),
            runtime: Some(format!(
                "{} and Apache Tomcat {}",
                jdk.title(),
                deployment.tomcat.version
            )),
            jdk: Some(jdk.clone()),
            application: vec![deployment.artifact.file.clone()],
            runtimes: vec![jdk.home.clone(), home],
            laid_out: Some(base),
            notes,
            ..Finished::default()
        })
    }
}

/// Makes a CATALINA_BASE: Tomcat's own defaults for servlets, scanning and class loading, with our
/// connector, and with logs on the console.
fn lay_out(home: &Path, base: &Path) -> Result<(), PrepareError> {
    empty(base)?;
    for folder in ["conf", "webapps", "temp", "work", "logs"] {
        let folder = base.join(folder);
        fs::create_dir_all(&folder).map_err(|e| PrepareError::io(&folder, e))?;
    }
    for name in ["web.xml", "context.xml", "catalina.properties"] {
        let (from, to) = (home.join("conf").join(name), base.join("conf").join(name));
        fs::copy(&from, to).map_err(|e| PrepareError::io(&from, e))?;
    }
    for (name, content) in [
        ("server.xml", SERVER_XML),
        ("logging.properties", LOGGING_PROPERTIES),
    ] {
        let file = base.join("conf").join(name);
        fs::write(&file, content).map_err(|e| PrepareError::io(&file, e))?;
    }
    Ok(())
}

/// Unpacks the WAR now. Otherwise Tomcat would do it in the first launch, which would then differ
/// from all others.
fn deploy(
    deployment: &Deployment<'_>,
    base: &Path,
    maker: &mut Maker<'_>,
) -> Result<(), PrepareError> {
    let root = base.join("webapps/ROOT");
    fs::create_dir_all(&root).map_err(|e| PrepareError::io(&root, e))?;
    let jar = deployment.jdk.tool("jar");
    let command = [
        text(&jar),
        "-xf".to_owned(),
        text(&deployment.artifact.file),
    ];
    maker.run("unpacking the WAR", &root, &command)?;
    Ok(())
}

/// The flags that `catalina.sh` sets, and the port. Without its shell there is one process, and
/// every flag is visible.
fn tomcat_flags(jdk: &Jdk, home: &Path, base: &Path, port: u16) -> Vec<String> {
    let opens = [
        "lang",
        "lang.invoke",
        "lang.reflect",
        "io",
        "util",
        "util.concurrent",
    ]
    .map(|package| format!("--add-opens=java.base/java.{package}=ALL-UNNAMED"));
    let rmi = "--add-opens=java.rmi/sun.rmi.transport=ALL-UNNAMED".to_owned();
    let (home, base) = (home.display(), base.display());
    let properties = [
        format!("-Djava.util.logging.config.file={base}/conf/logging.properties"),
        "-Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager".to_owned(),
        "-Djava.protocol.handler.pkgs=org.apache.catalina.webresources".to_owned(),
        "-Dorg.apache.catalina.security.SecurityListener.UMASK=0027".to_owned(),
        format!("-Dcatalina.base={base}"),
        format!("-Dcatalina.home={home}"),
        format!("-Djava.io.tmpdir={base}/temp"),
        format!("{TOMCAT_PORT_FLAG}{port}"),
    ];
    // Java 8 has no modules to open, and refuses to start with such a flag.
    if jdk.feature < 9 {
        return properties.to_vec();
    }
    [&opens[..], &[rmi], &properties].concat()
}

fn bootstrap_target(home: &Path) -> Vec<String> {
    let class_path = format!(
        "{}:{}",
        bootstrap(home).display(),
        home.join("bin/tomcat-juli.jar").display()
    );
    [
        "-cp",
        &class_path,
        "org.apache.catalina.startup.Bootstrap",
        "start",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// A deployed application has no command line. Spring Boot also reads `--key=value` from system
/// properties. Other arguments are dropped, which the user is told.
fn arguments_as_properties(context: &Context, artifact: &Artifact) -> (Vec<String>, Vec<String>) {
    let mut properties = Vec::new();
    let mut notes = Vec::new();
    for argument in &context.settings.arguments {
        let pair = argument.strip_prefix("--").filter(|p| p.contains('='));
        match pair {
            Some(pair) if artifact.is(Framework::SpringBoot) => {
                properties.push(format!("-D{pair}"));
                notes.push(format!("`{argument}` is given as a system property"));
            }
            _ => notes.push(format!(
                "`{argument}` was left out: a deployed application has no command line"
            )),
        }
    }
    (properties, notes)
}
