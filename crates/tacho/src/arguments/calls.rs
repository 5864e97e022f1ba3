//! Calls of gRPC in place of an experiment's requests.

use clap::Args;
use std::path::{Path, PathBuf};
use tacho_import::{GrpcCall, ImportError, NotCalled, Schema, read_call};
use tacho_workload::Scenario;

/// Methods, and what describes their messages.
#[derive(Debug, Default, Args, Clone)]
pub struct Calls {
    /// Call a gRPC method over HTTP/2 instead of sending requests: shop.Orders/Get='{"id": 1}', or
    /// =@FILE (none: an empty message); may be given several times
    #[arg(long = "call", value_name = "METHOD[=MESSAGE]", value_parser = str::parse::<GrpcCall>, conflicts_with = "requests", requires = "described")]
    pub calls: Vec<GrpcCall>,
    /// Protobuf file that declares the methods
    #[arg(long, value_name = "FILE", group = "described", requires = "calls")]
    pub proto: Option<PathBuf>,
    /// Folder in which its imports are looked up; may be given several times [default: that of the
    /// file]
    #[arg(long, value_name = "DIR", requires = "proto")]
    pub import_path: Vec<PathBuf>,
    /// Descriptor set to use instead, as written by `buf build -o FILE`
    #[arg(long, value_name = "FILE", group = "described", requires = "calls")]
    pub protoset: Option<PathBuf>,
}

impl Calls {
    /// A request for each; `None` where nothing is called.
    pub fn requests(&self) -> Result<Option<Vec<Scenario>>, NotCalled> {
        let schema = match (&self.protoset, &self.proto) {
            (Some(set), _) => Schema::of_set(set),
            (None, Some(file)) => Schema::of_protos(std::slice::from_ref(file), &self.import_path),
            (None, None) => return Ok(None),
        };
        let schema = schema.map_err(ImportError::Schema)?;
        let request = |call| read_call(&schema, call, Path::new(".")).map(Scenario::of);
        let requests: Result<Vec<Scenario>, NotCalled> = self.calls.iter().map(request).collect();
        requests.map(Some)
    }
}
