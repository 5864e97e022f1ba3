//! A JVM of `nobody` in a mount namespace that is its own, which answers at the attach socket what
//! a test wants.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const NOBODY: u32 = 65534;
/// A hang ends here; nothing that works takes a tenth of it.
const HANG: Duration = Duration::from_secs(90);

/// False, with a line that says so, where another user cannot be played.
pub fn is_root() -> bool {
    let root = rustix::process::geteuid().is_root();
    if !root {
        println!("skipped: it takes root to play another user");
    }
    root
}

fn tacho() -> Command {
    let own = env!("CARGO_BIN_EXE_tacho").into();
    let mut command = Command::new(std::env::var_os("TACHO_BIN").unwrap_or(own));
    command.env("NO_COLOR", "1");
    command
}

/// The hostile JVM, and its `/tmp` as seen from outside.
pub struct Hostile {
    child: Child,
    folder: tempfile::TempDir,
}

impl Hostile {
    /// `prepare` is a shell script that runs in its namespace, with `$OWN` as its folder, before
    /// that is bound over `/tmp`.
    pub fn new(prepare: &str, variables: &[(&str, &str)]) -> Self {
        // Not below /tmp: that is another folder for the hostile JVM.
        let folder = tempfile::tempdir_in("/var/tmp").unwrap();
        let own = folder.path().to_owned();
        std::fs::write(own.join("Fake.java"), include_str!("Fake.java")).unwrap();
        std::os::unix::fs::chown(&own, Some(NOBODY), Some(NOBODY)).unwrap();
        let permissions = |mode| std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(&own, permissions(0o755)).unwrap();
        std::fs::set_permissions(own.join("Fake.java"), permissions(0o644)).unwrap();
        let script = format!(
            "set -e; {prepare}\nmount --rbind \"$OWN\" /tmp\nexec \"$JAVA\" -XX:TieredStopAtLevel=1 /tmp/Fake.java"
        );
        let mut child = Command::new("setpriv")
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .args(["unshare", "-Urm", "sh", "-c", &script])
            .current_dir("/")
            .env("OWN", &own)
            .env("JAVA", tacho_test_jdks::oldest().path("java"))
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready = lines.any(|line| line.is_ok_and(|line| line.starts_with("ready")));
        assert!(
            ready,
            "the hostile JVM did not start; are user namespaces forbidden?"
        );
        // It blocks when nobody reads what it says.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, folder }
    }

    /// `tacho ARGUMENTS PID MORE` by root; `None` when it hangs.
    pub fn met_by(&self, command: &str, more: &[&str]) -> Option<Output> {
        let scratch = tempfile::tempdir().unwrap();
        let file = |name: &str| scratch.path().join(name);
        let made = |name: &str| std::fs::File::create(file(name)).unwrap();
        let mut child = tacho()
            .arg(command)
            .arg(self.child.id().to_string())
            .args(more)
            .current_dir(scratch.path())
            .stdin(Stdio::null())
            .stdout(made("out"))
            .stderr(made("err"))
            .spawn()
            .unwrap();
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if begin.elapsed() > HANG {
                child.kill().unwrap();
                child.wait().unwrap();
                return None;
            }
            std::thread::sleep(Duration::from_millis(50));
        };
        Some(Output {
            status,
            stdout: std::fs::read(file("out")).unwrap(),
            stderr: std::fs::read(file("err")).unwrap(),
        })
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Hostile {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder of root's with one file in it. It lies where nobody can see its name, and not what is
/// in it.
pub struct Precious(tempfile::TempDir);

impl Precious {
    pub fn new() -> Self {
        let folder = tempfile::tempdir_in("/var/tmp").unwrap();
        std::fs::write(folder.path().join("key"), "precious").unwrap();
        Self(folder)
    }

    pub fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }

    pub fn is_whole(&self) -> bool {
        std::fs::read(self.0.path().join("key")).is_ok_and(|text| text == b"precious")
    }
}
