use crate::comparing::{BuildsError, Compared, InferredLoad, Told, Wanted};
use std::path::Path;
use tacho_diagnosis::{Builds, Own};
use tacho_experiment::{Diagnose, Experiment, VariantKind, file};

const THREE: &str = "
tacho: 1
subject: {artifact: app.jar}
variants:
  - {name: new, kind: jar, jvm-flags: [-Da=1]}
  - {name: old, kind: jar}
  - {name: other, kind: jar, jvm-flags: [-Da=2]}
baseline: old
requests: [GET /]
";

fn experiment(text: &str) -> Experiment {
    file::parse(text, Path::new("/")).unwrap()
}

fn wanted<'w>(baseline: Option<&'w str>, candidate: Option<&'w str>) -> Wanted<'w> {
    Wanted {
        baseline,
        candidate,
        switches: &[],
        inferred: None,
    }
}

fn names(experiment: &Experiment) -> Vec<&str> {
    let variants = experiment.variants.iter();
    variants.map(|variant| variant.name.as_str()).collect()
}

#[test]
fn variants_are_named_or_told_by_the_experiment() {
    let mut named = experiment(THREE);
    let chosen = Compared::choose(&wanted(Some("other"), Some("new")), &mut named).unwrap();
    assert_eq!(names(&named), ["other", "new"]);
    assert_eq!(named.baseline, "other");
    assert_eq!(named.diagnose, Diagnose::Off);
    let expected = Builds {
        baseline: Some("other".to_owned()),
        candidate: "new".to_owned(),
    };
    assert_eq!(chosen.builds, expected);

    // What is only to be switched is no build.
    let mut told = experiment(THREE);
    let switches = ["other".to_owned()];
    let with_switch = Wanted {
        switches: &switches,
        ..wanted(None, None)
    };
    let chosen = Compared::choose(&with_switch, &mut told).unwrap();
    assert_eq!(names(&told), ["new", "old"]);
    assert_eq!(chosen.builds.baseline.as_deref(), Some("old"));
}

#[test]
fn one_build_is_looked_into_alone_with_phases_of_its_own() {
    let mut one = experiment(THREE);
    let inferred = Wanted {
        inferred: Some(InferredLoad {
            connections: 4,
            is_quick: false,
        }),
        ..wanted(None, None)
    };
    let chosen = Compared::choose(&inferred, &mut one).unwrap();
    assert_eq!(chosen.builds.baseline, None);
    assert_eq!((names(&one), one.baseline.as_str()), (vec!["new"], "new"));
    let labels: Vec<&str> = one.phases.iter().map(|p| p.label.as_str()).collect();
    assert_eq!(labels, ["settle", "closed-4", "closed-32"]);
}

#[test]
fn what_cannot_be_compared_is_said() {
    let refused = |baseline, candidate| {
        let chosen = Compared::choose(&wanted(baseline, candidate), &mut experiment(THREE));
        chosen.unwrap_err()
    };
    assert!(matches!(
        refused(Some("old"), None),
        BuildsError::OneMissing
    ));
    assert!(matches!(
        refused(Some("old"), Some("old")),
        BuildsError::Same(_)
    ));
    assert!(matches!(refused(None, None), BuildsError::Which(known) if known.len() == 3));
    let unknown = refused(Some("none.jar"), Some("new")).to_string();
    assert!(unknown.contains("new, old, other"), "{unknown}");
}

#[test]
fn a_file_is_a_build_too() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("serve");
    std::fs::write(&script, "#!/bin/sh\n").unwrap();
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let script = script.display().to_string();
    let mut both = experiment(THREE);
    Compared::choose(&wanted(Some("old"), Some(&script)), &mut both).unwrap();
    assert_eq!(names(&both), ["old", "candidate"]);
    assert_eq!(both.variants[1].kind, VariantKind::Exec);
    assert_eq!(both.variants[1].command, [script]);
}

#[test]
fn packages_that_are_named_are_prefixes() {
    let mut both = experiment(THREE);
    let compared = Compared::choose(&wanted(Some("old"), Some("new")), &mut both).unwrap();
    let own = compared
        .whose(&both, Path::new("/"), &["shop.*".to_owned()], None)
        .own;
    assert_eq!(own, [Own::prefix("shop")]);
    assert_eq!(
        compared.whose(&both, Path::new("/none"), &[], None).own,
        [""; 0]
    );
}

#[test]
fn whose_code_is_whose_is_said_by_the_flag_else_by_the_file() {
    let text = THREE.replace("app.jar}", "app.jar, own: [com.acme]}");
    let mut experiment = experiment(&text);
    let compared = Compared::choose(&wanted(None, Some("new")), &mut experiment);
    assert!(matches!(compared, Err(BuildsError::OneMissing)));
    let compared = Compared::choose(&wanted(Some("old"), Some("new")), &mut experiment).unwrap();
    let whose = |named: &[String]| compared.whose(&experiment, Path::new("/"), named, None);
    let of_file = whose(&[]);
    assert_eq!(
        (of_file.own, of_file.told),
        (vec!["com.acme.".to_owned()], Told::InFile)
    );
    let of_flag = whose(&["org.other.*".to_owned()]);
    assert_eq!(
        (of_flag.own, of_flag.told),
        (vec!["org.other.".to_owned()], Told::Named)
    );
}
