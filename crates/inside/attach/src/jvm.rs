//! A JVM that is attached to.

use crate::answer::Answer;
use crate::error::AttachError;
use crate::program;
use crate::socket::{self, ARGUMENT_BYTES, Silence};
use crate::target::Target;
use crate::trigger;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use tacho_foreign::{Identity, Root, one_line};

/// How long the JVM's own tools wait for the socket (`sun.tools.attach.attachTimeout`).
const WAKING: Duration = Duration::from_secs(10);
/// Timeout for the answer to a command. A full collection of a large heap may be such a command.
const PATIENCE: Duration = Duration::from_secs(60);
/// Timeout for a check whether the JVM listens.
const GLANCE: Duration = Duration::from_millis(500);
/// The status of a JVM that does not know the protocol version.
const BAD_VERSION: i32 = 101;

/// A JVM that accepts our commands. No connection is kept open: each command has its own.
#[derive(Debug, Clone)]
pub struct Jvm {
    target: Target,
    patience: Duration,
}

impl Jvm {
    /// Attaches: checks that the process is a JVM that may be asked, and wakes its listener.
    ///
    /// # Errors
    /// See [`AttachError`]; each text says what to do next.
    pub fn attach(pid: u32) -> Result<Self, AttachError> {
        Self::attach_within(pid, WAKING)
    }

    /// The same with a given timeout for waking it.
    ///
    /// # Errors
    /// As [`Jvm::attach`].
    pub fn attach_within(pid: u32, patience: Duration) -> Result<Self, AttachError> {
        let jvm = Self {
            target: Target::look(pid)?,
            patience: PATIENCE,
        };
        if Identity::own().user == 0 {
            trigger::remove_left_socket(&jvm.target);
        }
        jvm.as_its_user(|| {
            let is_open = || is_listening(&jvm.target);
            if is_open() {
                return Ok(());
            }
            trigger::wake(&jvm.target, patience, is_open)
        })??;
        Ok(jvm)
    }

    /// Waits this long for the answer to a command, instead of a minute.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The process id, as we see it.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.target.pid
    }

    /// The start time in ticks since boot. Together with the process id it identifies the process.
    #[must_use]
    pub fn start_ticks(&self) -> u64 {
        self.target.start_ticks
    }

    /// Whether it still runs.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.target.is_alive()
    }

    /// Whether a path means the same file for the JVM and for us. Otherwise see [`Jvm::outside`].
    #[must_use]
    pub fn shares_files(&self) -> bool {
        self.target.shares_files()
    }

    /// Whether the JVM's C library is musl (as on Alpine) and not glibc; false if that cannot be
    /// seen.
    #[must_use]
    pub fn is_musl(&self) -> bool {
        program::is_musl(self.pid()).unwrap_or(false)
    }

    /// The file tree that the JVM sees. Paths that the JVM names are resolved within it and nowhere
    /// else.
    #[must_use]
    pub fn root(&self) -> &Root {
        &self.target.root
    }

    /// Loads an agent written in Java and runs its `agentmain` with the arguments; the JVM answers
    /// when that has returned. A jar that is loaded already is not read again.
    ///
    /// # Errors
    /// [`AttachError::AgentFailed`] when it throws, [`AttachError::AgentsForbidden`], and as
    /// [`Jvm::attach`].
    pub fn load_java_agent(&self, jar: &Path, arguments: &str) -> Result<(), AttachError> {
        let options = format!("{}={arguments}", jar.display());
        self.load(jar, &["load", "instrument", "false", &options])
    }

    /// Loads a native agent by the path of its library, and runs its `Agent_OnAttach` with the
    /// options.
    ///
    /// # Errors
    /// [`AttachError::AgentFailed`] when it cannot be loaded or does not return 0, and as
    /// [`Jvm::attach`].
    pub fn load_native_agent(&self, path: &Path, options: &str) -> Result<(), AttachError> {
        let name = path.display().to_string();
        self.load(path, &["load", &name, "true", options])
    }

    /// A diagnostic command, as `jcmd PID ...` takes it, and what it prints.
    ///
    /// # Errors
    /// [`AttachError::Refused`] with the JVM's own words, and as [`Jvm::attach`].
    pub fn jcmd(&self, command: &str) -> Result<String, AttachError> {
        let answer = self.ask(&["jcmd", command])?;
        self.done(&answer, command)?;
        Ok(answer.text)
    }

    /// The JVM's system properties.
    ///
    /// # Errors
    /// As [`Jvm::jcmd`].
    pub fn properties(&self) -> Result<BTreeMap<String, String>, AttachError> {
        let answer = self.ask(&["properties"])?;
        self.done(&answer, "properties")?;
        Ok(read_properties(&answer.text))
    }

    fn load(&self, agent: &Path, words: &[&str]) -> Result<(), AttachError> {
        let answer = self.ask(words)?;
        if answer.status == 0 && answer.agent_code() == Some(0) {
            return Ok(());
        }
        if answer.text.contains("Dynamic agent loading is not enabled") {
            return Err(AttachError::AgentsForbidden { pid: self.pid() });
        }
        Err(AttachError::AgentFailed {
            pid: self.pid(),
            agent: agent.display().to_string(),
            said: explain(&answer),
        })
    }

    fn done(&self, answer: &Answer, command: &str) -> Result<(), AttachError> {
        if answer.status == 0 {
            return Ok(());
        }
        let said = match (answer.status, answer.text.trim()) {
            (BAD_VERSION, "") => {
                "it does not speak version 1 of the attach protocol; is it a HotSpot JVM?"
                    .to_owned()
            }
            (status, "") => format!("status {status}, without a reason"),
            (_, text) => one_line(text),
        };
        Err(AttachError::Refused {
            pid: self.pid(),
            command: command.to_owned(),
            said,
        })
    }

    fn ask(&self, words: &[&str]) -> Result<Answer, AttachError> {
        let pid = self.pid();
        let longest = words.iter().map(|word| word.len()).max().unwrap_or(0);
        if longest >= ARGUMENT_BYTES {
            return Err(AttachError::TooLong {
                command: words[0].to_owned(),
                length: longest,
            });
        }
        let name = trigger::socket_name(&self.target);
        let asked = self.as_its_user(|| {
            let socket = trigger::socket(&self.target).map_err(Silence::NoSocket)?;
            socket::ask(&socket, words, self.patience, || self.is_alive())
        })?;
        asked.map_err(|silence| match silence {
            Silence::Died => AttachError::Died { pid },
            Silence::NoSocket(_) | Silence::Io(_) if !self.is_alive() => AttachError::Died { pid },
            Silence::Late => AttachError::NoAnswer {
                pid,
                waited: self.patience,
            },
            Silence::Garbled(why) => AttachError::Garbled {
                pid,
                socket: format!("/tmp/{name}"),
                why,
            },
            Silence::NoSocket(source) | Silence::Io(source) => {
                AttachError::io(format!("ask process {pid} at /tmp/{name}"))(source)
            }
        })
    }

    /// Runs `act` as the JVM's user. A JVM accepts its own user; older JVMs do not even accept
    /// root. And files that this user may not access stay out of reach.
    ///
    /// # Errors
    /// When the kernel refuses to let us act as that user.
    pub fn as_its_user<T: Send>(&self, act: impl FnOnce() -> T + Send) -> Result<T, AttachError> {
        let owner = self.target.owner;
        owner.act(act).map_err(AttachError::io(format!(
            "act as user {} of process {}",
            owner.user, self.target.pid
        )))
    }

    /// The user and group of the JVM. Files that it should read or write have to belong to that
    /// user.
    #[must_use]
    pub fn identity(&self) -> Identity {
        self.target.owner
    }
}

/// The socket file alone proves nothing: an earlier JVM with the same number may have left it.
fn is_listening(target: &Target) -> bool {
    trigger::socket(target).is_ok_and(|socket| socket::can_connect(&socket, GLANCE))
}

/// The reason in words, if the JVM gives only a number (`ERR_*` of the JDK's instrument library).
fn explain(answer: &Answer) -> String {
    match answer.agent_code() {
        Some(100) => "the jar cannot be read, or names no Agent-Class".to_owned(),
        Some(101) => "the jar could not be added to the class path".to_owned(),
        Some(102) => {
            "its agentmain failed; the JVM has printed the reason on its own standard error"
                .to_owned()
        }
        Some(code) => format!("it returned {code}"),
        None if answer.text.trim().is_empty() => {
            format!("status {}, without a reason", answer.status)
        }
        None => one_line(&answer.text),
    }
}

/// The JDK release that properties of a JVM name: `17`, or `1.8`.
#[must_use]
pub fn release(properties: &BTreeMap<String, String>) -> Option<u32> {
    let text = properties.get("java.specification.version")?;
    text.strip_prefix("1.").unwrap_or(text).parse().ok()
}

/// `java.util.Properties` as text: `key=value`, comments, escapes.
#[doc(hidden)]
#[must_use]
pub fn read_properties(text: &str) -> BTreeMap<String, String> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let end = key_end(line)?;
            Some((unescape(&line[..end]), unescape(&line[end + 1..])))
        })
        .collect()
}

/// The first `=` that is not escaped.
fn key_end(line: &str) -> Option<usize> {
    let mut escaped = false;
    line.char_indices().find_map(|(at, c)| {
        let here = c == '=' && !escaped;
        escaped = c == '\\' && !escaped;
        here.then_some(at)
    })
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('u') => {
                let digits: String = chars.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok();
                out.push(code.and_then(char::from_u32).unwrap_or('\u{fffd}'));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn releases_are_as_jvms_name_them() {
        let of = |version: &str| {
            let properties = [("java.specification.version", version)];
            release(&properties.map(|(k, v)| (k.to_owned(), v.to_owned())).into())
        };
        assert_eq!((of("1.8"), of("25"), of("")), (Some(8), Some(25), None));
        assert_eq!(release(&BTreeMap::new()), None);
    }

    #[test]
    fn properties_are_read_as_java_writes_them() {
        let read = read_properties(
            "#Sun Nov 22\njava.version=17.0.1\na\\=b=c\\:\\\\d\nline.separator=\\n\nname=J\\u00f6rg\n",
        );
        let get = |key: &str| read.get(key).map(String::as_str);
        assert_eq!(get("java.version"), Some("17.0.1"));
        assert_eq!(get("a=b"), Some("c:\\d"));
        assert_eq!(get("line.separator"), Some("\n"));
        assert_eq!(get("name"), Some("Jörg"));
        assert_eq!(read.len(), 4);
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_of_properties_panic(text in "([=\\\\u#nrä0-9a-f]|\n){0,60}") {
            let _ = read_properties(&text);
        }
    }
}
