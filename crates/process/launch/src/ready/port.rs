//! One listening port of the subject: its connection, its probes, its instants.

use super::connection::{Connection, Event, Loss};
use super::listeners::Sight;
use super::paths::{Paths, Step};
use crate::sockets::ListeningSocket;
use rustix::event::PollFlags;
use rustix::fd::BorrowedFd;
use std::net::SocketAddr;
use tacho_clock::monotonic_ns;

/// The first interval between two probes. With the timer's lateness this gives one probe a
/// millisecond.
const SHORTEST_INTERVAL_NS: u64 = 900_000;
/// The longest interval between two probes.
const LONGEST_INTERVAL_NS: u64 = 10_000_000;
/// The interval grows with the time for which the subject is not ready: it is one part in this many
/// of that time. So the resolution stays far below what is measured, unless the answers themselves
/// take longer.
const INTERVAL_SHARE: u64 = 2_000;
/// A path that no service has.
const NOTHING_S_PATH: &str = "/tacho-asks-for-what-is-not-there";
/// A port that does not speak HTTP is tried again after this time.
const NOT_HTTP_PAUSE_NS: u64 = 250_000_000;

/// When to ask again after an answer that says `not yet`. A subject that takes long to answer, cold
/// and on little processor time, has at least as long for its own work.
fn again_ns(sent_ns: u64, at_ns: u64, interval_ns: u64) -> u64 {
    let answering_ns = at_ns.saturating_sub(sent_ns);
    let rest_ns = answering_ns.clamp(interval_ns / 2, LONGEST_INTERVAL_NS);
    (sent_ns + interval_ns).max(at_ns + rest_ns)
}

/// A listening port that is being asked.
#[derive(Debug)]
pub(super) struct Port {
    pub(super) socket: ListeningSocket,
    pub(super) listening: Sight,
    pub(super) first_connection: Option<Sight>,
    pub(super) first_response: Option<Sight>,
    pub(super) first_2xx: Option<Sight>,
    /// When the answer came that made it ready, and which.
    pub(super) ready: Option<(Sight, String)>,
    pub(super) probes: u32,
    addresses: Vec<SocketAddr>,
    address: usize,
    paths: Option<Paths>,
    connection: Option<Connection>,
    sent: Option<Probe>,
    last_sent_ns: Option<u64>,
    next_ns: u64,
    problem: Option<Loss>,
    /// The experiment's own request.
    own: Option<Question>,
    /// A request for what no service has.
    nothing: Option<Question>,
}

/// A request that is only sent where ports have to be told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    Asked,
    Answered(u16),
}

impl Question {
    /// Whether it was answered with 2xx; `None` while that is not known.
    fn is_answered(self) -> Option<bool> {
        match self {
            Self::Asked => None,
            Self::Answered(status) => Some((200..300).contains(&status)),
        }
    }
}

/// A request under way, and the earliest instants at which its answer could have been had.
#[derive(Debug, Clone, Copy)]
struct Probe {
    /// The last earlier instant at which an answer was certainly impossible: when the previous
    /// probe was sent, or the last look at which the port did not listen.
    no_answer_ns: u64,
    /// The same for readiness: when the same path was asked before, or when the first answer came.
    not_ready_ns: u64,
}

impl Port {
    /// `paths`: what to ask; `None` for a connection only.
    pub(super) fn new(socket: ListeningSocket, listening: Sight, paths: Option<Paths>) -> Self {
        Self {
            addresses: socket.reachable_at(),
            socket,
            listening,
            first_connection: None,
            first_response: None,
            first_2xx: None,
            ready: None,
            probes: 0,
            address: 0,
            paths,
            connection: None,
            sent: None,
            last_sent_ns: None,
            next_ns: 0,
            problem: None,
            own: None,
            nothing: None,
        }
    }

    /// Whether the port answers, and answered something with 2xx, which says something of it.
    pub(super) fn is_sure(&self) -> bool {
        self.ready.is_some() && self.first_2xx.is_some() && self.is_told_apart()
    }

    /// Nobody doubts that it is the service's, or it knows what it has and what not.
    pub(super) fn is_told_apart(&self) -> bool {
        let answered = |nothing: Question| nothing.is_answered() == Some(false);
        self.nothing.is_none_or(answered)
    }

    /// It has answered with 2xx even what no service has.
    pub(super) fn answers_anything(&self) -> bool {
        self.nothing.and_then(Question::is_answered) == Some(true)
    }

    /// Asks a port that is ready for what no service has, once. One that has answered anything
    /// before its first 2xx knows what it has.
    pub(super) fn ask_for_nothing(&mut self) {
        let at = |first: Option<Sight>| first.map(|sight| sight.at_ns);
        let is_known = at(self.first_response) != at(self.first_2xx);
        if self.nothing.is_some() || is_known || !self.is_sure() {
            return;
        }
        self.paths = Some(Paths::exactly(NOTHING_S_PATH));
        self.next_ns = monotonic_ns();
        self.nothing = Some(Question::Asked);
    }

    /// Asks a port that takes connections, and of which nothing else is wanted, for what no service
    /// has, once.
    pub(super) fn ask_connected_for_nothing(&mut self) {
        if self.nothing.is_some() || self.first_connection.is_none() {
            return;
        }
        // What was lost before is no answer to this.
        self.problem = None;
        self.paths = Some(Paths::exactly(NOTHING_S_PATH));
        self.next_ns = monotonic_ns();
        self.nothing = Some(Question::Asked);
    }

    /// Whether what it did when it was asked for what no service has tells it from the port of an
    /// agent: it does not have that, does not speak HTTP, or has said nothing for so long.
    pub(super) fn is_no_agents(&self, patience_ns: u64) -> bool {
        let is_silent = || {
            let asked_ns = self.last_sent_ns;
            asked_ns.is_some_and(|at_ns| monotonic_ns().saturating_sub(at_ns) >= patience_ns)
        };
        match self.nothing {
            None => false,
            Some(Question::Asked) => self.problem.is_some() || is_silent(),
            Some(question) => question.is_answered() == Some(false),
        }
    }

    /// It has taken a connection.
    pub(super) fn is_connected(&self) -> bool {
        self.first_connection.is_some()
    }

    /// Asks a port that is ready for the experiment's own request, once.
    pub(super) fn ask_own(&mut self, path: &str) {
        let Some((_, by)) = &self.ready else { return };
        // One question at a time.
        if self.own.is_some() || self.nothing == Some(Question::Asked) {
            return;
        }
        let is_by = |status: &str| by.contains(&format!("GET {path} answered {status}"));
        self.own = if is_by("2") {
            Some(Question::Answered(200))
        } else if self.first_2xx.is_none() {
            // The request was among the paths that did not answer 2xx.
            Some(Question::Answered(404))
        } else {
            self.paths = Some(Paths::exactly(path));
            self.next_ns = monotonic_ns();
            Some(Question::Asked)
        };
    }

    /// Whether it answered its own request as wanted; `None` while that is not known.
    pub(super) fn answers_own(&self) -> Option<bool> {
        self.own?.is_answered()
    }

    /// Where it is reached.
    pub(super) fn address(&self) -> SocketAddr {
        self.addresses
            .get(self.address)
            .copied()
            .unwrap_or(self.socket.address)
    }

    pub(super) fn number(&self) -> u16 {
        self.socket.address.port()
    }

    /// It has answered HTTP.
    pub(super) fn speaks_http(&self) -> bool {
        self.first_response.is_some()
    }

    /// From now on it is asked for a path too.
    pub(super) fn ask(&mut self, paths: Paths) {
        self.paths.get_or_insert(paths);
    }

    /// When [`Self::act`] is due; `None` while it waits for the socket.
    pub(super) fn next_ns(&self) -> Option<u64> {
        match &self.connection {
            // There is nothing to ask, and it is known to accept connections.
            None if self.paths.is_none() && self.first_connection.is_some() => None,
            None => Some(self.next_ns),
            Some(c) if c.is_idle() && self.paths.is_some() => Some(self.next_ns),
            Some(_) => None,
        }
    }

    /// What to wait for.
    pub(super) fn interest(&self) -> Option<(BorrowedFd<'_>, PollFlags)> {
        self.connection.as_ref().map(|c| (c.fd(), c.interest()))
    }

    /// Connects or sends, when it is time for it.
    pub(super) fn act(&mut self) {
        if self.next_ns().is_none_or(|next| monotonic_ns() < next) {
            return;
        }
        if self.connection.is_none() {
            match Connection::open(self.address()) {
                Ok(connection) => {
                    self.connection = Some(connection);
                    // A connection within the machine is made within the call.
                    self.advance_if_writable();
                }
                Err(loss) => self.lose(loss),
            }
        }
        self.send_probe();
    }

    fn advance_if_writable(&mut self) {
        let writable = self.interest().is_some_and(|(fd, flags)| {
            let mut fds = [rustix::event::PollFd::from_borrowed_fd(fd, flags)];
            let at_once = rustix::event::Timespec::default();
            matches!(rustix::event::poll(&mut fds, Some(&at_once)), Ok(1))
        });
        if writable {
            self.advance();
        }
    }

    fn send_probe(&mut self) {
        let host = self.address();
        let (Some(connection), Some(paths)) = (&mut self.connection, &mut self.paths) else {
            return;
        };
        if !connection.is_idle() || monotonic_ns() < self.next_ns {
            return;
        }
        match connection.get(paths.current(), host) {
            Ok(sent_ns) => {
                let before = self.listening.not_yet_ns;
                // Before the answer to its first request the subject was not ready, whatever path
                // was asked.
                let not_ready = self.first_response.map_or(before, |first| first.at_ns);
                self.sent = Some(Probe {
                    no_answer_ns: self.last_sent_ns.replace(sent_ns).unwrap_or(before),
                    not_ready_ns: paths.asked(sent_ns).unwrap_or(not_ready),
                });
                self.probes += 1;
            }
            Err(loss) => self.lose(loss),
        }
    }

    /// Takes what the socket has; called when it is ready.
    pub(super) fn advance(&mut self) {
        let Some(connection) = &mut self.connection else {
            return;
        };
        match connection.advance() {
            None => {}
            Some(Event::Connected) => {
                let at_ns = monotonic_ns();
                if matches!(self.problem, Some(Loss::Refused | Loss::Failed(_))) {
                    self.problem = None;
                }
                self.first_connection.get_or_insert(Sight {
                    at_ns,
                    not_yet_ns: self.listening.not_yet_ns,
                });
                self.send_probe();
            }
            Some(Event::Answered(answer)) => {
                let at_ns = monotonic_ns();
                if !answer.reusable {
                    self.connection = None;
                }
                self.take_answer(answer.status, at_ns);
            }
            Some(Event::Lost(loss)) => self.lose(loss),
        }
    }

    fn take_answer(&mut self, status: u16, at_ns: u64) {
        let (Some(probe), Some(paths)) = (self.sent.take(), &mut self.paths) else {
            return;
        };
        self.problem = None;
        for question in [&mut self.nothing, &mut self.own] {
            if *question == Some(Question::Asked) {
                *question = Some(Question::Answered(status));
                self.paths = None;
                return;
            }
        }
        // The time until this answer is the subject's own. Only the time before the probe was sent
        // may have been missed.
        let sent_ns = self.last_sent_ns.unwrap_or(at_ns);
        let sight = |not_yet_ns: u64| Sight {
            at_ns,
            not_yet_ns: at_ns.saturating_sub(sent_ns.saturating_sub(not_yet_ns)),
        };
        self.first_response.get_or_insert(sight(probe.no_answer_ns));
        if (200..300).contains(&status) {
            self.first_2xx.get_or_insert(sight(probe.not_ready_ns));
        }
        match paths.answered(status) {
            Step::Ready(by) => {
                self.ready.get_or_insert((sight(probe.not_ready_ns), by));
            }
            Step::Next => self.next_ns = at_ns,
            Step::Again => {
                self.next_ns = again_ns(sent_ns, at_ns, self.interval_ns(at_ns));
            }
        }
    }

    /// Gives up the connection. Another one is tried after a pause; as long as none has answered,
    /// at the socket's next address.
    fn lose(&mut self, loss: Loss) {
        let now = monotonic_ns();
        let pause = if loss.is_foreign() {
            NOT_HTTP_PAUSE_NS
        } else {
            self.interval_ns(now)
        };
        self.connection = None;
        self.next_ns = now + pause;
        // A server may close a connection after any answer; that is no problem.
        if self.sent.take().is_some() || !self.speaks_http() {
            self.problem = Some(loss);
        }
        if self.first_connection.is_none() && !self.addresses.is_empty() {
            self.address = (self.address + 1) % self.addresses.len();
        }
    }

    fn interval_ns(&self, now: u64) -> u64 {
        let unready_ns = now.saturating_sub(self.listening.at_ns);
        (unready_ns / INTERVAL_SHARE).clamp(SHORTEST_INTERVAL_NS, LONGEST_INTERVAL_NS)
    }

    /// What was seen so far: `listens on port 8080, GET /health answers 503`.
    pub(super) fn seen(&self) -> String {
        let mut text = format!("listens on port {}", self.number());
        let answers = self.paths.as_ref().and_then(Paths::seen);
        let waiting = self.connection.as_ref().filter(|c| !c.is_idle());
        if let Some(problem) = &self.problem {
            text += &format!(", which {problem}");
        } else if let Some(status) = waiting.and_then(Connection::status_without_end) {
            text += &format!(", answers {status} but does not end its body");
        } else if let Some(answers) = answers {
            text += &format!(", {answers}");
        } else if waiting.is_some() && self.first_connection.is_some() {
            let path = self.paths.as_ref().map_or("/", Paths::current);
            text += &format!(", takes connections but does not answer GET {path}");
        } else if waiting.is_some() {
            text += ", but takes no connections";
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_that_answers_slowly_is_left_alone_for_as_long() {
        let ms = 1_000_000;
        let rest = |answering_ns, interval_ns| {
            let at_ns = 50 * ms + answering_ns;
            again_ns(50 * ms, at_ns, interval_ns) - at_ns
        };
        // A fast answer leaves the interval as it is.
        assert_eq!(rest(100_000, SHORTEST_INTERVAL_NS), 800_000);
        assert_eq!(rest(ms, LONGEST_INTERVAL_NS), 9 * ms);
        assert_eq!(rest(5 * ms, SHORTEST_INTERVAL_NS), 5 * ms);
        assert_eq!(rest(7 * ms, LONGEST_INTERVAL_NS), 7 * ms);
        // Readiness is to be seen soon.
        assert_eq!(rest(300 * ms, SHORTEST_INTERVAL_NS), 10 * ms);
        assert_eq!(rest(300 * ms, LONGEST_INTERVAL_NS), 10 * ms);
    }
}
