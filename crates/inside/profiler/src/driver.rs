//! Switches async-profiler on and off in a JVM.

use crate::library::{AsyncProfiler, ProfilerError};
use crate::sampling::Attempt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tacho_attach::{AttachError, Jvm};
use tacho_jvm_agent::{Afterwards, AgentError, Placed, place};

/// How async-profiler is started.
#[derive(Debug, Clone)]
pub struct Start<'s> {
    /// Ways to ask, best first; see [`Sampling`](crate::Sampling).
    pub attempts: &'s [Attempt],
    /// Frames of a stack.
    pub depth: u32,
    /// It ends by itself after this time, even if nobody stops it.
    pub ends: Option<Duration>,
    /// The recording that it writes, as the JVM names it.
    pub recording: &'s Path,
    /// The file for its error messages, as the JVM sees it. The JVM itself only reports a number.
    pub log: Option<&'s Path>,
}

/// async-profiler where a JVM can load it.
#[derive(Debug)]
pub struct Driver {
    profiler: AsyncProfiler,
    library: Library,
}

/// Where the JVM loads it from.
#[derive(Debug)]
enum Library {
    /// Our own file.
    Ours(PathBuf),
    /// A copy that it sees.
    Copy(Placed),
}

impl Driver {
    /// Puts the library where the JVM can see it: in a container it may not see our files.
    ///
    /// # Errors
    /// When the library is not what it should be, or there is no room for it.
    pub fn new(profiler: &AsyncProfiler, jvm: &Jvm) -> Result<Self, ProfilerError> {
        profiler.suits(jvm)?;
        // Check the library now, and not when it was found, because it becomes part of another
        // user's JVM.
        let content = profiler.read()?;
        let is_seen =
            jvm.shares_files() && jvm.identity().user == rustix::process::geteuid().as_raw();
        let library = if is_seen {
            Library::Ours(profiler.library.clone())
        } else {
            let version = profiler.version.as_deref().unwrap_or("own");
            let name = format!("libasyncProfiler-{version}.so");
            Library::Copy(place(jvm, &name, &content, afterwards(jvm))?)
        };
        Ok(Self {
            profiler: profiler.clone(),
            library,
        })
    }

    /// As the JVM names it.
    #[must_use]
    pub fn library(&self) -> &Path {
        match &self.library {
            Library::Ours(path) => path,
            Library::Copy(placed) => placed.path(),
        }
    }

    /// Switches it on with the first attempt that the JVM accepts, and returns its engine. `why`
    /// reads the log of an attempt that failed.
    ///
    /// # Errors
    /// When no attempt is taken.
    pub fn start(
        &self,
        jvm: &Jvm,
        start: &Start<'_>,
        why: impl Fn() -> Result<Option<String>, AgentError>,
    ) -> Result<Option<&'static str>, ProfilerError> {
        let mut refused = AttachError::Refused {
            pid: jvm.pid(),
            command: "start".to_owned(),
            said: "nothing to sample".to_owned(),
        };
        for attempt in start.attempts {
            match jvm.load_native_agent(self.library(), &start.options(attempt)) {
                Ok(()) => return Ok(attempt.engine),
                Err(AttachError::AgentFailed { pid, agent, said }) => {
                    refused = AttachError::AgentFailed {
                        pid,
                        agent,
                        said: why()?.unwrap_or(said),
                    };
                }
                Err(error) => return Err(AgentError::from(error).into()),
            }
        }
        Err(AgentError::from(refused).into())
    }

    /// Switches it off; the recording is complete after that. Checks the library first, because the
    /// JVM loads the file that is there now.
    ///
    /// # Errors
    /// When the library is no longer what it was, or the JVM does not answer.
    pub fn stop(&self, jvm: &Jvm, recording: &Path) -> Result<(), ProfilerError> {
        self.profiler.check()?;
        stop(jvm, self.library(), recording).map_err(|error| AgentError::from(error).into())
    }
}

/// What happens to the copy. glibc's loader recognises a loaded library by its path, even if the
/// file was removed and created again. musl's recognises it by its file, so a new file would be a
/// second library.
fn afterwards(jvm: &Jvm) -> Afterwards {
    match jvm.is_musl() {
        true => Afterwards::Stays,
        false => Afterwards::GoesElsewhere,
    }
}

/// Switches off an async-profiler that another Tacho started, through the library that the JVM has
/// loaded.
///
/// # Errors
/// When it is off, or the JVM does not answer.
pub fn stop(jvm: &Jvm, library: &Path, recording: &Path) -> Result<(), AttachError> {
    jvm.load_native_agent(library, &format!("stop,file={}", recording.display()))
}

/// Of a recording, in bytes: one is in the heap of its reader, whole. By default it is 100 MiB.
const CHUNK: u64 = 16 << 20;

impl Start<'_> {
    fn options(&self, attempt: &Attempt) -> String {
        let mut options = format!("start,{},jstackdepth={}", attempt.options, self.depth);
        if let Some(ends) = self.ends {
            options += &format!(",timeout={}", ends.as_secs());
        }
        options += &format!(",jfr,chunksize={CHUNK},file={}", self.recording.display());
        if let Some(log) = self.log {
            options += &format!(",log={}", log.display());
        }
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sampling;

    #[test]
    fn options_say_where_it_writes_and_when_it_ends() {
        let sampling = Sampling {
            processor: Some(Duration::from_millis(1)),
            ..Sampling::default()
        };
        let attempts = sampling.attempts(false);
        let start = Start {
            attempts: &attempts,
            depth: 256,
            ends: None,
            recording: Path::new("/run/processor.jfr"),
            log: None,
        };
        assert_eq!(
            start.options(&attempts[0]),
            "start,event=ctimer,interval=1000000,jstackdepth=256,jfr,chunksize=16777216,file=/run/processor.jfr"
        );
        let limited = Start {
            ends: Some(Duration::from_secs(30)),
            log: Some(Path::new("/tmp/log")),
            ..start
        };
        assert_eq!(
            limited.options(&attempts[1]),
            "start,event=itimer,interval=1000000,jstackdepth=256,timeout=30,jfr,chunksize=16777216,file=/run/processor.jfr,log=/tmp/log"
        );
    }
}
