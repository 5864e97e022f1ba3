//! Flags that a JVM takes from the environment of Tacho, which all processes inherit. An IDE or a
//! CI may set them without anybody's knowledge.

use std::path::Path;
use tacho_experiment::{Experiment, VariantKind, VariantSpec};
use tacho_subject::settings_of;

const VARIABLES: [&str; 3] = ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"];

/// What a run says of each that is set, unless the experiment sets it itself.
pub fn notes(experiment: &Experiment) -> Vec<String> {
    notes_of(experiment, &|name| {
        let value = std::env::var_os(name)?;
        Some(value.to_string_lossy().into_owned())
    })
}

fn notes_of(experiment: &Experiment, value_of: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let masking = tacho_masking::current();
    let inherited = VARIABLES.into_iter().filter_map(|name| {
        let value = value_of(name).filter(|value| !value.trim().is_empty())?;
        is_inherited(experiment, name).then(|| {
            format!(
                "every JVM also gets {name}={} from the environment of Tacho; unset it, or set it in `environment`",
                masking.value(name, &value)
            )
        })
    });
    inherited.collect()
}

fn is_inherited(experiment: &Experiment, name: &str) -> bool {
    let mut jvms = experiment.variants.iter().filter(|spec| is_jvm(spec));
    jvms.any(|spec| {
        let settings = settings_of(&experiment.subject, spec);
        !settings.environment.contains_key(name)
    })
}

fn is_jvm(spec: &VariantSpec) -> bool {
    match spec.kind {
        VariantKind::Native => false,
        VariantKind::Exec => {
            let program = spec.command.first().map(Path::new);
            program.and_then(Path::file_name) == Some("java".as_ref())
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_experiment::file;

    fn said(variants: &str) -> Vec<String> {
        let text = format!(
            "tacho: 1\nsubject: {{artifact: app.jar}}\nvariants: [{variants}]\nrequests: [GET /]\n"
        );
        let experiment = file::parse(&text, Path::new("/")).unwrap();
        notes_of(&experiment, &|name| match name {
            "JAVA_TOOL_OPTIONS" => Some("-Xmx64m -Ddb.password=hunter22".to_owned()),
            "_JAVA_OPTIONS" => Some(" ".to_owned()),
            _ => None,
        })
    }

    #[test]
    fn flags_from_the_environment_of_tacho_are_told_without_secrets() {
        assert_eq!(
            said("jar"),
            [
                "every JVM also gets JAVA_TOOL_OPTIONS=-Xmx64m -Ddb.password=*** from the environment of Tacho; unset it, or set it in `environment`"
            ]
        );
        assert_eq!(
            said("{kind: exec, name: a, command: /opt/bin/java -jar a.jar}").len(),
            1
        );
    }

    #[test]
    fn what_the_experiment_sets_and_what_no_jvm_gets_is_not_told() {
        let none = Vec::<String>::new();
        assert_eq!(
            said("{kind: jar, environment: {JAVA_TOOL_OPTIONS: ''}}"),
            none
        );
        assert_eq!(said("{kind: exec, name: a, command: ./service}"), none);
    }
}
