//! From what a plan says to the schedule itself.

use super::{
    Burst, Poisson, Ramp, RecordingError, Replay, Schedule, ScheduleError, Sine, Steps,
    read_recording,
};
use std::path::Path;
use tacho_run_folder::ScheduleSpec;

/// Builds a schedule. A replay's file is read here, whole, and closed again.
///
/// # Errors
/// When no such schedule is possible, or its recording cannot be read.
pub fn build(spec: &ScheduleSpec) -> Result<Box<dyn Schedule + Send>, ScheduleError> {
    Ok(match spec {
        ScheduleSpec::Ramp {
            from_rate,
            to_rate,
            duration_s,
        } => Box::new(Ramp::new(*from_rate, *to_rate, *duration_s)?),
        ScheduleSpec::Steps { steps } => {
            let steps: Vec<(f64, f64)> = steps.iter().map(|s| (s.rate, s.duration_s)).collect();
            Box::new(Steps::new(&steps)?)
        }
        ScheduleSpec::Sine {
            mean_rate,
            amplitude,
            period_s,
            duration_s,
        } => Box::new(Sine::new(*mean_rate, *amplitude, *period_s, *duration_s)?),
        ScheduleSpec::Poisson {
            rate,
            duration_s,
            seed,
        } => Box::new(Poisson::new(*rate, *duration_s, *seed)?),
        ScheduleSpec::Burst {
            requests,
            over_s,
            rest_s,
            duration_s,
        } => Box::new(Burst::new(*requests, *over_s, *rest_s, *duration_s)?),
        ScheduleSpec::Replay {
            file,
            speed,
            column,
            unit,
        } => {
            let recording = tacho_files::input::open(Path::new(file)).map_err(|error| {
                RecordingError::Unreadable {
                    path: file.clone(),
                    reason: error.to_string(),
                }
            })?;
            let instants = read_recording(recording, column.as_deref(), *unit)?;
            Box::new(Replay::new(instants, *speed)?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::properties;
    use super::*;
    use std::io::Write;
    use tacho_run_folder::RateStep;

    fn count(spec: &ScheduleSpec) -> u64 {
        properties::count(&build(spec).unwrap())
    }

    #[test]
    fn each_spec_becomes_its_schedule() {
        let duration_s = 10.0;
        let ramp = ScheduleSpec::Ramp {
            from_rate: 10.0,
            to_rate: 30.0,
            duration_s,
        };
        assert_eq!(count(&ramp), 200);
        let step = |rate| RateStep {
            rate,
            duration_s: 2.0,
        };
        let steps = ScheduleSpec::Steps {
            steps: vec![step(10.0), step(20.0)],
        };
        assert_eq!(count(&steps), 60);
        let sine = ScheduleSpec::Sine {
            mean_rate: 10.0,
            amplitude: 5.0,
            period_s: 2.5,
            duration_s,
        };
        assert_eq!(count(&sine), 100);
        let burst = ScheduleSpec::Burst {
            requests: 7,
            over_s: 1.0,
            rest_s: 4.0,
            duration_s,
        };
        assert_eq!(count(&burst), 14);
        let poisson = |seed| ScheduleSpec::Poisson {
            rate: 100.0,
            duration_s,
            seed,
        };
        assert_eq!(count(&poisson(1)), count(&poisson(1)));
        assert_ne!(count(&poisson(1)), count(&poisson(2)));
    }

    #[test]
    fn a_replay_reads_its_file() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"10.0\n10.5\n12.0\n").unwrap();
        let spec = ScheduleSpec::Replay {
            file: file.path().to_str().unwrap().to_owned(),
            speed: 2.0,
            column: None,
            unit: None,
        };
        let schedule = build(&spec).unwrap();
        assert_eq!(properties::all(&schedule), [0, 250_000_000, 1_000_000_000]);
    }

    #[test]
    fn a_recording_that_is_not_there_is_named() {
        let spec = ScheduleSpec::Replay {
            file: "/nowhere/instants.csv".to_owned(),
            speed: 1.0,
            column: None,
            unit: None,
        };
        let Err(error) = build(&spec) else {
            panic!("built from nothing");
        };
        assert!(error.to_string().contains("/nowhere/instants.csv"));
    }
}
