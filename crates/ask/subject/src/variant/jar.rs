//! `jar`: the artifact as it is, started with `java -jar`.

use super::maker::Maker;
use super::prepared::Finished;
use super::{Context, PrepareError, Unavailable, Variant};
use super::{java, layout};

#[derive(Debug)]
pub(super) struct Jar;

impl Variant for Jar {
    fn available(&self, context: &Context) -> Result<(), Unavailable> {
        context.runnable()?;
        context.jdk().map(|_| ())
    }

    fn make(&self, context: &Context, _: &mut Maker<'_>) -> Result<Finished, PrepareError> {
        let (artifact, facts) = context.runnable()?;
        let jdk = context.jdk()?;
        let layout = layout::as_shipped(artifact, facts)?;
        Ok(Finished {
            command: java::command(context, &jdk.tool("java"), &[], &layout.target),
            runtimes: vec![jdk.home.clone()],
            jdk: Some(jdk),
            application: layout.files,
            ..Finished::default()
        })
    }
}
