//! What the machine did to the measurement.

use serde::Serialize;
use tacho_observe::process::Schedstat;
use tacho_run_folder::Quantiles;

/// What was seen of the machine while a course ran.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Surroundings {
    /// How late the server was with its answers.
    pub server_lateness_ms: Option<Quantiles>,
    /// How long the server's thread was ready to run and did not.
    pub server_waited_ms: f64,
    /// How long the generator's thread was ready to run and did not.
    pub generator_waited_ms: f64,
    /// What the hypervisor gave to other guests, over all processors.
    pub steal_ms: f64,
}

/// How long the calling thread has been ready to run without running, in milliseconds; 0 where the
/// kernel does not say.
pub fn waited_ms() -> f64 {
    Schedstat::own().map_or(0.0, |own| own.waited_ns as f64 / 1e6)
}

/// Time that the hypervisor took since boot, in milliseconds; 0 where the kernel does not say.
pub fn steal_ms() -> f64 {
    tacho_observe::machine::steal_s().map_or(0.0, |s| s * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_waited_never_goes_back() {
        let before = waited_ms();
        std::thread::yield_now();
        assert!(waited_ms() >= before);
    }
}
