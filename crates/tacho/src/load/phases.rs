//! From the flags to the phases of a load.

use super::arguments::{CONNECTIONS, Load, When};
use super::error::LoadCommandError as Error;
use std::path::Path;
use std::time::Duration;
use tacho_import::LoadPlan;
use tacho_load::LoadError;
use tacho_load::schedule::{ConstantRate, ScheduleError, build};
use tacho_load::search::SearchPlan;
use tacho_run_folder::{
    Objective, PhaseKind, PhasePlan, RateStep, ScheduleSpec, SearchSpec, ThinkSpec,
};
use tacho_workload::Think;

/// Unless said.
const DURATION: Duration = Duration::from_secs(10);
/// Between these a search looks unless told otherwise; both are beyond what one asks of a service.
const SEARCH_BETWEEN: (f64, f64) = (10.0, 100_000.0);
/// Rest after a trial that overloaded the subject.
const SEARCH_REST_S: f64 = 5.0;
/// See [`SearchSpec::tolerance`].
const SEARCH_TOLERANCE: f64 = 0.05;
/// See [`SearchSpec::confirmations`].
const SEARCH_CONFIRMATIONS: u32 = 3;

/// The phases, in their order.
pub fn phases(arguments: &Load, imported: Option<&LoadPlan>) -> Result<Vec<PhasePlan>, Error> {
    let when = &arguments.when;
    if let Some(path) = &when.phases {
        return check(of_file(path, when.seed)?);
    }
    let kind = kind(when, imported)?;
    let load = PhasePlan {
        label: "load".to_owned(),
        kind: kind.clone(),
    };
    check(match when.warm_up {
        None => vec![load],
        Some(length) => vec![
            PhasePlan {
                label: "warm-up".to_owned(),
                kind: warm_up(kind, length),
            },
            load,
        ],
    })
}

fn kind(when: &When, imported: Option<&LoadPlan>) -> Result<PhaseKind, Error> {
    let duration_s = when.duration.unwrap_or(DURATION).as_secs_f64();
    let connections = when.connections.unwrap_or(CONNECTIONS);
    let scheduled = |schedule| PhaseKind::Scheduled {
        schedule,
        connections,
    };
    if let Some(rate) = when.rate {
        // A number of requests at a rate is a time.
        let of_requests = when.requests.map(|requests| requests as f64 / rate);
        let duration_s = match (when.duration, of_requests) {
            (Some(_), Some(of_requests)) => duration_s.min(of_requests),
            (None, Some(of_requests)) => of_requests,
            (_, None) => duration_s,
        };
        return Ok(PhaseKind::Open {
            rate,
            duration_s,
            connections,
        });
    }
    if let Some((from_rate, to_rate)) = when.ramp {
        return Ok(scheduled(ScheduleSpec::Ramp {
            from_rate,
            to_rate,
            duration_s,
        }));
    }
    if !when.steps.is_empty() {
        let steps = when.steps.iter().map(|rate| RateStep {
            rate: *rate,
            duration_s,
        });
        return Ok(scheduled(ScheduleSpec::Steps {
            steps: steps.collect(),
        }));
    }
    if let Some(sine) = when.sine {
        return Ok(scheduled(ScheduleSpec::Sine {
            mean_rate: sine.mean,
            amplitude: sine.amplitude,
            period_s: sine.period.as_secs_f64(),
            duration_s,
        }));
    }
    if let Some(rate) = when.poisson {
        return Ok(scheduled(ScheduleSpec::Poisson {
            rate,
            duration_s,
            seed: when.seed,
        }));
    }
    if let Some(burst) = when.burst {
        let on_s = burst.on.as_secs_f64();
        return Ok(scheduled(ScheduleSpec::Burst {
            requests: (burst.rate * on_s).round().max(1.0) as u64,
            over_s: on_s,
            rest_s: burst.off.as_secs_f64(),
            duration_s,
        }));
    }
    if let Some(file) = &when.replay {
        return Ok(scheduled(ScheduleSpec::Replay {
            file: file.display().to_string(),
            speed: when.speed,
            column: when.replay_column.clone(),
            unit: when.replay_unit,
        }));
    }
    if let Some(objective) = &when.search {
        return Ok(PhaseKind::Search(search(when, objective)?));
    }
    Ok(closed(when, imported))
}

fn search(when: &When, objective: &str) -> Result<SearchSpec, Error> {
    let objective: Objective = objective.parse()?;
    let (from_rate, to_rate) = when.between.unwrap_or(SEARCH_BETWEEN);
    Ok(SearchSpec {
        objective,
        from_rate,
        to_rate,
        trial_s: when.duration.unwrap_or(DURATION).as_secs_f64(),
        rest_s: SEARCH_REST_S,
        tolerance: SEARCH_TOLERANCE,
        confirmations: SEARCH_CONFIRMATIONS,
        connections: when.connections.unwrap_or(CONNECTIONS),
    })
}

/// What is said on the command line counts; then what the targets say; then ten seconds.
fn closed(when: &When, imported: Option<&LoadPlan>) -> PhaseKind {
    let plan = imported.copied().unwrap_or_default();
    let said = when.requests.is_some() || when.duration.is_some();
    let (requests, duration) = if said {
        (when.requests, when.duration)
    } else if plan.iterations.is_some() || plan.duration.is_some() {
        (plan.iterations, plan.duration)
    } else {
        (None, Some(DURATION))
    };
    let planned = Some(plan.connections).filter(|planned| *planned > 0);
    let connections = when.connections.or(planned).unwrap_or(CONNECTIONS);
    PhaseKind::Closed {
        requests,
        duration_s: duration.map(|d| d.as_secs_f64()),
        connections,
        ramp_s: when.join.unwrap_or(plan.ramp).as_secs_f64(),
        think: when.think.map(think),
    }
}

fn think(think: Think) -> ThinkSpec {
    let ms = |duration: Duration| duration.as_secs_f64() * 1e3;
    match think {
        Think::Constant(time) => ThinkSpec::Constant { ms: ms(time) },
        Think::Uniform(least, most) => ThinkSpec::Uniform {
            from_ms: ms(least),
            to_ms: ms(most),
        },
        Think::Exponential(mean) => ThinkSpec::Exponential { mean_ms: ms(mean) },
    }
}

/// The same load for another time; where the load changes, the rate with which it begins.
fn warm_up(kind: PhaseKind, length: Duration) -> PhaseKind {
    let duration_s = length.as_secs_f64();
    let at = |rate, connections| PhaseKind::Open {
        rate,
        duration_s,
        connections,
    };
    match kind {
        PhaseKind::Open {
            rate, connections, ..
        } => at(rate, connections),
        PhaseKind::Search(spec) => at(spec.from_rate, spec.connections),
        PhaseKind::Scheduled {
            schedule,
            connections,
        } => match schedule {
            ScheduleSpec::Sine { mean_rate, .. } => at(mean_rate, connections),
            ScheduleSpec::Poisson { rate, seed, .. } => PhaseKind::Scheduled {
                schedule: ScheduleSpec::Poisson {
                    rate,
                    duration_s,
                    seed,
                },
                connections,
            },
            ScheduleSpec::Burst {
                requests,
                over_s,
                rest_s,
                ..
            } => PhaseKind::Scheduled {
                schedule: ScheduleSpec::Burst {
                    requests,
                    over_s,
                    rest_s,
                    duration_s,
                },
                connections,
            },
            // One that begins with nothing: with its mean.
            ScheduleSpec::Ramp {
                from_rate, to_rate, ..
            } if from_rate <= 0.0 => at(to_rate / 2.0, connections),
            other => at(other.rate_at(0.0).unwrap_or(1.0), connections),
        },
        PhaseKind::Closed {
            connections, think, ..
        } => PhaseKind::Closed {
            requests: None,
            duration_s: Some(duration_s),
            connections,
            ramp_s: 0.0,
            think,
        },
        // Flags make none of these.
        PhaseKind::Cold { .. } | PhaseKind::Rest { .. } => kind,
    }
}

/// Whether every phase can be, to be asked before anything is sent.
fn check(plans: Vec<PhasePlan>) -> Result<Vec<PhasePlan>, Error> {
    for plan in &plans {
        let phase = || plan.label.clone();
        let schedule = |result: Result<(), ScheduleError>| {
            result.map_err(|source| LoadError::Schedule {
                phase: phase(),
                source,
            })
        };
        match &plan.kind {
            PhaseKind::Open {
                rate, duration_s, ..
            } => schedule(ConstantRate::new(*rate, *duration_s).map(drop))?,
            PhaseKind::Scheduled { schedule: spec, .. } => schedule(build(spec).map(drop))?,
            PhaseKind::Search(spec) => {
                SearchPlan::try_from(spec).map_err(|source| LoadError::Search {
                    phase: phase(),
                    source,
                })?;
            }
            PhaseKind::Cold { .. } | PhaseKind::Closed { .. } | PhaseKind::Rest { .. } => {}
        }
    }
    Ok(plans)
}

fn of_file(path: &Path, seed: u64) -> Result<Vec<PhasePlan>, Error> {
    Ok(tacho_experiment::file::Text::read(path)?.phases(seed)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{Arguments, Command};
    use clap::Parser;

    /// As a JMeter plan with ten threads says.
    const TEN_THREADS: LoadPlan = LoadPlan {
        connections: 10,
        ramp: Duration::ZERO,
        iterations: Some(100),
        duration: None,
    };

    /// Connections of each phase.
    fn connections(flags: &[&str], imported: Option<&LoadPlan>) -> Vec<u32> {
        let line = [&["tacho", "load", "http://localhost/"], flags].concat();
        let Command::Load(load) = Arguments::parse_from(line).command else {
            panic!("another command");
        };
        phases(&load, imported)
            .unwrap()
            .iter()
            .map(|phase| match phase.kind {
                PhaseKind::Closed { connections, .. } | PhaseKind::Open { connections, .. } => {
                    connections
                }
                _ => panic!("{phase:?}"),
            })
            .collect()
    }

    #[test]
    fn what_is_said_of_connections_wins_over_what_a_plan_says() {
        assert_eq!(connections(&[], None), [64]);
        assert_eq!(connections(&[], Some(&TEN_THREADS)), [10]);
        assert_eq!(connections(&["-c", "7"], Some(&TEN_THREADS)), [7]);
        assert_eq!(connections(&["-c", "64"], Some(&TEN_THREADS)), [64]);
        assert_eq!(connections(&["--rate", "5"], Some(&TEN_THREADS)), [64]);
    }

    #[test]
    fn the_warm_up_of_a_plan_has_its_connections() {
        let warm_up = ["--warm-up", "5s"];
        assert_eq!(connections(&warm_up, Some(&TEN_THREADS)), [10, 10]);
        assert_eq!(connections(&warm_up, None), [64, 64]);
    }
}
