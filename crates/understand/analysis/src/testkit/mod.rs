//! Synthetic runs with known truth, for tests.
//!
//! ```text
//! let aot = Profile { ready_ms: 500.0, ..Profile::named("aot") };
//! let run = Synthetic::new(5).variant(Profile::named("jar")).variant(aot).run();
//! ```
//! Scatter is deterministic: launch k of n lies at its own place between 1 - noise and 1 + noise,
//! the middle launch at 1, so that the median over an odd number of launches is the profile itself.
//! The launches of a block lie at unlike places. With [`Synthetic::drawn`] the places are drawn at
//! random, one for each quantity of each launch.

mod record;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use record::{cold_requests, header, limits_seen, phases, prepared, samples};
use tacho_run_folder::{
    Cell, LaunchData, LaunchOutcome, LaunchRecord, Limits, PhaseKind, PhasePlan, Plan,
    PlannedLaunch, ResourcePoint, ResourceSummary, RunData, TimeLine,
};

/// How a variant behaves.
#[derive(Debug, Clone)]
pub struct Profile {
    /// Name of the variant.
    pub name: String,
    /// Time to ready.
    pub ready_ms: f64,
    /// Processor time to ready.
    pub cpu_to_ready_s: f64,
    /// Response time of the first request.
    pub first_request_ms: f64,
    /// Processor time of each request.
    pub cpu_per_request_ms: f64,
    /// Service time of each request but the first.
    pub service_ms: f64,
    /// Answers a second in closed phases.
    pub throughput: f64,
    /// Resident set throughout.
    pub memory_bytes: u64,
    /// Application on disk.
    pub application_bytes: u64,
    /// Time that making it took.
    pub build_s: f64,
    /// Relative scatter of all of these over launches.
    pub noise: f64,
}

impl Profile {
    /// Ready in 2 s, 1,000 requests a second, 200 MiB, without scatter.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ready_ms: 2000.0,
            cpu_to_ready_s: 3.0,
            first_request_ms: 80.0,
            cpu_per_request_ms: 0.5,
            service_ms: 2.0,
            throughput: 1000.0,
            memory_bytes: 200 << 20,
            application_bytes: 40 << 20,
            build_s: 12.5,
            noise: 0.0,
        }
    }

    /// Each quantity times a factor of its own.
    fn scaled(&self, mut factor: impl FnMut() -> f64) -> Self {
        Self {
            name: self.name.clone(),
            ready_ms: self.ready_ms * factor(),
            cpu_to_ready_s: self.cpu_to_ready_s * factor(),
            first_request_ms: self.first_request_ms * factor(),
            cpu_per_request_ms: self.cpu_per_request_ms * factor(),
            service_ms: self.service_ms * factor(),
            throughput: self.throughput * factor(),
            memory_bytes: (self.memory_bytes as f64 * factor()) as u64,
            ..self.clone()
        }
    }
}

/// Where a launch lies, drawn at random: 0 is the profile itself, 1 is its noise above.
pub type Place = fn(&mut ChaCha8Rng) -> f64;

/// A run to be.
#[derive(Debug, Clone)]
pub struct Synthetic {
    drawn: Option<(u64, Place)>,
    launches: u32,
    limits: Vec<Limits>,
    phases: Vec<PhasePlan>,
    profiles: Vec<Profile>,
    checks: Vec<String>,
}

impl Synthetic {
    /// This many launches of each cell; five cold requests, then 10,000 over 100 connections; no
    /// limits. The first variant is the baseline, the threshold is 5 %.
    #[must_use]
    pub fn new(launches: u32) -> Self {
        let closed = PhaseKind::closed(10_000, 100);
        Self {
            drawn: None,
            launches,
            limits: vec![Limits {
                name: "none".to_owned(),
                ..Limits::default()
            }],
            phases: vec![
                phase("cold", PhaseKind::Cold { requests: 5 }),
                phase("closed", closed),
            ],
            profiles: Vec::new(),
            checks: Vec::new(),
        }
    }

    /// Places of launches drawn at random, in steps of the profile's noise on a logarithmic scale.
    #[must_use]
    pub fn drawn(mut self, seed: u64, place: Place) -> Self {
        self.drawn = Some((seed, place));
        self
    }

    /// One more variant.
    #[must_use]
    pub fn variant(mut self, profile: Profile) -> Self {
        self.profiles.push(profile);
        self
    }

    /// One more set of limits; the first replaces `none`.
    #[must_use]
    pub fn limits(mut self, name: &str, cpu: f64, memory_bytes: u64) -> Self {
        self.limits.retain(|l| l.name != "none");
        self.limits.push(Limits {
            name: name.to_owned(),
            cpu: Some(cpu),
            memory_bytes: Some(memory_bytes),
        });
        self
    }

    /// One more phase: 200 requests a second for 10 s.
    #[must_use]
    pub fn open_phase(mut self, label: &str) -> Self {
        let open = PhaseKind::Open {
            rate: 200.0,
            duration_s: 10.0,
            connections: 50,
        };
        self.phases.push(phase(label, open));
        self
    }

    /// One more objective.
    #[must_use]
    pub fn check(mut self, check: &str) -> Self {
        self.checks.push(check.to_owned());
        self
    }

    /// As if it had been carried out.
    #[must_use]
    pub fn run(&self) -> RunData {
        let cells = self.cells();
        let mut planned = Vec::new();
        let mut launches = Vec::new();
        let mut random = ChaCha8Rng::seed_from_u64(self.drawn.map_or(0, |(seed, _)| seed));
        for replicate in 1..=self.launches {
            for (index, (profile, cell)) in cells.iter().enumerate() {
                let number = planned.len() as u32 + 1;
                let profile = &match self.drawn {
                    Some((_, place)) => {
                        profile.scaled(|| (profile.noise * place(&mut random)).exp())
                    }
                    None => profile.scaled(|| 1.0 + profile.noise * self.place(replicate, index)),
                };
                planned.push(PlannedLaunch {
                    number,
                    cell: cell.id.clone(),
                    replicate,
                    again: None,
                });
                launches.push(self.launch(number, replicate, profile, cell));
            }
        }
        RunData {
            header: header(),
            damaged: Vec::new(),
            times: std::collections::BTreeMap::new(),
            unreadable_lines: 0,
            plan: Plan {
                pods: 1,
                warm_up: None,
                seed: 7,
                launches_per_cell: self.launches,
                looks: Vec::new(),
                aa: None,
                duet: None,
                rest_s: 1.0,
                baseline: self
                    .profiles
                    .first()
                    .map_or_else(String::new, |p| p.name.clone()),
                threshold: 0.05,
                cells: cells.into_iter().map(|(_, cell)| cell).collect(),
                phases: self.phases.clone(),
                requests: None,
                apart: false,
                launches: planned,
                diagnosis: Vec::new(),
                checks: self.checks.clone(),
                notes: Vec::new(),
            },
            variants: self.profiles.iter().map(prepared).collect(),
            launches,
            diagnoses: Vec::new(),
        }
    }

    fn cells(&self) -> Vec<(&Profile, Cell)> {
        let one = self.limits.len() == 1;
        let cell = |profile: &Profile, limits: &Limits| Cell {
            id: if one {
                profile.name.clone()
            } else {
                format!("{}@{}", profile.name, limits.name)
            },
            variant: profile.name.clone(),
            limits: limits.clone(),
        };
        self.limits
            .iter()
            .flat_map(|limits| self.profiles.iter().map(move |p| (p, cell(p, limits))))
            .collect()
    }

    /// Every place once in the launches of a cell, and in another order for each cell.
    fn place(&self, replicate: u32, cell: usize) -> f64 {
        match self.launches {
            1 => 0.0,
            n => {
                let place = (replicate - 1 + cell as u32) % n;
                f64::from(place) / f64::from(n - 1) * 2.0 - 1.0
            }
        }
    }

    fn launch(&self, number: u32, replicate: u32, profile: &Profile, cell: &Cell) -> LaunchData {
        let phases = phases(&self.phases, profile);
        let point = |at_ms: f64, cpu_s: f64| ResourcePoint {
            at_ms,
            rss_bytes: profile.memory_bytes,
            cpu_s,
            threads: 20,
            ..ResourcePoint::default()
        };
        let end = phases
            .last()
            .map_or(profile.ready_ms, |p| p.started_ms + p.duration_s * 1e3);
        let phase_cpu_s: f64 = phases.iter().map(|p| p.subject_cpu_s).sum();
        let first_cpu_s = profile.cpu_to_ready_s + profile.cpu_per_request_ms / 1e3;
        let record = LaunchRecord {
            notes: Vec::new(),
            warm_up: None,
            duet: None,
            pods: Vec::new(),
            pod: None,
            companions: Vec::new(),
            number,
            cell: cell.id.clone(),
            replicate,
            started_at: "2026-11-21T21:00:00.000000Z".to_owned(),
            command: vec![profile.name.clone()],
            outcome: LaunchOutcome::Completed,
            time_line: TimeLine {
                listening_ms: Some(profile.ready_ms * 0.9),
                first_2xx_ms: Some(profile.ready_ms),
                ready_ms: Some(profile.ready_ms),
                resolution_ms: 1.0,
                ..TimeLine::default()
            },
            limits: limits_seen(&cell.limits),
            jvm: None,
            gc_log: None,
            proof: None,
            resources: ResourceSummary {
                peak_rss_bytes: Some(profile.memory_bytes),
                peak_threads: Some(20),
                at_ready: Some(point(profile.ready_ms, profile.cpu_to_ready_s)),
                after_first_request: Some(point(
                    profile.ready_ms + profile.first_request_ms,
                    first_cpu_s,
                )),
                at_end: Some(point(end, profile.cpu_to_ready_s + phase_cpu_s)),
                observer_cpu_s: end / 1e3 * 0.01,
                ..ResourceSummary::default()
            },
            phases,
        };
        LaunchData {
            samples: samples(&record, profile),
            requests: cold_requests(&record, profile),
            record,
            memory: Vec::new(),
            jvm: Vec::new(),
            collections: None,
            seconds: Vec::new(),
        }
    }
}

fn phase(label: &str, kind: PhaseKind) -> PhasePlan {
    PhasePlan {
        label: label.to_owned(),
        kind,
    }
}
