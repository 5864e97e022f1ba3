//! What is loaded: a web server that costs little, or one whose response times are known.

mod nginx;
mod scripted;

pub use nginx::Nginx;
pub use scripted::{COURSE, Played, ScriptArguments, Scripted, serve};
