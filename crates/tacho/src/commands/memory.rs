//! `tacho memory`.

use crate::arguments::Memory;
use crate::error::Error;
use crate::exit::Exit;
use crate::{Done, print};
use tacho_memory::Wish;

/// Says where the memory of a running process is.
pub fn memory(arguments: &Memory) -> Done {
    let wish = Wish {
        live: arguments.live,
    };
    let memory = tacho_memory::read(arguments.pid, wish)?;
    let text = tacho_memory::render(&memory);
    let Some(path) = &arguments.json else {
        print(&text)?;
        return Ok(Exit::Done);
    };
    let json = serde_json::to_string_pretty(&memory).map_err(|e| Error::Output(e.into()))? + "\n";
    if path.as_os_str() == "-" {
        print(&json)?;
    } else {
        print(&text)?;
        std::fs::write(path, json).map_err(|source| Error::Write {
            path: path.clone(),
            source,
        })?;
    }
    Ok(Exit::Done)
}
