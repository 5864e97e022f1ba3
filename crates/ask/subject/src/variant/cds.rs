//! `cds`: an AppCDS archive, made by a training launch (JEP 350, dynamic archives).

use super::maker::Maker;
use super::prepared::Finished;
use super::{Context, PrepareError, ProofNeeded, Unavailable, Variant};
use super::{java, layout};
use crate::Jdk;

/// Dynamic archives: JEP 350.
const SINCE: u32 = 13;
/// Measured on JDK 17 and 25: with an archive of its own a Spring Boot 4 service and a bare HTTP
/// server had 96 to 99 % of their classes from an archive; with the JDK's default one alone, or
/// with one of their own that the JVM refused, 16 to 19 % and 78 to 84 %.
pub(super) const SHARED_AT_LEAST: f64 = 0.9;

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
        let java = jdk.tool("java");
        let mut layout = layout::extracted_if_nested(context, &jdk, maker)?;
        let archive = maker.directory().join("application.jsa");
        let name = archive.display();
        let record = [format!("-XX:ArchiveClassesAtExit={name}")];
        let training = java::command(context, &java, &record, &layout.target);
        maker.train("training launch for the CDS archive", context, &training)?;
        layout::must_exist(
            "the CDS archive",
            &archive,
            "The JVM writes it when it ends in order; the log of the training launch says why it did not",
        )?;
        // `auto` is what is shipped: a JVM that cannot use the archive goes on without it. The
        // proof is there to notice.
        let replay = [
            format!("-XX:SharedArchiveFile={name}"),
            "-Xshare:auto".to_owned(),
        ];
        layout.files.push(archive.clone());
        Ok(Finished {
            command: java::command(context, &java, &replay, &layout.target),
            runtimes: vec![jdk.home.clone()],
            jdk: Some(jdk),
            proof: ProofNeeded::SharedClasses {
                claim: "classes are served from the CDS archive",
                archive,
                at_least: SHARED_AT_LEAST,
            },
            application: layout.files,
            ..Finished::default()
        })
    }
}
