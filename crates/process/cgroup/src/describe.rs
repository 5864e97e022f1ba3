//! What `tacho doctor` says about control groups.

use crate::hierarchy::Layout;
use crate::{CgroupError, Hierarchy, PARENT, Version, v1};
use std::fmt;
use std::path::PathBuf;

/// What can be done with control groups on this machine, found out without making one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// v1 or v2.
    pub version: Version,
    /// The parents in which groups would be made; empty without the rights.
    pub parents: Vec<PathBuf>,
    /// A CPU quota can be set.
    pub can_limit_cpu: bool,
    /// A memory limit can be set.
    pub can_limit_memory: bool,
    /// What to do about what is missing, one sentence each.
    pub remedies: Vec<String>,
}

impl Description {
    /// Groups can be made, with or without limits.
    #[must_use]
    pub fn can_create(&self) -> bool {
        !self.parents.is_empty()
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |able| if able { "yes" } else { "no" };
        write!(
            f,
            "control groups {}: CPU limits {}, memory limits {}",
            self.version,
            word(self.can_limit_cpu),
            word(self.can_limit_memory)
        )
    }
}

impl Hierarchy {
    /// What can be done here, and the remedy for what cannot.
    #[must_use]
    pub fn describe(&self) -> Description {
        let (cpu, memory) = (self.can_limit("cpu"), self.can_limit("memory"));
        let mut remedies: Vec<String> = Vec::new();
        let mut rights_said = false;
        for error in [&cpu, &memory].into_iter().filter_map(|r| r.as_ref().err()) {
            let about_rights = matches!(error, CgroupError::NoRights { .. });
            // The remedy for missing rights is always the same, so it is given once.
            if !(about_rights && rights_said) {
                remedies.push(error.to_string());
            }
            rights_said |= about_rights;
        }
        Description {
            version: self.version(),
            parents: self.parents(),
            can_limit_cpu: cpu.is_ok(),
            can_limit_memory: memory.is_ok(),
            remedies,
        }
    }

    fn can_limit(&self, controller: &'static str) -> Result<(), CgroupError> {
        match &self.layout {
            Layout::V2(unified) => unified.can_limit(controller),
            Layout::V1(controllers) => {
                let place = match controller {
                    "cpu" => &controllers.cpu,
                    _ => &controllers.memory,
                };
                let place = place.as_ref().ok_or_else(|| v1::missing(controller))?;
                place
                    .base()
                    .map(drop)
                    .ok_or_else(|| v1::no_rights(&place.top))
            }
        }
    }

    fn parents(&self) -> Vec<PathBuf> {
        let mut parents: Vec<_> = match &self.layout {
            Layout::V2(unified) => unified.base().into_iter().map(|b| b.join(PARENT)).collect(),
            Layout::V1(controllers) => controllers
                .places()
                .filter_map(|place| Some(place.base()?.join(PARENT)))
                .collect(),
        };
        parents.dedup();
        parents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_comes_with_its_remedy() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("cpu")).unwrap();
        let described = Hierarchy::at(dir.path(), Version::V1).describe();
        assert!(described.can_create() && described.can_limit_cpu && !described.can_limit_memory);
        assert_eq!(described.parents, [dir.path().join("cpu/tacho")]);
        assert_eq!(described.remedies.len(), 1);
        assert!(described.remedies[0].contains("-o memory"), "{described:?}");
        assert_eq!(
            described.to_string(),
            "control groups v1: CPU limits yes, memory limits no"
        );
    }

    #[test]
    fn without_rights_the_same_remedy_is_said_once() {
        let dir = tempfile::tempdir().unwrap();
        for controller in ["cpu", "memory"] {
            // A file in its place: not even root may make anything in it.
            std::fs::create_dir_all(dir.path().join(controller)).unwrap();
            std::fs::write(dir.path().join(controller).join(PARENT), "").unwrap();
        }
        let place = |name: &str| {
            Some(crate::place::Place {
                top: dir.path().join(name).join(PARENT),
                own: None,
            })
        };
        let v1 = Hierarchy {
            layout: Layout::V1(v1::Controllers {
                cpu: place("cpu"),
                cpuacct: None,
                memory: place("memory"),
            }),
        };
        assert_eq!(v1.describe().remedies.len(), 1, "{:?}", v1.describe());

        let nowhere = Hierarchy::at(std::path::Path::new("/nonexistent"), Version::V2).describe();
        assert!(!nowhere.can_create());
        assert_eq!(nowhere.remedies.len(), 1, "{nowhere:?}");
        assert!(nowhere.remedies[0].contains("Delegate=yes"));
    }
}
