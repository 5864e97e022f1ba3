//! `jar`: the artifact as it is, started with `java -jar`.

use super::maker::Maker;
use super::prepared::Finished;
use super::{Context, PrepareError, Prepared, ProofNeeded, Unavailable, Variant, Workshop};
use super::{java, layout};
use tacho_experiment::VariantKind;

pub(super) struct Jar;

impl Variant for Jar {
    fn kind(&self) -> VariantKind {
        VariantKind::Jar
    }

    fn available(&self, context: &Context) -> Result<(), Unavailable> {
        context.runnable()?;
        context.jdk().map(|_| ())
    }

    fn prepare(
        &self,
        context: &Context,
        workshop: &mut dyn Workshop,
    ) -> Result<Prepared, PrepareError> {
        let (artifact, facts) = context.runnable()?;
        let jdk = context.jdk()?;
        let layout = layout::as_shipped(artifact, facts);
        Finished {
            command: java::command(context, &jdk.tool("java"), &[], &layout.target),
            runtimes: vec![jdk.home.clone()],
            jdk: Some(&jdk),
            runtime: None,
            proof: ProofNeeded::None,
            application: layout.files,
            notes: Vec::new(),
        }
        .prepared(context, Maker::new(workshop))
    }
}
