//! Whether a file is a program or library for the dynamic loader.

use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, elf};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes that are read. The headers of programs are in their first blocks.
const ENOUGH: u64 = 64 * 1024;

/// What an executable file needs to be started elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Elf {
    /// It is statically linked and needs nothing.
    Static,
    /// A program: the kernel starts this loader for it.
    Program {
        /// Its loader: `/lib64/ld-linux-x86-64.so.2`.
        loader: PathBuf,
    },
    /// A library, which others load.
    Library,
}

/// What the file is; `None` when it is not for this kind of loader, or cannot be read.
pub(crate) fn elf(path: &Path) -> Option<Elf> {
    let mut head = Vec::new();
    let file = File::open(path).ok()?;
    file.take(ENOUGH).read_to_end(&mut head).ok()?;
    if !head.starts_with(b"\x7fELF") {
        return None;
    }
    of_head(&head)
}

fn of_head(head: &[u8]) -> Option<Elf> {
    let parsed = elf::FileHeader64::<Endianness>::parse(head).ok()?;
    let endian = parsed.endian().ok()?;
    let segments = parsed.program_headers(endian, head).ok()?;
    let of_kind = |kind| segments.iter().find(|s| s.p_type(endian) == kind);
    if let Some(segment) = of_kind(elf::PT_INTERP) {
        let from = usize::try_from(segment.p_offset(endian)).ok()?;
        let length = usize::try_from(segment.p_filesz(endian)).ok()?;
        let name = head.get(from..from.checked_add(length)?)?;
        let name = name.split(|byte| *byte == 0).next()?;
        let loader = PathBuf::from(std::str::from_utf8(name).ok()?);
        return Some(Elf::Program { loader });
    }
    match of_kind(elf::PT_DYNAMIC) {
        Some(_) if parsed.e_type(endian) == elf::ET_DYN => Some(Elf::Library),
        _ => Some(Elf::Static),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_names_its_loader_and_text_is_none() {
        let Some(Elf::Program { loader }) = elf(Path::new("/bin/true")) else {
            panic!("/bin/true is no program");
        };
        assert!(loader.exists() && loader.is_absolute(), "{loader:?}");
        assert_eq!(elf(Path::new("/etc/passwd")), None);
        assert_eq!(elf(Path::new("/nowhere")), None);
    }

    #[test]
    fn a_broken_head_is_no_program() {
        let whole = std::fs::read("/bin/true").unwrap();
        for length in [4, 16, 60, 64, 100] {
            // Never more than what is there is believed.
            let _ = of_head(&whole[..length]);
        }
        let mut wild = whole[..4096.min(whole.len())].to_vec();
        for at in 16..64 {
            let was = wild[at];
            for byte in [0, 0x7f, 0xff] {
                wild[at] = byte;
                let _ = of_head(&wild);
            }
            wild[at] = was;
        }
    }
}
