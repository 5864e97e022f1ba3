//! From the description of a step to what is sent and how its answer is judged.

use super::error::{At, Part, WorkloadError};
use super::messages::Piece;
use super::names::Names;
use super::step::{Body, Step};
use crate::capture::Capture;
use crate::check::Check;
use crate::protobuf;
use crate::rules::{breaks_line, is_method, is_token};
use crate::spec;
use crate::template::{Bound, Place, Template};
use bytes::Bytes;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One step while it is compiled.
pub(super) struct StepCompiler<'a, 'n> {
    pub spec: &'a spec::Step,
    pub at: At,
    /// Its place in the scenario.
    pub index: usize,
    pub base_dir: &'a Path,
    pub names: &'a mut Names<'n>,
}

impl StepCompiler<'_, '_> {
    pub(super) fn compile(mut self) -> Result<Step, WorkloadError> {
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
            events: self.spec.events,
            checks,
            captures,
            think: self.spec.think,
        })
    }

    fn path(&mut self) -> Result<Bound, WorkloadError> {
        let text = &self.spec.path;
        let template = self.parse(text, &Part::Path)?;
        let is_asterisk = self.spec.method == "OPTIONS" && text == "*";
        if !template.is_path() && !is_asterisk {
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
            spec::Body::Messages(pieces) => self.pieces(pieces).map(Body::Messages),
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

    fn pieces(&mut self, pieces: &[protobuf::Piece]) -> Result<Box<[Piece]>, WorkloadError> {
        pieces.iter().map(|piece| self.piece(piece)).collect()
    }

    fn piece(&mut self, piece: &protobuf::Piece) -> Result<Piece, WorkloadError> {
        Ok(match piece {
            protobuf::Piece::Bytes(bytes) => Piece::Bytes(Bytes::copy_from_slice(bytes)),
            protobuf::Piece::Text(text) => Piece::Text(self.value(text)?),
            protobuf::Piece::Number(kind, text) => Piece::Number(*kind, self.value(text)?),
            protobuf::Piece::Message(pieces) => Piece::Message(self.pieces(pieces)?),
            protobuf::Piece::Frame(pieces) => Piece::Frame(self.pieces(pieces)?),
        })
    }

    /// Binds a value inside a message. Nothing in a value can break a message, so it is inserted as
    /// it is.
    fn value(&mut self, text: &str) -> Result<Bound, WorkloadError> {
        let template = self.parse(text, &Part::Body)?;
        self.bind(&template, Place::PlainBody, Part::Body)
    }

    fn parse(&self, text: &str, part: &Part) -> Result<Template, WorkloadError> {
        Template::parse(text).map_err(|source| WorkloadError::Template {
            at: self.at.clone(),
            part: part.clone(),
            source: Box::new(source),
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
                source: Box::new(source),
            }
        })
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>, WorkloadError> {
        tacho_files::input::read(path, tacho_files::input::BODY)
            .map_err(|error| self.unreadable(path, error))
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
            Body::Messages(_) => None,
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
                source: Box::new(source),
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
                source: Box::new(source),
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
