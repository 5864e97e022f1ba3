//! `tacho completions` and `tacho man`: for shells and for man(1), from the same definitions as the
//! command line itself.

use crate::Done;
use crate::arguments::{Arguments, Completions, Man};
use crate::error::Error;
use crate::exit::Exit;
use crate::print;
use clap::{Command, CommandFactory};

/// Prints what a shell reads to complete commands and options.
pub fn completions(arguments: &Completions) -> Done {
    let mut text = Vec::new();
    let mut command = visible();
    clap_complete::generate(arguments.shell, &mut command, "tacho", &mut text);
    print(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Done)
}

/// Writes a page of the manual for each command.
pub fn man(arguments: &Man) -> Done {
    let folder = &arguments.output;
    let failed = |source| Error::Write {
        path: folder.clone(),
        source,
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    // Commands that Tacho starts itself are for nobody's manual.
    clap_mangen::generate_to(Arguments::command(), folder).map_err(failed)?;
    print(&format!(
        "{0} has the pages; to read one: man {0}/tacho-run.1\n",
        folder.display()
    ))?;
    Ok(Exit::Done)
}

/// Commands that Tacho starts itself are completed for nobody.
fn visible() -> Command {
    let all = Arguments::command();
    let shown = all
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    let shown: Vec<Command> = shown.cloned().collect();
    Command::new("tacho")
        .args(all.get_arguments().cloned())
        .subcommands(shown)
}
