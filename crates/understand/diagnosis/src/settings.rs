//! What the running JVMs say of themselves differently: flags, properties, variables, and what they
//! made of the machine.

use crate::builds::Builds;
use std::collections::BTreeSet;
use tacho_run_folder::{Dissection, JvmSeen, RunData, SettingChange};

/// Flags, properties and variables that differ.
#[must_use]
pub fn moved_settings(baseline: &Dissection, candidate: &Dissection) -> Vec<SettingChange> {
    let Some((before, after)) = baseline.jvm.as_ref().zip(candidate.jvm.as_ref()) else {
        return Vec::new();
    };
    let groups = [
        ("flags of the running JVM", &before.flags, &after.flags),
        (
            "properties of the running JVM",
            &before.properties,
            &after.properties,
        ),
        (
            "variables of the running JVM",
            &before.environment,
            &after.environment,
        ),
    ];
    let mut moved = Vec::new();
    for (file, before, after) in groups {
        let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for name in names {
            if !is_same(before.get(name), after.get(name)) {
                moved.push(SettingChange {
                    file: file.to_owned(),
                    key: name.clone(),
                    before: before.get(name).cloned(),
                    after: after.get(name).cloned(),
                });
            }
        }
    }
    moved
}

/// What the JVMs of the launches made of the machine, and which they are: version, collector, heap,
/// processors and memory.
#[must_use]
pub fn moved_surroundings(run: &RunData, builds: &Builds) -> Vec<SettingChange> {
    let seen = |variant: &String| -> Option<&JvmSeen> {
        let mut cells = run.plan.cells.iter();
        let cell = &cells.find(|cell| cell.variant == *variant)?.id;
        let mut launches = run.launches.iter().filter(|l| l.record.cell == *cell);
        launches.find_map(|launch| launch.record.jvm.as_ref())
    };
    let both = builds.baseline.as_ref().and_then(seen);
    let Some((before, after)) = both.zip(seen(&builds.candidate)) else {
        return Vec::new();
    };
    differing(before, after)
}

fn differing(before: &JvmSeen, after: &JvmSeen) -> Vec<SettingChange> {
    let rows = |seen: &JvmSeen| {
        let number = |number: Option<u64>| number.map(|number| number.to_string());
        [
            ("version", seen.version.clone()),
            (
                "collector",
                seen.collector.as_ref().map(ToString::to_string),
            ),
            ("processors", number(seen.processors.map(u64::from))),
            ("largest heap, bytes", number(seen.max_heap_bytes)),
            ("memory, bytes", number(seen.memory_bytes)),
        ]
    };
    let both = rows(before).into_iter().zip(rows(after));
    both.filter(|((_, before), (_, after))| before != after && before.is_some() && after.is_some())
        .map(|((key, before), (_, after))| SettingChange {
            file: "the running JVM".to_owned(),
            key: key.to_owned(),
            before,
            after,
        })
        .collect()
}

/// A folder for what is temporary has another number with each launch.
fn is_same(before: Option<&String>, after: Option<&String>) -> bool {
    let without_number = |path: &String| -> Option<String> {
        let digits = path.chars().filter(char::is_ascii_digit).count();
        let is_temporary = path.starts_with('/') && digits >= DIGITS_OF_CHANCE;
        is_temporary.then(|| path.chars().filter(|c| !c.is_ascii_digit()).collect())
    };
    before == after
        || before.zip(after).is_some_and(|(before, after)| {
            let names = without_number(before).zip(without_number(after));
            names.is_some_and(|(before, after)| before == after)
        })
}

/// `Files.createTempDirectory` numbers with nineteen digits.
const DIGITS_OF_CHANCE: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_folder_is_no_setting_and_a_number_is() {
        let same =
            |before: &str, after: &str| is_same(Some(&before.to_owned()), Some(&after.to_owned()));
        assert!(same(
            "/tmp/tomcat.8080.13666696127539876196",
            "/tmp/tomcat.8080.7102960962600219991"
        ));
        assert!(!same("/opt/data-1", "/opt/data-2"));
        assert!(!same("536870912", "1073741824"));
        assert!(!is_same(None, Some(&"/tmp/1".to_owned())));
    }

    #[test]
    fn what_a_jvm_made_of_the_machine_is_compared_where_both_tell() {
        let seen = |processors, heap| JvmSeen {
            processors: Some(processors),
            max_heap_bytes: heap,
            version: Some("21.0.1".to_owned()),
            ..JvmSeen::default()
        };
        let moved = differing(&seen(2, Some(1 << 30)), &seen(1, None));
        let told: Vec<_> = moved
            .iter()
            .map(|m| (m.key.as_str(), m.before.as_deref(), m.after.as_deref()))
            .collect();
        assert_eq!(told, [("processors", Some("2"), Some("1"))]);
        assert!(differing(&seen(2, None), &seen(2, None)).is_empty());
    }
}
