//! The control group of a launch: made before it, read while it runs, judged after it.

use crate::error::RunError;
use std::path::PathBuf;
use std::sync::Arc;
use tacho_cgroup::{CgroupError, Group, GroupLimits, Hierarchy};
use tacho_experiment::Experiment;
use tacho_launch::Lease;
use tacho_observe::machine;
use tacho_run_folder::{Limits, LimitsSeen};

/// Makes the control groups of a run.
#[derive(Debug)]
pub struct Groups {
    /// Why there are none, or the hierarchy.
    hierarchy: Result<Hierarchy, CgroupError>,
    prefix: String,
}

impl Groups {
    /// Looks for control groups; names begin with the prefix.
    #[must_use]
    pub fn new(prefix: &str) -> Self {
        Self {
            hierarchy: Hierarchy::detect(),
            prefix: prefix.to_owned(),
        }
    }

    /// Tries out every set of limits, so that missing rights show before anything is started. Each
    /// launch has this many processors.
    pub fn check(self, all: &[Limits], processors: u32) -> Result<Self, RunError> {
        fit_the_machine(all, processors, machine::memory_bytes())?;
        let limited: Vec<&Limits> = all.iter().filter(|l| is_limited(l)).collect();
        if limited.is_empty() {
            return Ok(self);
        }
        let name = self.full_name("check");
        let hierarchy = self.hierarchy?;
        for limits in limited {
            // On record before it is made: we may be killed at any instant.
            let directories = hierarchy.directories_of(&name);
            // Where none can be made, `create` says why.
            let _lease = (!directories.is_empty())
                .then(|| Lease::take(&directories))
                .transpose()?;
            hierarchy.create(&name, &group_limits(limits))?.remove()?;
        }
        Ok(Self {
            hierarchy: Ok(hierarchy),
            prefix: self.prefix,
        })
    }

    /// The directories that the group of a launch will have, to be put on record before it is made.
    pub fn directories_of(&self, name: &str) -> Vec<PathBuf> {
        self.hierarchy.as_ref().map_or_else(
            |_| Vec::new(),
            |hierarchy| hierarchy.directories_of(&self.full_name(name)),
        )
    }

    /// Begins with a word of ours: an experiment may be called `memory.test` or `_bench`, and no
    /// group may begin like that.
    fn full_name(&self, name: &str) -> String {
        format!("run-{}-{name}", self.prefix)
    }

    /// The group of a launch. Without limits it serves to account for the process tree, and its
    /// absence is no error.
    pub fn create(&self, name: &str, limits: &Limits) -> Result<Option<Arc<Group>>, String> {
        let hierarchy = match &self.hierarchy {
            Ok(hierarchy) => hierarchy,
            Err(_) if !is_limited(limits) => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        match hierarchy.create(&self.full_name(name), &group_limits(limits)) {
            Ok(group) => Ok(Some(Arc::new(group))),
            Err(_) if !is_limited(limits) => Ok(None),
            Err(error) => {
                tacho_launch::descriptors::note(&error);
                Err(error.to_string())
            }
        }
    }
}

/// What launches are limited to: the sets of limits of an experiment, and the processors that a
/// process has while it is warmed.
pub fn asked_for(experiment: &Experiment) -> Vec<Limits> {
    let boosts = experiment.variants.iter().filter_map(|variant| {
        Some(Limits {
            name: format!("boost-cpu of {}", variant.name),
            cpu: Some(variant.warm_up.as_ref()?.boost_cpu?),
            memory_bytes: None,
        })
    });
    experiment.limits.iter().cloned().chain(boosts).collect()
}

/// Refuses more processors than a launch may use, and more memory than the machine has. The kernel
/// accepts limits of any size: one of 99 processors on a machine with two would be reported as 99,
/// but mean two, and one of 900 GiB would be none.
fn fit_the_machine(all: &[Limits], there: u32, memory: Option<u64>) -> Result<(), RunError> {
    let number = tacho_figures::number;
    for limits in all {
        if let Some(cpu) = limits.cpu.filter(|&cpu| cpu > f64::from(there)) {
            return Err(RunError::TooManyProcessors {
                limits: limits.name.clone(),
                asked: number(cpu),
                there: said_of(there, machine::processors()),
            });
        }
        if let Some((asked, there)) = limits.memory_bytes.zip(memory)
            && asked > there
        {
            return Err(RunError::TooMuchMemory {
                limits: limits.name.clone(),
                asked: memory_as_asked(asked),
                there: memory_as_asked(there),
            });
        }
    }
    Ok(())
}

/// `24102MiB`: rounded down, so that what there is can be asked for.
fn memory_as_asked(bytes: u64) -> String {
    let whole = match bytes >> 20 {
        0 => bytes,
        mib => mib << 20,
    };
    tacho_experiment::limits::name(None, Some(whole))
}

fn said_of(usable: u32, online: u32) -> String {
    match usable < online {
        true => format!(
            "a launch may use {usable} of the {online} of this machine (`taskset`, a cpuset of the container, or `--duet`)"
        ),
        false => format!("this machine has {online}"),
    }
}

fn is_limited(limits: &Limits) -> bool {
    limits.cpu.is_some() || limits.memory_bytes.is_some()
}

fn group_limits(limits: &Limits) -> GroupLimits {
    GroupLimits {
        cpu: limits.cpu,
        memory_bytes: limits.memory_bytes,
    }
}

/// What the group did, as far as it can be read; `None` when no limits were asked for.
pub fn seen(group: Option<&Group>, limits: &Limits, pid: u32) -> Option<LimitsSeen> {
    let group = group.filter(|_| is_limited(limits))?;
    let in_force = group.limits_in_force().unwrap_or_default();
    let mut seen = LimitsSeen {
        inside: group.contains(pid).unwrap_or(false),
        path: group
            .dirs()
            .first()
            .map(|d| d.display().to_string())
            .unwrap_or_default(),
        cpu: in_force.cpu,
        memory_bytes: in_force.memory_bytes,
        ..LimitsSeen::default()
    };
    update(&mut seen, group);
    Some(seen)
}

/// Reads the counters again.
pub fn update(seen: &mut LimitsSeen, group: &Group) {
    if let Ok(cpu) = group.cpu() {
        seen.periods = cpu.periods;
        seen.throttled_periods = cpu.throttled_periods;
        seen.throttled_s = cpu.throttled_s;
    }
    if let Ok(kills) = group.oom_kills() {
        seen.oom_kills = kills;
    }
}

/// True when what the kernel enforces is what was asked for.
pub fn as_asked(seen: &LimitsSeen, limits: &Limits) -> bool {
    let cpu = match (seen.cpu, limits.cpu) {
        (Some(seen), Some(asked)) => (seen - asked).abs() <= 0.01 * asked.max(0.01),
        (_, None) => true,
        (None, Some(_)) => false,
    };
    let memory = match (seen.memory_bytes, limits.memory_bytes) {
        // The kernel rounds down to whole pages.
        (Some(seen), Some(asked)) => asked.abs_diff(seen) < 65536,
        (_, None) => true,
        (None, Some(_)) => false,
    };
    seen.inside && cpu && memory
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn asked() -> Limits {
        Limits {
            name: "0.25cpu-64MiB".into(),
            cpu: Some(0.25),
            memory_bytes: Some(64 * MIB),
        }
    }

    fn seen(inside: bool, cpu: Option<f64>, memory_bytes: Option<u64>) -> LimitsSeen {
        LimitsSeen {
            inside,
            cpu,
            memory_bytes,
            ..LimitsSeen::default()
        }
    }

    #[test]
    fn limits_are_as_asked_when_the_kernel_says_so_and_the_subject_is_inside() {
        let ok = |seen: &LimitsSeen| as_asked(seen, &asked());
        assert!(ok(&seen(true, Some(0.25), Some(64 * MIB))));
        assert!(
            ok(&seen(true, Some(0.25), Some(64 * MIB - 4096))),
            "rounded to a page"
        );
        assert!(!ok(&seen(false, Some(0.25), Some(64 * MIB))));
        assert!(!ok(&seen(true, Some(0.5), Some(64 * MIB))));
        assert!(!ok(&seen(true, None, Some(64 * MIB))));
        assert!(!ok(&seen(true, Some(0.25), None)));
        assert!(!ok(&seen(true, Some(0.25), Some(32 * MIB))));
    }

    #[test]
    fn an_experiment_of_any_name_has_groups() {
        for name in ["_bench", "-x", "memory.test", &"cpu.".repeat(15)] {
            let groups = Groups::new(&format!("{name}-4194304"));
            let longest = groups.full_name(&format!("training-{}-12", "v".repeat(60)));
            assert!(longest.starts_with("run-"), "{longest}");
            assert!(longest.len() <= 200, "{longest}");
        }
    }

    #[test]
    fn a_limit_beyond_what_a_launch_may_use_is_refused_with_the_reason() {
        let of = |cpu| Limits {
            cpu: Some(cpu),
            ..asked()
        };
        fit_the_machine(&[of(0.5), of(2.0)], 2, None).unwrap();
        assert!(fit_the_machine(&[of(0.5), of(2.5)], 2, None).is_err());
        assert_eq!(said_of(4, 4), "this machine has 4");
        assert!(said_of(1, 4).starts_with("a launch may use 1 of the 4 of this machine"));
    }

    #[test]
    fn a_limit_beyond_the_memory_of_the_machine_is_refused_with_what_there_is() {
        let fit = |memory| fit_the_machine(&[asked()], 2, memory);
        fit(Some(64 * MIB)).unwrap();
        fit(None).unwrap();
        let refused = fit(Some(63 * MIB + 4096)).unwrap_err().to_string();
        assert!(
            refused.starts_with("64MiB of memory were asked for (`0.25cpu-64MiB`)"),
            "{refused}"
        );
        assert!(refused.contains("this machine has 63MiB"), "{refused}");
    }

    #[test]
    fn the_processors_of_a_warm_up_are_asked_for_as_well() {
        let text = "tacho: 1\nsubject: {artifact: a.jar}\nlimits: {cpu: 1}\nwarm-up: [none, 'boost:8']\nvariants: [jar]\n";
        let experiment = tacho_experiment::file::parse(text, std::path::Path::new("/x")).unwrap();
        let all = asked_for(&experiment);
        let names: Vec<&str> = all.iter().map(|limits| limits.name.as_str()).collect();
        assert_eq!(names, ["1cpu", "boost-cpu of jar-boost-8"]);
        fit_the_machine(&all, 8, None).unwrap();
        let refused = fit_the_machine(&all, 4, None).unwrap_err().to_string();
        assert!(refused.contains("`boost-cpu of jar-boost-8`"), "{refused}");
    }

    #[test]
    fn without_limits_nothing_has_to_be_enforced() {
        let none = tacho_experiment::limits::none();
        assert!(as_asked(&seen(true, None, None), &none));
        assert!(!is_limited(&none));
    }
}
