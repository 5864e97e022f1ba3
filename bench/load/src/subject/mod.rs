//! What is loaded: a web server that costs little, or one whose response times are known.

mod nginx;
mod scripted;
mod witness;

pub use nginx::Nginx;
pub use scripted::{COURSE, Played, ScriptArguments, Scripted, serve};
pub use witness::{url_of, witness};
