//! From a variant that can be launched to what lies in its image.

use crate::authorities::{AUTHORITIES, NONE, put_authorities};
use crate::layers::split;
use crate::moves::{Moves, Translation};
use crate::system::system;
use crate::{ImageError, Role};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tacho_experiment::VariantKind;
use tacho_oci::{ImagePath, Links, Node, Process, Tree};
use tacho_subject::{Prepared, ProofNeeded, Workshop};

/// The user of distroless images: a number that nobody has on a machine.
pub(crate) const USER: u32 = 65_532;
/// Where the runtime lies in every image, and the application.
const RUNTIMES: [&str; 2] = ["/opt/java", "/opt/tomcat"];
pub(crate) const APPLICATION: &str = "/app";
/// Parts of a JDK that no running program reads: the modules for `jlink`, sources, headers, manual
/// pages.
const NOT_TO_RUN: [&str; 6] = ["jmods", "include", "man", "demo", "lib/src.zip", "src.zip"];

/// Folders to which a Tomcat writes while it runs. Its user owns nothing else in the image.
const WRITTEN_BY_TOMCAT: [&str; 3] = ["temp", "work", "logs"];

/// A variant that is to be put into an image.
#[derive(Debug, Clone, Copy)]
pub struct Shipment<'a> {
    /// As it is launched on this machine.
    pub prepared: &'a Prepared,
    /// Where it listens, if that is known.
    pub port: Option<u16>,
}

/// What the image is built upon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Upon {
    /// Nothing: what programs are linked with is put there.
    Nothing,
    /// An image that has a C library of its own.
    Base,
}

/// What lies in the image, and how it is started.
#[derive(Debug, Clone)]
pub struct Placed {
    /// What is in each layer, lowest first; none is empty.
    pub layers: Vec<(Role, Tree)>,
    /// How it is started.
    pub process: Process,
    /// Sockets, pipes, and links that lead nowhere.
    pub left_out: Vec<PathBuf>,
    /// What the image lacks.
    pub notes: Vec<String>,
}

/// Says what lies where.
///
/// # Errors
/// When the variant is bound to this machine, names a file that is not part of it, or something
/// cannot be read.
pub fn place(
    shipment: Shipment<'_>,
    upon: Upon,
    workshop: &mut dyn Workshop,
) -> Result<Placed, ImageError> {
    let prepared = shipment.prepared;
    may_leave(prepared)?;
    let mut moves = Moves::default();
    let mut left_out = Vec::new();
    let mut runtime = Tree::default();
    for (home, at) in prepared.parts.runtimes.iter().zip(RUNTIMES) {
        let at = ImagePath::parse(at)?;
        let kept = runtime.put_copy(&at, home, Links::OutsideFollowed)?;
        left_out.extend(kept.left_out);
        moves.add(home, &at);
        for name in NOT_TO_RUN {
            runtime.remove(&at.join(name)?);
        }
    }
    let application = application(prepared, &mut moves, &mut left_out)?;
    let [dependencies, own] = split(&application)?;
    let mut layers = Vec::new();
    let mut notes = Vec::new();
    if upon == Upon::Nothing {
        let program = prepared.record.command.first();
        let program = Path::new(program.map_or("", String::as_str));
        let program = std::fs::canonicalize(program).unwrap_or_else(|_| program.to_owned());
        let mut system = system(&program, &[&runtime, &application], workshop)?;
        let has_authorities = put_authorities(&mut system, &AUTHORITIES)?;
        if !has_authorities && prepared.parts.runtimes.is_empty() {
            notes.push(NONE.to_owned());
        }
        layers.push((Role::System, system));
    }
    layers.extend([(Role::Runtime, runtime), dependencies, own]);
    layers.retain(|(_, tree)| !tree.is_empty());
    let trees = layers.iter().map(|(_, tree)| tree);
    let directory = Path::new(&prepared.record.directory);
    let process = process(shipment, upon, &Translation::new(&moves, trees, directory))?;
    Ok(Placed {
        layers,
        process,
        left_out,
        notes,
    })
}

/// Checks that the variant can run elsewhere. Archives are bound to the paths and times of the
/// files that they were trained with, and checkpoints to the kernel.
fn may_leave(prepared: &Prepared) -> Result<(), ImageError> {
    let refused = |why| ImageError::Kind {
        kind: prepared.record.kind.clone(),
        why,
    };
    if prepared.record.kind == VariantKind::Crac.name() {
        let why = "a checkpoint holds the files and processes of the machine that it was made on. Take `jar`";
        return Err(refused(why));
    }
    if matches!(prepared.proof, ProofNeeded::SharedClasses { .. }) {
        let why = "its archive was trained on this machine, and a JVM refuses one whose jars lie elsewhere";
        return Err(refused(why));
    }
    Ok(())
}

/// All files of the application in one tree below `/app`, in the same positions relative to each
/// other as here.
fn application(
    prepared: &Prepared,
    moves: &mut Moves,
    left_out: &mut Vec<PathBuf>,
) -> Result<Tree, ImageError> {
    let files = match &prepared.parts.laid_out {
        Some(folder) => std::slice::from_ref(folder),
        None => &prepared.parts.application,
    };
    let Some(root) = root_of(files) else {
        let variant = prepared.record.name.clone();
        return Err(ImageError::Nothing { variant });
    };
    let at = ImagePath::parse(APPLICATION)?;
    moves.add(&root, &at);
    let mut tree = Tree::default();
    for file in files {
        let below = file.strip_prefix(&root).unwrap_or(file);
        let mut place = at.clone();
        for name in below.components() {
            place = place.join(&name.as_os_str().to_string_lossy())?;
        }
        let kept = tree.put_copy(&place, file, Links::OutsideFollowed)?;
        left_out.extend(kept.left_out);
    }
    if prepared.parts.laid_out.is_some() {
        for name in WRITTEN_BY_TOMCAT {
            let folder = at.join(name)?;
            tree.remove(&folder);
            tree.put(folder, Node::Shared)?;
        }
    }
    Ok(tree)
}

/// The folder that contains all of them; for a single folder the folder itself.
fn root_of(files: &[PathBuf]) -> Option<PathBuf> {
    if let [folder] = files
        && folder.is_dir()
    {
        return Some(folder.clone());
    }
    let mut root = files.first()?.parent()?;
    for file in files {
        while !file.starts_with(root) {
            root = root.parent()?;
        }
    }
    Some(root.to_owned())
}

fn process(
    shipment: Shipment<'_>,
    upon: Upon,
    translation: &Translation<'_>,
) -> Result<Process, ImageError> {
    let record = &shipment.prepared.record;
    let words = record.command.iter();
    let command = words
        .map(|word| translation.moved(word))
        .collect::<Result<_, _>>()?;
    let mut environment = BTreeMap::new();
    if !shipment.prepared.parts.runtimes.is_empty() {
        environment.insert("JAVA_HOME".to_owned(), RUNTIMES[0].to_owned());
    }
    if upon == Upon::Nothing {
        // In a container nothing sets the encoding of file names. A JVM then assumes ASCII.
        environment.insert("LANG".to_owned(), "C.UTF-8".to_owned());
        let path = format!("{}/bin:/usr/bin:/bin", RUNTIMES[0]);
        environment.insert("PATH".to_owned(), path);
    }
    for (name, value) in &record.environment {
        environment.insert(name.clone(), translation.moved(value)?);
    }
    let labels = [
        ("org.opencontainers.image.title", &record.name),
        ("tacho.variant", &record.kind),
    ];
    Ok(Process {
        command,
        environment,
        directory: Some(APPLICATION.to_owned()),
        user: format!("{USER}:{USER}"),
        ports: shipment.port.into_iter().collect(),
        labels: labels
            .map(|(key, value)| (key.to_owned(), value.clone()))
            .into(),
    })
}
