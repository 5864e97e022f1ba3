//! hey: a closed loop (its rate is one of each worker, and its latencies are not corrected).

use super::{Latency, Load, Said, count};
use std::process::Command;

pub fn arguments(command: &mut Command, load: Load) {
    match load {
        Load::Closed {
            connections,
            requests,
            ..
        } => command.args(["-c", &connections.to_string(), "-n", &requests.to_string()]),
        Load::Constant {
            connections,
            rate,
            seconds,
        } => command.args([
            "-c",
            &connections.to_string(),
            "-z",
            &format!("{seconds}s"),
            "-q",
            &(f64::from(rate) / f64::from(connections.max(1))).to_string(),
        ]),
    };
}

pub fn read(text: &str) -> Result<Said, String> {
    //   [200]	1000 responses
    let mut requests = 0;
    let mut doubts = Vec::new();
    let distribution = text
        .lines()
        .skip_while(|line| !line.starts_with("Status code distribution"));
    for line in distribution
        .map(str::trim)
        .take_while(|line| !line.starts_with("Error distribution"))
    {
        let Some((status, rest)) = line.strip_prefix('[').and_then(|l| l.split_once(']')) else {
            continue;
        };
        let responses = count(rest.split_whitespace().next().unwrap_or_default())?;
        requests += responses;
        if !status.starts_with('2') {
            doubts.push(format!("{responses} {status}"));
        }
    }
    //   Error distribution:
    //   [12]	Get "http://...": EOF
    let errors = text
        .lines()
        .skip_while(|line| !line.starts_with("Error distribution"));
    doubts.extend(
        errors
            .skip(1)
            .map(str::trim)
            .filter(|line| line.starts_with('['))
            .map(str::to_owned),
    );
    if requests == 0 {
        return Err("no status code distribution".to_owned());
    }
    //   99% in 0.0037 secs
    let seconds_after = |label: &str| {
        text.lines()
            .find_map(|line| line.trim().strip_prefix(label))
            .and_then(|rest| {
                rest.split_whitespace()
                    .find_map(|word| word.parse::<f64>().ok())
            })
            .map(|seconds| seconds * 1e3)
    };
    Ok(Said {
        requests,
        latency: Some(Latency {
            p50: seconds_after("50%"),
            p95: seconds_after("95%"),
            p99: seconds_after("99%"),
            max: seconds_after("Slowest:"),
        }),
        own_lateness_p99_ms: None,
        doubts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "
Summary:
  Total:\t4.5678 secs
  Slowest:\t0.0312 secs
  Requests/sec:\t43785.1234

Latency distribution:
  10%% in 0.0005 secs
  95% in 0.0025 secs
  99% in 0.0037 secs

Status code distribution:
  [200]\t199997 responses
  [503]\t3 responses

Error distribution:
  [2]\tGet \"http://127.0.0.1:1/\": EOF
";

    #[test]
    fn a_report_is_read() {
        let said = read(REPORT).unwrap();
        assert_eq!(said.requests, 200_000);
        let latency = said.latency.unwrap();
        let near = |seen: Option<f64>, truth: f64| (seen.unwrap() - truth).abs() < 1e-9;
        assert!(
            near(latency.p95, 2.5) && near(latency.p99, 3.7) && near(latency.max, 31.2),
            "{latency:?}"
        );
        assert_eq!(
            said.doubts,
            ["3 503", "[2]\tGet \"http://127.0.0.1:1/\": EOF"]
        );
    }

    #[test]
    fn what_is_no_report_is_refused() {
        assert!(read("\nSummary:\n  Total: 0.1 secs\n").is_err());
    }
}
