//! Amounts of processor time and memory as Kubernetes writes them.

use crate::yaml::Mapping;

const MIB: u64 = 1 << 20;

/// `500m`: thousandths of a processor.
#[must_use]
pub fn cpu(millis: u64) -> String {
    format!("{millis}m")
}

/// `256Mi`, rounded up.
#[must_use]
pub fn memory(bytes: u64) -> String {
    format!("{}Mi", bytes.div_ceil(MIB))
}

/// Amounts of one container.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amounts {
    /// Thousandths of a processor.
    pub cpu_millis: Option<u64>,
    /// Bytes of memory.
    pub memory_bytes: Option<u64>,
}

impl Amounts {
    /// `requests` and `limits` alike: memory cannot be taken back from a container as processor
    /// time can, so that what it may use has to be promised; and what was measured with so much
    /// processor time holds with so much.
    ///
    /// `None` without any amount.
    #[must_use]
    pub fn resources(self) -> Option<Mapping> {
        let amounts = Mapping::new()
            .with_some("memory", self.memory_bytes.map(memory))
            .with_some("cpu", self.cpu_millis.map(cpu));
        (!amounts.is_empty()).then(|| {
            Mapping::new()
                .with("requests", amounts.clone())
                .with("limits", amounts)
        })
    }

    /// Limits of a container that uses processor time for a while only, such as one that warms
    /// another: it requests little of it, so that a pod fits where it would fit without.
    #[must_use]
    pub fn for_a_while(self) -> Option<Mapping> {
        let requested = Self {
            cpu_millis: self.cpu_millis.map(|millis| millis.min(FOR_A_WHILE_MILLIS)),
            ..self
        };
        let amounts = |of: Self| {
            Mapping::new()
                .with_some("memory", of.memory_bytes.map(memory))
                .with_some("cpu", of.cpu_millis.map(cpu))
        };
        let limits = amounts(self);
        (!limits.is_empty()).then(|| {
            Mapping::new()
                .with("requests", amounts(requested))
                .because("It needs processor time only while it warms: what it requests would be kept from others for as long as the pod lives, and during a rollout for one pod more.")
                .with("limits", limits)
        })
    }
}

/// What such a container requests, in thousandths of a processor.
const FOR_A_WHILE_MILLIS: u64 = 10;
