//! What an image without a base lacks: the libraries that programs are linked with, those by which
//! they look for hosts, a folder for temporary files, and a name for its user.

use crate::elf::{Elf, elf, platform_of};
use crate::{ImageError, placing::USER};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tacho_oci::{Content, ImagePath, Links, Node, Platform, Tree};
use tacho_subject::{Step, Workshop};

/// The loader is started for some dozens of files and takes a few milliseconds for each.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Both glibc's and musl's loaders know `--list`: they print what would be loaded, and start
/// nothing.
const ASK: &str =
    "loader=$1; shift; for file do echo \"of $file\"; \"$loader\" --list \"$file\" || true; done";

/// What glibc opens by their names when it looks for a host. Since 2.34 all of that is in glibc
/// itself, and the first two are there without content.
const OF_HOSTS: [&str; 3] = ["libnss_dns.so.2", "libnss_files.so.2", "libresolv.so.2"];
/// Parts of glibc that are libraries of their own. A library that a program opens while it runs
/// (`dlopen`), and may carry inside, needs them, and the loader cannot tell that beforehand: so do
/// the JDK's in a native image. Since 2.34 all but the mathematics are without content, and there
/// for such libraries only.
const OF_GLIBC: [&str; 4] = ["libdl.so.2", "libm.so.6", "libpthread.so.0", "librt.so.1"];
/// What the first of `OF_HOSTS` has if it has any content.
const LOOKS_UP: &[u8] = b"_nss_dns_gethostbyname";

/// What else a program needs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Needed {
    /// By the name under which they are looked for.
    pub libraries: BTreeMap<String, PathBuf>,
    /// Files that need something which is not there, with its name.
    pub missing: BTreeSet<(PathBuf, String)>,
}

/// Puts there what the files of these trees need to run.
pub(crate) fn system(
    program: &Path,
    trees: &[&Tree],
    workshop: &mut dyn Workshop,
) -> Result<Tree, ImageError> {
    let mut tree = Tree::default();
    tree.put(ImagePath::parse("/tmp")?, Node::Shared)?;
    tree.put_text(
        "/etc/passwd",
        &format!("root:x:0:0:root:/:/sbin/nologin\napp:x:{USER}:{USER}:app:/tmp:/sbin/nologin\n"),
    )?;
    tree.put_text("/etc/group", &format!("root:x:0:\napp:x:{USER}:\n"))?;
    let files: Vec<(PathBuf, Elf)> = trees
        .iter()
        .flat_map(|tree| tree.nodes())
        .filter_map(|(_, node)| match node {
            Node::File {
                content: Content::Of { path, .. },
                ..
            } => Some((path.clone(), elf(path)?)),
            _ => None,
        })
        .filter(|(_, elf)| *elf != Elf::Static)
        .collect();
    let loader = files.iter().find_map(|(_, elf)| match elf {
        Elf::Program { loader } => Some(loader.clone()),
        _ => None,
    });
    let Some(loader) = loader else {
        return Ok(tree);
    };
    let others = platform_of(program).filter(|platform| *platform != Platform::here());
    if let Some(Platform(architecture)) = others {
        let (file, architecture) = (program.to_owned(), architecture.to_string());
        return Err(ImageError::OtherProcessors { file, architecture });
    }
    let needed = needed(&loader, &files, workshop)?;
    if let Some((file, library)) = needed.missing.iter().find(|(file, _)| file == program) {
        let (file, library) = (file.clone(), library.clone());
        return Err(ImageError::NoLibrary { file, library });
    }
    put_libraries(&mut tree, &loader, &needed)?;
    Ok(tree)
}

/// Puts all libraries into the folder of the C library. The loader looks there by default, and the
/// image does not have this machine's `ld.so.conf`.
fn put_libraries(tree: &mut Tree, loader: &Path, needed: &Needed) -> Result<(), ImageError> {
    let at = ImagePath::parse(&loader.display().to_string())?;
    tree.put_copy(&at, loader, Links::OutsideFollowed)?;
    let of_c = needed
        .libraries
        .iter()
        .find(|(name, _)| name.starts_with("libc."));
    let folder = of_c.and_then(|(_, path)| path.parent());
    let folder = folder.unwrap_or(Path::new("/usr/lib"));
    for (name, path) in &needed.libraries {
        let at = ImagePath::parse(&folder.join(name).display().to_string())?;
        if at.as_str() != loader.display().to_string() {
            let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
            tree.put_copy(&at, &path, Links::OutsideFollowed)?;
        }
    }
    let of_hosts = of_hosts(folder);
    for path in of_glibc(folder, needed).iter().chain(&of_hosts) {
        let at = ImagePath::parse(&path.display().to_string())?;
        tree.put_copy(&at, path, Links::OutsideFollowed)?;
    }
    if !of_hosts.is_empty() {
        // Such a glibc would ask DNS first, and take its answer that there is no `localhost`.
        tree.put_text("/etc/nsswitch.conf", "hosts: files dns\n")?;
    }
    Ok(())
}

/// The parts of glibc beside the C library that are not there yet.
fn of_glibc(folder: &Path, needed: &Needed) -> Vec<PathBuf> {
    let others = OF_GLIBC.into_iter();
    let others = others.filter(|name| !needed.libraries.contains_key(*name));
    let paths = others.map(|name| folder.join(name));
    paths.filter(|path| path.exists()).collect()
}

/// The libraries beside the C library by which it looks for hosts; none where it needs none.
fn of_hosts(folder: &Path) -> Vec<PathBuf> {
    let paths = OF_HOSTS.map(|name| folder.join(name));
    let looks_up = |bytes: Vec<u8>| bytes.windows(LOOKS_UP.len()).any(|part| part == LOOKS_UP);
    match fs::read(&paths[0]).is_ok_and(looks_up) {
        true => paths.into_iter().filter(|path| path.exists()).collect(),
        false => Vec::new(),
    }
}

fn needed(
    loader: &Path,
    files: &[(PathBuf, Elf)],
    workshop: &mut dyn Workshop,
) -> Result<Needed, ImageError> {
    let asked = files.iter().map(|(path, _)| path.display().to_string());
    let command = ["sh", "-c", ASK, "sh"].map(str::to_owned).into_iter();
    let step = Step {
        purpose: "asking what the program is linked with".to_owned(),
        command: command
            .chain([loader.display().to_string()])
            .chain(asked)
            .collect(),
        directory: workshop.directory().to_owned(),
        environment: BTreeMap::new(),
        timeout: TIMEOUT,
    };
    let output = workshop.run(step)?;
    let mut needed = read(&output.stdout);
    // Libraries of the variant itself are already in the image, and are found by the paths in its
    // files.
    let own: BTreeSet<PathBuf> = files.iter().map(|(path, _)| path.clone()).collect();
    needed.libraries.retain(|_, path| {
        let real = std::fs::canonicalize(&*path).unwrap_or_else(|_| path.clone());
        !own.contains(&real)
    });
    Ok(needed)
}

/// `libz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x…)`, `libX11.so.6 => not found`; the loader and
/// the kernel's own library stand without an arrow.
fn read(printed: &str) -> Needed {
    let mut needed = Needed::default();
    let mut file = PathBuf::new();
    for line in printed.lines() {
        if let Some(path) = line.strip_prefix("of /") {
            file = PathBuf::from(format!("/{path}"));
            continue;
        }
        let Some((name, found)) = line.trim().split_once(" => ") else {
            continue;
        };
        let path = found.split(" (0x").next().unwrap_or_default();
        if path.starts_with('/') {
            needed.libraries.insert(name.to_owned(), path.into());
        } else {
            needed.missing.insert((file.clone(), name.to_owned()));
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_c_library_gets_what_it_looks_for_hosts_with() {
        let lab = tempfile::tempdir().unwrap();
        let path = |name: &str| lab.path().join(name);
        for name in ["ld.so", "libc.so.6"].iter().chain(&OF_HOSTS) {
            fs::write(path(name), "").unwrap();
        }
        let needed = Needed {
            libraries: BTreeMap::from([("libc.so.6".to_owned(), path("libc.so.6"))]),
            missing: BTreeSet::new(),
        };
        let put = || -> Vec<String> {
            let mut tree = Tree::default();
            put_libraries(&mut tree, &path("ld.so"), &needed).unwrap();
            tree.nodes().map(|(path, _)| path.to_string()).collect()
        };
        // As from 2.34 on.
        let there = put();
        assert!(there.contains(&path("libc.so.6").display().to_string()));
        assert!(
            !there.iter().any(|path| path.contains("libnss")),
            "{there:?}"
        );
        fs::write(path(OF_HOSTS[0]), "\0_nss_dns_gethostbyname4_r\0").unwrap();
        let there = put();
        for name in OF_HOSTS {
            assert!(there.contains(&path(name).display().to_string()), "{name}");
        }
        assert!(there.contains(&"/etc/nsswitch.conf".to_owned()));
    }

    #[test]
    fn what_libraries_need_that_a_program_opens_is_there() {
        let lab = tempfile::tempdir().unwrap();
        let path = |name: &str| lab.path().join(name);
        for name in ["ld.so", "libc.so.6", "libdl.so.2", "libm.so.6"] {
            fs::write(path(name), "").unwrap();
        }
        let needed = Needed {
            libraries: BTreeMap::from([("libc.so.6".to_owned(), path("libc.so.6"))]),
            missing: BTreeSet::new(),
        };
        let mut tree = Tree::default();
        put_libraries(&mut tree, &path("ld.so"), &needed).unwrap();
        let there: Vec<String> = tree.nodes().map(|(path, _)| path.to_string()).collect();
        for (name, is_there) in [
            ("libdl.so.2", true),
            ("libm.so.6", true),
            ("librt.so.1", false),
        ] {
            let at = path(name).display().to_string();
            assert_eq!(there.contains(&at), is_there, "{name}: {there:?}");
        }
    }

    #[test]
    fn what_the_loader_prints_is_read() {
        let printed = "of /opt/java/lib/libawt_xawt.so
\tlinux-vdso.so.1 (0x00007ffd8b5f6000)
\tlibX11.so.6 => not found
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f0e1a800000)
\t/lib64/ld-linux-x86-64.so.2 (0x00007f0e1ac4b000)
of /opt/java/bin/java
\tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f0e1aa00000)
\tstatically linked
";
        let needed = read(printed);
        let libraries: Vec<&str> = needed.libraries.keys().map(String::as_str).collect();
        assert_eq!(libraries, ["libc.so.6", "libz.so.1"]);
        let missing = (
            PathBuf::from("/opt/java/lib/libawt_xawt.so"),
            "libX11.so.6".to_owned(),
        );
        assert_eq!(needed.missing, BTreeSet::from([missing]));
    }
}
