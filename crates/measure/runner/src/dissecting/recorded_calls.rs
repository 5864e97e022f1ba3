//! Narrowing without an agent: from JDK 25 on the JVM itself records each call of chosen methods
//! (JEP 520). The agent is better where it is let in: it also sees what a method calls that nobody
//! named, and adds up instead of recording.

use super::DissectSpec;
use super::instruments::{Finished, Instrument};
use super::recording::{Recording, not_understood};
use super::tracing::Suspects;
use crate::diagnosing::not_observed;
use crate::reader::Reader;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use tacho_attach::Jvm;
use tacho_diagnosis::{Frame, Own};
use tacho_jfr::TracedCall;
use tacho_run_folder::{Dissection, LaunchDir, TracedCallee, TracedMethod, Window};

/// The first that has the events.
const FIRST_RELEASE: u32 = 25;

/// The JVM's own tracer, for one window.
pub struct RecordedCalls {
    recording: Recording,
    reader: Reader,
    methods: BTreeSet<String>,
    /// The recorder does not time them.
    lambdas: BTreeSet<String>,
}

impl RecordedCalls {
    /// Chooses what is traced from what other instruments have seen.
    pub fn new(
        reader: Reader,
        jvm: Jvm,
        folder: &LaunchDir,
        spec: &DissectSpec,
        seen: &Dissection,
    ) -> Result<Self, String> {
        let properties = jvm.properties().map_err(|e| e.to_string())?;
        if tacho_attach::release(&properties).is_none_or(|release| release < FIRST_RELEASE) {
            return Err(format!(
                "the JVM records calls by itself from JDK {FIRST_RELEASE} on (JEP 520)"
            ));
        }
        let suspects = Suspects::of(seen, spec)?;
        let (lambdas, methods): (BTreeSet<_>, BTreeSet<_>) = suspects
            .all()
            .map(str::to_owned)
            .partition(|method: &String| is_lambda(method));
        if methods.is_empty() {
            return Err(no_lambdas(&lambdas));
        }
        let settings = tacho_jfr::trace_settings(methods.iter().map(String::as_str));
        Ok(Self {
            methods,
            lambdas,
            recording: Recording::new(jvm, folder, &settings, "trace")?,
            reader,
        })
    }
}

impl Instrument for RecordedCalls {
    fn title(&self) -> String {
        format!(
            "flight recorder of the JVM, {} methods timed (JEP 520)",
            self.methods.len()
        )
    }

    fn switch_on(&mut self) -> Result<(), String> {
        self.recording.start()
    }

    fn switch_off(&mut self) -> Result<(), String> {
        self.recording.stop()
    }

    fn read(&mut self, window: &Window, _: &Own, stop: &AtomicBool) -> Result<Finished, String> {
        let reading = self.reader.reading(self.recording.file(), stop);
        let mut calls = Calls::of(&self.methods);
        let unread = tacho_jfr::read_calls(&reading, &mut |call| calls.add(&call))
            .map_err(|e| e.to_string())?;
        let mut missing = not_understood(unread, self.recording.file());
        if !self.lambdas.is_empty() {
            missing.push(not_observed(
                "trace of each method",
                no_lambdas(&self.lambdas),
            ));
        }
        Ok(Finished {
            traces: calls.by_method(window),
            missing,
            ..Finished::default()
        })
    }
}

/// The compiler's own names for the bodies of lambdas. JDK 25 records no call of one, also where a
/// filter names it: seen with `-XX:StartFlightRecording:method-trace=Class::lambda$main$0`.
fn is_lambda(method: &str) -> bool {
    let (_, name) = method.rsplit_once('.').unwrap_or(("", method));
    name.starts_with("lambda$")
}

fn no_lambdas(lambdas: &BTreeSet<String>) -> String {
    let named: Vec<&str> = lambdas.iter().map(String::as_str).collect();
    format!(
        "the JVM's recorder times no lambdas ({}); the agent does, where the JVM lets it in",
        named.join(", ")
    )
}

/// Times of each method, and of its callees: those for which it is the nearest traced method on the
/// stack. Added up call by call, since there may be millions.
#[derive(Debug)]
struct Calls<'t> {
    traced: &'t BTreeSet<String>,
    methods: BTreeMap<String, TracedMethod>,
    /// By caller, callee and line.
    callees: BTreeMap<(String, String, Option<u32>), TracedCallee>,
}

impl<'t> Calls<'t> {
    fn of(traced: &'t BTreeSet<String>) -> Self {
        Self {
            traced,
            methods: BTreeMap::new(),
            callees: BTreeMap::new(),
        }
    }

    fn add(&mut self, call: &TracedCall) {
        // An event's name of a method is one that was asked for: there are not many.
        let method = self.methods.entry(call.method.clone()).or_default();
        method.calls += 1;
        method.total_ns = method.total_ns.saturating_add(call.duration_ns);
        let caller = call.callers.iter().find_map(|frame| {
            let frame = Frame::parse(frame);
            let name = format!("{}.{}", frame.class, frame.method);
            self.traced.contains(&name).then_some((name, frame.line))
        });
        if let Some((caller, line)) = caller {
            let place = (caller, call.method.clone(), line);
            let callee = self.callees.entry(place).or_default();
            callee.calls += 1;
            callee.total_ns = callee.total_ns.saturating_add(call.duration_ns);
        }
    }

    fn by_method(mut self, window: &Window) -> Vec<TracedMethod> {
        for ((caller, method, line), callee) in self.callees {
            if let Some(caller) = self.methods.get_mut(&caller) {
                caller.callees.push(TracedCallee {
                    method,
                    line,
                    ..callee
                });
            }
        }
        let methods = self.methods.into_iter();
        let named = methods.map(|(method, traced)| TracedMethod {
            window: window.name.clone(),
            requests: window.requests,
            method,
            ..traced
        });
        named.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_of_lambdas_are_told_by_their_names() {
        for lambda in ["shop.Main.lambda$main$0", "lambda$main$0"] {
            assert!(is_lambda(lambda), "{lambda}");
        }
        for method in [
            "shop.Main.main",
            "shop.lambda$like.Main.run",
            "shop.Main$1.run",
        ] {
            assert!(!is_lambda(method), "{method}");
        }
        let said = no_lambdas(&["shop.Main.lambda$main$0".to_owned()].into());
        assert!(said.contains("(shop.Main.lambda$main$0)"), "{said}");
    }

    #[test]
    fn a_call_belongs_to_the_nearest_traced_method() {
        let call = |method: &str, callers: &str, duration_ns| TracedCall {
            method: method.to_owned(),
            callers: callers.split(' ').map(str::to_owned).collect(),
            duration_ns,
        };
        let calls = [
            call("lib.Mapper.scan", "lib.Mapper.read:4 shop.Json.read:9", 10),
            call("lib.Mapper.scan", "lib.Mapper.read:4 shop.Json.read:9", 30),
            call("shop.Json.read", "shop.Web.get:1", 100),
        ];
        let window = Window {
            requests: 2,
            ..Window::default()
        };
        let traced = ["lib.Mapper.scan", "shop.Json.read"]
            .map(str::to_owned)
            .into();
        let mut sums = Calls::of(&traced);
        calls.iter().for_each(|call| sums.add(call));
        let methods = sums.by_method(&window);
        assert_eq!(methods.len(), 2);
        assert_eq!((methods[0].calls, methods[0].total_ns), (2, 40));
        assert_eq!(methods[1].method, "shop.Json.read");
        let callee = &methods[1].callees[0];
        assert_eq!(callee.method, "lib.Mapper.scan");
        assert_eq!(
            (callee.line, callee.calls, callee.total_ns),
            (Some(9), 2, 40)
        );
        assert!(methods[0].callees.is_empty());
    }
}
