//! Questions and answers of `grpc.reflection.v1.ServerReflection`; those of `v1alpha` are the same
//! on the wire. Fields that are not read are left out.

use prost::Message;

/// A question.
#[derive(Clone, PartialEq, Message)]
pub struct Question {
    #[prost(oneof = "Ask", tags = "3, 4, 7")]
    pub ask: Option<Ask>,
}

/// What is asked.
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Ask {
    /// A file by its name.
    #[prost(string, tag = "3")]
    File(String),
    /// The file that declares it.
    #[prost(string, tag = "4")]
    Symbol(String),
    /// All services; the text says nothing.
    #[prost(string, tag = "7")]
    Services(String),
}

/// An answer.
#[derive(Clone, PartialEq, Message)]
pub struct Answer {
    #[prost(oneof = "Said", tags = "4, 6, 7")]
    pub said: Option<Said>,
}

/// What is answered.
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Said {
    /// Files, each a `google.protobuf.FileDescriptorProto`.
    #[prost(message, tag = "4")]
    Files(Files),
    /// Services.
    #[prost(message, tag = "6")]
    Services(Services),
    /// What was asked for is not there.
    #[prost(message, tag = "7")]
    Error(Refusal),
}

/// Descriptors of files.
#[derive(Clone, PartialEq, Message)]
pub struct Files {
    #[prost(bytes = "vec", repeated, tag = "1")]
    pub files: Vec<Vec<u8>>,
}

/// Names of services.
#[derive(Clone, PartialEq, Message)]
pub struct Services {
    #[prost(message, repeated, tag = "1")]
    pub services: Vec<Service>,
}

/// One of them.
#[derive(Clone, PartialEq, Message)]
pub struct Service {
    #[prost(string, tag = "1")]
    pub name: String,
}

/// A code of gRPC, with words.
#[derive(Clone, PartialEq, Message)]
pub struct Refusal {
    #[prost(int32, tag = "1")]
    pub code: i32,
    #[prost(string, tag = "2")]
    pub words: String,
}
