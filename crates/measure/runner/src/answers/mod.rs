//! Does a native image answer as the JVM does? What reflection, resources and proxies need is not
//! seen by its builder unless it is told (reachability metadata), and shows only when a request
//! comes that way. So the experiment's own requests are sent to both, and the answers compared,
//! before anything is measured.

mod ask;
mod difference;
mod fuzzing;
mod metadata;

pub use fuzzing::{compare_answers, missing_metadata};

use crate::company::Company;
use crate::error::RunError;
use crate::event::{Event, Listener};
use crate::making::Made;
use crate::requests::{self, Kind, Question};
use crate::session::{Halt, Hooks, Place, Ready, StartSpec, Terms, live, reason};
use crate::stop::Stop;
pub use ask::{Answer, ask};
use difference::{Difference, difference};
use metadata::Lacks;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tacho_run_folder::{FolderError, LaunchOutcome};
use tacho_workload::{Scenario, Step};

/// The time that a JVM gets to end in order. Data that it loses does not matter.
const GRACE: Duration = Duration::from_secs(10);

/// The most of a log that is looked through.
const LOG_BYTES: u64 = 4 << 20;

/// <https://www.graalvm.org/jdk25/reference-manual/native-image/guides/troubleshoot-run-time-errors/>
const NAMED_BY_THE_IMAGE: &str = "an image built with NATIVE_IMAGE_OPTIONS=--exact-reachability-metadata and started with -XX:MissingRegistrationReportingMode=Warn (`arguments` of its variant) names each lack itself, and Tacho gathers them here";

/// The two variants to compare, the requests, and where both are started.
pub struct Comparison<'a> {
    /// Made on the JVM.
    pub reference: &'a Made,
    /// Made as a native image.
    pub image: &'a Made,
    /// The experiment's own.
    pub requests: &'a [Scenario],
    /// What takes longer has not answered.
    pub request_timeout: Duration,
    /// For the logs.
    pub directory: &'a Path,
    /// Where they are started.
    pub place: &'a dyn Place,
    /// What the subject needs beside it.
    pub company: &'a Company,
    /// The user's wish to end.
    pub stop: &'a Stop,
}

/// What one of them is asked.
struct Questions<'q> {
    asked: &'q [Question],
    patience: Duration,
    answers: Vec<[Answer; 2]>,
}

/// What one of them did.
struct Heard {
    /// Two answers for each request. What already changes between these two is not caused by the
    /// image's builder.
    answers: Vec<[Answer; 2]>,
    /// Why there are none.
    not_ready: Option<String>,
    log: String,
}

impl Comparison<'_> {
    /// What a reader has to know, in sentences; empty when both answer alike.
    pub fn carry_out(&self, listener: &mut dyn Listener) -> Result<Vec<String>, RunError> {
        let (jvm, native) = (
            &self.reference.prepared.record.name,
            &self.image.prepared.record.name,
        );
        let not_asked = match Kind::of(self.requests) {
            Kind::Plain => None,
            Kind::Calls => Some("calls of gRPC"),
            Kind::Messages(_) => Some("messages of a WebSocket"),
        };
        if let Some(kind) = not_asked {
            return Ok(vec![format!(
                "the answers of {native} were not compared with those of {jvm}: they are those of {kind}"
            )]);
        }
        listener.event(Event::Working {
            what: &format!("comparing the answers of {native} with those of {jvm}"),
        });
        let asked = requests::questions(requests::steps(self.requests))?;
        let of_jvm = self.hear(self.reference, &asked)?;
        if let Some(why) = of_jvm.not_ready {
            // The variant's own launches will report the same failure.
            return Ok(vec![format!(
                "the answers of {native} were not compared, since {jvm} did not become ready: {why}"
            )]);
        }
        let of_image = self.hear(self.image, &asked)?;
        let mut notes: Vec<String> = match &of_image.not_ready {
            Some(why) => vec![format!("{native} did not become ready: {why}")],
            None => requests::steps(self.requests)
                .zip(of_jvm.answers.iter().zip(&of_image.answers))
                .filter_map(|(request, (expected, seen))| {
                    Some((request, difference(expected, seen)?))
                })
                .map(|(request, difference)| said(request, jvm, native, &difference))
                .collect(),
        };
        if !notes.is_empty() {
            notes.push(self.advice(&metadata::missing(&of_image.log, &of_jvm.log))?);
        }
        let asked = requests::steps(self.requests).zip(&of_jvm.answers);
        notes.extend(asked.filter_map(|(request, answers)| not_compared(request, jvm, answers)));
        Ok(notes)
    }

    /// What to do about it: with the metadata that the log asks for, in a file that can be copied.
    fn advice(&self, lacks: &Lacks) -> Result<String, RunError> {
        if lacks.is_empty() {
            return Ok(format!(
                "its log ({}) names no class, resource or bundle that the image lacks. {NAMED_BY_THE_IMAGE}",
                self.log_of(self.image).display()
            ));
        }
        let name = &self.image.prepared.record.name;
        let file = self
            .directory
            .join(format!("{name}-reachability-metadata.json"));
        tacho_files::replace(&file, lacks.document().as_bytes())
            .map_err(|e| FolderError::io(&file, e))?;
        Ok(format!(
            "its log names what the image lacks ({}). Add what stands in {} to src/main/resources/META-INF/native-image/reachability-metadata.json and build again. Should it still differ then: {NAMED_BY_THE_IMAGE}",
            lacks.seen(),
            file.display()
        ))
    }

    fn log_of(&self, made: &Made) -> PathBuf {
        self.directory
            .join(format!("answers-{}.log", made.prepared.record.name))
    }

    /// Starts it without limits, asks, and ends it.
    fn hear(&self, made: &Made, asked: &[Question]) -> Result<Heard, RunError> {
        let record = &made.prepared.record;
        let log = self.log_of(made);
        tacho_files::create_folder(self.directory)
            .map_err(|e| FolderError::io(self.directory, e))?;
        let name = format!("answers-{}", record.name);
        let spec = StartSpec::aside(name, &made.prepared, log.clone(), &made.readiness);
        let terms = Terms {
            place: self.place,
            grace: GRACE,
            company: self.company,
            stop: self.stop,
        };
        let mut questions = Questions {
            asked,
            patience: self.request_timeout,
            answers: Vec::new(),
        };
        let outcome = live(terms, &spec, &[], &mut questions).outcome()?;
        if outcome == LaunchOutcome::Interrupted {
            return Err(RunError::Stopped);
        }
        Ok(Heard {
            answers: questions.answers,
            not_ready: reason(&outcome).map(|(message, _)| message),
            log: beginning_of(&log),
        })
    }
}

impl Hooks for Questions<'_> {
    fn load(&mut self, ready: &mut Ready<'_>) -> Result<(), Halt> {
        for question in self.asked {
            ready.go_on()?;
            let one = || ready.place().ask(question, ready.address, self.patience);
            self.answers.push([one()?, one()?]);
        }
        Ok(())
    }
}

fn beginning_of(log: &Path) -> String {
    use std::io::Read;
    let mut bytes = Vec::new();
    if let Ok(file) = tacho_files::open(log) {
        // A log that cannot be read names nothing.
        let _ = file.take(LOG_BYTES).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Where the JVM gives no answer, nothing can be asked of the image, also not whether it gives
/// none.
fn not_compared(request: &Step, jvm: &str, answers: &[Answer; 2]) -> Option<String> {
    let why = answers.iter().find_map(|answer| match answer {
        Answer::Broken(why) => Some(why),
        Answer::Whole(_) => None,
    })?;
    Some(format!(
        "the answers to `{}` were not compared, since {jvm} itself gives none ({why})",
        request.name
    ))
}

fn said(request: &Step, jvm: &str, native: &str, difference: &Difference) -> String {
    format!(
        "{native} answers `{}` otherwise than {jvm}: {difference}",
        request.name
    )
}
