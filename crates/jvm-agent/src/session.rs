//! A folder with requests and replies. The protocol is in `jvm/agent/README.md`.

use crate::error::AgentError;
use crate::shared::{SharedFolder, give};
use rustix::fs::{FlockOperation, fcntl_lock};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tacho_attach::{AttachError, Jvm};

const LOOK: Duration = Duration::from_millis(5);
const LOOK_AFTER_JVM: Duration = Duration::from_millis(250);

/// The folder of a session, as both sides see it; removed when dropped.
#[derive(Debug)]
pub struct Session {
    folder: SharedFolder,
    /// Held as long as this lives; the agent goes when it is free.
    _lease: File,
    next: u32,
}

impl Session {
    /// Makes the folder, below `folder` where the JVM can see that.
    pub fn make(jvm: &Jvm, folder: &Path) -> Result<Self, AgentError> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("tacho-{}-{}-{number}", jvm.pid(), std::process::id());
        // What a Tacho of the same number has left goes: its lease is free, and so its agent is gone.
        let folder = SharedFolder::make(jvm, folder, &name)?;
        let path = folder.outside("lease");
        let lease = File::create_new(&path).map_err(AgentError::file(&path))?;
        give(&path, jvm).map_err(AgentError::file(&path))?;
        fcntl_lock(&lease, FlockOperation::NonBlockingLockExclusive)
            .map_err(|e| AgentError::file(&path)(e.into()))?;
        Ok(Self {
            folder,
            _lease: lease,
            next: 1,
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
        let half = self.folder.outside("request.half");
        let file = self.folder.outside(&format!("request-{number}.json"));
        fs::write(&half, request.to_string())
            .and_then(|()| give(&half, jvm))
            .and_then(|()| fs::rename(&half, &file))
            .map_err(AgentError::file(&file))?;
        let reply = self.wait(jvm, number, command, patience);
        let _ = fs::remove_file(&file);
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
        let file = self.folder.outside(&format!("reply-{number}.jsonl"));
        let begin = Instant::now();
        let mut looked = begin;
        loop {
            match fs::read_to_string(&file) {
                Ok(text) => {
                    let _ = fs::remove_file(&file);
                    return Ok(text.lines().map(str::to_owned).collect());
                }
                Err(e) if e.kind() == ErrorKind::NotFound => {}
                Err(e) => return Err(AgentError::file(&file)(e)),
            }
            if looked.elapsed() > LOOK_AFTER_JVM {
                looked = Instant::now();
                if !jvm.is_alive() {
                    return Err(AttachError::Died { pid: jvm.pid() }.into());
                }
            }
            if begin.elapsed() > patience {
                return Err(AgentError::NoAnswer {
                    pid: jvm.pid(),
                    command,
                    waited: patience,
                });
            }
            std::thread::sleep(LOOK);
        }
    }
}
