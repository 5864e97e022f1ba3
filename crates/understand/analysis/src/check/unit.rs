//! The units of checks.

use crate::metric::Row;

/// A number with its unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    pub number: f64,
    pub unit: &'static Unit,
}

/// A unit, and how many of the base unit of its dimension it is.
#[derive(Debug, PartialEq)]
pub struct Unit {
    /// `ms`
    pub name: &'static str,
    /// 0.001, because times are in seconds.
    pub size: f64,
}

const fn unit(name: &'static str, size: f64) -> Unit {
    Unit { name, size }
}

/// Of times.
pub const TIMES: &[Unit] = &[
    unit("ms", 1e-3),
    unit("s", 1.0),
    unit("us", 1e-6),
    unit("µs", 1e-6),
];
const SIZES: &[Unit] = &[
    unit("B", 1.0),
    unit("KiB", 1024.0),
    unit("MiB", 1_048_576.0),
    unit("GiB", 1_073_741_824.0),
    unit("KB", 1e3),
    unit("MB", 1e6),
    unit("GB", 1e9),
];
/// Of rates.
pub const RATES: &[Unit] = &[unit("/s", 1.0)];
const SHARES: &[Unit] = &[unit("", 1.0), unit("%", 0.01)];
const COUNTS: &[Unit] = &[unit("", 1.0)];

/// The units in which a bound of this metric can be given.
pub fn units_for(row: &Row) -> &'static [Unit] {
    match row.unit {
        "ms" | "s" | "cpu-s" => TIMES,
        "bytes" => SIZES,
        "1/s" => RATES,
        _ if row.id.ends_with("_share") => SHARES,
        _ => COUNTS,
    }
}

/// A metric's value in the unit of a check.
pub fn convert(value: f64, metric_unit: &str, to: &Unit) -> f64 {
    // Divided by the inverse, 250 ms are exactly 0.25 s, and 1 ms is exactly 1 ms.
    match metric_unit {
        "ms" if to.name == "ms" => value,
        "ms" => value / 1e3 / to.size,
        _ => value / to.size,
    }
}
