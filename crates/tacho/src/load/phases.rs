//! From the flags to the phases of a load.

use super::arguments::{CONNECTIONS, Load, When};
use super::error::LoadCommandError as Error;
use tacho_experiment::file::Text;
use tacho_experiment::{defaults, single};
use tacho_import::LoadPlan;
use tacho_run_folder::{PhaseKind, PhasePlan, RateStep, ScheduleSpec};

/// The phases in order. The command line takes precedence over imported values, and those over
/// defaults.
pub fn phases(arguments: &Load, imported: Option<&LoadPlan>) -> Result<Vec<PhasePlan>, Error> {
    let when = &arguments.when;
    let plans = match &when.phases {
        Some(path) => Text::read(path)?.phases(when.seed)?,
        None => single::phases(
            kind(when, imported.copied().unwrap_or_default())?,
            when.warm_up,
        ),
    };
    tacho_load::check(&plans)?;
    Ok(plans)
}

fn kind(when: &When, plan: LoadPlan) -> Result<PhaseKind, Error> {
    let connections = at_most_one_each(when.connections.unwrap_or(CONNECTIONS), when.requests);
    let kind = if let Some(rate) = when.rate {
        PhaseKind::Open {
            rate,
            // At a fixed rate, a number of requests is the same as a duration.
            duration_s: when
                .requests
                .map_or(defaults::TRIAL_S, |requests| requests as f64 / rate),
            connections,
        }
    } else if let Some(schedule) = schedule(when) {
        PhaseKind::Scheduled {
            schedule,
            connections,
        }
    } else if let Some(objective) = &when.search {
        PhaseKind::Search(single::search(
            objective.parse()?,
            when.between,
            connections,
        ))
    } else {
        return Ok(closed(when, plan));
    };
    let shorter = kind.duration_s().filter(|_| when.requests.is_some());
    Ok(match when.duration.map(|time| time.as_secs_f64()) {
        // The phase ends at whichever limit comes first.
        Some(time_s) => kind.lasting(shorter.map_or(time_s, |of_requests| time_s.min(of_requests))),
        None => kind,
    })
}

fn schedule(when: &When) -> Option<ScheduleSpec> {
    let steps = || {
        let steps = when.steps.iter().map(|rate| RateStep {
            rate: *rate,
            duration_s: defaults::TRIAL_S,
        });
        (!when.steps.is_empty()).then(|| ScheduleSpec::Steps {
            steps: steps.collect(),
        })
    };
    let poisson = || {
        when.poisson.map(|rate| ScheduleSpec::Poisson {
            rate,
            duration_s: defaults::TRIAL_S,
            seed: when.seed,
        })
    };
    let replay = || {
        when.replay.as_ref().map(|file| ScheduleSpec::Replay {
            file: file.display().to_string(),
            speed: when.speed,
            column: when.replay_column.clone(),
            unit: when.replay_unit,
        })
    };
    let read = [&when.ramp, &when.sine, &when.burst];
    let read = read.into_iter().flatten().next().cloned();
    read.or_else(steps).or_else(poisson).or_else(replay)
}

fn closed(when: &When, plan: LoadPlan) -> PhaseKind {
    let seconds = |time: std::time::Duration| time.as_secs_f64();
    let (requests, duration_s) = if when.requests.is_some() || when.duration.is_some() {
        (when.requests, when.duration.map(seconds))
    } else if plan.iterations.is_some() || plan.duration.is_some() {
        (plan.iterations, plan.duration.map(seconds))
    } else {
        (None, Some(defaults::TRIAL_S))
    };
    let planned = Some(plan.connections).filter(|planned| *planned > 0);
    let connections = when.connections.or(planned).unwrap_or(CONNECTIONS);
    PhaseKind::Closed {
        requests,
        duration_s,
        connections: at_most_one_each(connections, requests),
        ramp_s: when.join.unwrap_or(plan.ramp).as_secs_f64(),
        think: when.think,
    }
}

/// More connections than requests would be opened in vain.
fn at_most_one_each(connections: u32, requests: Option<u64>) -> u32 {
    let requests = requests.map(|requests| u32::try_from(requests).unwrap_or(u32::MAX));
    requests.map_or(connections, |requests| connections.min(requests.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{Arguments, Command};
    use clap::Parser;
    use std::time::Duration;

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
    fn there_are_no_more_connections_than_requests() {
        assert_eq!(connections(&["-n", "5"], None), [5]);
        assert_eq!(connections(&["-n", "5", "-c", "8"], None), [5]);
        assert_eq!(connections(&["-n", "5", "--rate", "10"], None), [5]);
        assert_eq!(connections(&["-n", "100"], None), [64]);
        assert_eq!(connections(&["-n", "5"], Some(&TEN_THREADS)), [5]);
    }

    #[test]
    fn the_warm_up_of_a_plan_has_its_connections() {
        let warm_up = ["--warm-up", "5s"];
        assert_eq!(connections(&warm_up, Some(&TEN_THREADS)), [10, 10]);
        assert_eq!(connections(&warm_up, None), [64, 64]);
    }
}
