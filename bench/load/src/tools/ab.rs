//! ab, ApacheBench: a closed loop, with keep-alive only when asked.

use super::{Latency, Load, Said, count, number_after};
use std::process::Command;

pub fn arguments(command: &mut Command, load: Load) {
    let (connections, requests) = match load {
        Load::Closed {
            connections,
            requests,
            ..
        } => (connections, requests),
        // It has no rate.
        Load::Constant {
            connections,
            rate,
            seconds,
        } => (connections, u64::from(rate) * seconds),
    };
    command.args([
        "-q",
        "-k",
        "-c",
        &connections.to_string(),
        "-n",
        &requests.to_string(),
    ]);
}

pub fn read(text: &str) -> Result<Said, String> {
    let requests = count(number_after(text, "Complete requests:")?)?;
    let failed = count(number_after(text, "Failed requests:")?)?;
    // Whole milliseconds in a table.
    let in_table = |label| {
        number_after(text, label)
            .ok()
            .and_then(|ms| ms.parse().ok())
    };
    let mut doubts = Vec::new();
    if failed > 0 {
        doubts.push(format!("{failed} failed"));
    }
    Ok(Said {
        requests,
        latency: Some(Latency {
            p50: in_table("50%"),
            p95: in_table("95%"),
            p99: in_table("99%"),
            max: in_table("100%"),
        }),
        own_lateness_p99_ms: None,
        doubts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "\
Concurrency Level:      64
Time taken for tests:   1.234 seconds
Complete requests:      100000
Failed requests:        3
Keep-Alive requests:    100000
Requests per second:    81037.28 [#/sec] (mean)

Percentage of the requests served within a certain time (ms)
  50%      1
  95%      2
  99%      4
 100%     29 (longest request)
";

    #[test]
    fn a_report_is_read() {
        let said = read(REPORT).unwrap();
        assert_eq!(said.requests, 100_000);
        let latency = said.latency.unwrap();
        assert_eq!(
            (latency.p95, latency.p99, latency.max),
            (Some(2.0), Some(4.0), Some(29.0))
        );
        assert_eq!(said.doubts, ["3 failed"]);
    }

    #[test]
    fn what_is_no_report_is_refused() {
        assert!(read("apr_socket_recv: Connection refused (111)\n").is_err());
    }
}
