//! From the description of a workload to what the generator runs. Everything that can be wrong is
//! found here, before the clock starts.

use super::error::{At, Part, WorkloadError};
use super::names::Names;
use super::step::{Body, Step};
use super::{Kind, Scenario, ScenarioIndex, Script};
use crate::answer::Keep;
use crate::capture::Capture;
use crate::chance::Seed;
use crate::check::Check;
use crate::feed::{Feed, FeedError, Opened};
use crate::origin::Origin;
use crate::redirect::Base;
use crate::rules::{breaks_line, breaks_path, is_method, is_token};
use crate::spec::{self, Workload};
use crate::template::{Beginning, Bound, Place, Template};
use bytes::Bytes;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) fn compile(
    workload: &Workload,
    base_dir: &Path,
    origin: &Origin,
    seed: u64,
) -> Result<Script, WorkloadError> {
    if workload.scenarios.is_empty() {
        return Err(WorkloadError::Nothing);
    }
    let base = Base::new(origin).map_err(|reason| WorkloadError::Origin {
        origin: origin.to_string(),
        reason,
    })?;
    let cumulative = cumulative(&workload.scenarios)?;
    let mut feeds = open(&workload.feeds, base_dir)?;
    let mut scenarios = Vec::with_capacity(workload.scenarios.len());
    let mut steps = Vec::new();
    for spec in &workload.scenarios {
        let first = steps.len() as u32;
        let scenario = ScenarioCompiler {
            spec,
            base_dir,
            names: Names::new(&mut feeds, &spec.steps),
        }
        .compile(&mut steps)?;
        scenarios.push(Scenario {
            kinds: first..steps.len() as u32,
            ..scenario
        });
    }
    for feed in &mut feeds {
        feed.survey()?;
    }
    let seed = Seed::new(seed);
    let feeds = (0..)
        .zip(feeds)
        .map(|(index, feed)| Feed::new(feed, index, seed));
    let at_least = match workload.cookies || workload.redirects > 0 {
        true => Keep::Head,
        false => Keep::Nothing,
    };
    let script = Script {
        kinds: kinds(&workload.scenarios),
        // A jar of cookies changes what is sent.
        fixed: steps
            .iter()
            .map(|step| step.as_fixed().filter(|_| !workload.cookies))
            .collect(),
        keep: steps
            .iter()
            .map(|step| step.needs().max(at_least))
            .collect(),
        steps: steps.into(),
        scenarios: scenarios.into(),
        cumulative,
        feeds: feeds.collect(),
        base,
        seed,
        cookies: workload.cookies,
        redirects: workload.redirects,
    };
    script.start_phase(0)?;
    Ok(script)
}

/// Sum of the weights up to and including each scenario, divided by the sum of all.
fn cumulative(scenarios: &[spec::Scenario]) -> Result<Box<[f64]>, WorkloadError> {
    let total: f64 = scenarios.iter().map(|scenario| scenario.weight).sum();
    for scenario in scenarios {
        if !(scenario.weight.is_finite() && scenario.weight > 0.0 && total.is_finite()) {
            return Err(WorkloadError::Weight {
                scenario: scenario.name.clone(),
                weight: scenario.weight,
            });
        }
    }
    let mut sum = 0.0;
    let up_to = scenarios.iter().map(|scenario| {
        sum += scenario.weight;
        sum / total
    });
    Ok(up_to.collect())
}

fn open(feeds: &[spec::Feed], base_dir: &Path) -> Result<Vec<Opened>, FeedError> {
    let mut opened: Vec<Opened> = Vec::with_capacity(feeds.len());
    for feed in feeds {
        if opened.iter().any(|other| other.name == feed.name) {
            return Err(FeedError::Twice {
                name: feed.name.clone(),
            });
        }
        opened.push(Opened::new(feed, base_dir)?);
    }
    Ok(opened)
}

/// Each step under a name of its own: that of the step, that of scenario and step where two steps have
/// the same, numbered where that is not enough either.
fn kinds(scenarios: &[spec::Scenario]) -> Box<[Kind]> {
    let mut kinds: Vec<Kind> = Vec::new();
    for (index, scenario) in (0..).map(ScenarioIndex).zip(scenarios) {
        for (step, spec) in (0..).zip(&scenario.steps) {
            let name = name_of(spec);
            let is_shared =
                |other: &spec::Step| !std::ptr::eq(other, spec) && name_of(other) == name;
            let name = match scenarios.iter().flat_map(|s| &s.steps).any(is_shared) {
                true if scenario.name != name => format!("{}: {name}", scenario.name),
                _ => name,
            };
            let is_taken = |name: &str| kinds.iter().any(|kind| kind.name == name);
            let numbered = (2..).map(|n: u32| format!("{name} #{n}"));
            let name = std::iter::once(name.clone())
                .chain(numbered)
                .find(|name| !is_taken(name))
                .unwrap_or(name);
            kinds.push(Kind {
                scenario: index,
                step,
                name,
            });
        }
    }
    kinds.into()
}

/// A step without a name is named by what it sends.
pub(super) fn name_of(step: &spec::Step) -> String {
    match step.name.as_str() {
        "" => format!("{} {}", step.method, step.path),
        name => name.to_owned(),
    }
}

struct ScenarioCompiler<'a> {
    spec: &'a spec::Scenario,
    base_dir: &'a Path,
    names: Names<'a>,
}

impl ScenarioCompiler<'_> {
    fn compile(mut self, steps: &mut Vec<Step>) -> Result<Scenario, WorkloadError> {
        if self.spec.steps.is_empty() {
            return Err(WorkloadError::NoSteps {
                scenario: self.spec.name.clone(),
            });
        }
        for (index, spec) in self.spec.steps.iter().enumerate() {
            let at = At {
                scenario: self.spec.name.clone(),
                step: name_of(spec),
            };
            steps.push(
                StepCompiler {
                    spec,
                    at,
                    index,
                    base_dir: self.base_dir,
                    names: &mut self.names,
                }
                .compile()?,
            );
        }
        Ok(Scenario {
            kinds: 0..0,
            feeds: self.names.used(),
            slots: self.names.slots(),
        })
    }
}

struct StepCompiler<'a, 'n> {
    spec: &'a spec::Step,
    at: At,
    /// Its place in the scenario.
    index: usize,
    base_dir: &'a Path,
    names: &'a mut Names<'n>,
}

impl StepCompiler<'_, '_> {
    fn compile(mut self) -> Result<Step, WorkloadError> {
        if !is_method(&self.spec.method) {
            return Err(WorkloadError::Method {
                at: self.at,
                method: self.spec.method.clone(),
            });
        }
        let path = self.path()?;
        let headers = self.headers()?;
        let body = self.body()?;
        self.check_content_length(&body)?;
        let checks = self.checks()?;
        let captures = self.captures()?;
        self.check_think()?;
        Ok(Step {
            method: Arc::from(self.spec.method.as_str()),
            path,
            headers,
            body,
            checks,
            captures,
            think: self.spec.think,
        })
    }

    fn path(&mut self) -> Result<Bound, WorkloadError> {
        let text = &self.spec.path;
        let template = self.parse(text, &Part::Path)?;
        let begins_well = match template.beginning() {
            Beginning::Text(text) => text.starts_with('/'),
            Beginning::RawValue => true,
            Beginning::Value => false,
        };
        let is_asterisk = self.spec.method == "OPTIONS" && text == "*";
        let is_broken = template.literals().any(|text| text.contains(breaks_path));
        if !(begins_well || is_asterisk) || is_broken {
            return Err(WorkloadError::Path {
                at: self.at.clone(),
                path: text.clone(),
            });
        }
        self.bind(&template, Place::Path, Part::Path)
    }

    fn headers(&mut self) -> Result<Box<[(String, Bound)]>, WorkloadError> {
        let mut headers = Vec::with_capacity(self.spec.headers.len());
        for (name, value) in &self.spec.headers {
            let part = Part::Header(name.clone());
            let template = self.parse(value, &part)?;
            if !is_token(name) || template.literals().any(|text| text.contains(breaks_line)) {
                return Err(WorkloadError::Header {
                    at: self.at.clone(),
                    header: name.clone(),
                });
            }
            headers.push((name.clone(), self.bind(&template, Place::Header, part)?));
        }
        Ok(headers.into())
    }

    fn body(&mut self) -> Result<Body, WorkloadError> {
        match &self.spec.body {
            spec::Body::None => Ok(Body::Fixed(Bytes::new())),
            spec::Body::Bytes(bytes) => Ok(Body::Fixed(Bytes::copy_from_slice(bytes))),
            spec::Body::File(path) => {
                let path = self.base_dir.join(path);
                Ok(Body::Fixed(self.read(&path)?.into()))
            }
            spec::Body::Template(text) => self.body_template(text, Part::Body),
            spec::Body::TemplateFile(path) => {
                let path = self.base_dir.join(path);
                let text = String::from_utf8(self.read(&path)?).map_err(|error| {
                    let error = io::Error::new(io::ErrorKind::InvalidData, error.utf8_error());
                    self.unreadable(&path, error)
                })?;
                self.body_template(&text, Part::BodyFile(path))
            }
        }
    }

    fn body_template(&mut self, text: &str, part: Part) -> Result<Body, WorkloadError> {
        let template = self.parse(text, &part)?;
        let place = place_of(&self.spec.headers);
        self.bind(&template, place, part).map(Body::Template)
    }

    fn parse(&self, text: &str, part: &Part) -> Result<Template, WorkloadError> {
        Template::parse(text).map_err(|source| WorkloadError::Template {
            at: self.at.clone(),
            part: part.clone(),
            source,
        })
    }

    fn bind(
        &mut self,
        template: &Template,
        place: Place,
        part: Part,
    ) -> Result<Bound, WorkloadError> {
        Bound::new(template, place, |name| self.names.look_up(self.index, name)).map_err(|source| {
            WorkloadError::Template {
                at: self.at.clone(),
                part,
                source,
            }
        })
    }

    /// Regular files alone: a pipe would wait for its writer, and a device may have no end.
    fn read(&self, path: &Path) -> Result<Vec<u8>, WorkloadError> {
        let read = || match std::fs::metadata(path)?.is_file() {
            true => std::fs::read(path),
            false => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "it is no regular file",
            )),
        };
        read().map_err(|error| self.unreadable(path, error))
    }

    fn unreadable(&self, path: &Path, source: io::Error) -> WorkloadError {
        WorkloadError::BodyFile {
            at: self.at.clone(),
            path: PathBuf::from(path),
            source,
        }
    }

    fn check_content_length(&self, body: &Body) -> Result<(), WorkloadError> {
        let mut headers = self.spec.headers.iter();
        let given = headers.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
        let Some((_, given)) = given else {
            return Ok(());
        };
        let actual = match body {
            Body::Fixed(bytes) => Some(bytes.len()),
            Body::Template(text) => text.as_text().map(str::len),
        };
        if actual.is_some() && given.trim().parse().ok() == actual {
            return Ok(());
        }
        Err(WorkloadError::ContentLength {
            at: self.at.clone(),
            given: given.clone(),
            actual,
        })
    }

    fn checks(&self) -> Result<Box<[Check]>, WorkloadError> {
        let checks = self.spec.checks.iter().map(|check| {
            Check::new(check).map_err(|source| WorkloadError::Check {
                at: self.at.clone(),
                source,
            })
        });
        checks.collect()
    }

    fn captures(&self) -> Result<Box<[Capture]>, WorkloadError> {
        let captures = self.spec.captures.iter().map(|capture| {
            let name = &capture.name;
            let slot = self
                .names
                .slot(name)
                .filter(|_| self.names.may_be_captured(name));
            let slot = slot.ok_or_else(|| WorkloadError::CaptureName {
                at: self.at.clone(),
                name: name.clone(),
            })?;
            Capture::new(name, slot, &capture.source).map_err(|source| WorkloadError::Capture {
                at: self.at.clone(),
                name: name.clone(),
                source,
            })
        });
        captures.collect()
    }

    fn check_think(&self) -> Result<(), WorkloadError> {
        match self.spec.think {
            Some(spec::Think::Uniform(low, high)) if low > high => Err(WorkloadError::Think {
                at: self.at.clone(),
            }),
            _ => Ok(()),
        }
    }
}

/// How values are escaped in a body, by its `Content-Type`.
fn place_of(headers: &[(String, String)]) -> Place {
    let given = headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    let essence = given
        .and_then(|(_, value)| value.split(';').next())
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    match essence.as_str() {
        "application/json" | "text/json" => Place::JsonBody,
        "application/x-www-form-urlencoded" => Place::FormBody,
        other if other.ends_with("+json") => Place::JsonBody,
        _ => Place::PlainBody,
    }
}
