//! What is left of a run when its variants are made and shipped: its launches, as somebody else can
//! carry them out, where they are.
//!
//! ```text
//! run -> Orders -> Carrier -> (a connection) -> Orders -> carry_out -> the one loop over all launches
//! ```

use crate::company::Company;
use crate::error::RunError;
use crate::event::Listener;
use crate::launching::Bench;
use crate::limits::Groups;
use crate::longest::longest;
use crate::making::{AllMade, Made};
use crate::session::{Elsewhere, Readiness, Site};
use crate::stop::Stop;
use crate::turns::{Enough, Turns};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tacho_analysis::certificate::{Beside, spoiled};
use tacho_experiment::{Experiment, GcLog};
use tacho_launch::ready::Condition;
use tacho_observe::machine;
use tacho_run_folder::{FolderError, Machine, Plan, PreparedVariant, RunFolder};
use tacho_subject::{Parts, Prepared, ProofNeeded};
use tacho_workload::{Body, Scenario, Workload};

/// What a launch takes beside its start and its load: its images, its end.
const AROUND: Duration = Duration::from_secs(10 * 60);

/// The launches of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Orders {
    name: String,
    plan: Plan,
    variants: BTreeMap<String, Variant>,
    requests: Vec<Scenario>,
    request_timeout: Duration,
    gc_log: GcLog,
    pods: u32,
}

/// A variant, as it is launched from its image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Variant {
    record: PreparedVariant,
    proof: ProofNeeded,
    jvm_release: Option<u32>,
    log_folder: Option<PathBuf>,
    ready: Ready,
}

/// How readiness is found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Ready {
    when: When,
    timeout: Duration,
    port: Option<u16>,
    preferred_paths: Vec<String>,
}

/// A [`Condition`] that can be sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum When {
    Auto { request_path: Option<String> },
    Http(String),
    Log(String),
    Port,
}

/// Somebody who carries out launches where they are started, instead of this process.
pub trait Carrier: Sync {
    /// Has them carried out, and sees that all that is recorded comes into the run folder. Gives
    /// the machine that they ran on.
    ///
    /// # Errors
    /// When they are not carried out to their end; what there is of them is in the folder.
    fn carry_out(
        &self,
        orders: &Orders,
        folder: &RunFolder,
        stop: &Stop,
        listener: &mut dyn Listener,
    ) -> Result<Machine, RunError>;
}

impl Orders {
    /// What a run is about to do.
    pub(crate) fn of(
        experiment: &Experiment,
        plan: &Plan,
        made: &AllMade,
    ) -> Result<Self, RunError> {
        let mut requests = made.requests.clone();
        for step in requests.iter_mut().flat_map(|request| &mut request.steps) {
            in_itself(&mut step.body)?;
        }
        let variants = made.variants.iter();
        Ok(Self {
            name: experiment.name.clone(),
            plan: plan.clone(),
            variants: variants
                .map(|(name, made)| (name.clone(), Variant::of(made)))
                .collect(),
            requests,
            request_timeout: experiment.request_timeout,
            gc_log: experiment.gc_log,
            pods: experiment.pods,
        })
    }

    /// The longest that all launches may take, if none is repeated.
    #[must_use]
    pub fn longest(&self) -> Duration {
        let each = self.variants.values().map(|variant| {
            let (phases, warm_up) = (&self.plan.phases, variant.record.warm_up.as_ref());
            longest(phases, warm_up, &self.requests, self.request_timeout)
                .saturating_add(variant.ready.timeout)
        });
        let rest = Duration::try_from_secs_f64(self.plan.rest_s).unwrap_or_default();
        let each = each.max().unwrap_or_default();
        let each = each.saturating_add(rest).saturating_add(AROUND);
        each.saturating_mul(u32::try_from(self.plan.launches.len()).unwrap_or(u32::MAX))
    }

    /// What is secret in them is masked from now on in all that this process writes.
    fn mask(&mut self) {
        tacho_masking::teach(|masking| {
            for variant in self.variants.values() {
                let variables = variant.record.environment.iter();
                masking.learn_pairs(variables.map(|(name, value)| (name.as_str(), value.as_str())));
            }
        });
        let mut workload = Workload {
            scenarios: std::mem::take(&mut self.requests),
            ..Workload::default()
        };
        workload.mask();
        self.requests = workload.scenarios;
    }
}

/// Carries them out, here. The run folder has header, plan and variants already.
///
/// # Errors
/// As a run's own launches: only what stops all of them is one.
pub fn carry_out(
    mut orders: Orders,
    site: &dyn Site,
    folder: &RunFolder,
    enough: Option<Box<Enough<'_>>>,
    stop: &Stop,
    listener: &mut dyn Listener,
) -> Result<(), RunError> {
    orders.mask();
    let here = Groups::new(&format!("{}-{}", orders.name, std::process::id()));
    let company = Company::default();
    let made = AllMade {
        variants: orders
            .variants
            .iter()
            .map(|(name, variant)| Ok((name.clone(), variant.made()?)))
            .collect::<Result<_, RunError>>()?,
        requests: orders.requests,
        notes: Vec::new(),
    };
    let place = Elsewhere { site, here: &here };
    let bench = Bench {
        place: &place,
        phases: &orders.plan.phases,
        requests: &made.requests,
        seed: orders.plan.seed,
        request_timeout: orders.request_timeout,
        gc_log: orders.gc_log,
        pods: orders.pods,
        company: &company,
        stop,
    };
    let turns = Turns {
        bench: &bench,
        plan: &orders.plan,
        made: &made,
        folder,
        next: None,
        enough,
        spoiled: |record| spoiled(record, machine::machine().cpus, Beside::Cluster),
        repeated: Vec::new(),
        looked_into: 0,
        listener,
    };
    turns.all()
}

/// A file of this machine is nowhere else.
fn in_itself(body: &mut Body) -> Result<(), RunError> {
    let failed = |path: &Path, error| RunError::from(FolderError::io(path, error));
    *body = match body {
        Body::File(path) => Body::Bytes(std::fs::read(&*path).map_err(|e| failed(path, e))?),
        Body::TemplateFile(path) => {
            Body::Template(std::fs::read_to_string(&*path).map_err(|e| failed(path, e))?)
        }
        Body::None | Body::Bytes(_) | Body::Template(_) | Body::Messages(_) => return Ok(()),
    };
    Ok(())
}

impl Variant {
    fn of(made: &Made) -> Self {
        let Made {
            prepared,
            readiness,
        } = made;
        Self {
            record: prepared.record.clone(),
            proof: prepared.proof.clone(),
            jvm_release: prepared.jvm_release,
            log_folder: prepared.log_folder.clone(),
            ready: Ready {
                when: When::of(&readiness.condition),
                timeout: readiness.timeout,
                port: readiness.port,
                preferred_paths: readiness.preferred_paths.clone(),
            },
        }
    }

    fn made(&self) -> Result<Made, RunError> {
        let condition = self.ready.when.condition();
        Ok(Made {
            prepared: Prepared {
                record: self.record.clone(),
                proof: self.proof.clone(),
                // All that it needs is in its image.
                keep: Vec::new(),
                jvm_release: self.jvm_release,
                log_folder: self.log_folder.clone(),
                jdk_home: None,
                parts: Parts::default(),
            },
            readiness: Readiness {
                condition: condition.map_err(|source| RunError::ReadyPattern {
                    variant: self.record.name.clone(),
                    source,
                })?,
                timeout: self.ready.timeout,
                port: self.ready.port,
                preferred_paths: self.ready.preferred_paths.clone(),
            },
        })
    }
}

impl When {
    fn of(condition: &Condition) -> Self {
        match condition {
            Condition::Auto { request_path } => Self::Auto {
                request_path: request_path.clone(),
            },
            Condition::Http(path) => Self::Http(path.clone()),
            Condition::Log(pattern) => Self::Log(pattern.as_str().to_owned()),
            Condition::Port => Self::Port,
        }
    }

    fn condition(&self) -> Result<Condition, regex::Error> {
        Ok(match self {
            Self::Auto { request_path } => Condition::Auto {
                request_path: request_path.clone(),
            },
            Self::Http(path) => Condition::Http(path.clone()),
            Self::Log(pattern) => Condition::Log(regex::Regex::new(pattern)?),
            Self::Port => Condition::Port,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_workload::{Check, Step};

    #[test]
    fn a_body_travels_without_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("order.json");
        std::fs::write(&path, "{\"id\": 1}").unwrap();
        let mut body = Body::File(path.clone());
        in_itself(&mut body).unwrap();
        assert_eq!(body, Body::Bytes(b"{\"id\": 1}".to_vec()));
        let mut body = Body::TemplateFile(path);
        in_itself(&mut body).unwrap();
        assert_eq!(body, Body::Template("{\"id\": 1}".to_owned()));
        let absent = in_itself(&mut Body::File("/nonexistent/x".into())).unwrap_err();
        assert!(absent.to_string().contains("/nonexistent/x"), "{absent}");
    }

    #[test]
    fn what_is_sent_and_what_is_waited_for_is_read_as_it_was_written() {
        let step = Step {
            headers: vec![("X-A".to_owned(), "{{uuid}}".to_owned())],
            body: Body::Template("{{counter}}".to_owned()),
            checks: vec![
                Check::Status(vec![(200, 204)]),
                Check::JsonPath("$.id".to_owned(), None),
            ],
            ..Step::new("POST", "/orders")
        };
        let request = Scenario::of(step);
        let text = serde_json::to_string(&request).unwrap();
        assert_eq!(serde_json::from_str::<Scenario>(&text).unwrap(), request);
        for when in [
            When::Auto { request_path: None },
            When::Http("/ready".to_owned()),
            When::Log("Started .* in".to_owned()),
            When::Port,
        ] {
            let text = serde_json::to_string(&when).unwrap();
            let read: When = serde_json::from_str(&text).unwrap();
            assert_eq!(When::of(&read.condition().unwrap()), when);
        }
        assert!(When::Log("(".to_owned()).condition().is_err());
    }
}
