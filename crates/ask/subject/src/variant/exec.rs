//! `exec`: any command, such as a Go binary or a script.

use super::java::text;
use super::maker::Maker;
use super::prepared::Finished;
use super::{Context, PrepareError, Unavailable, Variant};
use crate::ArtifactKind;
use crate::host::is_executable;
use std::path::PathBuf;

#[derive(Debug)]
pub(super) struct Exec;

impl Exec {
    /// The command with its program as an absolute path, and the arguments that belong to it.
    fn command(context: &Context) -> Result<(PathBuf, Vec<String>), Unavailable> {
        let arguments = &context.settings.arguments;
        if let Some((program, own)) = context.spec.command.split_first() {
            let program = Self::program(context, program)?;
            return Ok((program, [own, arguments].concat()));
        }
        match &context.artifact {
            Some(artifact) if artifact.kind == ArtifactKind::Executable => {
                Ok((artifact.file.clone(), arguments.clone()))
            }
            _ => Err(Unavailable::NoCommand),
        }
    }

    /// A program with a `/` is relative to the experiment's folder; a bare name is looked for
    /// there first, then on the `PATH`.
    fn program(context: &Context, program: &str) -> Result<PathBuf, Unavailable> {
        let beside = context.base.join(program);
        if is_executable(&beside) {
            return Ok(beside);
        }
        let found = if program.contains('/') {
            None
        } else {
            Self::on_path(context, program)
        };
        found.ok_or_else(|| Unavailable::NoProgram {
            program: program.to_owned(),
            tried: beside,
        })
    }

    /// On the `PATH` that the variant is given: it says which of several programs is meant. Else on
    /// that of Tacho.
    fn on_path(context: &Context, program: &str) -> Option<PathBuf> {
        let Some(own) = context.settings.environment.get("PATH") else {
            return context.host.program(program);
        };
        std::env::split_paths(own)
            .map(|folder| context.directory().join(folder).join(program))
            .find(|path| is_executable(path))
    }
}

impl Variant for Exec {
    fn available(&self, context: &Context) -> Result<(), Unavailable> {
        Self::command(context).map(|_| ())
    }

    fn make(&self, context: &Context, _: &mut Maker<'_>) -> Result<Finished, PrepareError> {
        let (program, arguments) = Self::command(context)?;
        let mut notes = Vec::new();
        if !context.settings.jvm_flags.is_empty() {
            notes.push("JVM flags are not added to the command of an exec variant".to_owned());
        }
        Ok(Finished {
            command: [&[text(&program)][..], &arguments].concat(),
            application: vec![program],
            notes,
            ..Finished::default()
        })
    }
}
