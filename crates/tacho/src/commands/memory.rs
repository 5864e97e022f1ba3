//! `tacho memory`.

use crate::arguments::Memory;
use crate::exit::Exit;
use crate::{Done, output};
use tacho_memory::Wish;

/// Says where the memory of a running process is.
pub fn memory(arguments: &Memory) -> Done {
    let wish = Wish {
        live: arguments.live,
    };
    let memory = tacho_memory::read(arguments.pid, wish)?;
    output::json_or_summary(
        arguments.json.as_deref(),
        || output::pretty(&memory),
        || tacho_memory::render(&memory),
    )?;
    Ok(Exit::Done)
}
