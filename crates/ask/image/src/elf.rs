//! Whether a file is a program or library for the dynamic loader, and for which processors.

use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endian, Endianness, elf};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use tacho_oci::{Arch, Platform};

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
    of_head(&head(path)?)
}

/// The processors that a program is for. `None` when it is no program of 64 bits, or its processors
/// are none for which container images are made.
#[must_use]
pub fn platform_of(program: &Path) -> Option<Platform> {
    platform_of_head(&head(program)?)
}

fn head(path: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    let file = File::open(path).ok()?;
    file.take(ENOUGH).read_to_end(&mut head).ok()?;
    head.starts_with(b"\x7fELF").then_some(head)
}

/// By `e_machine` of the ELF header; the names are those of Go's `GOARCH`, as the OCI image
/// specification says.
fn platform_of_head(head: &[u8]) -> Option<Platform> {
    let parsed = elf::FileHeader64::<Endianness>::parse(head).ok()?;
    let endian = parsed.endian().ok()?;
    Some(Platform(match parsed.e_machine(endian) {
        elf::EM_X86_64 => Arch::Amd64,
        elf::EM_AARCH64 => Arch::ARM64,
        elf::EM_PPC64 if endian.is_little_endian() => Arch::PowerPC64le,
        elf::EM_RISCV => Arch::RISCV64,
        elf::EM_S390 => Arch::s390x,
        _ => return None,
    }))
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
    fn a_program_says_for_which_processors_it_is() {
        let program = Path::new("/bin/true");
        assert_eq!(platform_of(program), Some(Platform::here()));
        assert_eq!(platform_of(Path::new("/etc/passwd")), None);
        let mut other = std::fs::read(program).unwrap();
        for (machine, named) in [
            (elf::EM_AARCH64, Some(Arch::ARM64)),
            (elf::EM_S390, Some(Arch::s390x)),
            (elf::EM_386, None),
        ] {
            other[18..20].copy_from_slice(&machine.to_le_bytes());
            assert_eq!(platform_of_head(&other), named.map(Platform));
        }
    }

    #[test]
    fn a_broken_head_is_no_program() {
        let whole = std::fs::read("/bin/true").unwrap();
        for length in [4, 16, 60, 64, 100] {
            // Never more than what is there is believed.
            let _ = of_head(&whole[..length]);
            let _ = platform_of_head(&whole[..length]);
        }
        let mut wild = whole[..4096.min(whole.len())].to_vec();
        for at in 16..64 {
            let was = wild[at];
            for byte in [0, 0x7f, 0xff] {
                wild[at] = byte;
                let _ = of_head(&wild);
                let _ = platform_of_head(&wild);
            }
            wild[at] = was;
        }
    }
}
