//! Control groups v1 and v2: detect, make, limit, join, read, end, remove.
//!
//! ```no_run
//! use tacho_cgroup::{GroupLimits, Hierarchy};
//!
//! let hierarchy = Hierarchy::detect()?;
//! let limits = GroupLimits { cpu: Some(0.25), memory_bytes: Some(256 << 20) };
//! let group = hierarchy.create("001-jar", &limits)?;
//! // The child writes `0` into each of group.join_files() before it executes its command.
//! println!("{:?} {:?}", group.cpu()?, group.memory()?);
//! group.kill_all()?;
//! group.remove()?;
//! # Ok::<(), tacho_cgroup::CgroupError>(())
//! ```
//!
//! Every group lies in a parent named `tacho`: at the top of the hierarchy when that is writable,
//! else below the group that Tacho itself was started in. Only directories in such a parent are
//! ever ended or removed.
//!
//! Sources: the kernel's `admin-guide/cgroup-v1/{cpusets,memory,cpuacct}.rst`,
//! `scheduler/sched-bwc.rst` and `admin-guide/cgroup-v2.rst`.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod describe;
mod ending;
mod error;
mod group;
mod hierarchy;
mod kept_file;
mod limits;
mod mounts;
mod parse;
mod place;
mod stat;
mod v1;
mod v2;

pub use describe::Description;
pub use ending::end_and_remove;
pub use error::CgroupError;
pub use group::Group;
#[doc(hidden)]
pub use hierarchy::read_mounts;
pub use hierarchy::{Hierarchy, Version};
pub use limits::GroupLimits;
pub use stat::{CpuStat, MemoryDetail, MemoryStat};

/// Name of the parent of every group that Tacho makes.
pub const PARENT: &str = "tacho";
