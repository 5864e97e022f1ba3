//! Calls of gRPC by the flags of `tacho load`.

use super::arguments::{CONNECT_TIMEOUT, How, TIMEOUT};
use super::error::LoadCommandError as Error;
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tacho_import::{Given, GivenError, GrpcCall, ImportError, Note, Schema, read_grpc};
use tacho_load::Endpoint;
use tacho_load::transport::Limits;
use tacho_reflection::reflect;

/// Methods, and what describes their messages.
#[derive(Debug, Default, Args)]
pub struct Grpc {
    /// Call a gRPC method over HTTP/2, such as shop.Orders/Get='{"id": 1}' or =@FILE (none: an
    /// empty message); for a stream several messages, one per line or as a list; may be given
    /// several times, and then each user makes these calls in turn. The server is asked for its
    /// message types, unless a file declares them
    #[arg(long = "call", value_name = "METHOD[=MESSAGE]", value_parser = str::parse::<GrpcCall>, conflicts_with_all = ["targets", "body", "method"])]
    pub calls: Vec<GrpcCall>,
    /// Protobuf file that declares the methods; may be given several times
    #[arg(long = "proto", value_name = "FILE")]
    pub protos: Vec<PathBuf>,
    /// Folder in which it and its imports are looked up; may be given several times [default: that
    /// of the file]
    #[arg(long, value_name = "DIR", requires = "protos")]
    pub import_path: Vec<PathBuf>,
    /// Descriptor set to use instead, as written by `protoc --include_imports --descriptor_set_out`
    #[arg(long, value_name = "FILE", conflicts_with = "protos")]
    pub protoset: Option<PathBuf>,
}

impl Grpc {
    /// Requests come from calls.
    pub fn is_asked(&self) -> bool {
        !self.calls.is_empty() || !self.protos.is_empty() || self.protoset.is_some()
    }

    /// Nobody but the server says what the messages are.
    pub fn asks_the_server(&self) -> bool {
        self.is_asked() && self.protos.is_empty() && self.protoset.is_none()
    }

    /// The contents of the `.proto` files as one set of descriptors, for a worker that does not
    /// have the files.
    pub fn set_of_protos(&self) -> Result<Option<Vec<u8>>, Error> {
        if self.protos.is_empty() {
            return Ok(None);
        }
        let schema = Schema::of_protos(&self.protos, &self.import_path);
        let schema = schema.map_err(|error| GivenError::Import(ImportError::Schema(error)))?;
        Ok(schema.to_set())
    }

    /// Reads what describes the messages, or asks the server, and makes them.
    pub fn given(&self, endpoint: &Endpoint, how: &How) -> Result<Given, Error> {
        let schema = match (&self.protoset, self.protos.as_slice()) {
            (Some(set), _) => Schema::of_set(set),
            (None, []) => return self.by_reflection(endpoint, how),
            (None, files) => Schema::of_protos(files, &self.import_path),
        };
        let schema = schema.map_err(|error| GivenError::Import(ImportError::Schema(error)))?;
        self.made(&schema, None)
    }

    fn by_reflection(&self, endpoint: &Endpoint, how: &How) -> Result<Given, Error> {
        let methods: Vec<String> = self.calls.iter().map(|call| call.method.clone()).collect();
        let limits = Limits {
            connect_ns: nanos(how.connect_timeout.unwrap_or(CONNECT_TIMEOUT)),
            request_ns: nanos(how.timeout.unwrap_or(TIMEOUT)),
        };
        let schema = reflect(endpoint, limits, &methods)?;
        let note = Note {
            place: "the server".to_owned(),
            text: "was asked what its messages are (reflection); that is no part of the load"
                .to_owned(),
        };
        self.made(&schema, Some(note))
    }

    fn made(&self, schema: &Schema, note: Option<Note>) -> Result<Given, Error> {
        let base = Path::new(".");
        let mut imported = read_grpc(schema, &self.calls, base).map_err(GivenError::Import)?;
        imported.notes.extend(note);
        Ok(Given::Whole(Box::new(imported), base.to_owned()))
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
