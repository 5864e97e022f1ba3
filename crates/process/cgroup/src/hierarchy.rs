//! The control groups of this machine.

use crate::group::Kind;
use crate::mounts::{Membership, Mount, parse_memberships, parse_mountinfo};
use crate::place::{Place, check_name, read_text};
use crate::v1::{Controllers, GroupV1};
use crate::v2::{GroupV2, SUPERVISOR, Unified};
use crate::{CgroupError, Group, GroupLimits};
use std::fmt;
use std::path::{Path, PathBuf};

/// Version of the control groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Version {
    /// One hierarchy for each controller.
    V1,
    /// One hierarchy for all.
    V2,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::V1 => "v1",
            Self::V2 => "v2",
        })
    }
}

/// Where control groups can be made on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hierarchy {
    pub(crate) layout: Layout,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Layout {
    V1(Controllers),
    V2(Unified),
}

impl Hierarchy {
    /// Finds the hierarchy that holds the cpu and memory controllers. A machine with v1
    /// controllers and an empty v2 beside them (systemd's hybrid mode) is v1.
    ///
    /// # Errors
    /// [`CgroupError::NoHierarchy`] when nothing is mounted.
    pub fn detect() -> Result<Self, CgroupError> {
        let mounts = read_text(Path::new("/proc/self/mountinfo"))?;
        let memberships = read_text(Path::new("/proc/self/cgroup"))?;
        Self::from_mounts(&parse_mountinfo(&mounts), &parse_memberships(&memberships))
            .ok_or(CgroupError::NoHierarchy)
    }

    /// The hierarchy at a given place: for v1 the directory that holds one directory for each
    /// controller, for v2 the mount point.
    #[must_use]
    pub fn at(root: &Path, version: Version) -> Self {
        let place = |top: PathBuf| Place { top, own: None };
        let controller = |name| Some(root.join(name)).filter(|d| d.is_dir()).map(place);
        Self {
            layout: match version {
                Version::V1 => Layout::V1(Controllers {
                    cpu: controller("cpu"),
                    cpuacct: controller("cpuacct"),
                    memory: controller("memory"),
                }),
                Version::V2 => Layout::V2(Unified {
                    place: place(root.to_owned()),
                }),
            },
        }
    }

    fn from_mounts(mounts: &[Mount], memberships: &[Membership]) -> Option<Self> {
        let v1 = |controller: &str| {
            let holds = |names: &[String]| names.iter().any(|n| n == controller);
            let mount = mounts
                .iter()
                .find(|m| m.controllers.as_deref().is_some_and(holds))?;
            let ours = memberships.iter().find(|m| holds(&m.controllers));
            Some(place_of(mount, ours))
        };
        let controllers = Controllers {
            cpu: v1("cpu"),
            cpuacct: v1("cpuacct"),
            memory: v1("memory"),
        };
        if controllers.cpu.is_some() || controllers.memory.is_some() {
            return Some(Self {
                layout: Layout::V1(controllers),
            });
        }
        let unified = mounts.iter().find(|m| m.controllers.is_none())?;
        let ours = memberships.iter().find(|m| m.controllers.is_empty());
        Some(Self {
            layout: Layout::V2(Unified {
                place: place_of(unified, ours),
            }),
        })
    }

    /// v1 or v2.
    #[must_use]
    pub fn version(&self) -> Version {
        match self.layout {
            Layout::V1(_) => Version::V1,
            Layout::V2(_) => Version::V2,
        }
    }

    /// The directories that [`Hierarchy::create`] would make for a group of this name, so that they
    /// can be put on record before they are made.
    #[must_use]
    pub fn directories_of(&self, name: &str) -> Vec<PathBuf> {
        let places: Vec<&Place> = match &self.layout {
            Layout::V1(controllers) => controllers.places().collect(),
            Layout::V2(unified) => vec![&unified.place],
        };
        let mut dirs: Vec<PathBuf> = places
            .into_iter()
            .filter_map(Place::base)
            .map(|base| base.join(crate::PARENT).join(name))
            .collect();
        dirs.sort();
        // Controllers that are mounted together share one.
        dirs.dedup();
        dirs
    }

    /// Makes a group with limits; without limits it only tracks a process tree.
    ///
    /// # Errors
    /// Without the rights or a controller for it: the remedy is in the text. Nothing is left
    /// behind then, and no limit is ever left out silently.
    pub fn create(&self, name: &str, limits: &GroupLimits) -> Result<Group, CgroupError> {
        check_name(name)?;
        let kind = match &self.layout {
            Layout::V1(controllers) => Kind::V1(Box::new(controllers.create(name, limits)?)),
            Layout::V2(unified) => Kind::V2(Box::new(unified.create(name, limits)?)),
        };
        Ok(Group::new(name, kind))
    }

    /// The group of a process, whoever made it. It can only be read. `None` when the process is
    /// gone, or when its group is not visible from here.
    #[must_use]
    pub fn of_process(pid: u32) -> Option<Group> {
        let mounts = read_text(Path::new("/proc/self/mountinfo")).ok()?;
        let memberships = read_text(Path::new(&format!("/proc/{pid}/cgroup"))).ok()?;
        Self::from_mounts(&parse_mountinfo(&mounts), &parse_memberships(&memberships))?.own()
    }

    /// The root of the groups: one directory for each controller in v1, the mount point in v2.
    #[must_use]
    pub fn tops(&self) -> Vec<&Path> {
        match &self.layout {
            Layout::V1(controllers) => controllers.places().map(|place| &*place.top).collect(),
            Layout::V2(unified) => vec![&unified.place.top],
        }
    }

    /// The group of the process from whose memberships this value was made.
    fn own(&self) -> Option<Group> {
        let visible = |place: &Option<Place>| {
            let own = place.as_ref()?.own.clone()?;
            own.is_dir().then_some(own)
        };
        match &self.layout {
            Layout::V1(controllers) => {
                let [cpu, cpuacct, memory] =
                    [&controllers.cpu, &controllers.cpuacct, &controllers.memory].map(visible);
                let mut dirs: Vec<PathBuf> = [&cpu, &cpuacct, &memory]
                    .into_iter()
                    .flatten()
                    .cloned()
                    .collect();
                dirs.dedup();
                if dirs.is_empty() {
                    return None;
                }
                let group = GroupV1::open(cpu, cpuacct, memory, dirs);
                Some(Group::found(Kind::V1(Box::new(group))))
            }
            Layout::V2(unified) => {
                let own = unified.place.own.clone().filter(|own| own.is_dir())?;
                Some(Group::found(Kind::V2(Box::new(GroupV2::open(own)))))
            }
        }
    }
}

/// For `fuzz/`: the version that `/proc/self/mountinfo` and `/proc/self/cgroup` tell of, and the
/// numbers in a file of a group.
#[doc(hidden)]
#[must_use]
pub fn read_mounts(mountinfo: &str, cgroup: &str) -> (Option<Version>, usize) {
    use crate::parse::{byte_limit, cfs_quota, cpu_max, has_controller, keyed, number, pids};
    let _ = (number(cgroup), keyed(cgroup, "usage_usec"));
    let _ = (byte_limit(cgroup), has_controller(cgroup, "memory"));
    let cpus = [cpu_max(cgroup), cfs_quota(mountinfo, cgroup)];
    debug_assert!(cpus.iter().flatten().flatten().all(|cpus| cpus.is_finite()));
    let (mounts, memberships) = (parse_mountinfo(mountinfo), parse_memberships(cgroup));
    for mount in &mounts {
        for membership in &memberships {
            let directory = mount.directory_of(&membership.path);
            debug_assert!(directory.is_none_or(|directory| directory.starts_with(&mount.point)));
        }
    }
    let found = Hierarchy::from_mounts(&mounts, &memberships);
    (found.map(|found| found.version()), pids(cgroup).len())
}

fn place_of(mount: &Mount, ours: Option<&Membership>) -> Place {
    let own = ours
        .and_then(|m| mount.directory_of(&m.path))
        // An earlier group of this process has moved us into the leaf.
        .map(|dir| match dir.parent() {
            Some(above) if dir.ends_with(SUPERVISOR) => above.to_owned(),
            _ => dir,
        });
    Place {
        top: mount.point.clone(),
        own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hierarchy(mountinfo: &str, cgroup: &str) -> Option<Hierarchy> {
        Hierarchy::from_mounts(&parse_mountinfo(mountinfo), &parse_memberships(cgroup))
    }

    #[test]
    fn v1_with_an_empty_v2_beside_it_is_v1() {
        let found = hierarchy(
            "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
             35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
             41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
            "4:memory:/a\n1:cpu:/\n0::/\n",
        )
        .unwrap();
        let Layout::V1(controllers) = &found.layout else {
            panic!("{found:?}");
        };
        let memory = controllers.memory.as_ref().unwrap();
        assert_eq!(
            memory.own.as_deref(),
            Some(Path::new("/sys/fs/cgroup/memory/a"))
        );
        assert_eq!(controllers.cpuacct, None);
    }

    #[test]
    fn v2_alone_is_v2_and_our_scope_is_known() {
        let mounts = "30 23 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
        for path in [
            "/user.slice/run-1.scope",
            "/user.slice/run-1.scope/tacho-supervisor",
        ] {
            let found = hierarchy(mounts, &format!("0::{path}\n")).unwrap();
            let Layout::V2(unified) = &found.layout else {
                panic!("{found:?}");
            };
            assert_eq!(
                unified.place.own.as_deref(),
                Some(Path::new("/sys/fs/cgroup/user.slice/run-1.scope"))
            );
        }
    }

    #[test]
    fn nothing_mounted_is_an_error() {
        assert_eq!(
            hierarchy("23 1 0:21 / /sys rw - sysfs sysfs rw\n", "0::/\n"),
            None
        );
    }
}
