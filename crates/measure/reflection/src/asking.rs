//! One call after another, each a stream with several questions.

use crate::ReflectionError;
use crate::messages::{Answer, Ask, Question, Said, Service};
use prost::Message as _;
use std::num::NonZeroU32;
use std::sync::Arc;
use tacho_import::length_prefixed;
use tacho_load::transport::{Ended, Event, Fault, Limits, Outcome, Transport, transport_to};
use tacho_load::{Endpoint, Keep, Message, Protocol, Rendered, monotonic_ns};

/// Versions of the protocol, the newer one first. Servers since 2023 offer both, older ones only
/// the second.
const VERSIONS: [&str; 2] = ["v1", "v1alpha"];
/// The code of a method that there is not (UNIMPLEMENTED).
const NOT_OFFERED: u8 = 12;
/// An answer is not read beyond this.
const LONGEST: usize = 64 << 20;
/// Between two looks at time limits.
const LOOK_NS: u64 = 50_000_000;

/// A server that is asked.
pub struct Asking {
    endpoint: Endpoint,
    transport: Box<dyn Transport>,
    /// The version that it offers.
    version: &'static str,
}

impl Asking {
    pub fn begin(endpoint: &Endpoint, limits: Limits) -> Result<Self, ReflectionError> {
        let endpoint = endpoint.clone().speaking(Protocol::Http2);
        let mut transport = transport_to(&endpoint, limits, NonZeroU32::MIN)?;
        transport.set_lanes(1);
        Ok(Self {
            endpoint,
            transport,
            version: VERSIONS[0],
        })
    }

    pub fn origin(&self) -> String {
        self.endpoint.origin().to_string()
    }

    pub fn nonsense(&self, what: String) -> ReflectionError {
        ReflectionError::Nonsense {
            origin: self.origin(),
            what,
        }
    }

    /// Names of all services. It is known from then on which version is offered.
    pub fn services(&mut self) -> Result<Vec<String>, ReflectionError> {
        for version in VERSIONS {
            self.version = version;
            if let Some(answers) = self.answers(vec![Ask::Services(String::new())])? {
                let services = answers.into_iter().flat_map(|said| match said {
                    Said::Services(services) => services.services,
                    Said::Files(_) | Said::Error(_) => Vec::new(),
                });
                let mut names: Vec<String> = services.map(|Service { name }| name).collect();
                names.sort();
                return Ok(names);
            }
        }
        Err(ReflectionError::NotOffered {
            origin: self.origin(),
        })
    }

    /// Descriptors of the files that declare these.
    pub fn files_of_symbols(&mut self, names: &[String]) -> Result<Vec<Vec<u8>>, ReflectionError> {
        self.files(names.iter().cloned().map(Ask::Symbol).collect())
    }

    /// Descriptors of the files of these names. One that is not there is missing.
    pub fn files_named(&mut self, names: &[String]) -> Result<Vec<Vec<u8>>, ReflectionError> {
        self.files(names.iter().cloned().map(Ask::File).collect())
    }

    fn files(&mut self, asks: Vec<Ask>) -> Result<Vec<Vec<u8>>, ReflectionError> {
        if asks.is_empty() {
            return Ok(Vec::new());
        }
        let answers = self.answers(asks)?;
        let answers = answers.ok_or_else(|| ReflectionError::NotOffered {
            origin: self.origin(),
        })?;
        let files = answers.into_iter().flat_map(|said| match said {
            Said::Files(files) => files.files,
            Said::Services(_) | Said::Error(_) => Vec::new(),
        });
        Ok(files.collect())
    }

    /// `None` where the server does not offer this version.
    fn answers(&mut self, asks: Vec<Ask>) -> Result<Option<Vec<Said>>, ReflectionError> {
        let mut body = Vec::new();
        for ask in asks {
            body.extend(length_prefixed(
                &Question { ask: Some(ask) }.encode_to_vec(),
            ));
        }
        let path = format!(
            "/grpc.reflection.{}.ServerReflection/ServerReflectionInfo",
            self.version
        );
        let ended = self.exchange(&path, &body)?;
        match ended.outcome {
            Outcome::Failed(Fault::Grpc(code, _)) if code.number() == NOT_OFFERED => {
                return Ok(None);
            }
            // Of a server that speaks HTTP/2 and no gRPC.
            Outcome::Answered(404) => return Ok(None),
            Outcome::Failed(fault) => {
                return Err(ReflectionError::Failed {
                    origin: self.origin(),
                    fault,
                });
            }
            Outcome::Answered(_) | Outcome::Accepted(_) => {}
        }
        let answer = ended.answer.unwrap_or_default();
        if answer.truncated {
            return Err(self.nonsense(format!("it has more than {} MiB", LONGEST >> 20)));
        }
        let answers = messages(&answer.body).map_err(|what| self.nonsense(what))?;
        Ok(Some(answers.into_iter().filter_map(|a| a.said).collect()))
    }

    fn exchange(&mut self, path: &str, body: &[u8]) -> Result<Ended, ReflectionError> {
        let headers = [
            ("content-type".to_owned(), "application/grpc".to_owned()),
            ("te".to_owned(), "trailers".to_owned()),
        ];
        let message = Message {
            name: "reflection",
            method: "POST",
            path,
            headers: &headers,
            body,
        };
        let keep = Keep::HeadAndBody { limit: LONGEST };
        let request = Rendered::new(&message, &self.endpoint, keep)?;
        self.transport.send(0, Arc::new(request));
        loop {
            match self.transport.next_event() {
                Some(Event::Ended(_, ended)) => return Ok(ended),
                Some(_) => {}
                None => {
                    self.transport.wait(LOOK_NS)?;
                    self.transport.expire(monotonic_ns());
                }
            }
        }
    }
}

/// All messages of an answer. The error says what is wrong with it.
fn messages(mut body: &[u8]) -> Result<Vec<Answer>, String> {
    let mut all = Vec::new();
    while let Some((head, rest)) = body.split_at_checked(5) {
        let [compressed, length @ ..] = head else {
            break;
        };
        if *compressed != 0 {
            return Err("it is compressed, which was not asked for".to_owned());
        }
        let length = length
            .iter()
            .fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte));
        let (message, rest) = rest
            .split_at_checked(length)
            .ok_or_else(|| "a message is cut off".to_owned())?;
        all.push(Answer::decode(message).map_err(|error| error.to_string())?);
        body = rest;
    }
    match body {
        [] => Ok(all),
        _ => Err("it is cut off".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_are_cut_off_or_compressed_are_refused() {
        let services = Answer {
            said: Some(Said::Services(crate::messages::Services {
                services: vec![Service {
                    name: "a.B".to_owned(),
                }],
            })),
        };
        let bytes = services.encode_to_vec();
        let mut framed = vec![0, 0, 0, 0, bytes.len() as u8];
        framed.extend_from_slice(&bytes);
        assert_eq!(messages(&framed), Ok(vec![services]));
        assert_eq!(messages(&[]), Ok(Vec::new()));
        assert!(messages(&framed[..framed.len() - 1]).is_err());
        assert!(messages(&framed[..3]).is_err());
        framed[0] = 1;
        assert!(messages(&framed).unwrap_err().contains("compressed"));
        assert!(messages(&[0, 255, 255, 255, 255, 1]).is_err());
    }
}
