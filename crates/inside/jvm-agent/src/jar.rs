//! Places the agent's jar where a JVM can read it. There is one file for each version and user. So
//! a JVM that is inspected a thousand times gets one entry on its class path and not a thousand.

use crate::error::AgentError;
use crate::placed::{Afterwards, Placed, place};
use sha2::{Digest, Sha256};
use tacho_attach::Jvm;

/// Built from `jvm/agent`.
const JAR: &[u8] = include_bytes!(env!("TACHO_AGENT_JAR"));

/// Puts the jar where the JVM sees it.
pub fn install(jvm: &Jvm) -> Result<Placed, AgentError> {
    let name = format!("tacho-agent-{}.jar", &hash()[..16]);
    place(jvm, &name, JAR, Afterwards::GoesElsewhere)
}

fn hash() -> String {
    Sha256::digest(JAR)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
