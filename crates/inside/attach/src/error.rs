//! Why a JVM could not be attached to, or did not do what it was told.

use crate::program::Program;
use std::time::Duration;

/// Each text says what to do next.
#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    /// There is no such process.
    #[error("there is no process {pid}; `jps` or `pgrep -a java` list those that run")]
    NoProcess {
        /// Process id that was given.
        pid: u32,
    },
    /// It was there.
    #[error("process {pid} has ended while it was asked; its own log says why")]
    Died {
        /// Process id that was given.
        pid: u32,
    },
    /// A JVM listens to its own user only.
    #[error(
        "process {pid} runs as user {owner}, and a JVM lets nobody else in: run the same as that user (sudo -u '#{owner}' ...), or as root"
    )]
    OtherUser {
        /// Process id of the JVM.
        pid: u32,
        /// Its effective user.
        owner: u32,
    },
    /// Its part of `/proc` is closed to us.
    #[error(
        "process {pid} cannot be looked into: that takes the capability CAP_SYS_PTRACE, which root has on a node, and in a container only when it is given (a privileged one with hostPID: `kubectl debug node/NAME --profile=sysadmin`). Or run as its user: setpriv --reuid {owner} ..."
    )]
    Unseen {
        /// Process id of the JVM.
        pid: u32,
        /// Its effective user.
        owner: u32,
    },
    /// It is something else.
    #[error("process {pid} {program}")]
    NotHotSpot {
        /// Process id that was given.
        pid: u32,
        /// What it is.
        program: Program,
    },
    /// It was told not to listen.
    #[error(
        "process {pid} was started with -XX:+DisableAttachMechanism; restart it without, or look at it from outside (`tacho memory {pid}`, its flight recordings)"
    )]
    Disabled {
        /// Process id of the JVM.
        pid: u32,
    },
    /// SIGQUIT would end it.
    #[error(
        "process {pid} does not listen to SIGQUIT, by which a JVM is told to open its socket: it is just starting (try again), or it runs with -Xrs and its socket /tmp/.java_pid{pid} has been removed (restart it)"
    )]
    Deaf {
        /// Process id of the JVM.
        pid: u32,
    },
    /// No socket, or no answer.
    #[error("process {pid} has not answered within {} s: it is stopped, starved of processor time, or at a standstill for long; try again, or with more patience", waited.as_secs())]
    NoAnswer {
        /// Process id of the JVM.
        pid: u32,
        /// For how long.
        waited: Duration,
    },
    /// What has the name of its socket is another user's. Root's Tacho removes it when nobody
    /// listens there, so that to root it is in use.
    #[error(
        "process {pid} runs as user {owner} and cannot open its socket: {socket} is another user's. Where a JVM of the same number has left it that is gone, remove it as root; where a JVM of another container listens there, give each container a /tmp of its own"
    )]
    NameTaken {
        /// Process id of the JVM.
        pid: u32,
        /// Its effective user.
        owner: u32,
        /// What has the name of its socket.
        socket: String,
    },
    /// No file can be made in its `/tmp`, and so no socket.
    #[error(
        "process {pid} cannot be asked: a JVM opens a socket in /tmp for that, and its /tmp takes no file ({source}). {} `tacho memory {pid}` sees its mappings from outside",
        how_to_mend(source)
    )]
    NoTmp {
        /// Process id of the JVM.
        pid: u32,
        /// Why the system refused.
        source: std::io::Error,
    },
    /// JDK 21 and newer can forbid it (JEP 451).
    #[error(
        "process {pid} was started with -XX:-EnableDynamicAgentLoading; restart it with -XX:+EnableDynamicAgentLoading"
    )]
    AgentsForbidden {
        /// Process id of the JVM.
        pid: u32,
    },
    /// An agent is loaded, and has failed.
    #[error("the agent {agent} could not do its work in process {pid}: {said}")]
    AgentFailed {
        /// Process id of the JVM.
        pid: u32,
        /// Path of the agent's jar or library.
        agent: String,
        /// What the JVM, the loader of libraries, or the agent says.
        said: String,
    },
    /// A command was not carried out.
    #[error("process {pid} does not do `{command}`: {said}")]
    Refused {
        /// Process id of the JVM.
        pid: u32,
        /// As it was given.
        command: String,
        /// In the JVM's own words.
        said: String,
    },
    /// Protocol version 1 bounds them.
    #[error(
        "`{command}` has an argument of {length} bytes; a JVM reads 1024. Use shorter paths (a folder below /tmp)"
    )]
    TooLong {
        /// As it was given.
        command: String,
        /// Of the longest argument.
        length: usize,
    },
    /// It is no answer.
    #[error("process {pid} answered what no JVM answers ({why}); is {socket} a JVM's own?")]
    Garbled {
        /// Process id of the JVM.
        pid: u32,
        /// Path of the attach socket.
        socket: String,
        /// What is wrong with it.
        why: crate::AnswerError,
    },
    /// A file, a socket, a signal.
    #[error("cannot {action}: {source}")]
    Io {
        /// What was tried.
        action: String,
        /// Why the system refused.
        source: std::io::Error,
    },
}

fn how_to_mend(source: &std::io::Error) -> &'static str {
    use std::io::ErrorKind;
    match source.kind() {
        ErrorKind::ReadOnlyFilesystem => {
            "A container whose root file system is read-only (readOnlyRootFilesystem: true) needs a volume there: mount an emptyDir at /tmp, and start it again."
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "Make room there.",
        ErrorKind::NotFound => "Make the folder, with mode 1777.",
        _ => "Give its user the right to write there (mode 1777).",
    }
}

impl AttachError {
    pub(crate) fn io(action: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let action = action.into();
        move |source| Self::Io { action, source }
    }
}
