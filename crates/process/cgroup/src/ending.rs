//! Ending what is inside a group and removing it, in bounded time.

use crate::place::{remove_parent_if_empty, write_value};
use crate::{CgroupError, PARENT, parse};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait for killed processes. After SIGKILL a process is gone within milliseconds,
/// unless it hangs in the kernel or gets no processor. A large heap takes some hundred milliseconds
/// to be freed.
const PATIENCE: Duration = Duration::from_secs(30);

fn members(dir: &Path) -> io::Result<BTreeSet<u32>> {
    let mut found: BTreeSet<u32> = match fs::read(dir.join("cgroup.procs")) {
        Ok(bytes) => parse::pids(&String::from_utf8_lossy(&bytes))
            .into_iter()
            .collect(),
        Err(e) if is_gone(&e) => return Ok(BTreeSet::new()),
        // A threaded group does not list processes; its domain above does.
        Err(e) if Errno::from_io_error(&e) == Some(Errno::OPNOTSUPP) => BTreeSet::new(),
        Err(e) => return Err(e),
    };
    for nested in nested_groups(dir) {
        found.extend(members(&nested)?);
    }
    Ok(found)
}

fn nested_groups(dir: &Path) -> Vec<PathBuf> {
    fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|t| t.is_dir()))
        .map(|entry| entry.path())
        .collect()
}

/// Sends SIGKILL to everything inside until nothing is left. Only processes that are members when
/// the signal is sent get it, and never the calling process itself.
pub(crate) fn kill_all(dirs: &[PathBuf]) -> Result<(), CgroupError> {
    let deadline = Instant::now() + PATIENCE;
    let mut pause = Duration::from_millis(1);
    let mut by_kernel = true;
    loop {
        let mut left = BTreeSet::new();
        for dir in dirs {
            let inside = members_of(dir)?;
            if inside.is_empty() {
                continue;
            }
            if !(by_kernel && kill_by_kernel(dir, &inside)) {
                kill_members(dir, &inside)?;
            }
            left.extend(inside);
        }
        if left.is_empty() {
            return Ok(());
        }
        if Instant::now() > deadline {
            return Err(CgroupError::StillAlive {
                dir: dirs.first().cloned().unwrap_or_default(),
                pids: left.into_iter().collect(),
            });
        }
        by_kernel = false;
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// The process ids inside, those of nested groups included.
pub(crate) fn members_of(dir: &Path) -> Result<BTreeSet<u32>, CgroupError> {
    members(dir).map_err(|source| CgroupError::Read {
        path: dir.join("cgroup.procs"),
        source,
    })
}

/// Kills the whole group at once, forks included (v2 since Linux 5.14).
fn kill_by_kernel(dir: &Path, inside: &BTreeSet<u32>) -> bool {
    !inside.contains(&std::process::id()) && write_value(&dir.join("cgroup.kill"), "1").is_ok()
}

fn kill_members(dir: &Path, inside: &BTreeSet<u32>) -> Result<(), CgroupError> {
    let targets: Vec<_> = inside
        .iter()
        .filter(|pid| **pid != std::process::id())
        // Zero is a process that we cannot see from our PID namespace.
        .filter_map(|pid| Some((*pid, Pid::from_raw(i32::try_from(*pid).ok()?)?)))
        .map(|(pid, raw)| (pid, raw, pidfd_open(raw, PidfdFlags::empty())))
        .collect();
    // The handles are open now. A PID that is still a member belongs to the process of its handle,
    // and was not reused by another.
    let members = members_of(dir)?;
    for (_, raw, handle) in targets.iter().filter(|(pid, ..)| members.contains(pid)) {
        match handle {
            // ESRCH: it has ended meanwhile. Anything else shows in the next round.
            Ok(handle) => drop(pidfd_send_signal(handle, Signal::KILL)),
            // Linux before 5.3 has no handles for processes.
            Err(Errno::NOSYS) => drop(kill_process(*raw, Signal::KILL)),
            Err(_) => {}
        }
    }
    Ok(())
}

/// Removes the directory and those nested in it. A killed process keeps it busy for a moment. The
/// parent `tacho` is removed with the last group in it.
pub(crate) fn remove(dir: &Path) -> Result<(), CgroupError> {
    let deadline = Instant::now() + PATIENCE;
    let mut pause = Duration::from_millis(1);
    while let Err(source) = remove_nested(dir) {
        if Instant::now() > deadline || Errno::from_io_error(&source) != Some(Errno::BUSY) {
            return Err(CgroupError::NotRemoved {
                dir: dir.to_owned(),
                source,
            });
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
    if let Some(base) = dir
        .parent()
        .filter(|p| p.ends_with(PARENT))
        .and_then(Path::parent)
    {
        remove_parent_if_empty(base);
    }
    Ok(())
}

fn remove_nested(dir: &Path) -> io::Result<()> {
    for nested in nested_groups(dir) {
        remove_nested(&nested)?;
    }
    match fs::remove_dir(dir) {
        Err(e) if !is_gone(&e) => Err(e),
        _ => Ok(()),
    }
}

/// The path is gone (`ENOENT`), or was removed between looking it up and using it (`ENODEV`).
pub(crate) fn is_gone(error: &io::Error) -> bool {
    matches!(
        Errno::from_io_error(error),
        Some(Errno::NOENT | Errno::NODEV)
    )
}

/// Ends and removes what a killed Tacho left behind. Directories that are already gone are no
/// error.
///
/// # Errors
/// [`CgroupError::NotOurs`] for any directory that is not `.../tacho/<name>` on a control-group
/// file system; then nothing at all is touched.
pub fn end_and_remove(dirs: &[PathBuf]) -> Result<(), CgroupError> {
    let mut ours = Vec::new();
    for dir in dirs {
        if let Some(real) = existing_group_of_ours(dir)? {
            ours.push(real);
        }
    }
    kill_all(&ours)?;
    ours.iter().try_for_each(|dir| remove(dir))
}

/// The directory without symbolic links; `None` when it is gone.
fn existing_group_of_ours(dir: &Path) -> Result<Option<PathBuf>, CgroupError> {
    let refused = || CgroupError::NotOurs(dir.to_owned());
    let plain =
        |path: &Path| path.is_absolute() && path.components().all(|c| c != Component::ParentDir);
    if !plain(dir) || !lies_in_our_parent(dir) {
        return Err(refused());
    }
    let real = match dir.canonicalize() {
        Ok(real) => real,
        Err(e) if is_gone(&e) => return Ok(None),
        Err(source) => {
            return Err(CgroupError::Read {
                path: dir.to_owned(),
                source,
            });
        }
    };
    if lies_in_our_parent(&real) && is_on_cgroup_file_system(&real) {
        Ok(Some(real))
    } else {
        Err(refused())
    }
}

fn lies_in_our_parent(dir: &Path) -> bool {
    dir.file_name().is_some() && dir.parent().is_some_and(|p| p.ends_with(PARENT))
}

/// Checked by the file system's magic number (`include/uapi/linux/magic.h`).
fn is_on_cgroup_file_system(dir: &Path) -> bool {
    const CGROUP_SUPER_MAGIC: u64 = 0x0027_e0eb;
    const CGROUP2_SUPER_MAGIC: u64 = 0x6367_7270;
    rustix::fs::statfs(dir).is_ok_and(|fs| {
        [CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC].contains(&u64::try_from(fs.f_type).unwrap_or(0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_groups_of_ours_are_ended() {
        let dir = tempfile::tempdir().unwrap();
        let looks_like_ours = dir.path().join("tacho/x");
        fs::create_dir_all(&looks_like_ours).unwrap();
        let root = PathBuf::from("/sys/fs/cgroup");
        for wrong in [
            looks_like_ours.clone(),
            root.clone(),
            root.join("memory"),
            root.join("tacho/../memory"),
            PathBuf::from("/"),
            PathBuf::from("tacho/x"),
        ] {
            let refused = end_and_remove(std::slice::from_ref(&wrong));
            assert!(matches!(refused, Err(CgroupError::NotOurs(_))), "{wrong:?}");
        }
        assert!(looks_like_ours.exists());
    }

    #[test]
    fn what_is_gone_already_is_fine() {
        end_and_remove(&[PathBuf::from("/sys/fs/cgroup/none/tacho/gone")]).unwrap();
        end_and_remove(&[]).unwrap();
    }

    #[test]
    fn removal_gives_up_at_once_when_waiting_cannot_help() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("file"), "").unwrap();
        let start = Instant::now();
        assert!(matches!(
            remove(dir.path()),
            Err(CgroupError::NotRemoved { .. })
        ));
        assert!(start.elapsed() < PATIENCE);
    }
}
