//! Why a JVM could not be attached to, or did not do what it was told.

use crate::program::Program;
use std::time::Duration;
use tacho_foreign::Identity;

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
    /// A JVM listens to its own user and group only.
    #[error(
        "process {pid} runs as user {user}, and a JVM accepts only its own user: run this command as that user (sudo -u '#{user}' -g '#{group}' ...), or as root",
        user = .owner.user,
        group = .owner.group
    )]
    OtherUser {
        /// Process id of the JVM.
        pid: u32,
        /// Its effective user and group.
        owner: Identity,
    },
    /// Its part of `/proc` is closed to us.
    #[error("process {pid} cannot be inspected: {}", why_unseen(*owner, *may_trace))]
    Unseen {
        /// Process id of the JVM.
        pid: u32,
        /// Its effective user and group.
        owner: Identity,
        /// Whether we have the capability that is asked for.
        may_trace: bool,
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
        "process {pid} ignores SIGQUIT, the signal that makes a JVM open its attach socket: it is just starting (try again), or it runs with -Xrs and its socket /tmp/.java_pid{pid} has been removed (restart it)"
    )]
    Deaf {
        /// Process id of the JVM.
        pid: u32,
    },
    /// There was no socket, or no answer.
    #[error("process {pid} has not answered within {} s: it is stopped, starved of processor time, or in a long pause; try again, or allow it more time", waited.as_secs())]
    NoAnswer {
        /// Process id of the JVM.
        pid: u32,
        /// For how long.
        waited: Duration,
    },
    /// Another user's file has the name of the JVM's socket. If nobody listens there, Tacho run as
    /// root removes it; so for root this error means that the socket is in use.
    #[error(
        "process {pid} runs as user {owner} and cannot open its socket: {socket} belongs to another user. If an ended JVM with the same process number left it, remove it as root; if a JVM in another container listens there, give each container its own /tmp"
    )]
    NameTaken {
        /// Process id of the JVM.
        pid: u32,
        /// Its effective user.
        owner: u32,
        /// What has the name of its socket.
        socket: String,
    },
    /// Tacho cannot create a file in the JVM's `/tmp`, so the JVM could not create its socket
    /// there.
    #[error(
        "process {pid} cannot be attached to: a JVM opens a socket in /tmp for that, and its /tmp is not writable ({source}). {} `tacho memory {pid}` reads its mappings from outside",
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
    /// Version 1 of the protocol limits the length of arguments.
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
    #[error("process {pid} did not answer like a JVM ({why}); does {socket} belong to a JVM?")]
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

/// Who has the capability is not told to get it, nor that another user would see more.
fn why_unseen(owner: Identity, may_trace: bool) -> String {
    if may_trace {
        return "Tacho has the capability CAP_SYS_PTRACE, and the kernel refuses all the same. So the process is in a user namespace that Tacho's does not contain, or a security module (AppArmor, SELinux, ...) forbids it; `dmesg` often names the module and its rule. Run Tacho where the process was started (`kubectl exec`, `docker exec`), or on the node itself".to_owned();
    }
    let Identity { user, group } = owner;
    format!(
        "this needs the capability CAP_SYS_PTRACE. Root has it on a node, but in a container only if it is granted (a privileged one with hostPID: `kubectl debug node/NAME --profile=sysadmin`). Or run as its user: setpriv --reuid {user} --regid {group} --clear-groups ..."
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_to_run_as_another_is_told_the_group_as_well() {
        let owner = Identity {
            user: 1000,
            group: 3000,
        };
        let other = AttachError::OtherUser { pid: 7, owner }.to_string();
        assert!(other.contains("sudo -u '#1000' -g '#3000' ..."), "{other}");
        let unseen = unseen(owner, false);
        assert!(unseen.contains("needs the capability"), "{unseen}");
        let told = "setpriv --reuid 1000 --regid 3000 --clear-groups ...";
        assert!(unseen.ends_with(told), "{unseen}");
    }

    #[test]
    fn who_has_the_capability_is_not_told_to_get_it() {
        let owner = Identity { user: 0, group: 0 };
        let unseen = unseen(owner, true);
        for told in ["has the capability CAP_SYS_PTRACE", "security module"] {
            assert!(unseen.contains(told), "{unseen}");
        }
        assert!(!unseen.contains("setpriv"), "{unseen}");
    }

    fn unseen(owner: Identity, may_trace: bool) -> String {
        let pid = 7;
        let error = AttachError::Unseen {
            pid,
            owner,
            may_trace,
        };
        error.to_string()
    }
}
