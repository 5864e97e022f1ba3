//! A control group that Tacho has made, or that of a process which somebody else has started.

use crate::ending;
use crate::v1::GroupV1;
use crate::v2::GroupV2;
use crate::{CgroupError, CpuStat, GroupLimits, MemoryDetail, MemoryStat, Version};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// A control group. Several threads may read it; files that are read often are opened once. A group
/// that Tacho has made is ended and removed when this value is dropped, unless it was removed
/// before. A group of somebody else is only read, never changed.
#[derive(Debug)]
pub struct Group {
    name: String,
    kind: Kind,
    whose: Whose,
}

#[derive(Debug)]
enum Whose {
    Ours { removed: AtomicBool },
    Anothers,
}

#[derive(Debug)]
pub(crate) enum Kind {
    V1(Box<GroupV1>),
    V2(Box<GroupV2>),
}

/// Calls the same method on either version.
macro_rules! either {
    ($group:expr, $question:ident $(, $with:expr)?) => {
        match &$group.kind {
            Kind::V1(group) => group.$question($($with)?),
            Kind::V2(group) => group.$question($($with)?),
        }
    };
}

impl Group {
    pub(crate) fn new(name: &str, kind: Kind) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            whose: Whose::Ours {
                removed: AtomicBool::new(false),
            },
        }
    }

    /// A group that exists already.
    pub(crate) fn found(kind: Kind) -> Self {
        let whose = Whose::Anothers;
        let mut group = Self {
            name: String::new(),
            kind,
            whose,
        };
        group.name = group.dirs().first().map_or_else(String::new, |dir| {
            let name = dir.file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        });
        group
    }

    /// Refuses to change a group of somebody else.
    fn must_be_ours(&self) -> Result<(), CgroupError> {
        match self.whose {
            Whose::Ours { .. } => Ok(()),
            Whose::Anothers => Err(CgroupError::Anothers(
                self.dirs().first().cloned().unwrap_or_default(),
            )),
        }
    }

    /// The name that it was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// v1 or v2.
    #[must_use]
    pub fn version(&self) -> Version {
        match self.kind {
            Kind::V1(_) => Version::V1,
            Kind::V2(_) => Version::V2,
        }
    }

    /// Its directories, one for each hierarchy. A lease records them for [`crate::end_and_remove`].
    #[must_use]
    pub fn dirs(&self) -> &[PathBuf] {
        either!(self, dirs)
    }

    /// The files into which a child writes `0` to move itself inside, before it executes its
    /// command, so that the limits hold from the first instruction on.
    #[must_use]
    pub fn join_files(&self) -> Vec<PathBuf> {
        self.dirs().iter().map(|d| d.join("cgroup.procs")).collect()
    }

    /// The processes inside every one of its directories, nested groups included, in ascending
    /// order.
    pub fn pids(&self) -> Result<Vec<u32>, CgroupError> {
        let mut inside = None;
        for dir in self.dirs() {
            let members = ending::members_of(dir)?;
            inside = Some(match inside {
                None => members,
                Some(before) => &before & &members,
            });
        }
        Ok(inside.unwrap_or_default().into_iter().collect())
    }

    /// Whether a process is inside, in every hierarchy that carries a limit or an account.
    pub fn contains(&self, pid: u32) -> Result<bool, CgroupError> {
        Ok(self.pids()?.binary_search(&pid).is_ok())
    }

    /// The limits as the kernel has them; it rounds memory down to whole pages.
    pub fn limits_in_force(&self) -> Result<GroupLimits, CgroupError> {
        either!(self, limits_in_force)
    }

    /// Changes its CPU limit from now on; `None` removes the limit.
    ///
    /// # Errors
    /// When the number cannot be set, or the controller is not there.
    pub fn set_cpu(&self, cpu: Option<f64>) -> Result<(), CgroupError> {
        self.must_be_ours()?;
        let quota = GroupLimits {
            cpu,
            memory_bytes: None,
        }
        .quota_us()?;
        either!(self, set_quota, quota)
    }

    /// Processor time and throttling since the group was made.
    ///
    /// # Errors
    /// In v1 also when the `cpuacct` controller is not mounted.
    pub fn cpu(&self) -> Result<CpuStat, CgroupError> {
        either!(self, cpu)
    }

    /// Memory at this moment.
    ///
    /// # Errors
    /// Also when the memory controller is not there, which a group without a memory limit allows.
    pub fn memory(&self) -> Result<MemoryStat, CgroupError> {
        either!(self, memory)
    }

    /// What its memory consists of, and how often the limit was reached.
    ///
    /// # Errors
    /// When the memory controller is not there, or the group is being removed.
    pub fn memory_detail(&self) -> Result<MemoryDetail, CgroupError> {
        either!(self, memory_detail)
    }

    /// Processes that the kernel has killed because of the memory limit.
    pub fn oom_kills(&self) -> Result<u64, CgroupError> {
        either!(self, oom_kills)
    }

    /// Ends every process inside by SIGKILL and waits until none is left, 30 s at most.
    ///
    /// # Errors
    /// [`CgroupError::StillAlive`] names what is left then.
    pub fn kill_all(&self) -> Result<(), CgroupError> {
        self.must_be_ours()?;
        ending::kill_all(self.dirs())
    }

    /// Removes the empty group; waits 30 s at most while the kernel says that it is busy.
    /// Removing it a second time does nothing.
    pub fn remove(&self) -> Result<(), CgroupError> {
        let Whose::Ours { removed } = &self.whose else {
            return self.must_be_ours();
        };
        if removed.load(Ordering::Acquire) {
            return Ok(());
        }
        for dir in self.dirs() {
            ending::remove(dir)?;
        }
        removed.store(true, Ordering::Release);
        Ok(())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Whose::Ours { removed } = &self.whose
            && !removed.load(Ordering::Acquire)
        {
            // There is nobody to report an error to. The lease still names what could not be ended.
            let _ = self.kill_all().and_then(|()| self.remove());
        }
    }
}
