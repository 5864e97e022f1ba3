//! The JDKs of this machine.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

/// A JDK of this machine.
pub struct Jdk {
    pub release: u32,
    pub home: PathBuf,
}

impl Jdk {
    pub fn tool(&self, name: &str) -> Command {
        Command::new(self.home.join("bin").join(name))
    }
}

/// The JDKs of this machine, oldest first, each once.
pub fn jdks() -> Vec<Jdk> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir("/usr/lib/jvm").into_iter().flatten() {
        let Ok(home) = entry.unwrap().path().canonicalize() else {
            continue;
        };
        let Ok(facts) = std::fs::read_to_string(home.join("release")) else {
            continue;
        };
        let release = facts
            .lines()
            .find_map(|l| l.strip_prefix("JAVA_VERSION=\""))
            .and_then(|v| v.split(['.', '"', '-']).next()?.parse().ok());
        if let Some(release @ 17..) = release
            && home.join("bin/javac").exists()
        {
            found.insert(home.clone(), Jdk { release, home });
        }
    }
    let mut jdks: Vec<_> = found.into_values().collect();
    jdks.sort_by_key(|jdk| jdk.release);
    assert!(
        !jdks.is_empty(),
        "these tests need a JDK of release 17 or later in /usr/lib/jvm: `apt-get install openjdk-17-jdk-headless`"
    );
    jdks
}
