//! One variant made, and put into an image.

mod inside;
mod shipping;

pub use shipping::shipped;

use crate::company::Company;
use crate::error::RunError;
use crate::event::Listener;
use crate::limits::Groups;
use crate::making::{Made, Making};
use crate::run::begin;
use crate::stop::Stop;
use inside::{Root, Trained, train, with_flags};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tacho_experiment::{Experiment, VariantSpec};
use tacho_figures::percent;
use tacho_image::{ImageError, Placed, Role, Shipment, Upon, place, platform_of};
use tacho_oci::{Base, Image, ImagePath, Layer, Links, OciError, Platform, SourceDate, Tree};
use tacho_run_folder::RunFolder;
use tacho_subject::{ClassArchive, Prepared, Surroundings, Workshop, settings_of};
use tacho_workload::Scenario;

/// What is to be put into an image.
#[derive(Debug, Clone, Copy)]
pub struct ImageSpec<'a> {
    /// Its first variant is the one that is shipped.
    pub experiment: &'a Experiment,
    /// Folder that relative paths count from.
    pub folder: &'a Path,
    /// An OCI layout to build upon; absent: nothing but what the variant needs.
    pub base: Option<&'a Path>,
    /// The one time of all its files.
    pub date: SourceDate,
    /// Where variant and layers are made; whoever writes the image takes them from here. Absolute,
    /// without links.
    pub scratch: &'a Path,
}

/// An image, and what was not put into it.
#[derive(Debug, Clone)]
pub struct Imaged {
    /// The image.
    pub image: Image,
    /// Name of the variant.
    pub variant: String,
    /// Its kind.
    pub kind: String,
    /// What was assumed, and what is not in it.
    pub notes: Vec<String>,
}

/// Makes the variant and its layers.
///
/// # Errors
/// When the variant cannot be made, or not be put into an image.
pub fn image(
    spec: ImageSpec<'_>,
    surroundings: &Surroundings,
    stop: &Stop,
    listener: &mut dyn Listener,
) -> Result<Imaged, RunError> {
    let mut experiment = spec.experiment.clone();
    experiment.variants.truncate(1);
    let Some(variant) = experiment.variants.first().cloned() else {
        return Err(RunError::Stopped);
    };
    let platform = platform(&experiment, &variant, spec.folder);
    let packing = Packing::new(spec.scratch, spec.base, spec.date, platform)?;
    let folder = RunFolder::create(&spec.scratch.join("made"))?;
    let company = Company::of(&experiment, spec.folder, &folder)?;
    let making = Making {
        experiment: &experiment,
        base: spec.folder,
        directory: folder.path().join("build"),
        surroundings,
        place: &Groups::new("image"),
        company: &company,
        stop,
    };
    making.build(listener)?;
    let requests = match ClassArchive::of(variant.kind) {
        Some(_) => making.requests(listener)?.0,
        None => Vec::new(),
    };
    // What is trained may call them.
    if ClassArchive::of(variant.kind).is_some() {
        begin(&company, &experiment, making.terms(), listener)?;
    }
    let (_, packed) = packing.made(&making, &variant, &requests, listener)?;
    let (image, kept_out) = packing.image(&variant, &packed)?;
    if stop.is_set() {
        return Err(RunError::Stopped);
    }
    Ok(Imaged {
        image,
        variant: variant.name,
        kind: variant.kind.name().to_owned(),
        notes: [packed.notes, kept_out].concat(),
    })
}

/// The processors that a variant's image is for: those of the program that it names, else those of
/// this machine, whose JVM it brings or on which it is compiled.
fn platform(experiment: &Experiment, variant: &VariantSpec, folder: &Path) -> Platform {
    let artifact = settings_of(&experiment.subject, variant).artifact;
    let program = variant.command.first().map(PathBuf::from).or(artifact);
    program
        .and_then(|program| platform_of(&folder.join(program)))
        .unwrap_or_else(Platform::here)
}

/// Where layers are made, and upon what.
struct Packing {
    platform: Platform,
    base: Option<Base>,
    date: SourceDate,
    layers: PathBuf,
    root: PathBuf,
}

/// A variant in its layers.
struct Packed {
    /// Its process has all variables, the secret ones too: so it is trained and launched.
    placed: Placed,
    layers: Vec<Layer>,
    /// The archive of classes in there.
    archive: Option<PathBuf>,
    notes: Vec<String>,
}

impl Packing {
    /// Reads the base image at once, so that a bad one is reported before minutes are spent.
    fn new(
        scratch: &Path,
        upon: Option<&Path>,
        date: SourceDate,
        platform: Platform,
    ) -> Result<Self, RunError> {
        let [layers, base, root] = ["layers", "base", "root"].map(|name| scratch.join(name));
        for folder in [&layers, &base, &root] {
            tacho_files::create_folder(folder).map_err(|source| {
                let path = folder.clone();
                ImageError::from(OciError::Write { path, source })
            })?;
        }
        let base = upon
            .map(|path| Base::read(path, &platform, &base))
            .transpose()
            .map_err(ImageError::from)?;
        Ok(Self {
            platform,
            base,
            date,
            layers,
            root,
        })
    }

    /// Makes a variant and its layers. One with an archive of classes is made without it: the
    /// archive is trained in the layers.
    fn made(
        &self,
        making: &Making<'_>,
        variant: &VariantSpec,
        requests: &[Scenario],
        listener: &mut dyn Listener,
    ) -> Result<(Made, Packed), RunError> {
        let port = settings_of(&making.experiment.subject, variant).port;
        let archive = ClassArchive::of(variant.kind);
        let plain = match archive {
            Some(_) => making.without_archive(variant)?,
            None => variant.clone(),
        };
        let (made, packed) =
            making.made_and(&plain, requests, listener, |prepared, workshop| {
                self.pack(Shipment { prepared, port }, archive, workshop, making.stop)
            })?;
        Ok((made, packed?))
    }

    /// The image, and what it does not say since that is secret.
    fn image(
        &self,
        variant: &VariantSpec,
        packed: &Packed,
    ) -> Result<(Image, Vec<String>), RunError> {
        let mut process = packed.placed.process.clone();
        let kept_out = without_secrets(&mut process.environment);
        let kind = variant.kind.name().to_owned();
        process.labels.insert("tacho.variant".to_owned(), kind);
        let layers = packed.layers.clone();
        let image = Image::of(self.platform.clone(), self.base.as_ref(), layers, &process);
        Ok((image.map_err(ImageError::from)?, kept_out))
    }

    fn pack(
        &self,
        shipment: Shipment<'_>,
        archive: Option<ClassArchive>,
        workshop: &mut dyn Workshop,
        stop: &Stop,
    ) -> Result<Packed, RunError> {
        let upon = match self.base {
            Some(_) => Upon::Base,
            None => Upon::Nothing,
        };
        let mut placed = place(shipment, upon, workshop)?;
        let mut notes = left_out(&placed.left_out);
        notes.extend(placed.notes.iter().cloned());
        notes.extend(secret_in(&placed.process.command));
        let mut layers = Vec::new();
        for (role, tree) in &placed.layers {
            if stop.is_set() {
                return Err(RunError::Stopped);
            }
            layers.push(self.layer(*role, tree)?);
        }
        let mut inside = None;
        if let Some(kind) = archive {
            let (layer, trained) =
                self.archive(kind, shipment.prepared, &mut placed, &layers, workshop)?;
            layers.push(layer);
            notes.push(format!(
                "trained and tried in the layers of this image: {} of the classes of a start came from an archive. Each training makes another archive, so this layer is not the same twice",
                percent(trained.shared)
            ));
            inside = Some(trained.inside);
        }
        Ok(Packed {
            placed,
            layers,
            archive: inside,
            notes,
        })
    }

    fn layer(&self, role: Role, tree: &Tree) -> Result<Layer, ImageError> {
        Ok(Layer::write(role.name(), tree, self.date, &self.layers)?)
    }

    /// An archive that was trained in these very layers, as a layer over them.
    fn archive(
        &self,
        kind: ClassArchive,
        prepared: &Prepared,
        placed: &mut Placed,
        layers: &[Layer],
        workshop: &mut dyn Workshop,
    ) -> Result<(Layer, Trained), RunError> {
        let below = self.base.as_ref().map_or(&[][..], |base| &base.layers);
        let all = [below, layers].concat();
        let root = Root::of(&all, self.root.clone())?;
        let release = prepared.jvm_release.unwrap_or_default();
        let trained = train(kind, release, &root, &placed.process, workshop)?;
        let process = &mut placed.process;
        process.command = with_flags(&process.command, &kind.replay(&trained.inside));
        let mut tree = Tree::default();
        let at =
            ImagePath::parse(&trained.inside.display().to_string()).map_err(ImageError::from)?;
        tree.put_copy(&at, &trained.file, Links::OutsideFollowed)
            .map_err(ImageError::from)?;
        Ok((self.layer(Role::Archive, &tree)?, trained))
    }
}

fn left_out(paths: &[PathBuf]) -> Vec<String> {
    let Some(first) = paths.first() else {
        return Vec::new();
    };
    let more = match paths.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    vec![format!(
        "left out, since it is no file or a link that leads nowhere: {}{more}",
        first.display()
    )]
}

/// Takes the secret variables away: whoever can fetch an image can read what it sets. Says which.
fn without_secrets(environment: &mut BTreeMap<String, String>) -> Vec<String> {
    let masking = tacho_masking::current();
    let mut kept_out = Vec::new();
    environment.retain(|name, value| {
        let is_secret = masking.value(name, value) != *value;
        if is_secret {
            kept_out.push(format!(
                "{name} is not in the image, since its name says that it is secret: give it when the container is started"
            ));
        }
        !is_secret
    });
    kept_out
}

/// What to say of a command that has a secret in it.
fn secret_in(command: &[String]) -> Option<String> {
    let is_masked = tacho_masking::current().command(command) != command;
    is_masked.then(|| {
        "the command has a secret in it, and so has the image: give it by the environment, when the container is started"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::shipping::in_image;
    use super::*;
    use crate::company::NOBODY;
    use crate::event::Silent;
    use crate::session::fake::Stage;
    use crate::testkit::{Scene, prepared, readiness};
    use crate::workshop::Bay;
    use tacho_experiment::{Training, VariantKind};

    #[test]
    fn a_secret_is_there_when_it_is_trained_and_launched_and_not_in_its_image() {
        let (scene, stage) = (Scene::new(), Stage::with([]));
        let program = scene.path().join("service");
        std::fs::write(&program, "#!/bin/sh\n").unwrap();
        let mut prepared = prepared("exec", &[&program.display().to_string()]);
        prepared.parts.application.push(program);
        let environment = [("GREETING", "hello"), ("DB_PASSWORD", "hunter2")];
        prepared.record.environment = environment
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        let mut bay = Bay {
            directory: scene.path().to_owned(),
            variant: "a",
            place: &stage,
            company: &NOBODY,
            requests: &scene.requests,
            training: Training::Requests,
            seed: 7,
            request_timeout: tacho_experiment::defaults::REQUEST_TIMEOUT,
            readiness: readiness(),
            stop: &stage.stop,
            listener: &mut Silent,
            steps: 0,
        };
        let (date, platform) = (SourceDate::default(), Platform::here());
        let packing = Packing::new(&scene.path().join("image"), None, date, platform).unwrap();
        let shipment = Shipment {
            prepared: &prepared,
            port: None,
        };
        let packed = packing.pack(shipment, None, &mut bay, &stage.stop).unwrap();
        // An archive is trained by this process.
        let trained = &packed.placed.process.environment;
        assert_eq!(trained["DB_PASSWORD"], "hunter2");

        let spec = VariantSpec::of(VariantKind::Exec);
        let (image, kept_out) = packing.image(&spec, &packed).unwrap();
        let mut description = Vec::new();
        let configuration = image.parts().last().unwrap();
        configuration.copy_to(&mut description).unwrap();
        let description = String::from_utf8(description).unwrap();
        assert!(description.contains("GREETING=hello"), "{description}");
        assert!(!description.contains("hunter2"), "{description}");
        assert!(
            kept_out[0].starts_with("DB_PASSWORD is not"),
            "{kept_out:?}"
        );

        let made = Made {
            prepared,
            readiness: readiness(),
        };
        let launched = in_image(made, &spec, packed, "r/app:1".to_owned());
        let record = &launched.prepared.record;
        assert_eq!(record.environment["DB_PASSWORD"], "hunter2");
        assert!(!record.notes.concat().contains("DB_PASSWORD"));
    }
}
