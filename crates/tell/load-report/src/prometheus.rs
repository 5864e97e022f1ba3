//! Final values in the text exposition format of Prometheus 0.0.4, for the node exporter's textfile
//! collector or a push gateway: base units (seconds), names that end in their unit, a family's
//! samples together under its `HELP` and `TYPE`.

use crate::model::LoadReport;
use crate::records::Distribution;
use crate::run::{LoadRun, PhaseDistributions};
use crate::{Exporter, Format};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use tacho_report::words;
use tacho_run_folder::CertificateState;

/// Upper bounds of the histograms' buckets in nanoseconds with their names in seconds, 1-2-5 from
/// 50 µs to a minute.
pub(crate) const BUCKETS: [(u64, &str); 19] = [
    (50_000, "0.00005"),
    (100_000, "0.0001"),
    (200_000, "0.0002"),
    (500_000, "0.0005"),
    (1_000_000, "0.001"),
    (2_000_000, "0.002"),
    (5_000_000, "0.005"),
    (10_000_000, "0.01"),
    (20_000_000, "0.02"),
    (50_000_000, "0.05"),
    (100_000_000, "0.1"),
    (200_000_000, "0.2"),
    (500_000_000, "0.5"),
    (1_000_000_000, "1"),
    (2_000_000_000, "2"),
    (5_000_000_000, "5"),
    (10_000_000_000, "10"),
    (30_000_000_000, "30"),
    (60_000_000_000, "60"),
];

/// A load run in the text format of Prometheus.
pub const PROMETHEUS: Format = Exporter {
    option: "prometheus",
    variable: "TACHO_PROMETHEUS",
    help: "Result as Prometheus text (-)",
    export: |of| Ok(render(&of.run).into_bytes()),
};

/// The whole page, ending in a newline.
#[must_use]
pub fn render(run: &LoadRun) -> String {
    let mut page = Page::of(&run.report.url);
    counters(&mut page, &run.report);
    times(&mut page, run);
    verdicts(&mut page, &run.report);
    page.text
}

/// A page that is being written. Each of its samples says where the requests went.
pub(crate) struct Page {
    pub(crate) text: String,
    url: String,
}

impl Page {
    pub(crate) fn of(url: &str) -> Self {
        Self {
            text: String::new(),
            url: escape(url),
        }
    }

    pub(crate) fn family(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    /// `labels` are pairs of names and values.
    pub(crate) fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: f64) {
        let mut all = format!("url=\"{}\"", self.url);
        for (label, of) in labels {
            let _ = write!(all, ",{label}=\"{}\"", escape(of));
        }
        let _ = writeln!(self.text, "{name}{{{all}}} {value}");
    }
}

fn counters(page: &mut Page, report: &LoadReport) {
    let name = "tacho_load_requests_total";
    page.family(name, "counter", "Requests whose intended instant came.");
    for phase in &report.phases {
        page.sample(name, &[("phase", &phase.label)], phase.requests as f64);
    }
    let name = "tacho_load_outcomes_total";
    let help = "What became of the requests, by class of status or kind of error.";
    page.family(name, "counter", help);
    for phase in &report.phases {
        for (outcome, count) in &phase.outcomes {
            let labels = [("phase", phase.label.as_str()), ("outcome", outcome)];
            page.sample(name, &labels, count.count as f64);
        }
    }
    let name = "tacho_load_reconnects_total";
    page.family(
        name,
        "counter",
        "Connections that were opened inside the clock.",
    );
    for phase in &report.phases {
        page.sample(name, &[("phase", &phase.label)], phase.reconnects as f64);
    }
    let name = "tacho_load_generator_cpu_seconds_total";
    page.family(name, "counter", "Processor time of the generator.");
    for phase in &report.phases {
        page.sample(name, &[("phase", &phase.label)], phase.generator_cpu_s);
    }
    let name = "tacho_load_duration_seconds";
    page.family(
        name,
        "gauge",
        "From the first intended instant to the last end.",
    );
    for phase in &report.phases {
        page.sample(name, &[("phase", &phase.label)], phase.duration_s);
    }
    let name = "tacho_load_answers_per_second";
    page.family(name, "gauge", "Answers a second, whatever their status.");
    for phase in &report.phases {
        page.sample(name, &[("phase", &phase.label)], phase.rate);
    }
    let name = "tacho_load_intended_requests_per_second";
    page.family(
        name,
        "gauge",
        "Requests a second that the schedule asked for.",
    );
    for phase in &report.phases {
        if let Some(rate) = phase.intended_rate {
            page.sample(name, &[("phase", &phase.label)], rate);
        }
    }
}

/// Name of the family, its help text, and where its values are.
type Family = (
    &'static str,
    &'static str,
    fn(&PhaseDistributions) -> &Distribution,
);

const TIMES: &[Family] = &[
    (
        "tacho_load_response_time_seconds",
        "From intended to end, of requests that succeeded.",
        |d| &d.response,
    ),
    (
        "tacho_load_service_time_seconds",
        "From sent to end, of requests that succeeded.",
        |d| &d.service,
    ),
    (
        "tacho_load_dispatch_delay_seconds",
        "From intended to sent, of all requests.",
        |d| &d.dispatch_delay,
    ),
    (
        "tacho_load_generator_lag_seconds",
        "From intended to dispatched, of all requests.",
        |d| &d.generator_lag,
    ),
];

fn times(page: &mut Page, run: &LoadRun) {
    for (name, help, of) in TIMES {
        page.family(name, "histogram", help);
        for (phase, distributions) in run.report.phases.iter().zip(&run.distributions) {
            histogram(page, name, &phase.label, of(distributions));
        }
    }
}

fn histogram(page: &mut Page, name: &str, phase: &str, distribution: &Distribution) {
    let bucket = format!("{name}_bucket");
    for (ns, le) in BUCKETS {
        let labels = [("phase", phase), ("le", le)];
        page.sample(&bucket, &labels, distribution.count_up_to(ns) as f64);
    }
    let count = distribution.count() as f64;
    page.sample(&bucket, &[("phase", phase), ("le", "+Inf")], count);
    page.sample(
        &format!("{name}_sum"),
        &[("phase", phase)],
        distribution.sum_s(),
    );
    page.sample(&format!("{name}_count"), &[("phase", phase)], count);
}

fn verdicts(page: &mut Page, report: &LoadReport) {
    let name = "tacho_load_certificate";
    page.family(
        name,
        "gauge",
        "1 for the state of the certificate, 0 for the others.",
    );
    for state in [
        CertificateState::Valid,
        CertificateState::Degraded,
        CertificateState::Invalid,
    ] {
        let is_it = f64::from(u8::from(report.certificate.state == state));
        page.sample(name, &[("state", words::certificate(state))], is_it);
    }
    if report.checks.is_empty() {
        return;
    }
    let name = "tacho_load_check_passed";
    page.family(name, "gauge", "1 when the check holds.");
    // Given twice, it is still one series.
    let mut shown = BTreeSet::new();
    for check in report.checks.iter().filter(|c| shown.insert(&c.check)) {
        let passed = f64::from(u8::from(check.passed));
        page.sample(name, &[("check", &check.check)], passed);
    }
}

/// Of label values.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}
