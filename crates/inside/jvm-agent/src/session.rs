//! A folder with requests and replies. The protocol is in `jvm/agent/README.md`.

use crate::error::AgentError;
use crate::shared::SharedFolder;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};
use tacho_attach::{AttachError, Jvm};
use tacho_launch::Lease;

const LOOK: Duration = Duration::from_millis(5);
const LOOK_AFTER_JVM: Duration = Duration::from_millis(250);
/// Largest reply that is read. Calls are added up inside the JVM, so replies are short.
const LARGEST_REPLY: u64 = 256 << 20;

/// The folder of a session, as both sides see it; removed when dropped.
#[derive(Debug)]
pub struct Session {
    folder: SharedFolder,
    next: u32,
    // Removes the folder if Tacho is killed before its agent runs.
    _lease: Lease,
}

/// How waiting for a reply ended.
enum Waited {
    Reply(Vec<u8>),
    Died,
    Late,
}

impl Session {
    /// Makes the folder, below `folder` where the JVM can see that.
    pub fn make(jvm: &Jvm, folder: &Path) -> Result<Self, AgentError> {
        let mut lease = Lease::take(&[])?;
        let folder = SharedFolder::make(jvm, folder, "tacho", "", Some(&mut lease))?;
        Ok(Self {
            folder,
            next: 1,
            _lease: lease,
        })
    }

    /// For the agent.
    pub fn path(&self) -> String {
        self.folder.path().display().to_string()
    }

    /// Sends a request and waits for its reply.
    pub fn ask(
        &mut self,
        jvm: &Jvm,
        command: &'static str,
        request: &serde_json::Value,
        patience: Duration,
    ) -> Result<Vec<String>, AgentError> {
        let number = self.next;
        self.next += 1;
        let file = format!("request-{number}.json");
        self.folder.write(&file, request.to_string().as_bytes())?;
        let reply = self.wait(jvm, number, command, patience);
        self.folder.remove(&file);
        reply
    }

    /// Waits for a reply: lines, of which the first says how it went.
    pub fn wait(
        &self,
        jvm: &Jvm,
        number: u32,
        command: &'static str,
        patience: Duration,
    ) -> Result<Vec<String>, AgentError> {
        let pid = jvm.pid();
        let file = format!("reply-{number}.jsonl");
        let waited = self
            .folder
            .as_its_user(|| wait_for(&file, &self.folder, jvm, patience))
            .and_then(|waited| waited)
            .map_err(AgentError::file(self.folder.inside(&file)))?;
        match waited {
            Waited::Reply(bytes) => {
                self.folder.remove(&file);
                let text = String::from_utf8(bytes).map_err(|e| AgentError::Garbled {
                    pid,
                    command,
                    why: e.to_string(),
                })?;
                Ok(text.lines().map(str::to_owned).collect())
            }
            Waited::Died => Err(AttachError::Died { pid }.into()),
            Waited::Late => Err(AgentError::NoAnswer {
                pid,
                command,
                waited: patience,
            }),
        }
    }
}

fn wait_for(
    file: &str,
    folder: &SharedFolder,
    jvm: &Jvm,
    patience: Duration,
) -> io::Result<Waited> {
    let begin = Instant::now();
    let mut looked = begin;
    loop {
        if let Some(reply) = folder.read_here(file, LARGEST_REPLY)? {
            return Ok(Waited::Reply(reply));
        }
        if looked.elapsed() > LOOK_AFTER_JVM {
            looked = Instant::now();
            if !jvm.is_alive() {
                return Ok(Waited::Died);
            }
        }
        if begin.elapsed() > patience {
            return Ok(Waited::Late);
        }
        std::thread::sleep(LOOK);
    }
}
