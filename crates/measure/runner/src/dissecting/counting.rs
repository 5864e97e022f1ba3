//! What the agent counts: everything that a pattern of `tacho_diagnosis` looks at and that no
//! recorder sees.

use super::DissectSpec;
use super::agent::AgentInWindow;
use super::instruments::{Finished, Instrument};
use super::statements;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use tacho_diagnosis::Own;
use tacho_jvm_agent::{Calls, Key, MethodPattern, Probe};
use tacho_run_folder::{LaunchDir, Ledger, LedgerEntry, LedgerKind, LeftOut, Window};

/// A probe and the ledger that it fills.
struct Counted {
    kind: LedgerKind,
    probe: Probe,
    /// The key of its entries; else the probe's first.
    name: Option<&'static str>,
}

/// The network's own clients, so that each call is counted once. Id, class, methods.
const CLIENTS: &str = "
url      sun.net.www.protocol.http.HttpURLConnection        writeRequests
http     java.net.http.HttpClient                           send sendAsync
okhttp   okhttp3.Call                                       execute enqueue
apache4  org.apache.http.client.HttpClient                  execute
apache5  org.apache.hc.client5.http.classic.HttpClient      execute executeOpen
";
/// Who opens connections, below all clients: the JDK's sockets and channels, and the one library
/// that calls the kernel itself.
const CONNECTORS: &str = "
connect-socket   java.net.Socket                            connect
connect-channel  sun.nio.ch.SocketChannelImpl               connect
connect-native   io.netty.channel.unix.Socket               connect
";
/// Methods that write a log line after the check of its level, so that suppressed lines are not
/// counted.
const LOGGERS: &str = "
logback  ch.qos.logback.classic.Logger                      callAppenders
log4j2   org.apache.logging.log4j.core.config.LoggerConfig  log
jul      java.util.logging.Logger                           log(Ljava/util/logging/LogRecord;*
";
/// The private method `compile` has no text.
const REGEXES: &str = "regexes java.util.regex.Pattern compile(Ljava/lang/String;*";
const REFLECTION: &str = "reflection java.lang.Class
    getMethod getMethods getDeclaredMethod getDeclaredMethods
    getField getFields getDeclaredField getDeclaredFields
    getConstructor getConstructors getDeclaredConstructor getDeclaredConstructors";
const QUERIES: &str = "queries java.sql.Statement
    execute executeQuery executeUpdate executeBatch executeLargeUpdate";
const PREPARED: &str = "prepared java.sql.Connection prepareStatement prepareCall";
/// Who hands tasks to the threads of a pool: the JDK's executor, Tomcat's, Jetty's and JBoss's own
/// (Undertow, Quarkus), and the event loops of Netty (Vert.x, Micronaut, WebFlux).
const QUEUES: &str = "
executor java.util.concurrent.ThreadPoolExecutor            execute(Ljava/lang/Runnable;)V
tomcat   org.apache.tomcat.util.threads.ThreadPoolExecutor  execute(Ljava/lang/Runnable;)V
jetty    org.eclipse.jetty.util.thread.QueuedThreadPool     execute
jboss    org.jboss.threads.EnhancedQueueExecutor            tryExecute
netty    io.netty.util.concurrent.SingleThreadEventExecutor addTask
";
/// The same for the common pool where it runs completable futures. Its other tasks are wrapped
/// before they reach it.
const COMMON_POOL: &str =
    "common-pool java.util.concurrent.ForkJoinPool execute(Ljava/lang/Runnable;*";
const FUTURE: &str = "java.util.concurrent.CompletableFuture$AsynchronousCompletionTask";
/// The methods that take tasks from those queues, each with the position of the task among its
/// arguments.
const TAKERS: [(u8, &str); 7] = [
    (
        2,
        "executor-takes java.util.concurrent.ThreadPoolExecutor beforeExecute",
    ),
    (
        2,
        "tomcat-takes org.apache.tomcat.util.threads.ThreadPoolExecutor beforeExecute",
    ),
    (
        1,
        "jetty-takes org.eclipse.jetty.util.thread.QueuedThreadPool runJob",
    ),
    (
        0,
        "jboss-takes org.jboss.threads.EnhancedQueueExecutor$Task run",
    ),
    (
        1,
        "netty-takes io.netty.util.concurrent.AbstractEventExecutor runTask safeExecute",
    ),
    (
        0,
        "supply-takes java.util.concurrent.CompletableFuture$AsyncSupply run",
    ),
    (
        0,
        "run-takes java.util.concurrent.CompletableFuture$AsyncRun run",
    ),
];

/// Of a row: id, class, methods.
fn probe(row: &str) -> Probe {
    let mut words = row.split_whitespace();
    let (id, class) = (words.next(), words.next());
    let methods: Vec<&str> = words.collect();
    Probe::new(
        id.unwrap_or_default(),
        MethodPattern::of(class.unwrap_or_default(), &methods),
    )
}

/// In whatever extends or implements the class.
fn probe_below(row: &str) -> Probe {
    let probe = probe(row);
    Probe {
        methods: probe.methods.with_subtypes(),
        ..probe
    }
}

fn rows(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|row| !row.is_empty())
}

fn counted() -> Vec<Counted> {
    use LedgerKind::{ClassLookUps, Connections, LogLines, Queueing, Reflection, Regexes};
    use LedgerKind::{Queries, RemoteCalls, ResourceLookUps};
    let first = |kind, probe| Counted {
        kind,
        probe,
        name: None,
    };
    let named = |kind, name, probe: Probe| Counted {
        kind,
        probe: probe.outermost(),
        name: Some(name),
    };
    let by_text = |probe: Probe| probe.by(Key::Argument(1)).outermost();
    let mut all = vec![
        first(ClassLookUps, Probe::class_look_ups("class-look-ups")),
        first(
            ResourceLookUps,
            Probe::resource_look_ups("resource-look-ups"),
        ),
        first(Regexes, by_text(probe(REGEXES))),
        first(Reflection, probe(REFLECTION).by(Key::Method).outermost()),
        first(Queries, by_text(probe_below(QUERIES))),
    ];
    let names = [
        "log lines (Logback)",
        "log lines (Log4j)",
        "log lines (java.util.logging)",
    ];
    let loggers = rows(LOGGERS).zip(names);
    all.extend(loggers.map(|(row, name)| named(LogLines, name, probe(row))));
    all.extend(rows(CLIENTS).map(|row| {
        let name = match row.split_whitespace().nth(1) {
            Some(class) if !class.starts_with("sun.") => class,
            _ => "java.net.HttpURLConnection",
        };
        named(RemoteCalls, name, probe_below(row))
    }));
    all.extend(rows(CONNECTORS).map(|row| first(Connections, by_text(probe(row)))));
    all.extend(rows(QUEUES).map(|row| first(Queueing, probe(row).hands(1))));
    let common_pool = probe(COMMON_POOL).hands(1).of_type(FUTURE);
    all.push(first(Queueing, common_pool));
    all
}

/// What statements are prepared of: names for those of [`LedgerKind::Queries`] that are executed
/// without a text.
fn prepared() -> Counted {
    Counted {
        kind: LedgerKind::Queries,
        probe: probe_below(PREPARED).by(Key::Argument(1)).outermost(),
        name: None,
    }
}

/// The agent's probes, for one window.
pub struct Counting {
    agent: AgentInWindow,
    own: Vec<String>,
    counted: Vec<Counted>,
}

impl Counting {
    /// Loads the agent; nothing is instrumented yet.
    pub fn new(pid: u32, folder: &LaunchDir, spec: &DissectSpec) -> Result<Self, String> {
        Ok(Self {
            agent: AgentInWindow::attach(pid, folder)?,
            own: spec.own.clone(),
            counted: counted(),
        })
    }
}

impl Instrument for Counting {
    fn title(&self) -> String {
        format!("agent, {} methods", self.agent.methods())
    }

    fn switch_on(&mut self) -> Result<(), String> {
        let takers = TAKERS.map(|(argument, row)| probe_below(row).takes(argument));
        let counted = self.counted.iter().map(|counted| counted.probe.clone());
        let probes: Vec<Probe> = counted.chain([prepared().probe]).chain(takers).collect();
        self.agent.put_in(|agent| agent.begin(&probes, &self.own))
    }

    fn switch_off(&mut self) -> Result<(), String> {
        self.agent.take_out()
    }

    fn read(&mut self, window: &Window, own: &Own, _: &AtomicBool) -> Result<Finished, String> {
        let seen = self.agent.seen();
        let entries = |counted: &Counted| -> Vec<LedgerEntry> {
            let mine = |calls: &&Calls| calls.probe == counted.probe.id;
            let mine = seen.calls.iter().filter(mine);
            mine.map(|calls| entry(calls, counted)).collect()
        };
        let mut by_kind: BTreeMap<LedgerKind, Ledger> = BTreeMap::new();
        for counted in &self.counted {
            let ledger = by_kind.entry(counted.kind).or_insert_with(|| Ledger {
                kind: counted.kind,
                window: window.name.clone(),
                requests: window.requests,
                exact: true,
                entries: Vec::new(),
                threads: BTreeMap::new(),
                left_out: LeftOut::default(),
            });
            ledger.entries.extend(entries(counted));
            let left_out = seen.left_out.iter();
            let left_out = left_out.filter(|(id, _)| *id == counted.probe.id);
            ledger.left_out.count += left_out.map(|(_, count)| count).sum::<u64>();
        }
        if let Some(queries) = by_kind.get_mut(&LedgerKind::Queries) {
            statements::name(&mut queries.entries, &entries(&prepared()), own);
        }
        Ok(Finished {
            ledgers: by_kind.into_values().collect(),
            ..self.agent.finished()
        })
    }
}

fn entry(calls: &Calls, counted: &Counted) -> LedgerEntry {
    let is_look_up = matches!(
        counted.kind,
        LedgerKind::ClassLookUps | LedgerKind::ResourceLookUps
    );
    let first = || calls.keys.first().cloned().unwrap_or_default();
    let key = counted.name.map_or_else(first, str::to_owned);
    LedgerEntry {
        key: match (counted.kind, key.as_str()) {
            // The agent writes one of these where the call has no SQL text.
            (LedgerKind::Queries, "" | "null") => statements::UNNAMED.to_owned(),
            _ => key,
        },
        loader: calls.keys.get(1).filter(|_| is_look_up).cloned(),
        outcome: calls.outcome.text().map(str::to_owned),
        frames: calls.frames.clone(),
        count: calls.count,
        cost: calls.total_ns as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissecting::instruments::EVENTS;
    use std::collections::BTreeSet;
    use tacho_diagnosis::{Need, PATTERNS};

    #[test]
    fn each_row_is_a_probe_of_its_own() {
        let takers = TAKERS.map(|(argument, row)| probe_below(row).takes(argument));
        let counted = counted().into_iter().map(|counted| counted.probe);
        let probes: Vec<Probe> = counted.chain([prepared().probe]).chain(takers).collect();
        let ids: BTreeSet<&str> = probes.iter().map(|probe| probe.id.as_str()).collect();
        assert_eq!((ids.len(), probes.len()), (30, 30));
        for Probe { id, methods, .. } in &probes {
            assert!(
                methods.class.contains('.') && !methods.methods.is_empty(),
                "{id}"
            );
        }
    }

    #[test]
    fn clients_are_named_as_their_users_know_them() {
        let all = counted();
        let clients = all.iter().filter(|c| c.kind == LedgerKind::RemoteCalls);
        let names: Vec<&str> = clients.filter_map(|client| client.name).collect();
        assert_eq!(
            names[..2],
            ["java.net.HttpURLConnection", "java.net.http.HttpClient"]
        );
        let jul = all.iter().find(|counted| counted.probe.id == "jul");
        assert_eq!(jul.unwrap().name, Some("log lines (java.util.logging)"));
    }

    #[test]
    fn what_a_pattern_needs_is_filled_by_an_instrument() {
        let counted: Vec<LedgerKind> = counted().iter().map(|counted| counted.kind).collect();
        for pattern in PATTERNS {
            for need in pattern.needs {
                let is_filled = match need {
                    Need::Ledger(LedgerKind::Processor | LedgerKind::Kept) | Need::Traces => true,
                    Need::Ledger(kind) => EVENTS.contains(kind) || counted.contains(kind),
                };
                assert!(is_filled, "{} needs {need}", pattern.id);
            }
        }
    }
}
