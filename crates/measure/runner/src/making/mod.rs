//! From the variants of an experiment to variants that can be launched.

mod building;
mod fate;

pub(crate) use fate::fate;
pub use fate::{Fate, impossible};

use crate::answers::Comparison;
use crate::company::Company;
use crate::error::RunError;
use crate::event::{Event, Listener};
use crate::requests::{self, Kind};
use crate::scout::scout;
use crate::session::{Place, Readiness, Terms};
use crate::stop::Stop;
use crate::workshop::Bay;
use fate::{context_of, lacks, left_out};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tacho_experiment::{Experiment, OnlyIf, SubjectSpec, VariantKind, VariantSpec};
use tacho_launch::ready::Condition;
use tacho_run_folder::{ArtifactSeen, FolderError, SubjectFacts};
use tacho_subject::{
    ArtifactKind, Context, PrepareError, Prepared, StepError, Surroundings, Workshop, settings_of,
    variant,
};
use tacho_workload::{Scenario, Step};

/// Makes the variants of one experiment.
pub struct Making<'a> {
    /// What is to be made, as its file says it.
    pub experiment: &'a Experiment,
    /// Folder that relative paths count from.
    pub base: &'a Path,
    /// Where things are made; absolute, without links, as the kernel names mapped files.
    pub directory: PathBuf,
    /// Folders and JDKs of the machine.
    pub surroundings: &'a Surroundings,
    /// Where processes are started.
    pub place: &'a dyn Place,
    /// What the subject needs beside it.
    pub company: &'a Company,
    /// The user's wish to end.
    pub stop: &'a Stop,
}

/// A variant that can be launched.
#[derive(Clone)]
pub struct Made {
    /// How it is launched.
    pub prepared: Prepared,
    /// How readiness is found.
    pub readiness: Readiness,
}

impl Made {
    /// The same, warmed as a variant says.
    pub(crate) fn warmed_as(&self, spec: &VariantSpec) -> Self {
        let mut made = self.clone();
        made.prepared.record.name.clone_from(&spec.name);
        made.prepared.record.warm_up.clone_from(&spec.warm_up);
        made
    }
}

/// All variants of an experiment, and what is sent to them.
pub struct AllMade {
    /// The variants by their names.
    pub variants: BTreeMap<String, Made>,
    /// The requests, given or found.
    pub requests: Vec<Scenario>,
    /// What was assumed.
    pub notes: Vec<String>,
}

impl Making<'_> {
    /// How processes are started and ended of which nothing is kept.
    pub fn terms(&self) -> Terms<'_> {
        Terms {
            place: self.place,
            grace: Duration::ZERO,
            company: self.company,
            stop: self.stop,
        }
    }

    /// What the subject is, when one artifact serves all.
    pub fn facts(&self) -> SubjectFacts {
        let nothing = SubjectFacts {
            artifact: None,
            kind: None,
            framework: None,
            java_release: None,
        };
        let Some(artifact) = &self.experiment.subject.artifact else {
            return nothing;
        };
        tacho_subject::Artifact::read(&self.base.join(artifact))
            .map_or(nothing, |artifact| artifact.facts())
    }

    /// The experiment without those variants that take part only if they can be had, and what to
    /// say of them. The baseline always takes part.
    pub fn wanted(&self) -> (Experiment, Vec<String>) {
        let mut experiment = self.experiment.clone();
        experiment.variants.clear();
        let mut notes = Vec::new();
        for spec in &self.experiment.variants {
            let only_if = spec
                .only_if
                .filter(|_| spec.name != self.experiment.baseline);
            match only_if.and_then(|only_if| self.absent(spec, only_if)) {
                Some(why) => notes.push(left_out(&spec.name, &why)),
                None => experiment.variants.push(spec.clone()),
            }
        }
        (experiment, notes)
    }

    /// Why a variant cannot be had that takes part only if it can. What it is made from may be
    /// absent as well.
    fn absent(&self, spec: &VariantSpec, only_if: OnlyIf) -> Option<String> {
        let subject = &self.experiment.subject;
        match context_of(subject, spec, self.base, self.surroundings) {
            Ok(context) => lacks(spec, &context, only_if).map(|why| why.to_string()),
            Err(why) => Some(why.to_string()),
        }
    }

    /// Makes all variants. Whether each can be made is looked at before anything is started.
    pub fn make(&self, listener: &mut dyn Listener) -> Result<AllMade, RunError> {
        for spec in &self.experiment.variants {
            self.is_available(spec)?;
        }
        let (requests, mut notes) = self.requests(listener)?;
        let mut variants = BTreeMap::new();
        for spec in &self.experiment.variants {
            let made = match self.same_but_for_warm_up(spec, &variants) {
                Some(same) => same.warmed_as(spec),
                None => self.make_one(spec, &requests, listener)?,
            };
            variants.insert(spec.name.clone(), made);
        }
        notes.extend(self.compare_answers(&mut variants, &requests, listener)?);
        Ok(AllMade {
            variants,
            requests,
            notes,
        })
    }

    /// What is sent, given or found, and what to say of that.
    pub fn requests(
        &self,
        listener: &mut dyn Listener,
    ) -> Result<(Vec<Scenario>, Vec<String>), RunError> {
        if let Some(requests) = &self.experiment.requests {
            return Ok((requests.clone(), Vec::new()));
        }
        let found = self.find_request(listener)?;
        let note = format!(
            "No request was given: `{}` is sent, the first that the subject answers. Say what your users send with --request or `requests`.",
            found.name
        );
        listener.event(Event::Note { text: &note });
        Ok((vec![found], vec![note]))
    }

    /// A native image has to answer as the JVM does; what it does otherwise is said of it.
    fn compare_answers(
        &self,
        variants: &mut BTreeMap<String, Made>,
        requests: &[Scenario],
        listener: &mut dyn Listener,
    ) -> Result<Vec<String>, RunError> {
        let specs = &self.experiment.variants;
        let mut all = Vec::new();
        for spec in specs.iter().filter(|spec| spec.kind == VariantKind::Native) {
            let Some(reference) = self.on_a_jvm(spec) else {
                continue;
            };
            let (Some(reference), Some(image)) =
                (variants.get(&reference.name), variants.get(&spec.name))
            else {
                continue;
            };
            let comparison = Comparison {
                reference,
                image,
                requests,
                request_timeout: self.experiment.request_timeout,
                directory: &self.directory.join("answers"),
                place: self.place,
                company: self.company,
                stop: self.stop,
            };
            let notes = comparison.carry_out(listener)?;
            for note in &notes {
                listener.event(Event::Note { text: note });
            }
            if let Some(made) = variants.get_mut(&spec.name) {
                made.prepared.record.notes.extend(notes.iter().cloned());
            }
            all.extend(notes);
        }
        Ok(all)
    }

    /// The first variant that runs the same artifact on a JVM: its answers are those that the
    /// service's authors have seen. With the same arguments and environment where there is one:
    /// what another service answers says nothing of this one.
    fn on_a_jvm(&self, image: &VariantSpec) -> Option<&VariantSpec> {
        let subject = &self.experiment.subject;
        let its = settings_of(subject, image);
        let same = |spec: &&VariantSpec| {
            let other = settings_of(subject, spec);
            spec.kind.is_hotspot() && other.artifact == its.artifact
        };
        let alike = |spec: &&VariantSpec| {
            let other = settings_of(subject, spec);
            other.arguments == its.arguments && other.environment == its.environment
        };
        let candidates = || self.experiment.variants.iter().filter(same);
        candidates().find(alike).or_else(|| candidates().next())
    }

    fn context<'s>(&'s self, spec: &'s VariantSpec) -> Result<Context<'s>, RunError> {
        context(&self.experiment.subject, spec, self.base, self.surroundings)
    }

    /// Makes one variant, and has something done with it where it was made.
    pub fn made_and<T>(
        &self,
        spec: &VariantSpec,
        requests: &[Scenario],
        listener: &mut dyn Listener,
        then: impl FnOnce(&Prepared, &mut dyn Workshop) -> T,
    ) -> Result<(Made, T), RunError> {
        self.is_available(spec)?;
        let mut done = None;
        let mut then = Some(then);
        let made = self.made_in(spec, requests, listener, &mut |prepared, workshop| {
            done = then.take().map(|then| then(prepared, workshop));
        })?;
        Ok((made, done.ok_or(RunError::Stopped)?))
    }

    /// The variant that an archive of classes is trained with: the one that has none.
    pub fn without_archive(&self, spec: &VariantSpec) -> Result<VariantSpec, RunError> {
        self.is_available(spec)?;
        let context = self.context(spec)?;
        let kind = match variant(VariantKind::Extracted).available(&context) {
            Ok(()) => VariantKind::Extracted,
            Err(_) => VariantKind::Jar,
        };
        Ok(VariantSpec {
            kind,
            ..spec.clone()
        })
    }

    pub(crate) fn is_available(&self, spec: &VariantSpec) -> Result<(), RunError> {
        let context = self.context(spec)?;
        let available = variant(spec.kind).available(&context);
        available.map_err(|source| RunError::Unavailable {
            variant: spec.name.clone(),
            source,
        })
    }

    fn make_one(
        &self,
        spec: &VariantSpec,
        requests: &[Scenario],
        listener: &mut dyn Listener,
    ) -> Result<Made, RunError> {
        self.made_in(spec, requests, listener, &mut |_, _| {})
    }

    fn made_in(
        &self,
        spec: &VariantSpec,
        requests: &[Scenario],
        listener: &mut dyn Listener,
        then: &mut dyn FnMut(&Prepared, &mut dyn Workshop),
    ) -> Result<Made, RunError> {
        if self.stop.is_set() {
            return Err(RunError::Stopped);
        }
        let context = self.context(spec)?;
        let readiness = readiness(&context, requests)?;
        let directory = self.directory.join(&spec.name);
        tacho_files::create_folder(&directory).map_err(|e| FolderError::io(&directory, e))?;
        listener.event(Event::Working {
            what: &format!("preparing {}", spec.name),
        });
        let mut bay = Bay {
            directory,
            variant: &spec.name,
            place: self.place,
            company: self.company,
            requests,
            training: spec.training,
            seed: self.experiment.seed,
            request_timeout: self.experiment.request_timeout,
            readiness: readiness.clone(),
            stop: self.stop,
            listener,
            steps: 0,
        };
        let mut prepared = match variant(spec.kind).prepare(&context, &mut bay) {
            Ok(prepared) => prepared,
            Err(PrepareError::Step(StepError::Interrupted)) => return Err(RunError::Stopped),
            Err(source) => {
                return Err(RunError::Prepare {
                    variant: spec.name.clone(),
                    source,
                });
            }
        };
        if spec.training == tacho_experiment::Training::StartUp {
            let note = "It was trained by its start-up alone, without a request.";
            prepared.record.notes.push(note.to_owned());
        }
        prepared.record.artifact = artifact_of(self.experiment, spec, self.base);
        then(&prepared, &mut bay);
        let made = Made {
            prepared,
            readiness,
        };
        let made = made.warmed_as(spec);
        listener.event(Event::Prepared {
            variant: &made.prepared.record,
        });
        Ok(made)
    }

    /// One that was made already and differs in nothing but how it is warmed.
    pub(crate) fn same_but_for_warm_up<'m>(
        &self,
        spec: &VariantSpec,
        made: &'m BTreeMap<String, Made>,
    ) -> Option<&'m Made> {
        let plain = |spec: &VariantSpec| VariantSpec {
            name: String::new(),
            warm_up: None,
            ..spec.clone()
        };
        let same = |other: &&VariantSpec| plain(other) == plain(spec);
        let mut before = self.experiment.variants.iter().filter(same);
        before.find_map(|other| made.get(&other.name))
    }

    /// Starts the subject in its plainest form and looks for a request.
    fn find_request(&self, listener: &mut dyn Listener) -> Result<Scenario, RunError> {
        let Some(first) = self.experiment.variants.first() else {
            return Err(RunError::Scout {
                reason: "there is no variant to start".to_owned(),
            });
        };
        let context = self.context(first)?;
        let runs_as_jar = variant(VariantKind::Jar).available(&context).is_ok();
        let artifact = context.artifact;
        let kind = plainest(artifact.as_ref().map(|a| a.kind), first.kind, runs_as_jar);
        let spec = VariantSpec {
            name: "scout".to_owned(),
            kind,
            ..first.clone()
        };
        let candidates = artifact
            .as_ref()
            .map_or_else(|| vec!["/".to_owned()], |a| a.ready_hints().requests);
        let made = self.make_one(&spec, &[], listener)?;
        scout(
            self.terms(),
            &made.prepared,
            &made.readiness,
            &candidates,
            self.experiment.request_timeout,
            &self.directory.join("scout"),
            listener,
        )
    }
}

/// The form in which something is started to look at it. A WAR that `java -jar` starts needs no
/// Tomcat, which this machine may not have; as it is measured, it is looked at.
fn plainest(
    artifact: Option<ArtifactKind>,
    measured: VariantKind,
    runs_as_jar: bool,
) -> VariantKind {
    match artifact {
        Some(ArtifactKind::War) if measured == VariantKind::War || !runs_as_jar => VariantKind::War,
        Some(ArtifactKind::Jar | ArtifactKind::War) => VariantKind::Jar,
        Some(ArtifactKind::Executable) | None => VariantKind::Exec,
    }
}

fn context<'s>(
    subject: &'s SubjectSpec,
    spec: &'s VariantSpec,
    base: &'s Path,
    surroundings: &'s Surroundings,
) -> Result<Context<'s>, RunError> {
    context_of(subject, spec, base, surroundings).map_err(|source| RunError::Artifact {
        variant: spec.name.clone(),
        source,
    })
}

/// What a variant is launched from, as it is now; nothing where that is no file, or cannot be read.
fn artifact_of(experiment: &Experiment, spec: &VariantSpec, base: &Path) -> Option<ArtifactSeen> {
    let artifact = crate::comparing::artifact_of(spec, experiment, base).ok()?;
    artifact?.seen().ok()
}

fn readiness(context: &Context<'_>, requests: &[Scenario]) -> Result<Readiness, RunError> {
    let artifact = context.artifact.as_ref();
    // A probe reads its answer to the end, which a stream of events does not have.
    let is_probe =
        |step: &&Step| step.method == "GET" && step.events.is_none() && step.websocket.is_none();
    let get = requests::steps(requests).find(is_probe);
    let path = requests::questions(get)?.pop().map(|get| get.message.path);
    let readiness =
        Readiness::of(&context.settings.ready, path).map_err(|source| RunError::ReadyPattern {
            variant: context.spec.name.clone(),
            source,
        })?;
    Ok(Readiness {
        condition: match readiness.condition {
            // A server of gRPC, or of a WebSocket, need not answer a GET.
            Condition::Auto { .. } if Kind::of(requests) != Kind::Plain => Condition::Port,
            condition => condition,
        },
        port: context.settings.port,
        preferred_paths: artifact.map_or_else(Vec::new, |artifact| artifact.ready_hints().paths),
        ..readiness
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_war_is_looked_at_in_tomcat_only_where_it_has_to_be() {
        let war = Some(ArtifactKind::War);
        for (artifact, measured, runs_as_jar, kind) in [
            (war, VariantKind::War, true, VariantKind::War),
            (war, VariantKind::Jar, true, VariantKind::Jar),
            (war, VariantKind::Aot, true, VariantKind::Jar),
            (war, VariantKind::War, false, VariantKind::War),
            (
                Some(ArtifactKind::Jar),
                VariantKind::Aot,
                true,
                VariantKind::Jar,
            ),
            (None, VariantKind::Exec, false, VariantKind::Exec),
        ] {
            assert_eq!(
                plainest(artifact, measured, runs_as_jar),
                kind,
                "{measured:?}"
            );
        }
    }
}
