//! A cluster of this machine.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Not that of a cluster which somebody has brought up for himself.
const NETWORK: &str = "10.236.0.0/16";

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// A cluster of these tests' own, on a network of its own; one at a time.
pub struct Cluster {
    state: TempDir,
    kubectl: PathBuf,
    _alone: MutexGuard<'static, ()>,
}

impl Cluster {
    pub fn up() -> Self {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let state = TempDir::new().unwrap();
        let built = Command::new(repository().join("cluster-box/box"))
            .arg("build")
            .output()
            .unwrap();
        assert!(built.status.success(), "{built:?}");
        let programs = String::from_utf8(built.stdout).unwrap();
        let cluster = Self {
            state,
            kubectl: Path::new(programs.trim()).join("kubectl"),
            _alone: alone,
        };
        let up = cluster
            .a_box()
            .args(["up", "--network", NETWORK])
            .output()
            .unwrap();
        assert!(up.status.success(), "{up:?}");
        cluster
    }

    /// `box` with the folder of these tests; what it does comes behind.
    pub fn a_box(&self) -> Command {
        let mut command = Command::new(repository().join("cluster-box/box"));
        command.env("XDG_STATE_HOME", self.state.path());
        command
    }

    /// The command that hands an image to its node.
    pub fn load_image(&self) -> String {
        format!(
            "env XDG_STATE_HOME={} {}/cluster-box/box load",
            self.state.path().display(),
            repository().display()
        )
    }

    /// A folder of these tests' own.
    pub fn state(&self) -> &Path {
        self.state.path()
    }

    pub fn kubeconfig(&self) -> PathBuf {
        self.state.path().join("tacho/cluster-box/kubeconfig")
    }

    pub fn kubectl(&self, words: &[&str]) -> String {
        let output = Command::new(&self.kubectl)
            .arg("--kubeconfig")
            .arg(self.kubeconfig())
            .args(words)
            .output()
            .unwrap();
        assert!(output.status.success(), "{words:?} {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What a run makes that is in a namespace, by name. The Service of the cluster itself is
    /// not of a run, nor is the account that each namespace has.
    pub fn objects(&self, namespace: &str) -> String {
        let kinds = "pods,jobs,deployments,services,serviceaccounts,roles,rolebindings";
        let left = self.kubectl(&["get", kinds, "-n", namespace, "--output", "name"]);
        let is_of_cluster =
            |line: &&str| ["service/kubernetes", "serviceaccount/default"].contains(line);
        let lines = left.lines().filter(|line| !is_of_cluster(line));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Deletion takes its time.
    pub fn nothing_is_left_in(&self, namespace: &str) {
        let began = Instant::now();
        loop {
            let left = self.objects(namespace);
            if left.is_empty() {
                return;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "left: {left}");
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Stops its process for a while, or has it go on.
    pub fn signal_the_api(&self, name: &str) {
        self.signal(name, "kube-apiserver");
    }

    /// What a node does whose kubelet stands still is what one does that is gone: it is heard of no
    /// more, and no stream leads there.
    pub fn signal_the_node(&self, name: &str) {
        self.signal(name, "kubelet");
    }

    fn signal(&self, name: &str, program: &str) {
        let line = format!("kill -{name} $(cat /run/cluster-box/run/{program})");
        let done = self
            .a_box()
            .args(["node", "bash", "-c", &line])
            .status()
            .unwrap();
        assert!(done.success());
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let down = self.a_box().arg("down").output();
        // It says what is left, with code 6.
        let is_clean = down.as_ref().is_ok_and(|down| down.status.success());
        assert!(is_clean || std::thread::panicking(), "{down:?}");
    }
}
