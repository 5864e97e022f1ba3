//! The agent in a JVM.

use crate::error::AgentError;
use crate::jar;
use crate::placed::Placed;
use crate::reply::{Begun, Removed, Snapshot, read_snapshot};
use crate::request::{MethodPattern, OneByOne, Probe, Watch};
use crate::session::Session;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};
use tacho_attach::{AttachError, Jvm};

/// The version of the requests and replies.
const PROTOCOL: u64 = 1;
/// Timeout for the agent's first answer. It usually comes at once, but may take longer if there is
/// little processor time.
const BEGINNING: Duration = Duration::from_secs(120);
/// Timeout for other answers. Thousands of classes may have to be transformed, with little
/// processor time.
const PATIENCE: Duration = Duration::from_secs(180);
/// How long a JVM may take to start up, including its module system.
const STARTING: Duration = Duration::from_secs(120);
const LOOK: Duration = Duration::from_millis(20);
/// Time between two checks of the thread names.
const ASK_AGAIN: Duration = Duration::from_secs(2);
/// What the JVM itself, and not the agent, answers if it is too early.
const TOO_EARLY: [&str; 2] = [
    "java.lang.NullPointerException",
    "Dynamic agent loading is only permitted in the live phase",
];
/// How the line of a thread begins whose name is an error message of the agent.
const LAST_WORDS: &str = "\"tacho-agent: ";
/// How the line of any thread of the agent begins. It proves that the agent has run.
const OUR_THREADS: &str = "\"tacho-agent";
/// Timeout for ending the agent when nobody needs its answer.
const LEAVING: Duration = Duration::from_secs(20);

/// An agent in a JVM; at most one per JVM. It holds one instrument at a time. When it is dropped,
/// or when this process ends in any way, the JVM returns to its state before.
#[derive(Debug)]
pub struct Agent {
    jvm: Jvm,
    session: Session,
    // The JVM may read from it until the agent has gone.
    _jar: Placed,
    ended: bool,
}

impl Agent {
    /// Loads the agent into a JVM. Requests and replies are files in a folder of its own below
    /// `folder`; where the JVM cannot see that (a container, another user) below its `/tmp`.
    ///
    /// # Errors
    /// When the JVM lets nobody in, or the agent refuses; see [`AgentError`].
    pub fn attach(pid: u32, folder: &Path) -> Result<Self, AgentError> {
        let jvm = Jvm::attach(pid)?;
        let jar = jar::install(&jvm)?;
        let session = Session::make(&jvm, folder)?;
        let hello = begin(&jvm, jar.path(), &session)?;
        let agent = Self {
            jvm,
            session,
            _jar: jar,
            ended: false,
        };
        let understood = agent
            .first::<Hello>("hello", "ok", &hello)
            .and_then(|hello| agent.understand(&hello));
        match understood {
            Ok(()) => Ok(agent),
            Err(error) => {
                // The agent did not start, or is one that goes when its folder does. So there is
                // nothing to end.
                let mut agent = agent;
                agent.ended = true;
                Err(error)
            }
        }
    }

    /// The JVM that it is in.
    #[must_use]
    pub fn jvm(&self) -> &Jvm {
        &self.jvm
    }

    /// Puts probes in, instead of whatever was in before, and counts from now on. Stacks end at the
    /// first frame of one of the owners' packages (prefixes such as `com.acme.`; an empty one is
    /// the package without a name).
    ///
    /// # Errors
    /// When a request is not understood, or the JVM has ended.
    pub fn begin(&mut self, probes: &[Probe], owners: &[String]) -> Result<Begun, AgentError> {
        self.put_in("begin", json!({"probes": probes, "owners": owners}))
    }

    /// Times methods and every call in them, instead of whatever was in before. A root begins a
    /// tree; the inner methods are timed where they are called from a method of a tree.
    ///
    /// # Errors
    /// As [`Agent::begin`].
    pub fn trace(
        &mut self,
        roots: &[MethodPattern],
        inner: &[MethodPattern],
    ) -> Result<Begun, AgentError> {
        self.put_in("trace", json!({"roots": roots, "inner": inner}))
    }

    /// The same, and calls of the roots are kept one by one. Each is timed: what that may cost has
    /// no bound but the number of calls.
    ///
    /// # Errors
    /// As [`Agent::begin`].
    pub fn trace_one_by_one(
        &mut self,
        roots: &[MethodPattern],
        inner: &[MethodPattern],
        kept: OneByOne,
    ) -> Result<Begun, AgentError> {
        let mut request = json!(kept);
        request["roots"] = json!(roots);
        request["inner"] = json!(inner);
        self.put_in("trace", request)
    }

    /// Keeps calls one by one, instead of whatever was in before.
    ///
    /// # Errors
    /// As [`Agent::begin`].
    pub fn watch(&mut self, watch: &Watch, owners: &[String]) -> Result<Begun, AgentError> {
        let mut request = json!(watch);
        request["owners"] = json!(owners);
        self.put_in("watch", request)
    }

    /// Counts from zero again.
    ///
    /// # Errors
    /// When no instrument is in, or the JVM has ended.
    pub fn reset(&mut self) -> Result<(), AgentError> {
        let reply = self.ask("reset", json!({}), PATIENCE)?;
        self.first::<Value>("reset", "ok", &reply).map(drop)
    }

    /// Everything that was seen since the beginning, or since the last reset. Counting goes on.
    ///
    /// # Errors
    /// As [`Agent::reset`].
    pub fn snapshot(&mut self) -> Result<Snapshot, AgentError> {
        let reply = self.ask("snapshot", json!({}), PATIENCE)?;
        self.first::<Value>("snapshot", "snapshot", &reply)?;
        read_snapshot(&reply).map_err(|e| self.garbled("snapshot", e.to_string()))
    }

    /// Names of all classes that are loaded; but arrays, and those without a name of their own.
    ///
    /// # Errors
    /// When the JVM has ended, or does not answer.
    pub fn classes(&mut self) -> Result<Vec<String>, AgentError> {
        #[derive(Deserialize)]
        struct Classes {
            names: Vec<String>,
        }
        let reply = self.ask("classes", json!({}), PATIENCE)?;
        let Classes { names } = self.first("classes", "classes", &reply)?;
        Ok(names)
    }

    /// Takes the instrument out, puts every class back, and tells how that went. The agent is gone
    /// then.
    ///
    /// # Errors
    /// When the JVM has ended, or does not answer.
    pub fn end(mut self) -> Result<Removed, AgentError> {
        self.ended = true;
        let reply = self.ask("end", json!({}), PATIENCE)?;
        self.first("end", "removed", &reply)
    }

    fn put_in(&mut self, command: &'static str, request: Value) -> Result<Begun, AgentError> {
        let reply = self.ask(command, request, PATIENCE)?;
        self.first(command, "begun", &reply)
    }

    fn ask(
        &mut self,
        command: &'static str,
        mut request: Value,
        patience: Duration,
    ) -> Result<Vec<String>, AgentError> {
        request["command"] = json!(command);
        self.session.ask(&self.jvm, command, &request, patience)
    }

    fn understand(&self, hello: &Hello) -> Result<(), AgentError> {
        match hello.protocol {
            PROTOCOL => Ok(()),
            _ => Err(AgentError::OtherVersion {
                pid: self.jvm.pid(),
            }),
        }
    }

    /// The first line of a reply: of the kind that was expected, or an error.
    fn first<T: DeserializeOwned>(
        &self,
        command: &'static str,
        kind: &str,
        reply: &[String],
    ) -> Result<T, AgentError> {
        let line = reply.first().map_or("", String::as_str);
        let value: Value =
            serde_json::from_str(line).map_err(|e| self.garbled(command, e.to_string()))?;
        match value["kind"].as_str() {
            Some("error") => Err(AgentError::Refused {
                pid: self.jvm.pid(),
                said: tacho_foreign::one_line(value["error"].as_str().unwrap_or_default()),
            }),
            Some(found) if found == kind => {
                serde_json::from_value(value).map_err(|e| self.garbled(command, e.to_string()))
            }
            _ => Err(self.garbled(command, format!("no {kind}"))),
        }
    }

    fn garbled(&self, command: &'static str, why: String) -> AgentError {
        AgentError::Garbled {
            pid: self.jvm.pid(),
            command,
            why,
        }
    }
}

/// The agent's first answer.
#[derive(Deserialize)]
struct Hello {
    protocol: u64,
}

/// Loads the agent until it has answered. A JVM of JDK 17 that is still starting may claim that the
/// agent is loaded but not run it. Then there is neither a thread of the agent nor an answer.
fn begin(jvm: &Jvm, jar: &Path, session: &Session) -> Result<Vec<String>, AgentError> {
    let begin = Instant::now();
    let arguments = arguments(&session.path(), jar);
    loop {
        load(jvm, jar, &arguments, begin)?;
        if let Some(hello) = first_answer(jvm, session)? {
            return Ok(hello);
        }
        if begin.elapsed() > STARTING {
            return Err(no_answer(jvm, begin));
        }
        std::thread::sleep(LOOK);
    }
}

/// The JVM runs the entry of the first version that was ever in it. The entry takes all else from
/// the jar that is named here.
fn arguments(session: &str, jar: &Path) -> String {
    format!("{session}\n{}", jar.display())
}

fn no_answer(jvm: &Jvm, since: Instant) -> AgentError {
    AgentError::NoAnswer {
        pid: jvm.pid(),
        command: "hello",
        waited: since.elapsed(),
    }
}

/// Retries while the JVM is still starting. It answers commands from the middle of its start on,
/// but the module for agents (`java.instrument`) is initialised later. Until then, older JVMs
/// answer `NullPointerException` and newer ones a sentence. The agent has not run in that case.
fn load(jvm: &Jvm, jar: &Path, arguments: &str, begin: Instant) -> Result<(), AttachError> {
    loop {
        match jvm.load_java_agent(jar, arguments) {
            Err(AttachError::AgentFailed { said, .. })
                if TOO_EARLY.iter().any(|early| said.starts_with(early))
                    && begin.elapsed() < STARTING =>
            {
                std::thread::sleep(LOOK);
            }
            done => return done,
        }
    }
}

/// The agent's first answer. It is there once the agent is loaded, unless the agent could not write
/// it. `None` if the agent has not run. A JVM with little processor time may not list its threads
/// at first.
fn first_answer(jvm: &Jvm, session: &Session) -> Result<Option<Vec<String>>, AgentError> {
    let begin = Instant::now();
    let mut patience = Duration::ZERO;
    loop {
        match session.wait(jvm, 0, "hello", patience) {
            Err(AgentError::NoAnswer { .. }) if begin.elapsed() > BEGINNING => {
                return Err(no_answer(jvm, begin));
            }
            Err(AgentError::NoAnswer { .. }) => {}
            done => return done.map(Some),
        }
        if let Ok(threads) = jvm.jcmd("Thread.print") {
            match last_words(&threads) {
                Some(said) => {
                    let pid = jvm.pid();
                    return Err(AgentError::Refused { pid, said });
                }
                None if !threads.contains(OUR_THREADS) => return Ok(None),
                None => {}
            }
        }
        patience = ASK_AGAIN;
    }
}

/// The error message of an agent that cannot write into its folder. The agent gives it as the name
/// of a thread that it keeps alive for a while.
fn last_words(threads: &str) -> Option<String> {
    let said = threads
        .lines()
        .find_map(|line| line.strip_prefix(LAST_WORDS))?;
    let end = said.find('"').unwrap_or(said.len());
    Some(said[..end].to_owned())
}

impl Drop for Agent {
    fn drop(&mut self) {
        if !self.ended {
            // Nobody needs the answer. If this fails, the agent goes when the lease is free.
            let _ = self.ask("end", json!({}), LEAVING);
        }
    }
}
