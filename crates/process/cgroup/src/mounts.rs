//! Where control groups are mounted (`/proc/self/mountinfo`) and where we are in them
//! (`/proc/self/cgroup`). Formats: proc_pid_mountinfo(5), cgroups(7).

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// One mount of a control-group file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mount {
    /// The part of the hierarchy that this mount shows; `/` unless in a container.
    pub root: PathBuf,
    /// Directory at which it is mounted.
    pub point: PathBuf,
    /// `None` for v2.
    pub controllers: Option<Vec<String>>,
}

/// Our place in one hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Membership {
    /// Empty for v2.
    pub controllers: Vec<String>,
    /// Path of our group within the hierarchy.
    pub path: PathBuf,
}

/// The control-group mounts among all mounts, in their order. Lines of another form are left out.
pub(crate) fn parse_mountinfo(text: &str) -> Vec<Mount> {
    text.lines().filter_map(parse_mount).collect()
}

// 32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu
fn parse_mount(line: &str) -> Option<Mount> {
    let (left, right) = line.split_once(" - ")?;
    let mut left = left.split(' ').skip(3);
    let (root, point) = (unescape(left.next()?), unescape(left.next()?));
    if !root.is_absolute() || !point.is_absolute() {
        return None;
    }
    let mut right = right.split(' ');
    let controllers = match right.next()? {
        "cgroup2" => None,
        "cgroup" => {
            let options = right.nth(1)?;
            Some(options.split(',').map(str::to_owned).collect())
        }
        _ => return None,
    };
    Some(Mount {
        root,
        point,
        controllers,
    })
}

/// The kernel writes space, tab, newline and backslash as three octal digits.
fn unescape(field: &str) -> PathBuf {
    let bytes = field.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while let Some(&byte) = bytes.get(i) {
        let octal = bytes
            .get(i + 1..i + 4)
            .filter(|_| byte == b'\\')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        plain.push(octal.unwrap_or(byte));
        i += if octal.is_some() { 4 } else { 1 };
    }
    PathBuf::from(OsString::from_vec(plain))
}

/// The groups of a process, from its `/proc/<pid>/cgroup`. Lines of another form are left out.
pub(crate) fn parse_memberships(text: &str) -> Vec<Membership> {
    text.lines()
        .filter_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            let controllers = fields.next()?;
            Some(Membership {
                controllers: controllers
                    .split(',')
                    .filter(|c| !c.is_empty())
                    .map(str::to_owned)
                    .collect(),
                path: PathBuf::from(fields.next()?),
            })
        })
        .collect()
}

impl Mount {
    /// The directory of a group that `/proc/self/cgroup` names, if this mount shows it.
    pub(crate) fn directory_of(&self, path: &Path) -> Option<PathBuf> {
        let inside = path.strip_prefix(&self.root).ok()?;
        let climbs = inside
            .components()
            .any(|c| c == std::path::Component::ParentDir);
        (!climbs).then(|| self.point.join(inside))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HYBRID: &str = "\
23 1 0:21 / /sys rw,nosuid - sysfs sysfs rw
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
35 31 0:32 /docker/ab /sys/fs/cgroup/my\\040memory ro - cgroup cgroup rw,memory
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
";

    #[test]
    fn a_mount_without_a_root_shows_no_group() {
        // What the fuzzer found: a path without a beginning is the beginning of every other.
        let text = "36 31 0:33  /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
        let led_to: Vec<_> = parse_mountinfo(text)
            .iter()
            .filter_map(|mount| mount.directory_of(Path::new("/etc")))
            .collect();
        assert_eq!(led_to, Vec::<PathBuf>::new());
        let no_point = "36 31 0:33 / sys/fs/cgroup rw - cgroup cgroup rw,memory\n";
        assert_eq!(parse_mountinfo(no_point), []);
    }

    #[test]
    fn only_control_groups_are_taken_from_the_mounts() {
        let mounts = parse_mountinfo(HYBRID);
        assert_eq!(mounts.len(), 3);
        let cpu = mounts[0].controllers.as_ref().unwrap();
        assert!(cpu.contains(&"cpu".to_owned()) && cpu.contains(&"cpuacct".to_owned()));
        assert_eq!(mounts[1].point, Path::new("/sys/fs/cgroup/my memory"));
        assert_eq!(mounts[2].controllers, None);
    }

    #[test]
    fn our_group_is_found_below_the_part_that_a_container_sees() {
        let memory = &parse_mountinfo(HYBRID)[1];
        assert_eq!(
            memory.directory_of(Path::new("/docker/ab/x")).unwrap(),
            Path::new("/sys/fs/cgroup/my memory/x")
        );
        assert_eq!(memory.directory_of(Path::new("/elsewhere")), None);
        assert_eq!(memory.directory_of(Path::new("/docker/ab/../cd")), None);
    }

    #[test]
    fn memberships_name_controllers_and_path() {
        let found = parse_memberships("4:memory:/a:b\n2:cpu,cpuacct:/\n0::/user.slice\nrubbish\n");
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].path, Path::new("/a:b"));
        assert_eq!(found[1].controllers, ["cpu", "cpuacct"]);
        assert!(found[2].controllers.is_empty());
    }

    proptest! {
        #[test]
        fn no_content_makes_the_parsers_panic(
            text in "([0-9]{1,2} )?(/[a-z\\\\0-9]{0,5} ){0,6}- (cgroup|cgroup2)? ?[a-z,]{0,9}\n?|\\PC{0,60}",
        ) {
            for mount in parse_mountinfo(&text) {
                let _ = mount.directory_of(Path::new(&text));
            }
            let _ = parse_memberships(&text);
        }
    }
}
