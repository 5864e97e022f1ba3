//! A load by itself, as a command line says it: `100..2000`, `500,300,1m`, `5000,1s,9s`.

use crate::defaults;
use crate::model::{PhaseKind, PhasePlan};
use std::time::Duration;
use tacho_quantity::flags::{duration, rate};
use tacho_run_folder::{Objective, ScheduleSpec, SearchSpec, ThinkSpec};

/// A search looks between these rates unless told otherwise; requests a second. Both are outside of
/// what users ask of a service.
pub const SEARCH_BETWEEN: (f64, f64) = (10.0, 100_000.0);

/// Reads two rates: `100..2000`.
///
/// # Errors
/// With what is expected.
pub fn range(text: &str) -> Result<(f64, f64), String> {
    let (from, to) = text
        .split_once("..")
        .ok_or_else(|| "expected two rates, such as 100..2000".to_owned())?;
    Ok((rate(from)?, rate(to)?))
}

/// Reads `FROM..TO` as a ramp.
///
/// # Errors
/// With what is expected.
pub fn ramp(text: &str) -> Result<ScheduleSpec, String> {
    let (from_rate, to_rate) = range(text)?;
    Ok(ScheduleSpec::Ramp {
        from_rate,
        to_rate,
        duration_s: defaults::TRIAL_S,
    })
}

/// Reads `MEAN,AMPLITUDE,PERIOD` as a rate that swings.
///
/// # Errors
/// With what is expected.
pub fn sine(text: &str) -> Result<ScheduleSpec, String> {
    let [mean, amplitude, period] = three(text, "MEAN,AMPLITUDE,PERIOD, such as 500,300,1m")?;
    Ok(ScheduleSpec::Sine {
        mean_rate: rate(mean)?,
        amplitude: rate(amplitude)?,
        period_s: duration(period)?.as_secs_f64(),
        duration_s: defaults::TRIAL_S,
    })
}

/// Reads `RATE,ON,OFF` as bursts.
///
/// # Errors
/// With what is expected.
pub fn burst(text: &str) -> Result<ScheduleSpec, String> {
    let [burst_rate, on, off] = three(text, "RATE,ON,OFF, such as 5000,1s,9s")?;
    let over_s = duration(on)?.as_secs_f64();
    Ok(ScheduleSpec::Burst {
        requests: (rate(burst_rate)? * over_s).round().max(1.0) as u64,
        over_s,
        rest_s: duration(off)?.as_secs_f64(),
        duration_s: defaults::TRIAL_S,
    })
}

fn three<'t>(text: &'t str, expected: &str) -> Result<[&'t str; 3], String> {
    let parts: Vec<&str> = text.split(',').collect();
    parts.try_into().map_err(|_| format!("expected {expected}"))
}

/// Reads `100ms`, `50ms..200ms` or `exp:100ms`.
///
/// # Errors
/// With what is expected.
pub fn think(text: &str) -> Result<ThinkSpec, String> {
    let ms = |text: &str| duration(text).map(|time: Duration| time.as_secs_f64() * 1e3);
    if let Some(mean) = text.strip_prefix("exp:") {
        return Ok(ThinkSpec::Exponential { mean_ms: ms(mean)? });
    }
    let Some((least, most)) = text.split_once("..") else {
        return Ok(ThinkSpec::Constant { ms: ms(text)? });
    };
    let (from_ms, to_ms) = (ms(least)?, ms(most)?);
    if from_ms > to_ms {
        return Err(format!("{text} ends before it begins; exchange the two"));
    }
    Ok(ThinkSpec::Uniform { from_ms, to_ms })
}

/// A search with the usual rests, trials and confirmations.
#[must_use]
pub fn search(objective: Objective, between: Option<(f64, f64)>, connections: u32) -> SearchSpec {
    let (from_rate, to_rate) = between.unwrap_or(SEARCH_BETWEEN);
    SearchSpec {
        objective,
        from_rate,
        to_rate,
        trial_s: defaults::TRIAL_S,
        rest_s: defaults::TRIAL_REST_S,
        tolerance: defaults::TOLERANCE,
        confirmations: defaults::CONFIRMATIONS,
        connections,
    }
}

/// The phases: the load, after a warm-up where one is wanted.
#[must_use]
pub fn phases(kind: PhaseKind, warm_up: Option<Duration>) -> Vec<PhasePlan> {
    let phase = |label: &str, kind| PhasePlan {
        label: label.to_owned(),
        kind,
    };
    let before = warm_up.map(|time| phase("warm-up", before(kind.clone(), time.as_secs_f64())));
    before.into_iter().chain([phase("load", kind)]).collect()
}

/// The same load for another duration. Where the rate changes, the warm-up has the rate at the
/// beginning.
fn before(kind: PhaseKind, duration_s: f64) -> PhaseKind {
    let at = |rate, connections| PhaseKind::Open {
        rate,
        duration_s,
        connections,
    };
    match kind {
        PhaseKind::Search(spec) => at(spec.from_rate, spec.connections),
        PhaseKind::Scheduled {
            schedule,
            connections,
        } => match schedule {
            ScheduleSpec::Poisson { .. } | ScheduleSpec::Burst { .. } => PhaseKind::Scheduled {
                schedule: schedule.lasting(duration_s),
                connections,
            },
            // A ramp that begins with a rate of 0: its mean rate.
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
        other => other.lasting(duration_s),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_or_refused_with_an_example() {
        assert_eq!(range("100..2000"), Ok((100.0, 2_000.0)));
        assert!(range("100").unwrap_err().contains("such as"));
        let swings = ScheduleSpec::Sine {
            mean_rate: 500.0,
            amplitude: 300.0,
            period_s: 60.0,
            duration_s: 10.0,
        };
        assert_eq!(sine("500,300,1m"), Ok(swings));
        assert!(sine("500,300").unwrap_err().contains("500,300,1m"));
        let bursts = ScheduleSpec::Burst {
            requests: 10_000,
            over_s: 2.0,
            rest_s: 9.0,
            duration_s: 10.0,
        };
        assert_eq!(burst("5000,2s,9s"), Ok(bursts));
        assert!(burst("5000,1s,9s,1").is_err());
        let uniform = ThinkSpec::Uniform {
            from_ms: 50.0,
            to_ms: 200.0,
        };
        assert_eq!(think("50ms..200ms"), Ok(uniform));
        assert!(think("2s..1s").unwrap_err().contains("exchange"));
    }

    /// What comes before a load.
    fn warm_up(kind: PhaseKind) -> PhaseKind {
        let mut phases = phases(kind, Some(Duration::from_secs(3)));
        assert_eq!(phases.len(), 2);
        phases.remove(0).kind
    }

    fn scheduled(schedule: ScheduleSpec) -> PhaseKind {
        PhaseKind::Scheduled {
            schedule,
            connections: 7,
        }
    }

    fn open(rate: f64) -> PhaseKind {
        PhaseKind::Open {
            rate,
            duration_s: 3.0,
            connections: 7,
        }
    }

    #[test]
    fn a_load_that_changes_is_warmed_at_the_rate_with_which_it_begins() {
        assert_eq!(warm_up(scheduled(ramp("100..2000").unwrap())), open(100.0));
        let from_nothing = ScheduleSpec::Ramp {
            from_rate: 0.0,
            to_rate: 200.0,
            duration_s: 10.0,
        };
        assert_eq!(warm_up(scheduled(from_nothing)), open(100.0));
        assert_eq!(warm_up(scheduled(sine("500,300,1m").unwrap())), open(500.0));
        let objective = "p99<50ms".parse().unwrap();
        let kind = PhaseKind::Search(search(objective, Some((20.0, 90.0)), 7));
        assert_eq!(warm_up(kind), open(20.0));
    }

    #[test]
    fn a_load_that_does_not_is_warmed_by_itself_for_another_time() {
        let bursts = burst("5000,1s,9s").unwrap();
        let short = bursts.clone().lasting(3.0);
        assert_eq!(warm_up(scheduled(bursts)), scheduled(short));
        let PhaseKind::Closed {
            requests,
            duration_s,
            connections,
            ..
        } = warm_up(PhaseKind::closed(100, 9))
        else {
            panic!("a closed loop stays one");
        };
        assert_eq!((requests, duration_s, connections), (None, Some(3.0), 9));
    }
}
