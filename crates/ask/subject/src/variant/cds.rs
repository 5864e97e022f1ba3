//! `cds`: an AppCDS archive, made by a training launch (JEP 350, dynamic archives).

use super::archive::{ClassArchive, with_archive};
use super::layout;
use super::maker::Maker;
use super::prepared::Finished;
use super::{Context, PrepareError, Unavailable, Variant};
use crate::Jdk;

/// Dynamic archives: JEP 350.
const SINCE: u32 = 13;

#[derive(Debug)]
pub(super) struct Cds;

impl Cds {
    fn jdk(context: &Context) -> Result<Jdk, Unavailable> {
        let jdk = context.jdk_from(SINCE, "a dynamic CDS archive")?;
        // The dynamic archive is laid on top of the JDK's own.
        if !jdk.home.join("lib/server/classes.jsa").exists() {
            return Err(Unavailable::NoBaseArchive { jdk: Box::new(jdk) });
        }
        Ok(jdk)
    }
}

impl Variant for Cds {
    fn available(&self, context: &Context) -> Result<(), Unavailable> {
        let (artifact, facts) = context.runnable()?;
        layout::check_archivable(artifact, facts)?;
        Self::jdk(context).map(|_| ())
    }

    fn make(&self, context: &Context, maker: &mut Maker<'_>) -> Result<Finished, PrepareError> {
        self.available(context)?;
        let jdk = Self::jdk(context)?;
        with_archive(ClassArchive::Cds, context, jdk, maker)
    }
}
