//! What the agent counts: everything that a pattern of `tacho_diagnosis` looks at and that no recorder sees.

use super::DissectSpec;
use super::instruments::{Finished, Instrument};
use super::statements;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use tacho_diagnosis::Own;
use tacho_jvm_agent::{Agent, Begun, Calls, Key, MethodPattern, Probe, Removed, Snapshot};
use tacho_run_folder::{LaunchDir, Ledger, LedgerEntry, LedgerKind, LeftOut, NotObserved, Window};

/// A probe and the ledger that it fills.
struct Counted {
    kind: LedgerKind,
    probe: Probe,
    key: KeyIs,
}

/// Where the key of an entry comes from.
#[derive(Clone, Copy)]
enum KeyIs {
    /// The probe's first key.
    First,
    /// This text: the probe has none.
    Named(&'static str),
}

/// Calls of the network's own clients, not of what is built upon them: each call is counted once.
fn counted() -> Vec<Counted> {
    let first = |kind, probe| Counted {
        kind,
        probe,
        key: KeyIs::First,
    };
    let client = |id: &'static str, class: &str, methods: &[&str], name| Counted {
        kind: LedgerKind::RemoteCalls,
        probe: Probe::new(id, MethodPattern::of(class, methods).with_subtypes()).outermost(),
        key: KeyIs::Named(name),
    };
    let log = |id: &'static str, class: &str, method: &str, name| Counted {
        kind: LedgerKind::LogLines,
        probe: Probe::new(id, MethodPattern::of(class, &[method])).outermost(),
        key: KeyIs::Named(name),
    };
    let members = [
        "getMethod",
        "getMethods",
        "getDeclaredMethod",
        "getDeclaredMethods",
        "getField",
        "getFields",
        "getDeclaredField",
        "getDeclaredFields",
        "getConstructor",
        "getConstructors",
        "getDeclaredConstructor",
        "getDeclaredConstructors",
    ];
    let statements = [
        "execute",
        "executeQuery",
        "executeUpdate",
        "executeBatch",
        "executeLargeUpdate",
    ];
    vec![
        first(
            LedgerKind::ClassLookUps,
            Probe::class_look_ups("class-look-ups"),
        ),
        first(
            LedgerKind::ResourceLookUps,
            Probe::resource_look_ups("resource-look-ups"),
        ),
        first(
            LedgerKind::Regexes,
            Probe::new(
                "regexes",
                // Its private method of this name has no text.
                MethodPattern::of("java.util.regex.Pattern", &["compile(Ljava/lang/String;*"]),
            )
            .by(Key::Argument(1))
            .outermost(),
        ),
        first(
            LedgerKind::Reflection,
            Probe::new("reflection", MethodPattern::of("java.lang.Class", &members))
                .by(Key::Method)
                .outermost(),
        ),
        first(
            LedgerKind::Queries,
            Probe::new(
                "queries",
                MethodPattern::of("java.sql.Statement", &statements).with_subtypes(),
            )
            .by(Key::Argument(1))
            .outermost(),
        ),
        // Where a line is let through: what its level holds back is not counted.
        log(
            "logback",
            "ch.qos.logback.classic.Logger",
            "callAppenders",
            "log lines (Logback)",
        ),
        log(
            "log4j2",
            "org.apache.logging.log4j.core.config.LoggerConfig",
            "log",
            "log lines (Log4j)",
        ),
        log(
            "jul",
            "java.util.logging.Logger",
            "log(Ljava/util/logging/LogRecord;*",
            "log lines (java.util.logging)",
        ),
        client(
            "url",
            "sun.net.www.protocol.http.HttpURLConnection",
            &["writeRequests"],
            "java.net.HttpURLConnection",
        ),
        client(
            "http",
            "java.net.http.HttpClient",
            &["send", "sendAsync"],
            "java.net.http.HttpClient",
        ),
        client(
            "okhttp",
            "okhttp3.Call",
            &["execute", "enqueue"],
            "okhttp3.Call",
        ),
        client(
            "apache4",
            "org.apache.http.client.HttpClient",
            &["execute"],
            "org.apache.http.client.HttpClient",
        ),
        client(
            "apache5",
            "org.apache.hc.client5.http.classic.HttpClient",
            &["execute", "executeOpen"],
            "org.apache.hc.client5.http.classic.HttpClient",
        ),
    ]
}

/// What statements are prepared of: names for those of [`LedgerKind::Queries`] that are executed without a text.
fn prepared() -> Counted {
    let methods = ["prepareStatement", "prepareCall"];
    Counted {
        kind: LedgerKind::Queries,
        probe: Probe::new(
            "prepared",
            MethodPattern::of("java.sql.Connection", &methods).with_subtypes(),
        )
        .by(Key::Argument(1))
        .outermost(),
        key: KeyIs::First,
    }
}

/// Who hands tasks to the threads of a pool: the JDK's executor, Tomcat's and Jetty's own, and the common pool where it runs completable futures (what else it
/// runs is wrapped on its way).
fn queues() -> Vec<Counted> {
    let hand = |id: &'static str, class: &str, method: &str| Counted {
        kind: LedgerKind::Queueing,
        probe: Probe::new(id, MethodPattern::of(class, &[method])).hands(1),
        key: KeyIs::First,
    };
    let future = "java.util.concurrent.CompletableFuture$AsynchronousCompletionTask";
    let mut common = hand(
        "common-pool",
        "java.util.concurrent.ForkJoinPool",
        "execute(Ljava/lang/Runnable;*",
    );
    common.probe = common.probe.of_type(future);
    vec![
        hand(
            "executor",
            "java.util.concurrent.ThreadPoolExecutor",
            "execute(Ljava/lang/Runnable;)V",
        ),
        hand(
            "tomcat",
            "org.apache.tomcat.util.threads.ThreadPoolExecutor",
            "execute(Ljava/lang/Runnable;)V",
        ),
        hand(
            "jetty",
            "org.eclipse.jetty.util.thread.QueuedThreadPool",
            "execute",
        ),
        common,
    ]
}

/// And who takes them.
fn takers() -> Vec<Probe> {
    let take = |id: &str, class: &str, methods: &[&str], argument| {
        Probe::new(id, MethodPattern::of(class, methods).with_subtypes()).takes(argument)
    };
    vec![
        take(
            "executor-takes",
            "java.util.concurrent.ThreadPoolExecutor",
            &["beforeExecute"],
            2,
        ),
        take(
            "tomcat-takes",
            "org.apache.tomcat.util.threads.ThreadPoolExecutor",
            &["beforeExecute"],
            2,
        ),
        take(
            "jetty-takes",
            "org.eclipse.jetty.util.thread.QueuedThreadPool",
            &["runJob"],
            1,
        ),
        take(
            "supply-takes",
            "java.util.concurrent.CompletableFuture$AsyncSupply",
            &["run"],
            0,
        ),
        take(
            "run-takes",
            "java.util.concurrent.CompletableFuture$AsyncRun",
            &["run"],
            0,
        ),
    ]
}

/// The agent's probes, for one window.
pub struct Counting {
    agent: Option<Agent>,
    own: Vec<String>,
    counted: Vec<Counted>,
    begun: Begun,
    seen: Snapshot,
    removed: Option<Removed>,
}

impl Counting {
    /// Loads the agent; nothing is instrumented yet.
    pub fn new(pid: u32, folder: &LaunchDir, spec: &DissectSpec) -> Result<Self, String> {
        Ok(Self {
            agent: Some(Agent::attach(pid, folder.path()).map_err(|e| e.to_string())?),
            own: spec.own.clone(),
            counted: counted().into_iter().chain(queues()).collect(),
            begun: Begun::default(),
            seen: Snapshot::default(),
            removed: None,
        })
    }
}

impl Instrument for Counting {
    fn title(&self) -> String {
        format!("agent, {} methods", self.begun.methods)
    }

    fn switch_on(&mut self) -> Result<(), String> {
        let agent = self.agent.as_mut().ok_or("the agent is gone")?;
        let probes: Vec<Probe> = self
            .counted
            .iter()
            .map(|counted| counted.probe.clone())
            .chain([prepared().probe])
            .chain(takers())
            .collect();
        self.begun = agent.begin(&probes, &self.own).map_err(|e| e.to_string())?;
        // Putting probes in has made look-ups of its own.
        agent.reset().map_err(|e| e.to_string())
    }

    fn switch_off(&mut self) -> Result<(), String> {
        let mut agent = self.agent.take().ok_or("the agent is gone")?;
        self.seen = agent.snapshot().map_err(|e| e.to_string())?;
        self.removed = Some(agent.end().map_err(|e| e.to_string())?);
        Ok(())
    }

    fn read(&mut self, window: &Window, own: &Own, _: &AtomicBool) -> Result<Finished, String> {
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
            let mine = self
                .seen
                .calls
                .iter()
                .filter(|calls| calls.probe == counted.probe.id);
            ledger
                .entries
                .extend(mine.map(|calls| entry(calls, counted)));
            let left_out = self
                .seen
                .left_out
                .iter()
                .filter(|(id, _)| *id == counted.probe.id);
            ledger.left_out.count += left_out.map(|(_, count)| count).sum::<u64>();
        }
        if let Some(queries) = by_kind.get_mut(&LedgerKind::Queries) {
            let prepared = prepared();
            let mine = |calls: &&Calls| calls.probe == prepared.probe.id;
            let of: Vec<LedgerEntry> = self
                .seen
                .calls
                .iter()
                .filter(mine)
                .map(|calls| entry(calls, &prepared))
                .collect();
            statements::name(&mut queries.entries, &of, own);
        }
        Ok(Finished {
            ledgers: by_kind.into_values().collect(),
            left_behind: self.removed.as_ref().map_or_else(Vec::new, left_behind),
            missing: refused(&self.begun),
            ..Finished::default()
        })
    }
}

fn entry(calls: &Calls, counted: &Counted) -> LedgerEntry {
    let is_look_up = matches!(
        counted.kind,
        LedgerKind::ClassLookUps | LedgerKind::ResourceLookUps
    );
    let key = match counted.key {
        KeyIs::First => calls.keys.first().cloned().unwrap_or_default(),
        KeyIs::Named(name) => name.to_owned(),
    };
    LedgerEntry {
        key: match (counted.kind, key.as_str()) {
            // What an agent gives for no argument, and for none of this name.
            (LedgerKind::Queries, "" | "null") => statements::UNNAMED.to_owned(),
            _ => key,
        },
        loader: if is_look_up {
            calls.keys.get(1).cloned()
        } else {
            None
        },
        outcome: calls.outcome.text().map(str::to_owned),
        frames: calls.frames.clone(),
        count: calls.count,
        cost: calls.total_ns as f64,
    }
}

/// What could not be taken out again.
pub fn left_behind(removed: &Removed) -> Vec<String> {
    let left = removed.left.iter();
    left.map(|left| format!("{}: {}", left.what, left.why))
        .collect()
}

/// Methods that cannot be instrumented; the few that one reads.
pub fn refused(begun: &Begun) -> Vec<NotObserved> {
    const MOST: usize = 5;
    let refused = begun.refused.iter().take(MOST);
    refused
        .map(|refused| NotObserved {
            what: refused.what.clone(),
            why: refused.why.clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissecting::instruments::EVENTS;
    use tacho_diagnosis::{Need, PATTERNS};

    #[test]
    fn what_a_pattern_needs_is_filled_by_an_instrument() {
        let counted: Vec<LedgerKind> = counted().iter().map(|counted| counted.kind).collect();
        for pattern in PATTERNS {
            for need in pattern.needs {
                let is_filled = match need {
                    Need::Ledger(LedgerKind::Processor) | Need::Traces => true,
                    Need::Ledger(kind) => EVENTS.contains(kind) || counted.contains(kind),
                };
                assert!(is_filled, "{} needs {need}", pattern.id);
            }
        }
    }
}
