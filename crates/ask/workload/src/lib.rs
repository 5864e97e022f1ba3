//! What is sent: scenarios of steps, and everything that makes one request differ from the next.
//! The code is pure except for the files of feeds: no sockets, no clock of its own.
//!
//! A [`Workload`] is the description as people give it. [`Script::compile`] checks it and makes it
//! ready to run. From then on a [`User`] carries the state of one scenario run.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod answer;
mod capture;
mod chance;
mod check;
mod cookies;
mod feed;
mod json_path;
mod message;
mod origin;
pub mod protobuf;
mod redirect;
pub mod rules;
mod script;
mod spec;
mod template;

pub use answer::{Answer, Keep, MAX_BODY_KEPT};
pub use capture::MAX_CAPTURED_BYTES;
pub use check::{CheckError, WrongCheck};
pub use cookies::SetCookie;
pub use feed::{BrokenRow, FeedError, FeedReport, MAX_ROW_BYTES, Row, RowProblem, read_rows};
pub use json_path::{JsonPath, JsonPathError};
pub use message::Message;
pub use origin::{Origin, Scheme};
pub use redirect::{Base, Refusal};
pub use script::{
    At, BeginFault, FailureKind, Judgement, Kind, Part, ScenarioIndex, Script, User, WorkloadError,
};
pub use spec::{
    Body, Capture, Check, Feed, FeedFormat, FeedOrder, Scenario, Source, Step, Think, WebSocket,
    Workload, WrongFeed,
};
pub use template::{Position, RenderFault, Template, TemplateError};
