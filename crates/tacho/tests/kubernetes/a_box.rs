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
        Self::up_by(|a_box| a_box)
    }

    /// The monotonic clock of all that runs in it differs by so many seconds from that of this
    /// machine, as that of another machine does (time_namespaces(7)).
    pub fn up_ahead(seconds: i32) -> Self {
        Self::up_by(|a_box| {
            let mut command = Command::new("unshare");
            command
                .args(["--time", "--fork", "--monotonic", &seconds.to_string()])
                .arg(a_box.get_program())
                .args(a_box.get_args());
            for (name, value) in a_box.get_envs() {
                command.env(name, value.unwrap_or_default());
            }
            command
        })
    }

    fn up_by(how: impl FnOnce(Command) -> Command) -> Self {
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
        let mut up = cluster.a_box();
        up.args(["up", "--network", NETWORK]);
        let up = how(up).output().unwrap();
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

    /// What follows comes behind.
    pub fn kubectl_command(&self) -> Command {
        let mut command = Command::new(&self.kubectl);
        command.arg("--kubeconfig").arg(self.kubeconfig());
        command
    }

    pub fn kubectl(&self, words: &[&str]) -> String {
        let output = self.kubectl_command().args(words).output().unwrap();
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
        self.until_left_in(namespace, |_| false);
    }

    fn until_left_in(&self, namespace: &str, is_somebody_s: impl Fn(&str) -> bool) {
        let began = Instant::now();
        loop {
            let all = self.objects(namespace);
            let left: Vec<&str> = all.lines().filter(|it| !is_somebody_s(it)).collect();
            if left.is_empty() {
                return;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "left: {left:?}");
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// As [`Self::nothing_is_left_in`], where somebody has a Deployment and a Service of this name.
    pub fn nothing_but_is_left_in(&self, own: &str, namespace: &str) {
        self.until_left_in(namespace, |object| {
            let name = object.split('/').nth(1).unwrap_or_default();
            name.starts_with(own)
        });
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
