//! All variants of an experiment, each in an image, handed over to where they are started.

use super::{Packed, Packing, platform};
use crate::error::RunError;
use crate::event::{Event, Listener};
use crate::making::{AllMade, Made, Making};
use crate::session::Site;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tacho_experiment::VariantSpec;
use tacho_oci::SourceDate;
use tacho_subject::{ClassArchive, ProofNeeded};
use tacho_workload::Scenario;

/// Where a runtime of its own lies in every image.
const RUNTIME: &str = "/opt/java";

/// Makes all variants, puts each into an image, and hands it over. Whether each can be made is
/// looked at before anything is started.
pub fn shipped(
    making: &Making<'_>,
    site: &dyn Site,
    listener: &mut dyn Listener,
) -> Result<AllMade, RunError> {
    for spec in &making.experiment.variants {
        making.is_available(spec)?;
    }
    let (requests, notes) = making.requests(listener)?;
    let mut variants: BTreeMap<String, Made> = BTreeMap::new();
    for spec in &making.experiment.variants {
        let made = match making.same_but_for_warm_up(spec, &variants) {
            Some(same) => same.warmed_as(spec),
            None => one(making, site, spec, &requests, listener)?,
        };
        variants.insert(spec.name.clone(), made);
    }
    Ok(AllMade {
        variants,
        requests,
        notes,
    })
}

fn one(
    making: &Making<'_>,
    site: &dyn Site,
    spec: &VariantSpec,
    requests: &[Scenario],
    listener: &mut dyn Listener,
) -> Result<Made, RunError> {
    let scratch = making.directory.join(format!("{}-image", spec.name));
    // An image has everything but a base that would have to be pulled.
    let platform = platform(making.experiment, spec, making.base);
    let packing = Packing::new(&scratch, None, SourceDate::default(), platform)?;
    let (made, packed) = packing.made(making, spec, requests, listener)?;
    // Its pods get the secret variables that are not in it.
    let (image, _) = packing.image(spec, &packed)?;
    listener.event(Event::Working {
        what: &format!("handing over the image of {}", spec.name),
    });
    let shipped = site.ship(&spec.name, &image);
    let name = shipped.map_err(|error| RunError::elsewhere(error, making.stop))?;
    // Layers are large, and where they are needed they are by now.
    let _ = std::fs::remove_dir_all(&scratch);
    Ok(in_image(made.warmed_as(spec), spec, packed, name))
}

/// The variant as it is started from its image: command, paths and proof are those in there.
pub(super) fn in_image(made: Made, spec: &VariantSpec, packed: Packed, name: String) -> Made {
    let mut made = made;
    let prepared = &mut made.prepared;
    prepared.proof = match (ClassArchive::of(spec.kind), packed.archive, &prepared.proof) {
        (Some(kind), Some(archive), _) => ProofNeeded::SharedClasses {
            claim: kind.claim().into(),
            archive,
            at_least: kind.at_least(),
        },
        (_, _, ProofNeeded::Runtime { claim, .. }) => ProofNeeded::Runtime {
            claim: claim.clone(),
            exe_under: PathBuf::from(RUNTIME),
        },
        _ => ProofNeeded::None,
    };
    // Every image of ours has this folder, and anybody may write there.
    prepared.log_folder = Some(PathBuf::from("/tmp"));
    let process = packed.placed.process;
    let record = &mut prepared.record;
    spec.kind.name().clone_into(&mut record.kind);
    record.command = process.command;
    record.directory = process.directory.unwrap_or_else(|| "/".to_owned());
    record.environment = process.environment;
    record.image = Some(name);
    record.notes.extend(packed.notes);
    made
}
