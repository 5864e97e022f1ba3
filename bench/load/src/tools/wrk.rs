//! wrk, as Debian has it: a closed loop with one thread.

use super::{Latency, Load, Said, count};
use std::process::Command;

pub fn arguments(command: &mut Command, load: Load) {
    let (connections, seconds) = match load {
        Load::Closed {
            connections,
            wrk_seconds,
            ..
        } => (connections, wrk_seconds),
        // It has no rate; it runs as fast as it can for the same time.
        Load::Constant {
            connections,
            seconds,
            ..
        } => (connections, seconds),
    };
    command.args([
        "-t1",
        &format!("-c{connections}"),
        &format!("-d{seconds}s"),
        "--latency",
    ]);
}

pub fn read(text: &str) -> Result<Said, String> {
    //   504378 requests in 6.00s, 73.11MB read
    let line = text.lines().find(|line| line.contains(" requests in "));
    let line = line.ok_or("no line `requests in`")?;
    let requests = count(line.split_whitespace().next().unwrap_or_default())?;
    //     Latency     1.24ms    1.01ms  26.90ms   89.43%
    let statistics = text
        .lines()
        .find(|line| line.trim_start().starts_with("Latency "));
    let max = statistics
        .and_then(|line| line.split_whitespace().nth(3))
        .and_then(milliseconds);
    //      99%    4.41ms
    let p99 = text
        .lines()
        .find_map(|line| line.trim_start().strip_prefix("99%"))
        .and_then(|value| milliseconds(value.trim()));
    //   Socket errors: connect 0, read 12, write 0, timeout 0
    //   Non-2xx or 3xx responses: 12
    let doubts = text
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("Socket errors") || line.starts_with("Non-2xx"));
    Ok(Said {
        requests,
        latency: Some(Latency {
            p50: None,
            p95: None,
            p99,
            max,
        }),
        own_lateness_p99_ms: None,
        doubts: doubts.map(str::to_owned).collect(),
    })
}

/// `863.00us`, `1.24ms`, `1.01s`, `1.02m`
fn milliseconds(text: &str) -> Option<f64> {
    let unit = text.find(|c: char| c.is_ascii_alphabetic())?;
    let number: f64 = text[..unit].parse().ok()?;
    let factor = match &text[unit..] {
        "us" => 1e-3,
        "ms" => 1.0,
        "s" => 1e3,
        "m" => 6e4,
        _ => return None,
    };
    Some(number * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "\
Running 6s test @ http://127.0.0.1:18080/
  1 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.24ms    1.01ms  26.90ms   89.43%
    Req/Sec    84.50k     5.12k   93.10k    71.67%
  Latency Distribution
     50%  863.00us
     75%    1.02ms
     90%    2.20ms
     99%    4.41ms
  504378 requests in 6.00s, 73.11MB read
  Socket errors: connect 0, read 12, write 0, timeout 0
Requests/sec:  84050.12
Transfer/sec:     12.18MB
";

    #[test]
    fn a_report_is_read() {
        let said = read(REPORT).unwrap();
        assert_eq!(said.requests, 504_378);
        let latency = said.latency.unwrap();
        assert_eq!(
            (latency.p95, latency.p99, latency.max),
            (None, Some(4.41), Some(26.9))
        );
        assert_eq!(
            said.doubts,
            ["Socket errors: connect 0, read 12, write 0, timeout 0"]
        );
    }

    #[test]
    fn its_units_are_understood() {
        assert_eq!(milliseconds("500.00us"), Some(0.5));
        assert_eq!(milliseconds("1.01s"), Some(1010.0));
        assert_eq!(milliseconds("2.00m"), Some(120_000.0));
        assert_eq!(milliseconds("12"), None);
        assert_eq!(milliseconds("12x"), None);
    }

    #[test]
    fn what_is_no_report_is_refused() {
        assert!(read("unable to connect to 127.0.0.1:1 Connection refused\n").is_err());
    }
}
