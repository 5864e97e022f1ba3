//! The units of each dimension.

/// A unit, and how many of the base unit of its dimension it is.
#[derive(Debug, PartialEq)]
pub struct Unit {
    /// As it is written: `ms`
    pub name: &'static str,
    /// 0.001, because times are in seconds.
    pub size: f64,
}

const fn unit(name: &'static str, size: f64) -> Unit {
    Unit { name, size }
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// A time; its base unit is the second.
    Duration,
    /// A size; its base unit is the byte.
    Size,
    /// Requests a second.
    Rate,
    /// A share of the whole, 0 to 1.
    Share,
    /// Processors; a tenth of one is 0.1.
    Cpus,
    /// A count without a unit.
    Count,
    /// How many times.
    Factor,
}

const DURATIONS: &[Unit] = &[
    unit("ms", 1e-3),
    unit("s", 1.0),
    unit("us", 1e-6),
    unit("µs", 1e-6),
    unit("m", 60.0),
    unit("min", 60.0),
    unit("h", 3600.0),
];
// `M` and `Mi` are Kubernetes' spellings: M is 10^6, Mi is 2^20.
const SIZES: &[Unit] = &[
    unit("MiB", 1_048_576.0),
    unit("KiB", 1024.0),
    unit("GiB", 1_073_741_824.0),
    unit("B", 1.0),
    unit("k", 1e3),
    unit("K", 1e3),
    unit("kB", 1e3),
    unit("KB", 1e3),
    unit("Ki", 1024.0),
    unit("M", 1e6),
    unit("MB", 1e6),
    unit("Mi", 1_048_576.0),
    unit("G", 1e9),
    unit("GB", 1e9),
    unit("Gi", 1_073_741_824.0),
];
const RATES: &[Unit] = &[
    unit("/s", 1.0),
    unit("", 1.0),
    unit("rps", 1.0),
    unit("/m", 1.0 / 60.0),
    unit("/min", 1.0 / 60.0),
];
const SHARES: &[Unit] = &[unit("", 1.0), unit("%", 0.01)];
const CPUS: &[Unit] = &[unit("", 1.0), unit("m", 0.001)];
const COUNTS: &[Unit] = &[unit("", 1.0), unit("k", 1e3)];
const FACTORS: &[Unit] = &[unit("", 1.0), unit("x", 1.0)];

impl Dimension {
    /// All of its units, the usual ones first.
    #[must_use]
    pub fn units(self) -> &'static [Unit] {
        match self {
            Self::Duration => DURATIONS,
            Self::Size => SIZES,
            Self::Rate => RATES,
            Self::Share => SHARES,
            Self::Cpus => CPUS,
            Self::Count => COUNTS,
            Self::Factor => FACTORS,
        }
    }

    /// The unit of this name.
    #[must_use]
    pub fn unit(self, name: &str) -> Option<&'static Unit> {
        self.units().iter().find(|unit| unit.name == name)
    }

    /// The units to name to somebody who wrote another.
    pub(crate) fn usual(self) -> &'static [Unit] {
        &self.units()[..match self {
            Self::Duration | Self::Size => 3,
            Self::Rate => 1,
            _ => self.units().len(),
        }]
    }
}
