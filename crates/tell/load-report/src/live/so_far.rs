//! What has ended so far, over all phases, for others to draw: added up second by second, as a page
//! for Prometheus or as metrics of OpenTelemetry.

use crate::prometheus::{BUCKETS, Page};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tacho_load::recorder::Second;

/// What has ended so far.
#[derive(Debug, Default)]
pub(super) struct SoFar {
    succeeded: u64,
    failed: BTreeMap<String, u64>,
    /// Response times of requests that succeeded. Buckets are not cumulative; the last holds all
    /// times beyond the last bound.
    buckets: [u64; BUCKETS.len() + 1],
    sum_s: f64,
}

/// From when to when, in nanoseconds of the wall clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    pub began_ns: u64,
    pub now_ns: u64,
}

impl SoFar {
    pub fn take(&mut self, second: &Second) {
        self.succeeded += second.succeeded;
        for (kind, count) in &second.errors {
            *self.failed.entry(kind.name().to_owned()).or_default() += count;
        }
        for value in second.response.iter_recorded() {
            let ns = value.value_iterated_to();
            let bucket = BUCKETS.partition_point(|(bound, _)| *bound < ns);
            self.buckets[bucket] += value.count_at_value();
        }
        if second.succeeded > 0 {
            self.sum_s += second.response.mean() * second.succeeded as f64 / 1e9;
        }
    }

    /// Text exposition format 0.0.4.
    pub fn page(&self, url: &str) -> String {
        let mut page = Page::of(url);
        let name = "tacho_load_live_succeeded_total";
        page.family(name, "counter", "Requests that have succeeded so far.");
        page.sample(name, &[], self.succeeded as f64);
        let name = "tacho_load_live_failed_total";
        page.family(name, "counter", "Requests that have failed so far.");
        for (kind, count) in &self.failed {
            page.sample(name, &[("kind", kind)], *count as f64);
        }
        let name = "tacho_load_live_response_time_seconds";
        let help = "From intended to end, of requests that have succeeded so far.";
        page.family(name, "histogram", help);
        let bucket = format!("{name}_bucket");
        let mut up_to = 0;
        for ((_, le), count) in BUCKETS.iter().zip(&self.buckets) {
            up_to += count;
            page.sample(&bucket, &[("le", le)], up_to as f64);
        }
        let all: u64 = self.buckets.iter().sum();
        page.sample(&bucket, &[("le", "+Inf")], all as f64);
        page.sample(&format!("{name}_sum"), &[], self.sum_s);
        page.sample(&format!("{name}_count"), &[], all as f64);
        page.text
    }

    /// A request of OTLP 1 in JSON: names in camel case, 64-bit integers as text
    /// (<https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding>). All values are
    /// cumulative, so the next message makes up for a lost one.
    pub fn otlp(&self, url: &str, stretch: Stretch) -> Value {
        let point = |value: Value, more: &[(&str, &str)]| {
            let mut point = stretch.point(url, more);
            if let (Value::Object(point), Value::Object(value)) = (&mut point, value) {
                point.extend(value);
            }
            point
        };
        let failed: Vec<Value> = self
            .failed
            .iter()
            .map(|(kind, count)| {
                point(json!({"asInt": count.to_string()}), &[("error.type", kind)])
            })
            .collect();
        let counts: Vec<String> = self.buckets.iter().map(u64::to_string).collect();
        let all: u64 = self.buckets.iter().sum();
        let bounds: Vec<f64> = BUCKETS.iter().map(|(ns, _)| *ns as f64 / 1e9).collect();
        let times = json!({
            "count": all.to_string(),
            "sum": self.sum_s,
            "bucketCounts": counts,
            "explicitBounds": bounds,
        });
        let metrics = json!([
            counter(
                "tacho.load.succeeded",
                "Requests that have succeeded so far.",
                &[point(json!({"asInt": self.succeeded.to_string()}), &[])],
            ),
            counter("tacho.load.failed", "Requests that have failed so far.", &failed),
            {
                "name": "tacho.load.response_time",
                "description": "From intended to end, of requests that have succeeded so far.",
                "unit": "s",
                "histogram": {
                    "aggregationTemporality": CUMULATIVE,
                    "dataPoints": [point(times, &[])],
                },
            },
        ]);
        let version = env!("CARGO_PKG_VERSION");
        json!({
            "resourceMetrics": [{
                "resource": {"attributes": [
                    attribute("service.name", "tacho"),
                    attribute("service.version", version),
                ]},
                "scopeMetrics": [{
                    "scope": {"name": "tacho.load", "version": version},
                    "metrics": metrics,
                }],
            }],
        })
    }
}

/// `AGGREGATION_TEMPORALITY_CUMULATIVE` of metrics.proto.
const CUMULATIVE: u8 = 2;

impl Stretch {
    fn point(self, url: &str, more: &[(&str, &str)]) -> Value {
        let of = |(name, value): &(&str, &str)| attribute(name, value);
        let attributes: Vec<Value> = [("url.full", url)].iter().chain(more).map(of).collect();
        json!({
            "startTimeUnixNano": self.began_ns.to_string(),
            "timeUnixNano": self.now_ns.to_string(),
            "attributes": attributes,
        })
    }
}

fn attribute(name: &str, value: &str) -> Value {
    json!({"key": name, "value": {"stringValue": value}})
}

fn counter(name: &str, description: &str, points: &[Value]) -> Value {
    json!({
        "name": name,
        "description": description,
        "unit": "{request}",
        "sum": {
            "aggregationTemporality": CUMULATIVE,
            "isMonotonic": true,
            "dataPoints": points,
        },
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use hdrhistogram::Histogram;
    use tacho_load::recorder::BINS;
    use tacho_run_folder::ErrorKind;

    pub fn second(times_ms: &[u64], timeouts: u64) -> Second {
        let mut response = Histogram::new(3).unwrap();
        for ms in times_ms {
            response.record(ms * 1_000_000).unwrap();
        }
        Second {
            began_at: 0,
            ended_at: 1_000_000_000,
            succeeded: times_ms.len() as u64,
            failed: timeouts,
            errors: vec![(ErrorKind::Timeout, timeouts)],
            response,
            bins: [0; BINS],
        }
    }

    fn so_far() -> SoFar {
        let mut so_far = SoFar::default();
        so_far.take(&second(&[3, 4, 30], 2));
        so_far.take(&second(&[3], 0));
        so_far
    }

    #[test]
    fn seconds_are_added_up() {
        let page = so_far().page("http://here/");
        for line in [
            "tacho_load_live_succeeded_total{url=\"http://here/\"} 4",
            "tacho_load_live_failed_total{url=\"http://here/\",kind=\"timeout\"} 2",
            "tacho_load_live_response_time_seconds_bucket{url=\"http://here/\",le=\"0.002\"} 0",
            "tacho_load_live_response_time_seconds_bucket{url=\"http://here/\",le=\"0.005\"} 3",
            "tacho_load_live_response_time_seconds_bucket{url=\"http://here/\",le=\"+Inf\"} 4",
            "tacho_load_live_response_time_seconds_count{url=\"http://here/\"} 4",
        ] {
            assert!(page.lines().any(|one| one == line), "{line}\n{page}");
        }
        let sum = page
            .lines()
            .find(|line| line.contains("seconds_sum"))
            .unwrap();
        let sum: f64 = sum.rsplit(' ').next().unwrap().parse().unwrap();
        assert!((sum - 0.040).abs() < 1e-4, "{sum}");
    }

    #[test]
    fn the_same_is_told_to_a_collector() {
        let stretch = Stretch {
            began_ns: 1_000,
            now_ns: 2_000,
        };
        let sent = so_far().otlp("http://here/", stretch);
        let metrics = &sent["resourceMetrics"][0]["scopeMetrics"][0]["metrics"];
        let named = |name: &str| {
            let mut all = metrics.as_array().unwrap().iter();
            all.find(|metric| metric["name"] == name).unwrap().clone()
        };
        let succeeded = &named("tacho.load.succeeded")["sum"];
        assert_eq!(succeeded["isMonotonic"], true);
        let point = &succeeded["dataPoints"][0];
        assert_eq!(
            (&point["asInt"], &point["timeUnixNano"]),
            (&json!("4"), &json!("2000"))
        );
        assert_eq!(
            point["attributes"][0]["value"]["stringValue"],
            "http://here/"
        );
        let failed = &named("tacho.load.failed")["sum"]["dataPoints"][0];
        assert_eq!(failed["asInt"], "2");
        assert_eq!(failed["attributes"][1]["key"], "error.type");
        let times = &named("tacho.load.response_time")["histogram"]["dataPoints"][0];
        assert_eq!(times["count"], "4");
        let bounds = times["explicitBounds"].as_array().unwrap().len();
        // One more: what is beyond the last bound.
        assert_eq!(times["bucketCounts"].as_array().unwrap().len(), bounds + 1);
    }
}
