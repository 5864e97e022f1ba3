//! Whose code is whose: which packages are the application's own.

use super::Compared;
use std::collections::BTreeSet;
use std::path::Path;
use tacho_diagnosis::Own;
use tacho_experiment::Experiment;
use tacho_run_folder::BuildChanges;
use tacho_subject::{Artifact, own_packages, packages_of_loader};

/// Packages that are said in one line.
const SAID: usize = 4;

/// How the application's own packages were told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// The user has named them.
    Named,
    /// The experiment names them.
    InFile,
    /// By where a build keeps its own classes, or by the main class.
    ByArtifact,
    /// By the classes that differ between the builds: in a jar that was merged with its libraries
    /// the main class may be a framework's.
    ByChanges,
}

/// The application's own packages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whose {
    /// Prefixes such as `com.acme.shop.`; an empty one is the package without a name.
    pub own: Vec<String>,
    /// How they were told.
    pub told: Told,
}

impl Whose {
    /// What was decided, why, and what changes it.
    #[must_use]
    pub fn sentence(&self) -> String {
        let why = match self.told {
            Told::Named => "as --own says",
            Told::InFile => "as the experiment says; --own says otherwise",
            Told::ByArtifact => "by the artifact; --own says otherwise",
            Told::ByChanges => {
                "by the classes that differ between the builds; --own says otherwise"
            }
        };
        let shown = |prefix: &String| match prefix.trim_end_matches('.') {
            "" => "the package without a name".to_owned(),
            package => package.to_owned(),
        };
        let mut names: Vec<String> = self.own.iter().take(SAID).map(shown).collect();
        let more = self.own.len().saturating_sub(SAID);
        if more > 0 {
            names.push(format!("{more} more"));
        }
        match names.is_empty() {
            true => "Which packages are the application's own could not be told; say so with --own"
                .to_owned(),
            false => format!("The application's own code: {} ({why})", names.join(", ")),
        }
    }
}

impl Compared {
    /// Packages of the application: those that were named, else those of the experiment, else those
    /// of its artifacts and of what differs between them.
    #[must_use]
    pub fn whose(
        &self,
        experiment: &Experiment,
        base: &Path,
        named: &[String],
        changes: Option<&BuildChanges>,
    ) -> Whose {
        let in_file = &experiment.subject.own[..];
        for (packages, told) in [(named, Told::Named), (in_file, Told::InFile)] {
            if !packages.is_empty() {
                let own = packages.iter().map(|name| Own::prefix(name)).collect();
                return Whose { own, told };
            }
        }
        let artifacts = experiment
            .variants
            .iter()
            .filter_map(|spec| super::choose::artifact(&spec.name, experiment, base).ok()?);
        let jars: Vec<Artifact> = artifacts
            .flat_map(|artifact| artifact.jars())
            .filter_map(|jar| Artifact::read(&jar).ok())
            .collect();
        let packages: BTreeSet<String> = jars
            .iter()
            .flat_map(|jar| own_packages(&jar.file, jar.kind))
            .collect();
        // It differs between ways to pack the same service, and is nobody's code.
        let loaders: BTreeSet<String> = jars
            .iter()
            .flat_map(|jar| packages_of_loader(&jar.file, jar.kind))
            .map(|package| family(&package))
            .collect();
        let classes = changes.map_or(&[][..], |changes| &changes.classes);
        let differing = classes.iter().map(|c| family(&c.class));
        with_differing(
            packages,
            differing.filter(|f| !loaders.contains(f)).collect(),
        )
    }
}

/// Adds the packages of classes that differ between the builds to the application's own. Where none
/// of them is among the packages that the artifact names, only the differing ones count.
fn with_differing(packages: BTreeSet<String>, differing: BTreeSet<String>) -> Whose {
    let is_of = |package: &String, family: &String| package.starts_with(family.as_str());
    let agree = |family: &String| packages.iter().any(|package| is_of(package, family));
    let unknown: Vec<String> = differing.iter().filter(|f| !agree(f)).cloned().collect();
    if unknown.is_empty() {
        return Whose {
            own: packages.into_iter().collect(),
            told: Told::ByArtifact,
        };
    }
    let mut own = unknown;
    if own.len() < differing.len() {
        own.extend(packages);
    }
    own.sort();
    Whose {
        own,
        told: Told::ByChanges,
    }
}

/// `com.acme.` of `com.acme.shop.Orders`: the first two parts of its package.
fn family(class: &str) -> String {
    let package = class.rsplit_once('.').map_or("", |(package, _)| package);
    let parts: Vec<&str> = package.split('.').take(2).collect();
    Own::prefix(&parts.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(packages: &[&str], differing: &[&str]) -> String {
        let packages = packages.iter().map(|&p| p.to_owned()).collect();
        let differing = differing.iter().map(|class| family(class)).collect();
        with_differing(packages, differing).sentence()
    }

    #[test]
    fn what_differs_is_the_applications_where_the_main_class_is_a_frameworks() {
        assert_eq!(
            told(
                &["io.framework.boot.", "io.framework.run."],
                &["com.acme.shop.Orders"]
            ),
            "The application's own code: com.acme (by the classes that differ between the builds; --own says otherwise)"
        );
        // Its main class differs, too: both are the application's.
        assert_eq!(
            told(
                &["com.acme.shop."],
                &["com.acme.shop.Main", "org.helpers.Text"]
            ),
            "The application's own code: com.acme.shop, org.helpers (by the classes that differ between the builds; --own says otherwise)"
        );
    }

    #[test]
    fn what_the_artifact_tells_stands_where_nothing_contradicts_it() {
        for differing in [&[][..], &["com.acme.shop.Orders"]] {
            assert_eq!(
                told(&["com.acme.shop."], differing),
                "The application's own code: com.acme.shop (by the artifact; --own says otherwise)"
            );
        }
        assert_eq!(
            told(&[""], &["Main"]),
            "The application's own code: the package without a name (by the artifact; --own says otherwise)"
        );
        assert!(told(&[], &[]).contains("could not be told"));
    }
}
