//! Looks at a pod from the node that it is on: nothing runs in the pod, and nothing is asked of the
//! API, whose instants are whole seconds.
//!
//! The kubelet makes a control group for each pod, named by the pod's uid, and the runtime one in
//! it for each container; names by the two drivers of control groups from
//! `pkg/kubelet/cm/cgroup_manager_linux.go` of Kubernetes.

use std::fs;
use std::path::{Path, PathBuf};
use tacho_cgroup::Hierarchy;
use tacho_clock::Anchor;

/// Groups of groups between the top of the hierarchy and the pods: a cluster in a box has one of
/// its own around `kubepods`.
const DEEPEST: usize = 3;

/// The group of all pods. One of the two drivers names groups plainly, the other as systemd's
/// slices, whose names begin with those of the slices around them. A kubelet with a `cgroupRoot`,
/// as that of kind, has `kubelet.slice/kubelet-kubepods.slice`.
const PODS: &str = "kubepods";
const SLICE: &str = ".slice";

/// Programs that make containers, and what stays beside each of them; before `exec` the first
/// process of a container is one of them.
const RUNTIMES: [&str; 4] = ["runc", "crun", "youki", MONITOR];

/// What holds a pod's network, and nothing else.
const SANDBOX: &str = "pause";

/// Stays beside each container of CRI-O, and may have a group of its own in the pod.
const MONITOR: &str = "conmon";

/// The pods of this machine.
#[derive(Debug, Clone)]
pub struct Eye {
    roots: Vec<PathBuf>,
}

/// When a process was executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exec {
    /// When it was seen.
    pub anchor: Anchor,
    /// When it was certainly not executed yet.
    pub not_yet_ns: u64,
}

impl Eye {
    /// Finds the groups of pods; `None` when there are none on this machine.
    #[must_use]
    pub fn here() -> Option<Self> {
        let hierarchy = Hierarchy::detect().ok()?;
        let tops = hierarchy.tops();
        Self::below(tops.first()?)
    }

    fn below(top: &Path) -> Option<Self> {
        let mut roots = Vec::new();
        find(top, DEEPEST, &mut roots);
        (!roots.is_empty()).then_some(Self { roots })
    }

    /// Looks once: the first process of a container, by the container's id as the pod's status has
    /// it.
    #[must_use]
    pub fn look(&self, uid: &str, container: &str) -> Option<u32> {
        self.executed(uid, Some(container)).first().copied()
    }

    /// Looks once, a tenth of a millisecond: the processes of a container, by its id. Without an id
    /// those of the pod that are neither the runtime nor the sandbox.
    #[must_use]
    pub fn executed(&self, uid: &str, container: Option<&str>) -> Vec<u32> {
        let mut groups = self.containers(uid);
        groups.retain(|group| container.is_none_or(|id| is_of(group, id)));
        let pids = groups.iter().flat_map(|group| members(group));
        pids.filter(|pid| is_executed(*pid)).collect()
    }

    /// Looks once: whether what holds the pod's network is there, after which the node fetches
    /// images and makes containers.
    #[must_use]
    pub fn has_sandbox(&self, uid: &str) -> bool {
        let groups = self.containers(uid);
        let mut pids = groups.iter().flat_map(|group| members(group));
        pids.any(|pid| program(pid).is_some_and(|name| name == SANDBOX))
    }

    /// Looks once: whether a container of the pod is there beside its sandbox. The runtime makes
    /// the group of a container to execute its process in it; by then its image is there.
    #[must_use]
    pub fn has_container(&self, uid: &str) -> bool {
        let groups = self.containers(uid);
        // Most looks end here: while an image is fetched, the sandbox is alone.
        if groups.len() < 2 {
            return false;
        }
        let programs: Vec<Vec<String>> = groups.iter().map(|group| programs(group)).collect();
        is_beside_sandbox(&programs)
    }

    /// Groups of the containers of a pod.
    fn containers(&self, uid: &str) -> Vec<PathBuf> {
        // It becomes a path.
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        if uid.is_empty() || !uid.bytes().all(is_plain) {
            return Vec::new();
        }
        let pod = self.roots.iter().flat_map(|root| candidates(root, uid));
        let Some(pod) = pod.into_iter().find(|group| group.is_dir()) else {
            return Vec::new();
        };
        folders(&pod)
    }
}

fn find(folder: &Path, deep: usize, roots: &mut Vec<PathBuf>) {
    for inside in folders(folder) {
        let name = inside.file_name().unwrap_or_default().to_string_lossy();
        if is_root(&name) {
            roots.push(inside);
        } else if deep > 0 {
            find(&inside, deep - 1, roots);
        }
    }
}

fn is_root(name: &str) -> bool {
    let slice = name.strip_suffix(SLICE).unwrap_or_default();
    let above = slice.strip_suffix(PODS);
    name == PODS || above.is_some_and(|above| above.is_empty() || above.ends_with('-'))
}

/// Where the group of a pod may lie, by its class of service.
fn candidates(root: &Path, uid: &str) -> Vec<PathBuf> {
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    // A slice's name has dashes between its levels alone.
    let of_slice = uid.replace('-', "_");
    match name.strip_suffix(SLICE) {
        None => ["", "burstable", "besteffort"]
            .map(|class| root.join(class).join(format!("pod{uid}")))
            .to_vec(),
        Some(all) => ["", "burstable-", "besteffort-"]
            .map(|class| {
                let pod = format!("{all}-{class}pod{of_slice}{SLICE}");
                match class.strip_suffix('-') {
                    None => root.join(pod),
                    Some(class) => root.join(format!("{all}-{class}{SLICE}")).join(pod),
                }
            })
            .to_vec(),
    }
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.map(|entry| entry.path()).collect()
}

/// Whether a group is that of a container with such an id (`containerd://ID`). Its name is the id,
/// after the name of the runtime where there is one: `ID`, `crio-ID`, `cri-containerd-ID.scope`.
fn is_of(group: &Path, container: &str) -> bool {
    let id = container.rsplit('/').next().unwrap_or_default();
    let name = group.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".scope").unwrap_or(&name);
    let runtime = name.strip_suffix(id).filter(|_| !id.is_empty());
    runtime.is_some_and(|runtime| runtime.is_empty() || runtime.ends_with('-'))
}

/// Processes of a group and of those below it: with systemd's slices crun puts a container into a
/// group of its own below its scope.
fn members(group: &Path) -> Vec<u32> {
    let text = fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default();
    let own = text.lines().filter_map(|line| line.parse::<u32>().ok());
    let below = folders(group);
    own.chain(below.iter().flat_map(|group| members(group)))
        .collect()
}

/// The programs of a group's processes.
fn programs(group: &Path) -> Vec<String> {
    members(group).into_iter().filter_map(program).collect()
}

/// The name of a process's program, empty where it has none; `None` if the process is gone.
fn program(pid: u32) -> Option<String> {
    let exe = fs::read_link(format!("/proc/{pid}/exe")).ok()?;
    let name = exe.file_name().unwrap_or_default();
    Some(name.to_string_lossy().into_owned())
}

/// Whether one of these groups is that of a sandbox, and another one that of a container. Each is
/// told by the programs of its processes; before `exec` that of a container is the runtime.
fn is_beside_sandbox(groups: &[Vec<String>]) -> bool {
    let is_sandbox = |group: &Vec<String>| group.iter().any(|name| name == SANDBOX);
    let is_more = |group: &Vec<String>| group.iter().any(|name| name != MONITOR);
    let has_sandbox = groups.iter().any(is_sandbox);
    has_sandbox
        && groups
            .iter()
            .any(|group| !is_sandbox(group) && is_more(group))
}

fn is_executed(pid: u32) -> bool {
    let Ok(exe) = fs::read_link(format!("/proc/{pid}/exe")) else {
        return false;
    };
    is_subject(&exe.to_string_lossy())
}

/// Whether a process of this program is the subject's. The runtime copies itself into memory before
/// it enters a container, and that copy has no name of a file.
fn is_subject(exe: &str) -> bool {
    let name = exe.trim_end_matches(" (deleted)");
    let name = name.rsplit('/').next().unwrap_or(name);
    let is_copy = exe.starts_with("/memfd:") || name == "exe" || name.is_empty();
    !is_copy && name != SANDBOX && !RUNTIMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UID: &str = "5f4d2c1a-0000-4a6b-9c1e-aaaaaaaaaaaa";

    fn made(folders: &[String]) -> tempfile::TempDir {
        let top = tempfile::tempdir().unwrap();
        for folder in folders {
            fs::create_dir_all(top.path().join(folder)).unwrap();
        }
        top
    }

    #[test]
    fn a_pod_is_found_by_either_driver_in_each_class_and_in_a_box() {
        let slice = UID.replace('-', "_");
        for pod in [
            format!("kubepods/pod{UID}"),
            format!("kubepods/burstable/pod{UID}"),
            format!("kbox-10-231/kubepods/besteffort/pod{UID}"),
            format!("kubepods.slice/kubepods-pod{slice}.slice"),
            format!("kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{slice}.slice"),
            // As kind has it.
            format!(
                "kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-besteffort.slice/kubelet-kubepods-besteffort-pod{slice}.slice"
            ),
            format!("kubelet/kubepods/burstable/pod{UID}"),
        ] {
            let top = made(&[format!("{pod}/container-1"), "system.slice/x".to_owned()]);
            let eye = Eye::below(top.path()).unwrap();
            assert_eq!(
                eye.containers(UID),
                [top.path().join(&pod).join("container-1")],
                "{pod}"
            );
            assert!(eye.containers("another").is_empty());
        }
    }

    #[test]
    fn a_machine_without_pods_is_no_node() {
        let top = made(&[
            "system.slice/kubelet.service".to_owned(),
            "system.slice/notkubepods.slice".to_owned(),
            "a/b/c/d/e".to_owned(),
        ]);
        assert!(Eye::below(top.path()).is_none());
    }

    #[test]
    fn processes_of_a_container_may_lie_in_a_group_below_its_own() {
        let top = made(&["crio-abc.scope/container".to_owned()]);
        let scope = top.path().join("crio-abc.scope");
        fs::write(scope.join("cgroup.procs"), "").unwrap();
        fs::write(scope.join("container/cgroup.procs"), "17\n18\n").unwrap();
        assert_eq!(members(&scope), [17, 18]);
    }

    #[test]
    fn the_runtime_and_the_sandbox_are_not_the_subject() {
        for other in [
            "/usr/bin/runc",
            "/usr/local/sbin/crun",
            "/usr/libexec/crio/conmon",
            "/memfd:runc_cloned:/proc/self/exe (deleted)",
            "/proc/self/exe",
            // As runc 1.1 is seen from outside.
            "/",
            "/pause",
        ] {
            assert!(!is_subject(other), "{other}");
        }
        for subject in ["/opt/java/bin/java", "/app/service", "/bin/sh"] {
            assert!(is_subject(subject), "{subject}");
        }
    }

    #[test]
    fn a_container_is_there_once_a_group_beside_the_sandbox_has_a_process() {
        let seen = |groups: &[&[&str]]| {
            let mut all: Vec<Vec<String>> = Vec::new();
            for group in groups {
                all.push(group.iter().map(|name| (*name).to_owned()).collect());
            }
            is_beside_sandbox(&all)
        };
        let there: [&[&[&str]]; 3] = [
            &[&["pause"], &["runc"]],
            &[&["exe"], &["pause"]],
            // As runc 1.1 is seen from outside.
            &[&["pause"], &[""]],
        ];
        for groups in there {
            assert!(seen(groups), "{groups:?}");
        }
        let not_there: [&[&[&str]]; 4] = [
            &[&["pause"]],
            &[&["pause"], &[]],
            // The monitors of a sandbox and of a container.
            &[&["conmon"], &["pause"], &["conmon"]],
            // The sandbox itself is only made.
            &[&["runc"], &["conmon"]],
        ];
        for groups in not_there {
            assert!(!seen(groups), "{groups:?}");
        }
    }

    #[test]
    fn a_group_is_that_of_a_container_by_its_id_whichever_runtime_named_it() {
        let is_of = |name: &str, id: &str| is_of(Path::new(name), id);
        for (name, id) in [
            ("/kubepods/pod1/0a1b", "containerd://0a1b"),
            ("/kubepods/pod1/crio-0a1b", "cri-o://0a1b"),
            ("/a.slice/cri-containerd-0a1b.scope", "containerd://0a1b"),
            ("/a.slice/docker-0a1b.scope", "docker://0a1b"),
        ] {
            assert!(is_of(name, id), "{name}");
        }
        for (name, id) in [
            ("/kubepods/pod1/0a1c", "containerd://0a1b"),
            ("/kubepods/pod1/ff0a1b", "containerd://0a1b"),
            ("/kubepods/pod1/0a1b", "containerd://"),
            ("/kubepods/pod1/0a1b", ""),
        ] {
            assert!(!is_of(name, id), "{name} {id}");
        }
    }

    #[test]
    fn the_process_of_one_container_is_not_taken_for_that_of_another() {
        let pod = format!("kubepods/pod{UID}");
        let top = made(&[format!("{pod}/crio-aa"), format!("{pod}/crio-bb")]);
        let mut beside = std::process::Command::new("sleep")
            .arg("600")
            .spawn()
            .unwrap();
        let own = std::process::id();
        for (name, pid) in [("crio-aa", beside.id()), ("crio-bb", own)] {
            let procs = top.path().join(&pod).join(name).join("cgroup.procs");
            fs::write(procs, format!("{pid}\n")).unwrap();
        }
        let eye = Eye::below(top.path()).unwrap();
        assert_eq!(eye.look(UID, "cri-o://aa"), Some(beside.id()));
        assert_eq!(eye.look(UID, "cri-o://bb"), Some(own));
        assert_eq!(eye.look(UID, "cri-o://cc"), None);
        assert_eq!(eye.executed(UID, None).len(), 2);
        beside.kill().unwrap();
        beside.wait().unwrap();
    }

    /// What the API says is text of somebody else's.
    #[test]
    fn a_uid_that_is_none_leads_nowhere() {
        let top = made(&["kubepods/pod/x".to_owned(), "secret/y".to_owned()]);
        let eye = Eye::below(top.path()).unwrap();
        assert!(eye.containers("/../../secret").is_empty());
        assert!(eye.containers("").is_empty());
    }
}
