//! `extracted`: Spring Boot's jar taken apart, so that no class is read through a nested jar.
//! <https://docs.spring.io/spring-boot/reference/packaging/efficient.html>

use super::layout::{self, Extraction, extraction};
use super::maker::Maker;
use super::prepared::Finished;
use super::{Context, PrepareError, Unavailable, Variant, java};

#[derive(Debug)]
pub(super) struct Extracted;

impl Extracted {
    fn way(context: &Context) -> Result<Extraction, Unavailable> {
        let (artifact, facts) = context.runnable()?;
        extraction(artifact, facts)?
            .ok_or_else(|| Unavailable::NothingToExtract(artifact.file.clone()))
    }
}

impl Variant for Extracted {
    fn available(&self, context: &Context) -> Result<(), Unavailable> {
        Self::way(context)?;
        context.jdk().map(|_| ())
    }

    fn make(&self, context: &Context, maker: &mut Maker<'_>) -> Result<Finished, PrepareError> {
        let way = Self::way(context)?;
        let jdk = context.jdk()?;
        let layout = layout::extract(context, &jdk, maker, way)?;
        let notes = match way {
            Extraction::Tools => Vec::new(),
            Extraction::Layers => vec![
                "extracted by layers, as Spring Boot before 3.3 does; Boot's own class loader still loads the classes".to_owned(),
            ],
        };
        Ok(Finished {
            command: java::command(context, &jdk.tool("java"), &[], &layout.target),
            runtimes: vec![jdk.home.clone()],
            jdk: Some(jdk),
            application: layout.files,
            notes,
            ..Finished::default()
        })
    }
}
