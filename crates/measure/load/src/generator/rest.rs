//! The phase in which nothing is sent.

use super::opening::pause;
use super::tally::Tally;
use super::{Generator, HOUSEKEEPING_NS, LoadError, describe};
use crate::control::Control;
use crate::recorder::{PhaseTotals, Recorder};
use tacho_clock::{from_seconds, monotonic_ns, thread_cpu_ns, to_seconds};
use tacho_run_folder::{PhasePlan, PhaseRecord};

impl Generator {
    /// Waits. Connections stay open unless the subject closes them.
    pub(super) fn rest(
        &mut self,
        plan: &PhasePlan,
        duration_s: f64,
        recorder: &Recorder,
        control: &Control,
    ) -> Result<PhaseRecord, LoadError> {
        let start = monotonic_ns();
        let cpu_before = thread_cpu_ns();
        let end = start.saturating_add(from_seconds(duration_s));
        let mut now = start;
        while now < end && !control.is_stopped() {
            pause(self.transport.as_mut(), (end - now).min(HOUSEKEEPING_NS))?;
            now = monotonic_ns();
        }
        let started_ns = start.saturating_sub(recorder.anchor().monotonic_ns);
        Ok(PhaseRecord {
            duration_s: to_seconds(now - start),
            generator_cpu_s: to_seconds(thread_cpu_ns() - cpu_before),
            interrupted: now < end,
            ..describe(plan, started_ns, Tally::default(), PhaseTotals::default())
        })
    }
}
