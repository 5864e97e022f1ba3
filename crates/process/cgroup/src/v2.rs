//! Control groups v2: one hierarchy; controllers are handed down from parent to child.

use crate::kept_file::KeptFile;
use crate::limits::PERIOD_US;
use crate::place::{
    self, Place, make_group, make_parent, may, read_text, remove_parent_if_empty, unmake_group,
    write_value,
};
use crate::{CgroupError, CpuStat, GroupLimits, MemoryDetail, MemoryStat, parse};
use rustix::fs::Access;
use rustix::io::Errno;
use std::fs;
use std::path::{Path, PathBuf};

/// The leaf group into which Tacho moves itself when its own group was delegated to it. A group
/// that hands controllers down may hold no processes ("no internal processes" in `cgroup-v2.rst`).
pub(crate) const SUPERVISOR: &str = "tacho-supervisor";

/// The unified hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unified {
    pub place: Place,
}

/// A control group of the unified hierarchy.
#[derive(Debug)]
pub(crate) struct GroupV2 {
    dirs: [PathBuf; 1],
    cpu_stat: KeptFile,
    cpu_max: KeptFile,
    memory_current: KeptFile,
    memory_stat: KeptFile,
    memory_peak: KeptFile,
    memory_max: KeptFile,
    memory_events: KeptFile,
}

impl Unified {
    /// The directory in which groups may be made. Moving a child there also needs the right to
    /// write `cgroup.procs` of the common ancestor, which a merely writable directory does not
    /// give.
    pub(crate) fn base(&self) -> Option<&Path> {
        self.place
            .base()
            .filter(|base| may(&base.join("cgroup.procs"), Access::WRITE_OK))
    }

    /// Makes the group below `tacho`. The controllers that its limits need are handed down; the
    /// other one is, too, if possible, for its statistics.
    pub(crate) fn create(&self, name: &str, limits: &GroupLimits) -> Result<GroupV2, CgroupError> {
        limits.quota_us()?;
        limits.memory()?;
        let base = self.base().ok_or_else(|| no_rights(&self.place.top))?;
        let own = self.place.own.as_deref() == Some(base);
        let mut tries = 0;
        loop {
            match create_below(base, own, name, limits) {
                // Another Tacho removes the parent with its last group, perhaps just now.
                Err(e) if e.is_gone() && tries < 10 => tries += 1,
                other => return other.inspect_err(|_| remove_parent_if_empty(base)),
            }
        }
    }

    /// Whether a limit of this controller could be set.
    pub(crate) fn can_limit(&self, controller: &'static str) -> Result<(), CgroupError> {
        let base = self.base().ok_or_else(|| no_rights(&self.place.top))?;
        let given = read_text(&base.join("cgroup.controllers"))?;
        if !parse::has_controller(&given, controller) {
            return Err(missing(base, controller));
        }
        let control = base.join("cgroup.subtree_control");
        if parse::has_controller(&read_text(&control)?, controller)
            || may(&control, Access::WRITE_OK)
        {
            Ok(())
        } else {
            Err(not_handed_down(base, controller))
        }
    }
}

fn create_below(
    base: &Path,
    own: bool,
    name: &str,
    limits: &GroupLimits,
) -> Result<GroupV2, CgroupError> {
    for (controller, needed) in [
        ("cpu", limits.cpu.is_some()),
        ("memory", limits.memory_bytes.is_some()),
    ] {
        let handed_down = hand_down(base, controller, own)
            .and_then(|()| hand_down(&make_parent(base)?, controller, false));
        if needed {
            handed_down?;
        }
    }
    let dir = make_group(base, name)?;
    write_limits(&dir, limits).inspect_err(|_| unmake_group(&dir))?;
    Ok(GroupV2::open(dir))
}

/// Makes a controller available to the children of `dir`.
fn hand_down(dir: &Path, controller: &'static str, may_move: bool) -> Result<(), CgroupError> {
    let control = dir.join("cgroup.subtree_control");
    if parse::has_controller(&read_text(&control)?, controller) {
        return Ok(());
    }
    if !parse::has_controller(&read_text(&dir.join("cgroup.controllers"))?, controller) {
        return Err(missing(dir, controller));
    }
    let value = format!("+{controller}");
    match write_value(&control, &value) {
        Err(e) if may_move && is(&e, Errno::BUSY) => {
            move_processes_to_leaf(dir)?;
            write_value(&control, &value)
        }
        Err(e) if is(&e, Errno::ACCESS) || is(&e, Errno::PERM) => {
            Err(not_handed_down(dir, controller))
        }
        other => other,
    }
}

fn is(error: &CgroupError, errno: Errno) -> bool {
    matches!(error, CgroupError::Write { source, .. } if Errno::from_io_error(source) == Some(errno))
}

/// Moves the processes of our own, delegated group (Tacho, perhaps the shell) into a leaf of it.
fn move_processes_to_leaf(own: &Path) -> Result<(), CgroupError> {
    let leaf = own.join(SUPERVISOR);
    if let Err(source) = fs::create_dir(&leaf)
        && source.kind() != std::io::ErrorKind::AlreadyExists
    {
        return Err(CgroupError::NoRights {
            dir: leaf,
            remedy: format!("{source}; {}", place::AS_ROOT),
        });
    }
    for pid in parse::pids(&read_text(&own.join("cgroup.procs"))?) {
        match write_value(&leaf.join("cgroup.procs"), &pid.to_string()) {
            Err(e) if is(&e, Errno::SRCH) => {} // It has ended meanwhile.
            other => other?,
        }
    }
    Ok(())
}

fn missing(dir: &Path, controller: &'static str) -> CgroupError {
    CgroupError::ControllerMissing {
        controller,
        dir: dir.join("cgroup.controllers"),
        remedy: format!(
            "start Tacho by `systemd-run --user --scope -p Delegate=yes tacho ...`; where that does not help, \
             a parent must hand it down: as root, `echo +{controller} > {above}/cgroup.subtree_control` for each directory above; \
             for sessions of systemd, write `[Service]` and `Delegate=cpu memory` to /etc/systemd/system/user@.service.d/delegate.conf and log in again. \
             If the topmost cgroup.controllers lacks it, a v1 mount holds it or the kernel was booted without it (`cgroup_enable={controller}`)",
            above = dir.parent().unwrap_or(dir).display(),
        ),
    }
}

fn not_handed_down(dir: &Path, controller: &'static str) -> CgroupError {
    CgroupError::ControllerMissing {
        controller,
        dir: dir.join("cgroup.subtree_control"),
        remedy: format!(
            "enable it as root: `echo +{controller} > {}/cgroup.subtree_control`, or start Tacho by \
             `systemd-run --user --scope -p Delegate=yes tacho ...`",
            dir.display(),
        ),
    }
}

pub(crate) fn no_rights(top: &Path) -> CgroupError {
    CgroupError::NoRights {
        dir: top.to_owned(),
        remedy: format!(
            "start it by `systemd-run --user --scope -p Delegate=yes tacho ...`, or {}. In a container, mount /sys/fs/cgroup writable (`docker run --privileged`)",
            place::AS_ROOT
        ),
    }
}

/// Sets the limits of a group whose controllers are there.
pub(crate) fn write_limits(dir: &Path, limits: &GroupLimits) -> Result<(), CgroupError> {
    if let Some(quota) = limits.quota_us()? {
        write_value(&dir.join("cpu.max"), &format!("{quota} {PERIOD_US}"))?;
    }
    if let Some(bytes) = limits.memory()? {
        write_value(&dir.join("memory.max"), &bytes.to_string())?;
        // So that swap does not hide the limit; without swap in the kernel there is no such file.
        let swap = dir.join("memory.swap.max");
        if swap.exists() {
            write_value(&swap, "0")?;
        }
    }
    Ok(())
}

impl GroupV2 {
    pub(crate) fn open(dir: PathBuf) -> Self {
        Self {
            cpu_stat: KeptFile::new(&dir, "cpu.stat"),
            cpu_max: KeptFile::new(&dir, "cpu.max"),
            memory_current: KeptFile::new(&dir, "memory.current"),
            memory_stat: KeptFile::new(&dir, "memory.stat"),
            memory_peak: KeptFile::new(&dir, "memory.peak"),
            memory_max: KeptFile::new(&dir, "memory.max"),
            memory_events: KeptFile::new(&dir, "memory.events"),
            dirs: [dir],
        }
    }

    pub(crate) fn dirs(&self) -> &[PathBuf] {
        &self.dirs
    }

    /// In microseconds a period; `None` is no limit.
    pub(crate) fn set_quota(&self, quota: Option<u64>) -> Result<(), CgroupError> {
        let quota = quota.map_or_else(|| "max".to_owned(), |us| us.to_string());
        write_value(
            &self.dirs[0].join("cpu.max"),
            &format!("{quota} {PERIOD_US}"),
        )
    }

    /// Without its controller a file does not exist, and there is no limit.
    pub(crate) fn limits_in_force(&self) -> Result<GroupLimits, CgroupError> {
        Ok(GroupLimits {
            cpu: self
                .cpu_max
                .read_if_there("the quota", parse::cpu_max)?
                .flatten(),
            memory_bytes: self
                .memory_max
                .read_if_there("the limit", parse::byte_limit)?
                .flatten(),
        })
    }

    /// The three times are there even without the controller; the throttling needs it.
    pub(crate) fn cpu(&self) -> Result<CpuStat, CgroupError> {
        self.cpu_stat
            .read("usage_usec, user_usec, system_usec", |text| {
                let seconds = |key| Some(parse::keyed(text, key)? as f64 / 1e6);
                Some(CpuStat {
                    usage_s: seconds("usage_usec")?,
                    user_s: seconds("user_usec")?,
                    system_s: seconds("system_usec")?,
                    periods: parse::keyed(text, "nr_periods").unwrap_or(0),
                    throttled_periods: parse::keyed(text, "nr_throttled").unwrap_or(0),
                    throttled_s: seconds("throttled_usec").unwrap_or(0.0),
                })
            })
    }

    pub(crate) fn memory(&self) -> Result<MemoryStat, CgroupError> {
        let usage_bytes = self.memory_current.read("the usage", parse::number)?;
        let inactive = self
            .memory_stat
            .read("inactive_file", |text| parse::keyed(text, "inactive_file"))?;
        Ok(MemoryStat {
            usage_bytes,
            working_set_bytes: usage_bytes.saturating_sub(inactive),
            peak_bytes: self.memory_peak.read_if_there("the peak", parse::number)?,
        })
    }

    pub(crate) fn memory_detail(&self) -> Result<MemoryDetail, CgroupError> {
        let mut detail = self.memory_stat.read("anon, file", |text| {
            Some(MemoryDetail {
                anonymous_bytes: Some(parse::keyed(text, "anon")?),
                file_bytes: Some(parse::keyed(text, "file")?),
                active_file_bytes: parse::keyed(text, "active_file"),
                inactive_file_bytes: parse::keyed(text, "inactive_file"),
                // One field since Linux 5.18; before that there are parts that do not add up.
                kernel_bytes: parse::keyed(text, "kernel"),
                ..MemoryDetail::default()
            })
        })?;
        self.memory_events.read("max, oom", |text| {
            detail.limit_hits = Some(parse::keyed(text, "max")?);
            detail.high_events = parse::keyed(text, "high");
            detail.oom_events = Some(parse::keyed(text, "oom")?);
            detail.oom_kills = parse::keyed(text, "oom_kill");
            Some(())
        })?;
        Ok(detail)
    }

    pub(crate) fn oom_kills(&self) -> Result<u64, CgroupError> {
        self.memory_events
            .read("oom_kill", |text| parse::keyed(text, "oom_kill"))
    }
}

#[cfg(test)]
mod tests;
