//! `tacho profiler`.

use crate::arguments::Profiler;
use crate::error::Error;
use crate::exit::Exit;
use crate::signals::stop_on_signals;
use crate::{Done, print};
use tacho_profiler::{AsyncProfiler, Places};

/// Installs async-profiler, or says which one is used.
pub fn profiler(arguments: &Profiler) -> Done {
    let places = Places::here();
    let found = match arguments {
        Profiler::Install { from } => {
            let stop = stop_on_signals()?;
            AsyncProfiler::install(from.as_deref(), &places, stop.flag())?
        }
        Profiler::Which => AsyncProfiler::find(&places).ok_or(Error::NoProfiler)?,
    };
    found.check()?;
    print(&format!("{}\n{}\n", found.title(), found.library.display()))?;
    Ok(Exit::Done)
}
