//! The loop from `exec` to ready.
//!
//! One poll(2) waits for everything at once: the end of the process, the answers, and the time of
//! the next look. A look asks the kernel for listening sockets and costs about 30 µs of processor
//! time, waking up for it 10 µs more (Linux 6.18, virtual machine with 2 processors): 8 % of one
//! processor in the first second of a launch, 4 % after. When a port has answered, there are no
//! more looks, or one every 20 ms where another port may be the right one.
//! [`super::Ready::cpu_s`] says what it was in a launch.

use super::choice::{Seen, choice};
use super::listeners::{Listeners, Sight};
use super::log_tail::LogTail;
use super::paths::Paths;
use super::port::Port;
use super::time_line::time_line;
use super::watched::Watched;
use super::{Condition, NotReady, Ready, Watch, Why};
use crate::descriptors;
use tacho_clock::{monotonic_ns, thread_cpu_s};
use tacho_run_folder::TimeLine;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io;
use std::ops::RangeInclusive;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Interval between two looks at sockets and log in the first second, in which a fast subject may
/// become ready.
const FAST_LOOK_NS: u64 = 500_000;
/// Interval between two looks after that. With the timer's lateness this is still one look a
/// millisecond: less than a thousandth of the time that is then measured.
const SLOW_LOOK_NS: u64 = 900_000;
/// When the fast looks end.
const FAST_FOR_NS: u64 = 1_000_000_000;
/// How soon a stop is noticed.
const STOP_NS: u64 = 50_000_000;
/// How long several ports have to show which of them speaks HTTP, after the log said that the
/// subject is ready.
const CHOICE_NS: u64 = 250_000_000;

/// Beside an agent: how long a port that takes connections may be silent before it counts as one
/// that speaks no HTTP; and how long another port is waited for after the log said that the subject
/// is ready.
const SILENT_NS: u64 = 2_000_000_000;

/// Where several ports listen: how long to wait for one that answers the experiment's own request.
/// A management port often opens first.
const OWN_NS: u64 = 2_000_000_000;
/// How long to wait where no port has answered anything with 2xx: a stub in the same process may
/// listen seconds before the service does.
const UNSURE_NS: u64 = 10_000_000_000;
/// The range from which the kernel picks a port for a program that asks for any (ip(7),
/// `ip_local_port_range`). A service that clients must find listens elsewhere; a stub in the same
/// process has a port of this range.
const KERNEL_S_PORTS: &str = "/proc/sys/net/ipv4/ip_local_port_range";
/// How long the end of a process is waited for of which nothing can be seen any more.
const JUST_ENDED_NS: i64 = 100_000_000;
/// Between two looks for other ports when one has answered.
const LATE_LOOK_NS: u64 = 20_000_000;

/// Watches a started subject until it is ready, it ends, the time is over, or `stop` is set.
pub fn until_ready(process: &mut dyn Watched, watch: &Watch<'_>) -> Result<Ready, Box<NotReady>> {
    let cpu_before = thread_cpu_s();
    let mut watching = match Watching::begin(process, watch) {
        Ok(watching) => watching,
        Err(e) => {
            return Err(Box::new(NotReady {
                why: why_unwatched(process, e),
                seen: "was not looked at".into(),
                was_stopped: false,
                time_line: time_line(process.exec_ns(), None, None, 0),
                cpu_s: 0.0,
            }));
        }
    };
    let end = watching.run(process);
    let cpu_s = thread_cpu_s() - cpu_before;
    match end {
        Ok(chosen) => Ok(watching.ready(chosen, cpu_s)),
        Err(why) => {
            let mut not_ready = watching.not_ready(why, cpu_s);
            not_ready.was_stopped = process.is_stopped();
            if not_ready.was_stopped {
                not_ready.seen += "; it was stopped (state T): let it go on with `kill -CONT`";
            }
            Err(Box::new(not_ready))
        }
    }
}

/// Why a process is not watched. One that has just ended has no network any more, and the kernel
/// takes that away a moment before it tells of the end: so how it ended comes first.
fn why_unwatched(process: &mut dyn Watched, error: io::Error) -> Why {
    let is_over = || {
        let mut handle = [PollFd::from_borrowed_fd(process.handle(), PollFlags::IN)];
        let at_most = Timespec {
            tv_sec: 0,
            tv_nsec: JUST_ENDED_NS,
        };
        poll(&mut handle, Some(&at_most)).is_ok_and(|readable| readable > 0)
    };
    if !is_over() {
        return Why::Unwatchable(error);
    }
    match process.ended() {
        Ok(Some(exit)) => Why::Ended(exit),
        _ => Why::Unwatchable(error),
    }
}

struct Watching<'a> {
    watch: &'a Watch<'a>,
    exec_ns: u64,
    deadline_ns: u64,
    next_look_ns: u64,
    listeners: Listeners<'a>,
    ports: Vec<Port>,
    /// Ports that listen although another was asked for.
    passed_over: Vec<u16>,
    /// Ports that spoke no HTTP when another did.
    forgotten: Vec<u16>,
    log: Option<LogTail>,
    last_log_look_ns: u64,
    logged: Option<(Sight, String)>,
    /// Whether a JVM runs with an agent; looked for when a port is ready.
    agent: Option<bool>,
    given_by_kernel: RangeInclusive<u16>,
}

/// Parses two numbers separated by white space.
fn range(text: &str) -> Option<RangeInclusive<u16>> {
    let mut numbers = text.split_whitespace().map(str::parse);
    let (first, last) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    Some(first..=last)
}

impl<'a> Watching<'a> {
    fn begin(process: &dyn Watched, watch: &'a Watch<'a>) -> io::Result<Self> {
        let exec_ns = process.exec_ns();
        let log = match &watch.condition {
            Condition::Log(_) => {
                let (path, from) = process.log();
                Some(LogTail::open(path, from)?)
            }
            _ => None,
        };
        Ok(Self {
            watch,
            exec_ns,
            deadline_ns: exec_ns.saturating_add(nanoseconds(watch.timeout)),
            next_look_ns: 0,
            listeners: Listeners::new(process, watch.processes).map_err(io::Error::other)?,
            ports: Vec::new(),
            passed_over: Vec::new(),
            forgotten: Vec::new(),
            log,
            last_log_look_ns: exec_ns,
            logged: None,
            agent: None,
            given_by_kernel: std::fs::read_to_string(KERNEL_S_PORTS)
                .ok()
                .and_then(|text| range(&text))
                .unwrap_or(32768..=60999),
        })
    }

    /// Returns the index of the port that is ready.
    fn run(&mut self, process: &mut dyn Watched) -> Result<usize, Why> {
        loop {
            let looked_ns = monotonic_ns();
            if looked_ns >= self.next_look_ns && !self.is_chosen() {
                self.look().map_err(Why::Unwatchable)?;
                let fast = looked_ns.saturating_sub(self.exec_ns) < FAST_FOR_NS;
                let interval_ns = match fast {
                    _ if self.ports.iter().any(Port::speaks_http) => LATE_LOOK_NS,
                    true => FAST_LOOK_NS,
                    false => SLOW_LOOK_NS,
                };
                self.next_look_ns = next_on_grid(self.next_look_ns, looked_ns, interval_ns);
            }
            if let Some(chosen) = self.ready_port() {
                return Ok(chosen);
            }
            for port in &mut self.ports {
                port.act();
            }
            if let Some(exit) = process.ended().map_err(Why::Unwatchable)? {
                return Err(Why::Ended(exit));
            }
            // Without a free descriptor everything looks as if nothing were there.
            if let Some(none) = descriptors::exhausted() {
                return Err(Why::Unwatchable(io::Error::other(none)));
            }
            if self.watch.stop.load(Ordering::Relaxed) {
                return Err(Why::Stopped);
            }
            if monotonic_ns() >= self.deadline_ns {
                return Err(Why::TimedOut(self.watch.timeout));
            }
            self.wait(process).map_err(Why::Unwatchable)?;
        }
    }

    /// Whether no other port is looked for. Where the experiment has its own request, another port
    /// may still be the one that answers it.
    fn is_chosen(&self) -> bool {
        self.log.is_none()
            && self.own_path().is_none()
            && self.agent != Some(true)
            && self.ports.iter().any(|port| self.is_the_one(port))
    }

    /// The first port that answers HTTP is the subject's, unless a path is given: another port may
    /// be the one that answers that with 2xx.
    fn is_the_one(&self, port: &Port) -> bool {
        match self.watch.condition {
            Condition::Http(_) if self.watch.port.is_none() => port.ready.is_some(),
            _ => port.speaks_http(),
        }
    }

    /// What the port that is looked for answers.
    fn own_path(&self) -> Option<&'a str> {
        match &self.watch.condition {
            Condition::Auto { request_path } if self.watch.port.is_none() => {
                request_path.as_deref()
            }
            _ => None,
        }
    }

    fn look(&mut self) -> io::Result<()> {
        // The log is read first, so that this look sees everything that listened before the line
        // was written.
        self.look_at_log()?;
        for (socket, sight) in self.listeners.look().map_err(io::Error::other)? {
            let number = socket.address.port();
            if self.watch.port.is_some_and(|wanted| wanted != number) {
                self.passed_over.push(number);
            } else if self
                .ports
                .iter()
                .all(|p| p.socket.address != socket.address)
            {
                self.ports.push(Port::new(socket, sight, self.paths()));
            }
        }
        Ok(())
    }

    fn paths(&self) -> Option<Paths> {
        match &self.watch.condition {
            Condition::Auto { request_path } => Some(Paths::find_out(
                &self.watch.preferred_paths,
                request_path.as_deref(),
            )),
            Condition::Http(path) => Some(Paths::exactly(path)),
            Condition::Log(_) | Condition::Port => None,
        }
    }

    fn look_at_log(&mut self) -> io::Result<()> {
        let (Condition::Log(pattern), Some(log), None) =
            (&self.watch.condition, &mut self.log, &self.logged)
        else {
            return Ok(());
        };
        let not_yet_ns = std::mem::replace(&mut self.last_log_look_ns, monotonic_ns());
        if let Some(line) = log.find(pattern)? {
            let sight = Sight {
                at_ns: monotonic_ns(),
                not_yet_ns,
            };
            self.logged = Some((sight, format!("its log says: {line}")));
        }
        Ok(())
    }

    fn ready_port(&mut self) -> Option<usize> {
        match self.watch.condition {
            Condition::Auto { .. } | Condition::Http(_) => self.port_of_http(),
            Condition::Port => self.port_of_connection(),
            Condition::Log(_) => self.port_of_log(),
        }
    }

    fn port_of_connection(&mut self) -> Option<usize> {
        if self.is_beside_agent(Port::is_connected) {
            let is_over = self.half_is_over();
            return self.connected_beside_agent(is_over);
        }
        self.ports.iter().position(Port::is_connected)
    }

    fn port_of_http(&mut self) -> Option<usize> {
        let beside_agent = self.is_beside_agent(|port| port.ready.is_some());
        if beside_agent {
            self.ports.iter_mut().for_each(Port::ask_for_nothing);
        }
        if self.own_path().is_some() {
            return self.port_of_own();
        }
        if beside_agent {
            return self.port_beside_agent();
        }
        if matches!(self.watch.condition, Condition::Auto { .. }) {
            self.forget_ports_without_http();
        }
        self.ports.iter().position(|p| p.ready.is_some())
    }

    /// Whether a port that is open may be that of an agent.
    fn is_beside_agent(&mut self, is_open: fn(&Port) -> bool) -> bool {
        let is_open = self.watch.port.is_none() && self.ports.iter().any(is_open);
        let listeners = &self.listeners;
        is_open && *self.agent.get_or_insert_with(|| listeners.has_agent())
    }

    /// The first port that is ready and knows what it has; if none comes, any that is ready.
    fn port_beside_agent(&self) -> Option<usize> {
        let is_ready = |port: &Port| port.ready.is_some();
        let mut ports = self.ports.iter();
        match ports.position(|port| is_ready(port) && port.is_told_apart()) {
            None if self.half_is_over() => self.ports.iter().position(is_ready),
            found => found,
        }
    }

    /// The first port that takes connections and is not an agent's, as far as asking for what no
    /// service has tells; if none comes, the one that was opened last: an agent's opens first.
    fn connected_beside_agent(&mut self, is_over: bool) -> Option<usize> {
        self.ports
            .iter_mut()
            .for_each(Port::ask_connected_for_nothing);
        let mut ports = self.ports.iter();
        match ports.position(|port| port.is_connected() && port.is_no_agents(SILENT_NS)) {
            None if is_over => self.ports.iter().rposition(Port::is_connected),
            found => found,
        }
    }

    /// Whether half of the time to become ready is over. A service that answers anything is still
    /// ready in time then.
    fn half_is_over(&self) -> bool {
        let half_ns = nanoseconds(self.watch.timeout) / 2;
        monotonic_ns() >= self.exec_ns.saturating_add(half_ns)
    }

    /// When the first port was ready; one that answers anything counts only without another.
    fn ready_since_ns(&self) -> Option<u64> {
        let ready = |port: &Port| {
            let (sight, _) = port.ready.as_ref()?;
            Some((port.answers_anything(), sight.at_ns))
        };
        let (_, since_ns) = self.ports.iter().filter_map(ready).min()?;
        Some(since_ns)
    }

    /// The best that is ready, when no port answers the experiment's own request.
    fn best_ready(&self) -> Option<usize> {
        let position = |is_good: fn(&Port) -> bool| self.ports.iter().position(is_good);
        position(Port::is_sure)
            .or_else(|| position(|port| port.ready.is_some() && port.is_told_apart()))
            .or_else(|| position(|port| port.ready.is_some()))
    }

    /// The port that answers the experiment's own request. If several do, a port that was chosen
    /// goes before one that the kernel picked, and then the one that was opened first.
    fn port_of_own(&mut self) -> Option<usize> {
        let path = self.own_path()?;
        let since_ns = self.ready_since_ns()?;
        let alone = self.ports.len() == 1;
        let waited_ns = monotonic_ns().saturating_sub(since_ns);
        if let (true, Some(only)) = (alone, self.ports.first())
            && only.is_sure()
            && (!self.given_by_kernel.contains(&only.number()) || waited_ns >= OWN_NS)
        {
            return Some(0);
        }
        for port in &mut self.ports {
            port.ask_own(path);
        }
        let answers = |port: &Port| port.answers_own() == Some(true) && !port.answers_anything();
        let was_chosen = |port: &Port| !self.given_by_kernel.contains(&port.number());
        // A stub that answers everything answers this, too, seconds before the service listens.
        let answers_chosen = |port: &Port| answers(port) && was_chosen(port);
        let chosen = self.ports.iter().position(answers_chosen);
        let is_from_kernel = chosen.is_none() && self.ports.iter().any(answers);
        let most_ns = match self.ports.iter().any(Port::is_sure) && !is_from_kernel {
            true => OWN_NS,
            false => UNSURE_NS,
        };
        let mut ready = self.ports.iter().filter(|port| port.ready.is_some());
        // An agent's port opens long before the service does.
        let is_over = match ready.all(Port::answers_anything) {
            true => self.half_is_over(),
            false => waited_ns >= most_ns,
        };
        let chosen = match is_over {
            true => chosen.or_else(|| self.ports.iter().position(answers)),
            false => chosen,
        };
        // A port that was opened earlier may still answer.
        let is_first = |at: usize| {
            let earlier = self.ports.iter().take(at);
            earlier
                .filter(|port| was_chosen(port) && !port.answers_anything())
                .all(|port| port.answers_own().is_some() || !port.speaks_http())
        };
        match chosen {
            Some(at) if is_over || is_first(at) => Some(at),
            None if is_over => self.best_ready(),
            _ => None,
        }
    }

    /// The first port that answers HTTP is the subject's; debuggers, JMX and Tomcat's shutdown
    /// port never do.
    fn forget_ports_without_http(&mut self) {
        if self.ports.len() > 1
            && let Some(first) = self.ports.iter().position(Port::speaks_http)
        {
            let chosen = self.ports.swap_remove(first);
            self.forgotten.extend(self.ports.iter().map(Port::number));
            self.ports = vec![chosen];
        }
    }

    /// To be called when the line was seen. If there are several ports, they are asked for `/` for
    /// a short time; beside an agent, for what no service has.
    fn port_of_log(&mut self) -> Option<usize> {
        let (logged, _) = self.logged.as_ref()?;
        let since_ns = monotonic_ns().saturating_sub(logged.at_ns);
        if self.is_beside_agent(Port::is_connected) {
            return self.connected_beside_agent(since_ns >= SILENT_NS);
        }
        if self.ports.len() > 1 && since_ns < CHOICE_NS {
            for port in &mut self.ports {
                port.ask(Paths::any_answer("/"));
            }
            return self.ports.iter().position(Port::speaks_http);
        }
        self.ports.iter().position(Port::is_connected)
    }

    fn wait(&mut self, process: &dyn Watched) -> io::Result<()> {
        let now = monotonic_ns();
        let mut until_ns = self.deadline_ns.min(now + STOP_NS);
        if !self.is_chosen() {
            until_ns = until_ns.min(self.next_look_ns);
        }
        for next in self.ports.iter().filter_map(Port::next_ns) {
            until_ns = until_ns.min(next);
        }
        let timeout = Timespec {
            tv_sec: 0,
            // STOP_NS is below a second.
            tv_nsec: until_ns.saturating_sub(now).min(STOP_NS) as _,
        };
        let ready = {
            let mut fds = vec![PollFd::from_borrowed_fd(process.handle(), PollFlags::IN)];
            let interests: Vec<_> = self.ports.iter().map(Port::interest).collect();
            fds.extend(
                interests
                    .iter()
                    .flatten()
                    .map(|(fd, flags)| PollFd::from_borrowed_fd(*fd, *flags)),
            );
            match poll(&mut fds, Some(&timeout)) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(e) => return Err(e.into()),
            }
            let mut came = fds.iter().skip(1).map(|fd| !fd.revents().is_empty());
            interests
                .iter()
                .map(|interest| interest.is_some() && came.next().unwrap_or(false))
                .collect::<Vec<_>>()
        };
        for (port, ready) in self.ports.iter_mut().zip(ready) {
            if ready {
                port.advance();
            }
        }
        Ok(())
    }

    fn probes(&self) -> u32 {
        self.ports.iter().map(|p| p.probes).sum()
    }

    fn ready(&self, chosen: usize, cpu_s: f64) -> Ready {
        let port = &self.ports[chosen];
        let by_port = || {
            let sight = port.first_connection?;
            Some((sight, format!("port {} takes connections", port.number())))
        };
        let ready = match self.watch.condition {
            Condition::Auto { .. } | Condition::Http(_) => port.ready.clone(),
            Condition::Port => by_port(),
            Condition::Log(_) => self.logged.clone(),
        };
        let (request_path, answers_own) = match &self.watch.condition {
            Condition::Http(path) if self.watch.port.is_none() => (Some(path.as_str()), Some(true)),
            _ => (self.own_path(), port.answers_own()),
        };
        let listening = self.ports.iter().map(Port::number);
        let also = self.passed_over.iter().chain(&self.forgotten);
        let port_choice = choice(&Seen {
            port: port.number(),
            is_given: self.watch.port.is_some(),
            request_path,
            answers_own,
            is_sure: port.is_sure(),
            speaks_http: port.speaks_http(),
            listening: listening.chain(also.copied()).collect(),
        });
        Ready {
            time_line: TimeLine {
                port_choice,
                ..time_line(self.exec_ns, Some(port), ready.as_ref(), self.probes())
            },
            address: port.address(),
            cpu_s,
        }
    }

    fn not_ready(&self, why: Why, cpu_s: f64) -> NotReady {
        let port = self
            .ports
            .iter()
            .find(|p| p.speaks_http())
            .or_else(|| self.ports.first());
        NotReady {
            was_stopped: false,
            seen: self.seen(&why),
            time_line: time_line(self.exec_ns, port, self.logged.as_ref(), self.probes()),
            why,
            cpu_s,
        }
    }

    /// The program that is started may only ask a daemon to start the service.
    fn opened_by_another(&self) -> String {
        let wanted = self.watch.port;
        wanted
            .and_then(|port| Some((port, self.listeners.stranger_at(port)?)))
            .map_or_else(String::new, |(port, owner)| {
                format!(
                    "; port {port} was opened by {owner}, which is not one of its processes (a container, a daemon): start the service directly"
                )
            })
    }

    /// For a sentence that begins with `it`.
    fn seen(&self, why: &Why) -> String {
        let mut seen: Vec<String> = self.ports.iter().map(Port::seen).collect();
        if let (Some(wanted), Some(other)) = (self.watch.port, self.passed_over.first())
            && self.ports.is_empty()
        {
            seen.push(format!(
                "listens on port {other}, but not on port {wanted}, which the experiment asks for"
            ));
        }
        if seen.is_empty() {
            seen.push(match why {
                Why::Ended(_) => "listened on no port".to_owned(),
                _ => format!("listens on no port{}", self.opened_by_another()),
            });
        }
        if let Condition::Log(pattern) = &self.watch.condition {
            seen.push(match &self.logged {
                Some((_, line)) => line.replacen("its log says", "wrote", 1),
                None => format!("wrote no line that matches `{pattern}`"),
            });
        }
        seen.join("; it ")
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// The next instant on a fixed grid, so that the time that looks take does not add up. Missed looks
/// are not made up for.
fn next_on_grid(planned_ns: u64, now: u64, interval_ns: u64) -> u64 {
    (planned_ns + interval_ns).max(now + interval_ns / 2)
}

#[cfg(test)]
mod tests;
