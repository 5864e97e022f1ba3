//! The histograms of each second, as the engine wrote them.

use crate::{Exporter, LoadReportError, LoadResult};

/// A load run as a log of histograms.
pub struct Hlog;

impl Exporter for Hlog {
    type Of = LoadResult;
    type Error = LoadReportError;

    fn option(&self) -> &'static str {
        "hlog"
    }

    fn help(&self) -> &'static str {
        "Histograms a second in the standard .hlog format"
    }

    fn export(&self, of: &LoadResult) -> Result<Vec<u8>, LoadReportError> {
        let path = &of.histograms;
        tacho_files::read(path).map_err(|source| LoadReportError::Read {
            path: path.clone(),
            source,
        })
    }
}
