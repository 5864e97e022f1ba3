//! One file a command.

mod claims;
mod completions;
mod diagnose;
mod doctor;
mod fit;
mod gc;
mod image;
mod init;
pub mod instruments;
mod memory;
mod native_kit;
mod profiler;
mod report;
mod run;
mod schema;
mod selftest;
mod warmup;
mod witness;

pub use claims::claims;
pub use completions::{completions, man};
pub use diagnose::{StoredError, diagnose};
pub use doctor::doctor;
pub use fit::fit;
pub use gc::gc;
pub use image::image;
pub use init::init;
pub use memory::memory;
pub use native_kit::native_kit;
pub use profiler::profiler;
pub use report::report;
pub use run::run;
pub use schema::schema;
pub use selftest::selftest;
pub use warmup::warmup;
pub use witness::{be_witness, witness};
