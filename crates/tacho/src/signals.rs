//! Ctrl-C and SIGTERM: the first ends the run in order, the second at once. (What was started is ended
//! even then: its parent's death is its own signal, and the next command sweeps.)

use crate::error::Error;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use tacho_runner::Stop;

/// A stop flag that signals set.
pub fn stop_on_signals() -> Result<Stop, Error> {
    let stop = Stop::new();
    for signal in [SIGINT, SIGTERM] {
        // In this order: the second signal finds the flag set and exits as a shell would say.
        flag::register_conditional_shutdown(signal, 128 + signal, stop.flag().clone())
            .map_err(Error::Signals)?;
        flag::register(signal, stop.flag().clone()).map_err(Error::Signals)?;
    }
    Ok(stop)
}
