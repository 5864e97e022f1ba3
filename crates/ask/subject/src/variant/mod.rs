//! Variants: one file for each way to ship and run the subject, behind one trait.

mod aot;
mod archive;
mod cds;
mod context;
mod crac;
mod error;
mod exec;
mod extracted;
mod jar;
mod java;
mod jlink;
mod layout;
mod maker;
mod native;
mod prepared;
mod tomcat;
mod war;
mod workshop;

pub use archive::{ArchiveStep, ClassArchive};
pub use context::Context;
pub use error::{PrepareError, Unavailable};
pub use prepared::{Parts, Prepared, ProofNeeded};
pub use tomcat::{TOMCATS, Tomcat};
pub use war::TOMCAT_PORT_FLAG;
pub use workshop::{Launchable, Step, StepError, StepOutput, Workshop};

use maker::Maker;
use prepared::Finished;
use std::fmt::Debug;
use tacho_experiment::VariantKind;

/// One way to ship and run the subject.
pub trait Variant: Sync + Debug {
    /// Says whether it can be made here of this artifact. Nothing is started for that.
    ///
    /// # Errors
    /// Why not, and what would change it.
    fn available(&self, context: &Context) -> Result<(), Unavailable>;

    /// Checks whether it is available at once: anything that takes minutes was made before.
    ///
    /// # Errors
    /// Why not, and what would change it.
    fn built(&self, context: &Context) -> Result<(), Unavailable> {
        self.available(context)
    }

    /// Builds what is missing, and says what is launched.
    ///
    /// # Errors
    /// When it is not available, or making it fails.
    fn make(&self, context: &Context, maker: &mut Maker<'_>) -> Result<Finished, PrepareError>;

    /// Builds what is missing, and returns the command to launch.
    ///
    /// # Errors
    /// When it is not available, or making it fails.
    fn prepare(
        &self,
        context: &Context,
        workshop: &mut dyn Workshop,
    ) -> Result<Prepared, PrepareError> {
        let mut maker = Maker::new(workshop);
        let finished = self.make(context, &mut maker)?;
        finished.prepared(context, maker)
    }
}

/// The module for a kind.
#[must_use]
pub fn variant(kind: VariantKind) -> &'static dyn Variant {
    match kind {
        VariantKind::Jar => &jar::Jar,
        VariantKind::Extracted => &extracted::Extracted,
        VariantKind::War => &war::War,
        VariantKind::Cds => &cds::Cds,
        VariantKind::Aot => &aot::Aot,
        VariantKind::Crac => &crac::Crac,
        VariantKind::Jlink => &jlink::Jlink,
        VariantKind::Native => &native::Native,
        VariantKind::Exec => &exec::Exec,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_module() {
        for kind in VariantKind::ALL {
            assert_eq!(format!("{:?}", variant(kind)).to_lowercase(), kind.name());
        }
    }

    #[test]
    fn every_kind_has_its_row_for_people() {
        let page = include_str!("../../../../../docs/variants.md");
        for kind in VariantKind::ALL {
            let row = format!("\n| `{}` |", kind.name());
            assert!(page.contains(&row), "{row}");
        }
    }
}
