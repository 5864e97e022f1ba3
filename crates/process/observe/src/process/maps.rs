//! Files that a process has mapped: evidence that it uses an archive.

use super::{looking, parse_smaps};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use tacho_files::input;

/// The files mapped into a process, each once, as the kernel names them.
///
/// # Errors
/// When the process has ended, or belongs to another user.
pub fn mapped_files(pid: u32) -> io::Result<BTreeSet<PathBuf>> {
    let maps = format!("/proc/{pid}/maps");
    let maps = looking(pid, || input::read_beginning(Path::new(&maps), input::MAPS))?;
    Ok(files_in(&String::from_utf8_lossy(&maps)))
}

/// Whether a process has mapped this file: `true` is evidence that it reads a CDS or AOT archive.
///
/// # Errors
/// When the process has ended or belongs to another user, or the file does not exist.
pub fn maps_file(pid: u32, file: &Path) -> io::Result<bool> {
    // The kernel shows paths without symbolic links.
    let file = file.canonicalize()?;
    Ok(mapped_files(pid)?.contains(&file))
}

fn files_in(maps: &str) -> BTreeSet<PathBuf> {
    let mappings = parse_smaps(maps).into_iter();
    let named = mappings.filter(|mapping| mapping.name.starts_with("/"));
    named.map(|mapping| PathBuf::from(mapping.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_is_named_once_and_memory_without_a_file_not_at_all() {
        let maps = "\
73001000-73d95000 rw-p 00001000 fe:00 315633                             /opt/my app/classes.jsa
7ffc00000-7ffd24000 rw-p 00dc9000 fe:00 315633                           /opt/my app/classes.jsa
7f0000000000-7f0000001000 rw-p 00000000 00:00 0 
7f0000001000-7f0000002000 rw-p 00000000 00:00 0                          [anon: /no file]
7ffc3abc4000-7ffc3abe5000 rw-p 00000000 00:00 0                          [stack]
";
        let files: Vec<_> = files_in(maps).into_iter().collect();
        assert_eq!(files, [PathBuf::from("/opt/my app/classes.jsa")]);
    }

    #[test]
    fn our_own_executable_is_mapped_and_another_file_is_not() {
        let me = std::process::id();
        assert!(maps_file(me, &std::env::current_exe().unwrap()).unwrap());
        let other = tempfile::NamedTempFile::new().unwrap();
        assert!(!maps_file(me, other.path()).unwrap());
    }
}
