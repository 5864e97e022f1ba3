//! Instruments in JVMs that have just begun: classes that the service, or the agent, will need are not loaded yet. Whatever the instant, the
//! service answers afterwards as it would have.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use support::starting::Starting;
use tacho_jvm_agent::{Agent, MethodPattern, Probe, Watch};
use tacho_test_jdks::jvms;

/// What is put in.
#[derive(Debug, Clone, Copy)]
enum Instrument {
    Watch,
    Trace,
    Exceptions,
    Classes,
}

const ALL: [Instrument; 4] = [
    Instrument::Watch,
    Instrument::Trace,
    Instrument::Exceptions,
    Instrument::Classes,
];

impl Instrument {
    fn put_in(self, agent: &mut Agent) {
        let own = ["com.acme.".to_owned()];
        let work = MethodPattern::of("com.acme.Starting", &["work"]);
        match self {
            Self::Watch => agent.watch(&watching(work), &own),
            Self::Trace => agent.trace(&[work], &[]),
            Self::Exceptions => agent.begin(&[Probe::exceptions("thrown")], &own),
            Self::Classes => agent.begin(
                &[
                    Probe::class_look_ups("classes"),
                    Probe::resource_look_ups("resources"),
                ],
                &own,
            ),
        }
        .unwrap();
    }
}

fn watching(methods: MethodPattern) -> Watch {
    Watch {
        methods,
        at_most: 100,
        slower_than_ns: 0,
        only_failed: false,
        depth: 2,
        length: 200,
        to_string: false,
    }
}

/// Takes it out, and sees that nothing is left.
fn end(agent: Agent, when: &str) {
    let removed = agent.end().unwrap();
    assert!(removed.is_clean(), "{when}: {removed:#?}");
}

#[test]
fn a_service_that_has_had_no_request_yet_answers_during_an_instrument_and_after_it() {
    for jvm in jvms() {
        for instrument in ALL {
            let when = format!("{instrument:?} on JDK {}", jvm.release);
            let mut service = Starting::listening(&jvm.home, &[]);
            let mut agent = Agent::attach(service.pid(), &service.folder()).unwrap();
            instrument.put_in(&mut agent);
            service.answers(&format!("during {when}"));
            agent.snapshot().unwrap();
            end(agent, &when);
            service.answers(&format!("after {when}"));
            service.is_unharmed(&when);
        }
    }
}
