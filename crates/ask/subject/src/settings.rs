//! The subject as one variant sees it.

use tacho_experiment::{SubjectSpec, VariantSpec};

/// Lays a variant's own settings over the subject's: single values replace, lists are appended,
/// maps are extended. Readiness is replaced as a whole.
#[must_use]
pub fn settings_of(subject: &SubjectSpec, variant: &VariantSpec) -> SubjectSpec {
    let own = &variant.overrides;
    let mut environment = subject.environment.clone();
    environment.extend(own.environment.clone());
    SubjectSpec {
        artifact: or(&own.artifact, &subject.artifact),
        build: or(&own.build, &subject.build),
        port: own.port.or(subject.port),
        ready: if variant.own_ready {
            own.ready.clone()
        } else {
            subject.ready.clone()
        },
        arguments: [&subject.arguments[..], &own.arguments[..]].concat(),
        jvm_flags: [&subject.jvm_flags[..], &own.jvm_flags[..]].concat(),
        environment,
        jdk: or(&own.jdk, &subject.jdk),
        directory: or(&own.directory, &subject.directory),
        own: subject.own.clone(),
    }
}

fn or<T: Clone>(own: &Option<T>, general: &Option<T>) -> Option<T> {
    own.as_ref().or(general.as_ref()).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use tacho_experiment::{ReadyCondition, VariantKind};

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        let owned = pairs.iter().map(|(k, v)| ((*k).into(), (*v).into()));
        owned.collect()
    }

    #[test]
    fn values_replace_lists_append_and_maps_extend() {
        let subject = SubjectSpec {
            artifact: Some("/a.jar".into()),
            port: Some(1),
            jvm_flags: vec!["-Xmx64m".into()],
            arguments: vec!["a".into()],
            environment: map(&[("X", "1"), ("Y", "1")]),
            jdk: Some("17".into()),
            ..SubjectSpec::default()
        };
        let mut own = SubjectSpec {
            port: Some(2),
            jvm_flags: vec!["-XX:+UseSerialGC".into()],
            environment: map(&[("Y", "2")]),
            ..SubjectSpec::default()
        };
        own.ready.condition = ReadyCondition::Port;
        let mut variant = VariantSpec {
            warm_up: None,
            training: tacho_experiment::Training::default(),
            name: "v".into(),
            kind: VariantKind::Jar,
            overrides: own,
            own_ready: false,
            command: Vec::new(),
            only_if: None,
        };
        let merged = settings_of(&subject, &variant);
        assert_eq!(merged.artifact, subject.artifact);
        assert_eq!(merged.port, Some(2));
        assert_eq!(merged.jvm_flags, ["-Xmx64m", "-XX:+UseSerialGC"]);
        assert_eq!(merged.arguments, ["a"]);
        assert_eq!(merged.environment, map(&[("X", "1"), ("Y", "2")]));
        assert_eq!(merged.jdk.as_deref(), Some("17"));
        assert_eq!(merged.ready, subject.ready, "no readiness of its own");
        variant.own_ready = true;
        let merged = settings_of(&subject, &variant);
        assert_eq!(merged.ready.condition, ReadyCondition::Port);
    }
}
