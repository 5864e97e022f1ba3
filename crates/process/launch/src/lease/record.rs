//! The lines of a lease.

use super::shared::Shared;
use crate::processes::Leader;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::PathBuf;

/// One line, as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Line {
    /// The first line.
    Lease {
        /// The mark of its processes.
        id: String,
        /// Process numbers and start times mean nothing after the machine was started anew.
        boot: String,
        /// Nor in another container that shares the folder.
        pid_namespace: String,
    },
    /// A control group, named before anything was started in it.
    Group {
        /// Directory of the group.
        path: PathBuf,
    },
    /// A process that leads a session.
    Leader(Leader),
    /// A temporary folder, named before it was made.
    Scratch {
        /// Where it is.
        path: PathBuf,
    },
    /// A folder shared with a process, named before it was made.
    Shared(Shared),
}

impl Line {
    pub(super) fn head(id: &str) -> Self {
        Self::Lease {
            id: id.to_owned(),
            boot: boot(),
            pid_namespace: pid_namespace(),
        }
    }
}

fn boot() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id")
        .map(|id| id.trim().to_owned())
        .unwrap_or_default()
}

fn pid_namespace() -> String {
    fs::read_link("/proc/self/ns/pid")
        .map(|link| link.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// Whether the numbers in a lease mean the same processes here and now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Standing {
    /// Same boot, same process namespace.
    #[default]
    Here,
    /// From an earlier boot: none of its processes can be left.
    EarlierBoot,
    /// From another container that shares the folder. It can only be cleaned up from there.
    Elsewhere,
}

/// The whole content of a lease.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Content {
    pub(super) id: String,
    pub(super) standing: Standing,
    pub(super) groups: Vec<PathBuf>,
    pub(super) leaders: Vec<Leader>,
    pub(super) scratch: Vec<PathBuf>,
    pub(super) shared: Vec<Shared>,
}

impl Content {
    /// The content of a new lease of this process, without entries.
    pub(super) fn of(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            ..Self::default()
        }
    }

    /// Adds the content of another line.
    pub(super) fn add(&mut self, line: Line) {
        match line {
            Line::Group { path } => self.groups.push(path),
            Line::Leader(leader) => self.leaders.push(leader),
            Line::Scratch { path } => self.scratch.push(path),
            Line::Shared(shared) => self.shared.push(shared),
            Line::Lease { .. } => {}
        }
    }

    /// Parses a file. Its last line may have been cut off. `None` when not even the first line is
    /// whole; then nothing had been started.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let mut lines = text
            .split_inclusive(|b| *b == b'\n')
            .filter(|line| line.ends_with(b"\n"))
            .filter_map(|line| serde_json::from_slice(line).ok());
        let Some(Line::Lease {
            id,
            boot: its_boot,
            pid_namespace: its_namespace,
        }) = lines.next()
        else {
            return None;
        };
        let mut content = Self {
            standing: if its_boot != boot() {
                Standing::EarlierBoot
            } else if its_namespace != pid_namespace() {
                Standing::Elsewhere
            } else {
                Standing::Here
            },
            id,
            ..Self::default()
        };
        lines.for_each(|line| content.add(line));
        Some(content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(lines: &[Line]) -> Vec<u8> {
        lines
            .iter()
            .flat_map(|line| {
                let mut text = serde_json::to_vec(line).unwrap();
                text.push(b'\n');
                text
            })
            .collect()
    }

    fn whole() -> Vec<Line> {
        vec![
            Line::head("7-0-ff"),
            Line::Group {
                path: "/sys/fs/cgroup/cpu/tacho 7\nx".into(),
            },
            Line::Leader(Leader {
                pid: 12,
                start_time: 34,
            }),
        ]
    }

    #[test]
    fn a_lease_is_read_as_it_was_written() {
        let content = Content::parse(&text(&whole())).unwrap();
        let mut written = Content::of("7-0-ff");
        whole().into_iter().for_each(|line| written.add(line));
        assert_eq!(content, written);
        assert_eq!((content.groups.len(), content.leaders.len()), (1, 1));
    }

    #[test]
    fn numbers_from_before_the_last_boot_are_not_believed() {
        let mut lines = whole();
        lines[0] = Line::Lease {
            id: "7-0-ff".into(),
            boot: "another".into(),
            pid_namespace: pid_namespace(),
        };
        let content = Content::parse(&text(&lines)).unwrap();
        assert_eq!(content.standing, Standing::EarlierBoot);
    }

    #[test]
    fn numbers_of_another_container_are_not_believed() {
        let mut lines = whole();
        lines[0] = Line::Lease {
            id: "7-0-ff".into(),
            boot: boot(),
            pid_namespace: "pid:[1]".into(),
        };
        let content = Content::parse(&text(&lines)).unwrap();
        assert_eq!(content.standing, Standing::Elsewhere);
    }

    proptest! {
        #[test]
        fn a_lease_that_was_cut_off_says_what_was_certain(keep in 0usize..400) {
            let whole = text(&whole());
            let keep = keep.min(whole.len());
            let lines = whole[..keep].iter().filter(|b| **b == b'\n').count();
            let content = Content::parse(&whole[..keep]);
            prop_assert_eq!(content.is_some(), lines >= 1);
            let content = content.unwrap_or_default();
            prop_assert_eq!(content.groups.len(), usize::from(lines >= 2));
            prop_assert_eq!(content.leaders.len(), usize::from(lines >= 3));
        }

        #[test]
        fn no_bytes_make_the_parser_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = Content::parse(&bytes);
        }
    }
}
