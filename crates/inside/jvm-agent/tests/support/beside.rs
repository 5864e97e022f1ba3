//! Agents of others, made of jars from Maven Central and of what a user of theirs writes.

use std::path::{Path, PathBuf};
use tacho_test_jdks::oldest;

/// The SkyWalking agent with a plugin that wraps methods of the shop; `jar` is its `apm-agent`.
pub fn skywalking(jar: &Path, folder: &Path) -> Vec<String> {
    let classes = compile(jar, "skywalking", folder);
    std::fs::write(
        classes.join("skywalking-plugin.def"),
        "shop=beside.ShopPlugin\n",
    )
    .unwrap();
    for name in ["config", "plugins", "activations", "logs"] {
        std::fs::create_dir(folder.join(name)).unwrap();
    }
    // Nobody listens there; what it would send is not looked at.
    std::fs::write(
        folder.join("config/agent.config"),
        "agent.service_name=shop\ncollector.backend_service=127.0.0.1:1\nlogging.level=WARN\n",
    )
    .unwrap();
    pack(&classes, &folder.join("plugins/shop.jar"), None);
    let agent = folder.join("skywalking-agent.jar");
    std::fs::copy(jar, &agent).unwrap();
    vec![
        // The Byte Buddy in it is older than the newest JDK, and does not touch its classes unless
        // it is told to.
        "-Dorg.apache.skywalking.apm.dependencies.net.bytebuddy.experimental=true".to_owned(),
        format!("-javaagent:{}", agent.display()),
    ]
}

/// An agent that wraps methods of the shop by Byte Buddy.
pub fn byte_buddy(jar: &Path, folder: &Path) -> Vec<String> {
    let classes = compile(jar, "bytebuddy", folder);
    let manifest = folder.join("manifest");
    std::fs::write(
        &manifest,
        format!(
            "Premain-Class: beside.ShopAgent\nCan-Retransform-Classes: true\nClass-Path: {}\n",
            jar.file_name().unwrap().to_str().unwrap()
        ),
    )
    .unwrap();
    std::fs::copy(jar, folder.join(jar.file_name().unwrap())).unwrap();
    let agent = folder.join("shop-agent.jar");
    pack(&classes, &agent, Some(&manifest));
    vec![format!("-javaagent:{}", agent.display())]
}

/// An agent that says which classes are loaded inside of ours.
pub fn loads(folder: &Path) -> String {
    let classes = compile(Path::new("."), "loads", folder);
    let manifest = folder.join("manifest");
    std::fs::write(&manifest, "Premain-Class: beside.Loads\n").unwrap();
    let agent = folder.join("loads.jar");
    pack(&classes, &agent, Some(&manifest));
    format!("-javaagent:{}", agent.display())
}

fn compile(jar: &Path, name: &str, folder: &Path) -> PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/beside")
        .join(name);
    let sources = std::fs::read_dir(sources).unwrap();
    let classes = folder.join("classes");
    let status = oldest()
        .tool("javac")
        .args(["--release", "8", "-nowarn", "-Xlint:-options", "-cp"])
        .arg(jar)
        .arg("-d")
        .arg(&classes)
        .args(sources.map(|source| source.unwrap().path()))
        .status();
    assert!(status.unwrap().success());
    classes
}

fn pack(classes: &Path, jar: &Path, manifest: Option<&Path>) {
    let mut tool = oldest().tool("jar");
    tool.args(["--create", "--file"]).arg(jar);
    if let Some(manifest) = manifest {
        tool.arg("--manifest").arg(manifest);
    }
    let status = tool.arg("-C").arg(classes).arg(".").status();
    assert!(status.unwrap().success());
}
