//! The series behind the charts, read from the run folder and thinned out to a bounded size.

mod build;
mod data;
mod grid;
mod hlog;
mod launch;
mod memory;
mod quantiles;
mod seconds;
mod thin;
mod warm_up;

pub use build::chart_data;
pub use data::{
    Break, CellCharts, ChartData, CostSeries, Evidence, FirstRequests, LatencyCurve, MemorySeries,
    Phase, Point, Section, Stage, StartDot, Startup, ThroughputSeries, WarmUpSeries,
};
pub use hdrhistogram::Histogram;
pub use hlog::{Clock, Interval, Lateness, LogLine, LogReader, Until, intervals};
pub use seconds::load_seconds;
