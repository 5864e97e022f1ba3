//! The generator against servers whose answers are known. What counts the descriptors or the memory
//! of this process is a program of its own beside this folder.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod addresses;
mod answers;
#[path = "../support/certificates.rs"]
mod certificates;
mod events;
mod faults;
mod faults_connections;
mod faults_http2;
mod http2;
#[path = "../support/http2.rs"]
mod http2_server;
mod instances;
#[path = "../support/lanes.rs"]
mod lanes;
mod phases;
mod sources;
#[path = "../support/mod.rs"]
mod support;
mod tls;
mod truth;
mod websocket;
