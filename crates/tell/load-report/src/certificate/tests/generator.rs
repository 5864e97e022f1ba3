//! What the generator does by itself: requests sent together, and its processor time.

use super::*;
use tacho_run_folder::{AnswerEnd, EarlyWake, TimeKeeping};

#[test]
fn what_was_sent_together_is_named() {
    let record = PhaseRecord {
        time_keeping: Some(TimeKeeping {
            ends: AnswerEnd::KernelStamp,
            early_wake: EarlyWake::On,
            spun_s: 0.0,
            batch_ms: 0.6,
        }),
        ..open()
    };
    says(
        &evidence(&facts(&record), "batch"),
        Degraded,
        &["within 0.60 ms were sent together"],
    );
}

#[test]
fn a_generator_without_processor_time_left_was_the_limit() {
    for (cpu_s, state, words) in [
        (7.9, Valid, "79 %"),
        (8.5, Degraded, "may have been the limit"),
        (
            9.9,
            Degraded,
            "the generator, not the subject, was the limit",
        ),
    ] {
        let record = PhaseRecord {
            generator_cpu_s: cpu_s,
            ..open()
        };
        says(&evidence(&facts(&record), "generator-cpu"), state, &[words]);
    }
}
