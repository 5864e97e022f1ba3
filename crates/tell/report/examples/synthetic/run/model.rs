//! How a made-up variant behaves: plausible, not measured.

use tacho_run_folder::{Limits, PlannedLaunch};

pub const VARIANTS: [&str; 4] = ["jar", "cds", "aot", "native"];
pub const LIMITS: [(&str, f64, u64); 2] = [
    ("1cpu-512MiB", 1.0, 512 << 20),
    ("0.25cpu-256MiB", 0.25, 256 << 20),
];

/// Reproducible noise (SplitMix64).
#[derive(Debug, Clone)]
pub struct Noise(u64);

impl Noise {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Roughly normal, mean 0, deviation 1: the sum of twelve.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    /// A factor around 1.
    pub fn about(&mut self, spread: f64) -> f64 {
        (self.normal() * spread).exp()
    }

    /// Now and then a long one, as a collection or a compilation makes it.
    pub fn with_tail(&mut self, spread: f64) -> f64 {
        let tail = if self.unit() < 0.006 {
            4.0 + 9.0 * self.unit()
        } else {
            1.0
        };
        self.about(spread) * tail
    }
}

/// One launch of a variant.
#[derive(Debug, Clone)]
pub struct Model {
    pub number: u32,
    pub variant: String,
    pub limits: Limits,
    pub noise: Noise,
    pub ready_ms: f64,
    /// Time of the first request.
    pub first_ms: f64,
    /// Time of a request of a warm instance.
    pub warm_ms: f64,
    /// Requests a second of a warm instance.
    pub capacity: f64,
    /// Seconds under load until it is nearly warm.
    pub warming_s: f64,
    pub rss_ready: f64,
    pub rss_full: f64,
    pub end: End,
}

/// How the launch ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Completed,
    OutOfMemory,
    WithoutProof,
}

impl Model {
    pub fn of(variant: &str, limits: &Limits, launch: &PlannedLaunch) -> Self {
        let mut noise = Noise(u64::from(launch.number) * 7919);
        let cpu = limits.cpu.unwrap_or(1.0);
        let (ready, first, warm, capacity, warming, rss_ready, rss_full) = match variant {
            "cds" => (1010.0, 208.0, 0.92, 9_600.0, 4.5, 148.0, 236.0),
            "aot" => (690.0, 96.0, 0.90, 9_700.0, 2.6, 152.0, 241.0),
            "native" => (61.0, 4.2, 1.21, 6_900.0, 0.2, 58.0, 121.0),
            _ => (1840.0, 312.0, 0.91, 9_500.0, 5.4, 171.0, 247.0),
        };
        let end = match (variant, launch.replicate) {
            ("jar", 3) if cpu < 1.0 => End::OutOfMemory,
            ("aot", 2) if cpu >= 1.0 => End::WithoutProof,
            _ => End::Completed,
        };
        let without_cache = if end == End::WithoutProof { 2.4 } else { 1.0 };
        let slow = cpu.powf(-1.06);
        let mib = f64::from(1 << 20) * if cpu < 1.0 { 0.86 } else { 1.0 };
        Self {
            number: launch.number,
            variant: variant.into(),
            limits: limits.clone(),
            ready_ms: ready * slow * without_cache * noise.about(0.022),
            first_ms: first * slow * noise.about(0.06),
            warm_ms: warm * slow.sqrt() * noise.about(0.02),
            capacity: capacity * cpu * noise.about(0.018),
            warming_s: warming / cpu,
            rss_ready: rss_ready * mib * noise.about(0.008),
            rss_full: rss_full * mib * noise.about(0.012),
            noise,
            end,
        }
    }

    /// Time of the n-th request, from 1, without load beside it.
    pub fn request_ms(&mut self, n: usize) -> f64 {
        let cold = self.first_ms / (n as f64).powf(1.25);
        (self.warm_ms + cold) * self.noise.with_tail(0.13)
    }

    /// Requests a second, this many seconds into the load.
    pub fn rate_at(&mut self, s: f64) -> f64 {
        let warm = 1.0 - 0.78 * (-s / self.warming_s).exp();
        self.capacity * warm * self.noise.about(0.03)
    }

    /// Resident set, this many seconds after exec.
    pub fn rss_at(&mut self, s: f64) -> f64 {
        let ready = self.ready_ms / 1e3;
        let bytes = if s < ready {
            self.rss_ready * (0.12 + 0.88 * (s / ready).powf(0.8))
        } else {
            let filled = 1.0 - (-(s - ready) / (2.0 + self.warming_s)).exp();
            self.rss_ready + (self.rss_full - self.rss_ready) * filled
        };
        bytes * self.noise.about(0.004)
    }
}
