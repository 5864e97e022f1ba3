//! `aot`: an AOT cache with loaded and linked classes and, from JDK 25 on, method profiles
//! (JEP 483, 514, 515). Trained with the experiment's own requests, so that the profiles fit.
//! Class path, collector and the build of the JVM have to be those that the cache was made with, so
//! training and launch differ in the one flag alone.

use super::maker::Maker;
use super::prepared::Finished;
use super::{Context, PrepareError, ProofNeeded, Unavailable, Variant};
use super::{cds, java, layout};
use std::path::{Path, PathBuf};

/// JEP 483, with recording and creation as two steps.
const TWO_STEPS_SINCE: u32 = 24;
/// JEP 514: the JVM creates the cache itself when the training launch ends.
const ONE_STEP_SINCE: u32 = 25;

/// Tried with a single jar on Temurin 25.0.3: the jar was replaced, and the cache's old classes
/// ran.
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
        let java = jdk.tool("java");
        let mut layout = layout::extracted_if_nested(context, &jdk, maker)?;
        let cache = maker.directory().join("application.aot");
        let mut notes = vec![MAKE_ANEW.to_owned()];
        if jdk.feature >= ONE_STEP_SINCE {
            train_in_one_step(context, &java, maker, &layout.target, &cache)?;
        } else {
            train_in_two_steps(context, &java, maker, &layout.target, &cache)?;
            notes.push("JDK 24 stores no method profiles in the cache; JDK 25 does".to_owned());
        }
        layout::must_exist(
            "the AOT cache",
            &cache,
            "The JVM writes it when the training launch ends in order; its log says why it did not",
        )?;
        let replay = [format!("-XX:AOTCache={}", cache.display())];
        layout.files.push(cache.clone());
        Ok(Finished {
            command: java::command(context, &java, &replay, &layout.target),
            runtimes: vec![jdk.home.clone()],
            jdk: Some(jdk),
            proof: ProofNeeded::SharedClasses {
                claim: "classes are served from the AOT cache",
                archive: cache,
                at_least: cds::SHARED_AT_LEAST,
            },
            application: layout.files,
            notes,
            ..Finished::default()
        })
    }
}

fn train_in_one_step(
    context: &Context,
    java: &Path,
    maker: &mut Maker<'_>,
    target: &[String],
    cache: &Path,
) -> Result<(), PrepareError> {
    let record = [format!("-XX:AOTCacheOutput={}", cache.display())];
    let training = java::command(context, java, &record, target);
    maker.train("training launch for the AOT cache", context, &training)
}

fn train_in_two_steps(
    context: &Context,
    java: &Path,
    maker: &mut Maker<'_>,
    target: &[String],
    cache: &Path,
) -> Result<(), PrepareError> {
    let recorded: PathBuf = cache.with_extension("aotconf");
    let configuration = format!("-XX:AOTConfiguration={}", recorded.display());
    let record = ["-XX:AOTMode=record".to_owned(), configuration.clone()];
    let training = java::command(context, java, &record, target);
    maker.train("training launch for the AOT cache", context, &training)?;
    layout::must_exist(
        "the AOT configuration",
        &recorded,
        "The JVM writes it when the training launch ends in order; its log says why it did not",
    )?;
    let create = [
        "-XX:AOTMode=create".to_owned(),
        configuration,
        format!("-XX:AOTCache={}", cache.display()),
    ];
    let creating = java::command(context, java, &create, target);
    maker.run("creating the AOT cache", &context.directory(), &creating)?;
    Ok(())
}
