//! `aot`: an AOT cache with loaded and linked classes and, from JDK 25 on, method profiles
//! (JEP 483, 514, 515). Trained with the experiment's own requests, so that the profiles fit.
//! Class path, collector and the build of the JVM have to be those that the cache was made with, so
//! training and launch differ in the one flag alone.

use super::archive::{AOT_IN_ONE_STEP_SINCE, ClassArchive, with_archive};
use super::maker::Maker;
use super::prepared::Finished;
use super::{Context, PrepareError, Unavailable, Variant, layout};

/// JEP 483, with recording and creation as two steps.
const TWO_STEPS_SINCE: u32 = 24;

/// Tried with a single jar on Temurin 25.0.3: after the jar was replaced, the old classes of the
/// cache still ran.
const MAKE_ANEW: &str = "make the cache anew with every build: JDK 25 was seen to run the cache's old classes after the jar had been replaced";

#[derive(Debug)]
pub(super) struct Aot;

impl Variant for Aot {
    fn available(&self, context: &Context) -> Result<(), Unavailable> {
        let (artifact, facts) = context.runnable()?;
        layout::check_archivable(artifact, facts)?;
        context
            .jdk_from(TWO_STEPS_SINCE, "an AOT cache")
            .map(|_| ())
    }

    fn make(&self, context: &Context, maker: &mut Maker<'_>) -> Result<Finished, PrepareError> {
        self.available(context)?;
        let jdk = context.jdk_from(TWO_STEPS_SINCE, "an AOT cache")?;
        let mut notes = vec![MAKE_ANEW.to_owned()];
        if jdk.feature < AOT_IN_ONE_STEP_SINCE {
            notes.push("JDK 24 stores no method profiles in the cache; JDK 25 does".to_owned());
        }
        let finished = with_archive(ClassArchive::Aot, context, jdk, maker)?;
        Ok(Finished { notes, ..finished })
    }
}
