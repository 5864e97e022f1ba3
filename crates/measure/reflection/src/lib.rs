//! What a gRPC server reports of its own methods: its services, and the protobuf files that
//! describe them.
//! <https://github.com/grpc/grpc/blob/master/doc/server-reflection.md>
//!
//! ```text
//! asking    one call after another, each with several questions
//! messages  questions and answers, as protobuf has them
//! ```
//! The calls go by the engine's own transport, and are no part of a load.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod asking;
mod messages;

use asking::Asking;
use prost::Message;
use prost_reflect::prost_types::FileDescriptorProto;
use std::collections::{BTreeMap, BTreeSet};
use tacho_import::Schema;
use tacho_load::transport::{Fault, Limits, TransportError};
use tacho_load::{Endpoint, RequestError};

/// Services that belong to the server, and not to what it does.
const OF_THE_SERVER: [&str; 4] = [
    "grpc.reflection.",
    "grpc.health.",
    "grpc.channelz.",
    "grpc.admin.",
];
/// More than any service has; a server may name any number.
const MOST_SERVICES: usize = 200;
const MOST_FILES: usize = 2_000;
/// Imports of imports.
const DEEPEST: usize = 50;

/// Why a server did not describe its methods.
#[derive(Debug, thiserror::Error)]
pub enum ReflectionError {
    /// It offers neither version of reflection.
    #[error(
        "{origin} does not describe its methods (it offers no reflection): name the file that declares them by --proto FILE, or a set of descriptors by --protoset FILE"
    )]
    NotOffered {
        /// The server.
        origin: String,
    },
    /// The call failed.
    #[error(
        "{origin} was asked for its methods, but did not list them: {fault}. Give them with --proto FILE or --protoset FILE instead"
    )]
    Failed {
        /// The server.
        origin: String,
        /// How.
        fault: Fault,
    },
    /// What came is not what was asked for.
    #[error(
        "{origin} was asked for its methods, and its answer makes no sense: {what}. Give them with --proto FILE or --protoset FILE instead"
    )]
    Nonsense {
        /// The server.
        origin: String,
        /// What is wrong.
        what: String,
    },
    /// There is no transport.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The kernel does not let it wait.
    #[error("cannot wait for an answer: {0}")]
    Wait(#[from] std::io::Error),
    /// Where it is asked makes no request.
    #[error(transparent)]
    Request(#[from] RequestError),
}

/// Asks a server for its methods: those of its services, without those that belong to the server
/// itself unless one of `methods` (`package.Service/Method`) is of them.
///
/// # Errors
/// When it does not tell, or is not there.
pub fn reflect(
    endpoint: &Endpoint,
    limits: Limits,
    methods: &[String],
) -> Result<Schema, ReflectionError> {
    let mut asking = Asking::begin(endpoint, limits)?;
    let mut services = asking.services()?;
    services.retain(|service| is_wanted(service, methods));
    services.truncate(MOST_SERVICES);
    let files = files(&mut asking, &services)?;
    let described = format!("what {} says of itself", asking.origin());
    Schema::of_descriptors(files, &services, &described).map_err(|what| asking.nonsense(what))
}

fn is_wanted(service: &str, methods: &[String]) -> bool {
    let is_of_server = OF_THE_SERVER.iter().any(|own| service.starts_with(own));
    let is_named = |method: &String| {
        let rest = method.strip_prefix(service);
        rest.is_some_and(|rest| rest.starts_with(['/', '.']))
    };
    !is_of_server || methods.iter().any(is_named)
}

/// The files of these services, and what they import, as far as the server has it: some send all at
/// once, others a file for each question.
fn files(
    asking: &mut Asking,
    services: &[String],
) -> Result<Vec<FileDescriptorProto>, ReflectionError> {
    let mut known: BTreeMap<String, FileDescriptorProto> = BTreeMap::new();
    let mut came = asking.files_of_symbols(services)?;
    let mut asked = BTreeSet::new();
    for _ in 0..DEEPEST {
        for bytes in came {
            let file = FileDescriptorProto::decode(bytes.as_slice());
            let file = file.map_err(|error| asking.nonsense(error.to_string()))?;
            known.insert(file.name().to_owned(), file);
        }
        if known.len() > MOST_FILES {
            return Err(asking.nonsense(format!("more than {MOST_FILES} files")));
        }
        let imports = known
            .values()
            .flat_map(|file| file.dependency.iter().cloned());
        let lacking: Vec<String> = imports
            .filter(|name| !known.contains_key(name) && asked.insert(name.clone()))
            .collect();
        if lacking.is_empty() {
            break;
        }
        came = asking.files_named(&lacking)?;
    }
    Ok(known.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_of_the_server_are_left_unless_one_is_called() {
        let none: [String; 0] = [];
        assert!(is_wanted("shop.Orders", &none));
        assert!(!is_wanted("grpc.health.v1.Health", &none));
        assert!(!is_wanted("grpc.reflection.v1.ServerReflection", &none));
        let called = ["grpc.health.v1.Health/Check".to_owned()];
        assert!(is_wanted("grpc.health.v1.Health", &called));
        assert!(!is_wanted("grpc.health.v1.Hea", &called));
    }
}
