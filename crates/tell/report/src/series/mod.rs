//! The series that the charts draw, thinned out to a bounded size.

mod build;
mod data;
mod grid;
mod memory;
mod phase_seconds;
mod quantiles;
mod thin;
mod throughput;
mod warm_up;

pub use build::chart_data;
pub use data::{
    Break, CellCharts, ChartData, CostSeries, Evidence, FirstRequests, LatencyCurve, MemorySeries,
    Phase, Point, Section, Stage, StartDot, Startup, ThroughputSeries, WarmUpSeries,
};
