//! Servers, folders, words and neighbours that mean harm.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod hostile2 {
    mod folders;
    mod neighbours;
    mod secrets;
    mod servers;
    mod words;
}
mod support;
