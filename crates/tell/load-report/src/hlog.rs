//! The histograms of each second, as the engine wrote them.

use crate::{Exporter, Format, LoadReportError};

/// A load run as a log of histograms.
pub const HLOG: Format = Exporter {
    option: "hlog",
    variable: "TACHO_HLOG",
    help: "Histograms per second in the standard .hlog format",
    export: |of| {
        let path = &of.histograms;
        tacho_files::read(path).map_err(LoadReportError::unreadable(path))
    },
};
