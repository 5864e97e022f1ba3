//! The agent in the subject, for one window.

use super::instruments::Finished;
use tacho_jvm_agent::{Agent, AgentError, Begun, Removed, Snapshot};
use tacho_run_folder::{LaunchDir, NotObserved};

/// The most methods that are named when they cannot be instrumented; nobody reads more.
const MOST_REFUSED: usize = 5;

/// The agent, and what it saw once it was taken out again.
pub struct AgentInWindow {
    agent: Option<Agent>,
    begun: Begun,
    seen: Snapshot,
    removed: Removed,
}

impl AgentInWindow {
    /// Loads the agent; nothing is instrumented yet.
    pub fn attach(pid: u32, folder: &LaunchDir) -> Result<Self, String> {
        let agent = Agent::attach(pid, folder.path()).map_err(|e| e.to_string())?;
        Ok(Self {
            agent: Some(agent),
            begun: Begun::default(),
            seen: Snapshot::default(),
            removed: Removed::default(),
        })
    }

    /// Puts an instrument in. That makes calls of its own, so all counts start from zero
    /// afterwards.
    pub fn put_in(
        &mut self,
        begin: impl FnOnce(&mut Agent) -> Result<Begun, AgentError>,
    ) -> Result<(), String> {
        let agent = self.agent.as_mut().ok_or("the agent is gone")?;
        self.begun = begin(agent).map_err(|e| e.to_string())?;
        agent.reset().map_err(|e| e.to_string())
    }

    pub fn take_out(&mut self) -> Result<(), String> {
        let mut agent = self.agent.take().ok_or("the agent is gone")?;
        self.seen = agent.snapshot().map_err(|e| e.to_string())?;
        self.removed = agent.end().map_err(|e| e.to_string())?;
        Ok(())
    }

    /// How many are instrumented.
    pub fn methods(&self) -> u32 {
        self.begun.methods
    }

    pub fn seen(&self) -> &Snapshot {
        &self.seen
    }

    /// What could not be put in, and what could not be taken out again.
    pub fn finished(&self) -> Finished {
        let refused = self.begun.refused.iter().take(MOST_REFUSED);
        let left = self.removed.left.iter();
        Finished {
            missing: refused
                .map(|refused| NotObserved {
                    what: refused.what.clone(),
                    why: refused.why.clone(),
                })
                .collect(),
            left_behind: left
                .map(|left| format!("{}: {}", left.what, left.why))
                .collect(),
            ..Finished::default()
        }
    }
}
