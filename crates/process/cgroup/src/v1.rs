//! Control groups v1: one hierarchy for each controller, a directory of ours in each.

use crate::kept_file::KeptFile;
use crate::limits::PERIOD_US;
use crate::place::{self, Place, make_group, write_value};
use crate::{CgroupError, CpuStat, GroupLimits, MemoryDetail, MemoryStat, PARENT, parse};
use std::path::{Path, PathBuf};

/// The controllers that we use, where they are mounted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Controllers {
    pub cpu: Option<Place>,
    /// Often mounted together with `cpu`.
    pub cpuacct: Option<Place>,
    pub memory: Option<Place>,
}

/// A group: its directory under each controller.
#[derive(Debug)]
pub(crate) struct GroupV1 {
    cpu: Option<CpuFiles>,
    cpuacct: Option<AccountFiles>,
    memory: Option<MemoryFiles>,
    dirs: Vec<PathBuf>,
}

#[derive(Debug)]
struct CpuFiles {
    dir: PathBuf,
    stat: KeptFile,
    quota: KeptFile,
    period: KeptFile,
}

#[derive(Debug)]
struct AccountFiles {
    usage: KeptFile,
    stat: KeptFile,
}

#[derive(Debug)]
struct MemoryFiles {
    usage: KeptFile,
    stat: KeptFile,
    peak: KeptFile,
    limit: KeptFile,
    oom_control: KeptFile,
    failures: KeptFile,
    failures_with_swap: KeptFile,
    kernel: KeptFile,
}

impl Controllers {
    /// Makes a directory under every controller that there is, and sets the limits. A controller
    /// that no limit needs may be missing, as long as one is there to track the processes.
    pub(crate) fn create(&self, name: &str, limits: &GroupLimits) -> Result<GroupV1, CgroupError> {
        let quota = limits.quota_us()?;
        let memory = limits.memory()?;
        let mut made = Made(Vec::new());
        let cpu_dir = made.make("cpu", self.cpu.as_ref(), name, quota.is_some())?;
        let cpuacct_dir = made.make("cpuacct", self.cpuacct.as_ref(), name, false)?;
        let memory_dir = made.make("memory", self.memory.as_ref(), name, memory.is_some())?;
        if made.0.is_empty() {
            let tried = self.places().next();
            return Err(tried.map_or(CgroupError::NoHierarchy, |p| no_rights(&p.top)));
        }
        if let (Some(dir), Some(quota)) = (&cpu_dir, quota) {
            write_value(&dir.join("cpu.cfs_period_us"), &PERIOD_US.to_string())?;
            write_value(&dir.join("cpu.cfs_quota_us"), &quota.to_string())?;
        }
        if let (Some(dir), Some(bytes)) = (&memory_dir, memory) {
            limit_memory(dir, bytes)?;
        }
        let dirs = std::mem::take(&mut made.0);
        Ok(GroupV1::open(cpu_dir, cpuacct_dir, memory_dir, dirs))
    }

    pub(crate) fn places(&self) -> impl Iterator<Item = &Place> {
        [&self.cpu, &self.cpuacct, &self.memory]
            .into_iter()
            .flatten()
    }
}

fn limit_memory(dir: &Path, bytes: u64) -> Result<(), CgroupError> {
    let value = bytes.to_string();
    write_value(&dir.join("memory.limit_in_bytes"), &value)?;
    // Also limits memory and swap together, so that swap does not hide the limit. This limit must
    // not be below that of memory alone, so it is set second. Without swap accounting this file
    // does not exist.
    let with_swap = dir.join("memory.memsw.limit_in_bytes");
    if with_swap.exists() {
        write_value(&with_swap, &value)?;
    }
    Ok(())
}

/// Directories made so far. They are removed again when the rest cannot be made.
struct Made(Vec<PathBuf>);

impl Made {
    fn make(
        &mut self,
        controller: &'static str,
        place: Option<&Place>,
        name: &str,
        needed: bool,
    ) -> Result<Option<PathBuf>, CgroupError> {
        let Some(place) = place else {
            return if needed {
                Err(missing(controller))
            } else {
                Ok(None)
            };
        };
        let Some(base) = place.base() else {
            return if needed {
                Err(no_rights(&place.top))
            } else {
                Ok(None)
            };
        };
        // Controllers that are mounted together share the directory.
        let wanted = base.join(PARENT).join(name);
        if self.0.contains(&wanted) {
            return Ok(Some(wanted));
        }
        let dir = make_group(base, name)?;
        self.0.push(dir.clone());
        Ok(Some(dir))
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for dir in &self.0 {
            place::unmake_group(dir);
        }
    }
}

pub(crate) fn missing(controller: &'static str) -> CgroupError {
    CgroupError::ControllerMissing {
        controller,
        dir: PathBuf::from("/proc/self/mountinfo"),
        remedy: format!(
            "mount it as root: `mkdir -p /sys/fs/cgroup/{controller} && mount -t cgroup -o {controller} none /sys/fs/cgroup/{controller}`; \
             if `grep {controller} /proc/cgroups` shows it disabled, boot with `cgroup_enable={controller}`"
        ),
    }
}

pub(crate) fn no_rights(top: &Path) -> CgroupError {
    CgroupError::NoRights {
        dir: top.to_owned(),
        remedy: format!(
            "{}. Root can also give the groups of cpu, cpuacct and memory to a user: `mkdir {top}/{PARENT} && chown USER {top}/{PARENT}`. \
             In a container, mount /sys/fs/cgroup writable (`docker run --privileged`)",
            place::AS_ROOT,
            top = top.display(),
        ),
    }
}

impl GroupV1 {
    pub(crate) fn open(
        cpu: Option<PathBuf>,
        cpuacct: Option<PathBuf>,
        memory: Option<PathBuf>,
        dirs: Vec<PathBuf>,
    ) -> Self {
        Self {
            cpu: cpu.map(|dir| CpuFiles {
                stat: KeptFile::new(&dir, "cpu.stat"),
                quota: KeptFile::new(&dir, "cpu.cfs_quota_us"),
                period: KeptFile::new(&dir, "cpu.cfs_period_us"),
                dir,
            }),
            cpuacct: cpuacct.map(|dir| AccountFiles {
                usage: KeptFile::new(&dir, "cpuacct.usage"),
                stat: KeptFile::new(&dir, "cpuacct.stat"),
            }),
            memory: memory.map(|dir| MemoryFiles {
                usage: KeptFile::new(&dir, "memory.usage_in_bytes"),
                stat: KeptFile::new(&dir, "memory.stat"),
                peak: KeptFile::new(&dir, "memory.max_usage_in_bytes"),
                limit: KeptFile::new(&dir, "memory.limit_in_bytes"),
                oom_control: KeptFile::new(&dir, "memory.oom_control"),
                failures: KeptFile::new(&dir, "memory.failcnt"),
                failures_with_swap: KeptFile::new(&dir, "memory.memsw.failcnt"),
                kernel: KeptFile::new(&dir, "memory.kmem.usage_in_bytes"),
            }),
            dirs,
        }
    }

    pub(crate) fn dirs(&self) -> &[PathBuf] {
        &self.dirs
    }

    /// In microseconds a period; `None` is no limit.
    pub(crate) fn set_quota(&self, quota: Option<u64>) -> Result<(), CgroupError> {
        let files = self.cpu.as_ref().ok_or(CgroupError::NoHierarchy)?;
        write_value(&files.dir.join("cpu.cfs_period_us"), &PERIOD_US.to_string())?;
        let quota = quota.map_or_else(|| "-1".to_owned(), |us| us.to_string());
        write_value(&files.dir.join("cpu.cfs_quota_us"), &quota)
    }

    pub(crate) fn limits_in_force(&self) -> Result<GroupLimits, CgroupError> {
        let cpu = match &self.cpu {
            None => None,
            Some(files) => {
                let period = files.period.read("the period", |t| Some(t.to_owned()))?;
                files
                    .quota
                    .read("the quota", |quota| parse::cfs_quota(quota, &period))?
            }
        };
        let memory_bytes = match &self.memory {
            None => None,
            Some(files) => files.limit.read("the limit", parse::byte_limit)?,
        };
        Ok(GroupLimits { cpu, memory_bytes })
    }

    pub(crate) fn cpu(&self) -> Result<CpuStat, CgroupError> {
        let account = self.cpuacct.as_ref().ok_or_else(|| missing("cpuacct"))?;
        let usage_ns = account.usage.read("the usage", parse::number)?;
        let (user, system) = account.stat.read("user, system", |text| {
            Some((parse::keyed(text, "user")?, parse::keyed(text, "system")?))
        })?;
        let ticks = rustix::param::clock_ticks_per_second() as f64;
        let mut stat = CpuStat {
            usage_s: usage_ns as f64 / 1e9,
            user_s: user as f64 / ticks,
            system_s: system as f64 / ticks,
            ..CpuStat::default()
        };
        if let Some(cpu) = &self.cpu {
            let (periods, throttled_periods, throttled_ns) =
                cpu.stat
                    .read("nr_periods, nr_throttled, throttled_time", |text| {
                        Some((
                            parse::keyed(text, "nr_periods")?,
                            parse::keyed(text, "nr_throttled")?,
                            parse::keyed(text, "throttled_time")?,
                        ))
                    })?;
            stat.periods = periods;
            stat.throttled_periods = throttled_periods;
            stat.throttled_s = throttled_ns as f64 / 1e9;
        }
        Ok(stat)
    }

    pub(crate) fn memory(&self) -> Result<MemoryStat, CgroupError> {
        let files = self.memory_files()?;
        let usage_bytes = files.usage.read("the usage", parse::number)?;
        let inactive = files.stat.read("total_inactive_file", |text| {
            parse::keyed(text, "total_inactive_file")
        })?;
        Ok(MemoryStat {
            usage_bytes,
            working_set_bytes: usage_bytes.saturating_sub(inactive),
            peak_bytes: Some(files.peak.read("the peak", parse::number)?),
        })
    }

    pub(crate) fn memory_detail(&self) -> Result<MemoryDetail, CgroupError> {
        let files = self.memory_files()?;
        // The `total_` lines include nested groups, as v2 does everywhere.
        let mut detail = files.stat.read("total_rss, total_cache", |text| {
            Some(MemoryDetail {
                anonymous_bytes: Some(parse::keyed(text, "total_rss")?),
                file_bytes: Some(parse::keyed(text, "total_cache")?),
                active_file_bytes: parse::keyed(text, "total_active_file"),
                inactive_file_bytes: parse::keyed(text, "total_inactive_file"),
                ..MemoryDetail::default()
            })
        })?;
        detail.limit_hits = files.limit_hits()?;
        detail.kernel_bytes = files
            .kernel
            .read_if_there("the kernel's usage", parse::number)
            // Newer kernels no longer count this separately and refuse to be asked.
            .unwrap_or(None);
        let (under_oom, oom_kills) = files.oom_control.read("under_oom", |text| {
            Some((
                parse::keyed(text, "under_oom")?,
                parse::keyed(text, "oom_kill"),
            ))
        })?;
        detail.under_oom = Some(under_oom != 0);
        detail.oom_kills = oom_kills;
        Ok(detail)
    }

    /// Kernels count this since Linux 4.13. Before that it is an error that names the file.
    pub(crate) fn oom_kills(&self) -> Result<u64, CgroupError> {
        self.memory_files()?
            .oom_control
            .read("oom_kill", |text| parse::keyed(text, "oom_kill"))
    }

    fn memory_files(&self) -> Result<&MemoryFiles, CgroupError> {
        self.memory.as_ref().ok_or_else(|| missing("memory"))
    }
}

/// Memory is charged in pieces. A piece that would exceed the limit hits it while the peak stays
/// below. Such a piece is at most a huge page of 2 MiB and what each processor keeps in stock.
const LARGEST_CHARGE: u64 = 4 << 20;

impl MemoryFiles {
    /// A page is first charged to memory and swap together. Tacho sets one limit for both, so the
    /// limit is hit there, and newer kernels (seen on 6.18) do not count these hits. Then the
    /// result is `None`, not 0.
    fn limit_hits(&self) -> Result<Option<u64>, CgroupError> {
        let count = |file: &KeptFile| file.read_if_there("the failures", parse::number);
        let hits = match (count(&self.failures)?, count(&self.failures_with_swap)?) {
            (None, None) => return Ok(None),
            (alone, with_swap) => alone.unwrap_or(0).saturating_add(with_swap.unwrap_or(0)),
        };
        let limit = self.limit.read("the limit", parse::byte_limit)?;
        let peak = self.peak.read("the peak", parse::number)?;
        let uncounted =
            hits == 0 && limit.is_some_and(|limit| peak.saturating_add(LARGEST_CHARGE) > limit);
        Ok((!uncounted).then_some(hits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn tree() -> (tempfile::TempDir, Controllers) {
        let dir = tempfile::tempdir().unwrap();
        let place = |controller: &str| {
            let top = dir.path().join(controller);
            fs::create_dir_all(&top).unwrap();
            Some(Place { top, own: None })
        };
        let controllers = Controllers {
            cpu: place("cpu,cpuacct"),
            cpuacct: place("cpu,cpuacct"),
            memory: place("memory"),
        };
        (dir, controllers)
    }

    #[test]
    fn controllers_mounted_together_share_a_directory() {
        let (dir, controllers) = tree();
        let group = controllers.create("g", &GroupLimits::default()).unwrap();
        assert_eq!(
            group.dirs(),
            [
                dir.path().join("cpu,cpuacct/tacho/g"),
                dir.path().join("memory/tacho/g")
            ]
        );
    }

    #[test]
    fn a_limit_without_its_controller_is_an_error_and_leaves_nothing() {
        let (dir, mut controllers) = tree();
        controllers.memory = None;
        let limits = GroupLimits {
            memory_bytes: Some(64 << 20),
            ..GroupLimits::default()
        };
        let error = controllers.create("g", &limits).unwrap_err();
        assert!(
            error.to_string().contains("mount -t cgroup -o memory"),
            "{error}"
        );
        assert!(!dir.path().join("cpu,cpuacct/tacho/g").exists());
        controllers.create("g", &GroupLimits::default()).unwrap();
    }

    #[test]
    fn the_units_of_v1_are_nanoseconds_and_clock_ticks() {
        let (dir, _) = tree();
        let group_dir = dir.path().join("g");
        fs::create_dir(&group_dir).unwrap();
        for (file, content) in [
            (
                "cpu.stat",
                "nr_periods 40\nnr_throttled 39\nthrottled_time 2900000000\nnr_bursts 0\n",
            ),
            ("cpu.cfs_quota_us", "25000\n"),
            ("cpu.cfs_period_us", "100000\n"),
            ("cpuacct.usage", "1500000000\n"),
            ("cpuacct.stat", "user 100\nsystem 50\n"),
            ("memory.usage_in_bytes", "5000\n"),
            ("memory.max_usage_in_bytes", "9000\n"),
            ("memory.limit_in_bytes", "9223372036854771712\n"),
            (
                "memory.stat",
                "inactive_file 1\ntotal_cache 3500\ntotal_rss 1200\ntotal_inactive_file 2000\ntotal_active_file 1500\n",
            ),
            ("memory.failcnt", "5\n"),
            ("memory.memsw.failcnt", "12\n"),
            (
                "memory.oom_control",
                "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n",
            ),
        ] {
            fs::write(group_dir.join(file), content).unwrap();
        }
        let here = Some(group_dir.clone());
        let group = GroupV1::open(here.clone(), here.clone(), here, vec![group_dir]);
        let cpu = group.cpu().unwrap();
        assert_eq!((cpu.usage_s, cpu.user_s, cpu.system_s), (1.5, 1.0, 0.5));
        assert_eq!((cpu.periods, cpu.throttled_periods), (40, 39));
        assert_eq!(cpu.throttled_s, 2.9);
        let memory = group.memory().unwrap();
        assert_eq!(memory.working_set_bytes, 3000);
        assert_eq!(memory.peak_bytes, Some(9000));
        assert_eq!(group.oom_kills().unwrap(), 3);
        assert_eq!(
            group.memory_detail().unwrap(),
            MemoryDetail {
                anonymous_bytes: Some(1200),
                file_bytes: Some(3500),
                active_file_bytes: Some(1500),
                inactive_file_bytes: Some(2000),
                limit_hits: Some(17),
                oom_kills: Some(3),
                under_oom: Some(false),
                ..MemoryDetail::default()
            }
        );

        // Kernels that do not count hits where both limits are one: far from the limit there was
        // none, near it nobody knows.
        let written = |file: &str, content: &str| fs::write(group.dirs()[0].join(file), content);
        written("memory.failcnt", "0\n").unwrap();
        written("memory.memsw.failcnt", "0\n").unwrap();
        written("memory.limit_in_bytes", "268435456\n").unwrap();
        assert_eq!(group.memory_detail().unwrap().limit_hits, Some(0));
        written("memory.max_usage_in_bytes", "266715136\n").unwrap();
        assert_eq!(group.memory_detail().unwrap().limit_hits, None);
        assert_eq!(
            group.limits_in_force().unwrap(),
            GroupLimits {
                cpu: Some(0.25),
                memory_bytes: Some(268_435_456)
            }
        );
    }
}
