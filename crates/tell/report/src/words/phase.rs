//! What a phase does, in words.

use tacho_figures::{count, counted, ms, seconds as s, value};
use tacho_run_folder::{PhaseKind, PhasePlan, ScheduleSpec, SearchSpec, ThinkSpec};

/// `closed: 100,000 requests over 1,000 connections`.
#[must_use]
pub fn phase(phase: &PhasePlan) -> String {
    format!("{}: {}", phase.label, load(&phase.kind))
}

/// What a phase does: `2,000/s for 20 s, over 64 connections`.
#[must_use]
pub fn load(kind: &PhaseKind) -> String {
    match kind {
        PhaseKind::Cold { requests: 1 } => "the first request".to_owned(),
        PhaseKind::Cold { requests } => {
            format!("the first {} requests, one after another", count(*requests))
        }
        PhaseKind::Settle {
            within_s,
            connections,
        } => format!(
            "as fast as it is answered {}, until throughput is steady, at most {}",
            over(*connections),
            s(*within_s)
        ),
        PhaseKind::Closed {
            requests,
            duration_s,
            connections,
            ramp_s,
            think,
        } => {
            let sent = |requests: u64| counted(requests, "1 request", "requests");
            let end = match (requests, duration_s) {
                (Some(requests), Some(duration_s)) => {
                    format!("{}, at most {},", sent(*requests), s(*duration_s))
                }
                (Some(requests), None) => sent(*requests),
                (None, Some(duration_s)) => s(*duration_s),
                (None, None) => "no end".to_owned(),
            };
            let pause = think.map_or("as fast as it is answered".to_owned(), thinking);
            let ramp = if *ramp_s > 0.0 {
                format!(", joining in over {}", s(*ramp_s))
            } else {
                String::new()
            };
            let each = if *connections == 1 { "" } else { "each " };
            format!("{end} {}, {each}{pause}{ramp}", over(*connections))
        }
        PhaseKind::Open {
            rate,
            duration_s,
            connections,
        } => format!(
            "{} for {}, {}",
            per_second(*rate),
            s(*duration_s),
            over(*connections)
        ),
        PhaseKind::Scheduled {
            schedule: shape,
            connections,
        } => format!("{}, {}", schedule(shape), over(*connections)),
        PhaseKind::Search(spec) => search(spec),
        PhaseKind::Rest { duration_s } => format!("nothing is sent for {}", s(*duration_s)),
    }
}

/// A phase that loads the subject: throughput and latency quantiles mean something in it.
#[must_use]
pub fn is_loaded(phase: &PhasePlan) -> bool {
    !matches!(phase.kind, PhaseKind::Cold { .. } | PhaseKind::Rest { .. })
}

/// `over 64 connections`
fn over(connections: u32) -> String {
    let connections = counted(connections.into(), "1 connection", "connections");
    format!("over {connections}")
}

fn per_second(rate: f64) -> String {
    value(rate, "1/s")
}

fn thinking(think: ThinkSpec) -> String {
    match think {
        ThinkSpec::Constant { ms: time } => format!("thinking {} after an answer", ms(time)),
        ThinkSpec::Uniform { from_ms, to_ms } => {
            format!("thinking {} to {} after an answer", ms(from_ms), ms(to_ms))
        }
        ThinkSpec::Exponential { mean_ms } => format!(
            "thinking {} on average (exponential) after an answer",
            ms(mean_ms)
        ),
    }
}

fn schedule(schedule: &ScheduleSpec) -> String {
    match schedule {
        ScheduleSpec::Ramp {
            from_rate,
            to_rate,
            duration_s,
        } => format!(
            "from {} to {} in {}",
            per_second(*from_rate),
            per_second(*to_rate),
            s(*duration_s)
        ),
        ScheduleSpec::Steps { steps } => {
            let steps: Vec<String> = steps
                .iter()
                .map(|step| format!("{} for {}", per_second(step.rate), s(step.duration_s)))
                .collect();
            steps.join(", then ")
        }
        ScheduleSpec::Sine {
            mean_rate,
            amplitude,
            period_s,
            duration_s,
        } => format!(
            "{} swinging by {} every {}, for {}",
            per_second(*mean_rate),
            per_second(*amplitude),
            s(*period_s),
            s(*duration_s)
        ),
        ScheduleSpec::Poisson {
            rate, duration_s, ..
        } => format!(
            "{} on average at random (Poisson) for {}",
            per_second(*rate),
            s(*duration_s)
        ),
        ScheduleSpec::Burst {
            requests,
            over_s,
            rest_s,
            duration_s,
        } => {
            let over = if *over_s > 0.0 {
                format!("within {}", s(*over_s))
            } else {
                "at once".to_owned()
            };
            format!(
                "bursts of {} {over} with rests of {}, for {}",
                counted(*requests, "1 request", "requests"),
                s(*rest_s),
                s(*duration_s)
            )
        }
        ScheduleSpec::Replay { file, speed, .. } if *speed == 1.0 => {
            format!("as recorded in {file}")
        }
        ScheduleSpec::Replay { file, speed, .. } => {
            format!("as recorded in {file}, {speed} times as fast")
        }
    }
}

fn search(spec: &SearchSpec) -> String {
    format!(
        "the highest rate from {} to {} with {}, in trials of {} {}",
        per_second(spec.from_rate),
        per_second(spec.to_rate),
        spec.objective,
        s(spec.trial_s),
        over(spec.connections)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_run_folder::RateStep;

    fn say(kind: PhaseKind) -> String {
        phase(&PhasePlan {
            label: "x".to_owned(),
            kind,
        })
    }

    fn scheduled(schedule: ScheduleSpec) -> String {
        say(PhaseKind::Scheduled {
            schedule,
            connections: 64,
        })
    }

    #[test]
    fn one_connection_is_one() {
        let closed = PhaseKind::closed(1, 1);
        assert_eq!(
            say(closed),
            "x: 1 request over 1 connection, as fast as it is answered"
        );
        let open = PhaseKind::Open {
            rate: 10.0,
            duration_s: 5.0,
            connections: 1,
        };
        assert_eq!(say(open), "x: 10/s for 5 s, over 1 connection");
        assert_eq!(say(PhaseKind::Cold { requests: 1 }), "x: the first request");
    }

    #[test]
    fn each_kind_of_phase_is_said_in_words() {
        let closed = PhaseKind::Closed {
            requests: None,
            duration_s: Some(20.0),
            connections: 8,
            ramp_s: 0.0,
            think: Some(ThinkSpec::Constant { ms: 100.0 }),
        };
        let step = |rate| RateStep {
            rate,
            duration_s: 10.0,
        };
        let search = SearchSpec {
            objective: "p99<50ms".parse().unwrap(),
            from_rate: 100.0,
            to_rate: 20_000.0,
            trial_s: 10.0,
            rest_s: 5.0,
            tolerance: 0.05,
            confirmations: 3,
            connections: 64,
        };
        let said = [
            say(PhaseKind::closed(10_000, 32)),
            say(closed),
            scheduled(ScheduleSpec::Ramp {
                from_rate: 100.0,
                to_rate: 1_000.0,
                duration_s: 30.0,
            }),
            scheduled(ScheduleSpec::Steps {
                steps: vec![step(100.0), step(200.0)],
            }),
            scheduled(ScheduleSpec::Sine {
                mean_rate: 500.0,
                amplitude: 300.0,
                period_s: 60.0,
                duration_s: 300.0,
            }),
            scheduled(ScheduleSpec::Poisson {
                rate: 500.0,
                duration_s: 30.0,
                seed: 1,
            }),
            scheduled(ScheduleSpec::Burst {
                requests: 200,
                over_s: 0.0,
                rest_s: 9.0,
                duration_s: 60.0,
            }),
            scheduled(ScheduleSpec::Replay {
                file: "/lab/instants.csv".to_owned(),
                speed: 2.0,
                column: None,
                unit: None,
            }),
            say(PhaseKind::Search(search)),
        ];
        insta::assert_snapshot!(said.join("\n"), @r"
        x: 10,000 requests over 32 connections, each as fast as it is answered
        x: 20 s over 8 connections, each thinking 100 ms after an answer
        x: from 100/s to 1,000/s in 30 s, over 64 connections
        x: 100/s for 10 s, then 200/s for 10 s, over 64 connections
        x: 500/s swinging by 300/s every 60 s, for 300 s, over 64 connections
        x: 500/s on average at random (Poisson) for 30 s, over 64 connections
        x: bursts of 200 requests at once with rests of 9 s, for 60 s, over 64 connections
        x: as recorded in /lab/instants.csv, 2 times as fast, over 64 connections
        x: the highest rate from 100/s to 20,000/s with p99<50ms, in trials of 10 s over 64 connections
        ");
    }
}
