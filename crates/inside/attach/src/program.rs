//! What a process runs, from the files that it has mapped and the sections of its program.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// What runs in a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// A HotSpot JVM.
    HotSpot,
    /// Eclipse OpenJ9, which has an attach mechanism of its own.
    OpenJ9,
    /// Java, compiled ahead of time.
    NativeImage,
    /// A Go program.
    Go,
    /// No JVM, no native image and no Go program.
    Other,
}

impl fmt::Display for Program {
    /// Goes on from "process 4711".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HotSpot => "is a HotSpot JVM",
            Self::OpenJ9 => "is an OpenJ9 JVM, which is attached to in another way; run the service on a HotSpot JDK (Temurin, Corretto, ...) to look into it",
            Self::NativeImage => "is a native image: there are no class files left in it that could be instrumented. Look at the same service as a jar on a JVM; `perf` and `tacho memory` see the image from outside",
            Self::Go => "is a Go program, no JVM; its own tools are net/http/pprof and `go tool trace`. `tacho memory` sees it from outside",
            Self::Other => "is no JVM: it has not mapped a libjvm.so. When it is a script or a container's init, give the number of the `java` process below it (`pgrep -a java`)",
        })
    }
}

impl Program {
    /// Looks at a process.
    ///
    /// # Errors
    /// When it has ended, or may not be looked at.
    pub fn of(pid: u32) -> io::Result<Self> {
        let mapped = tacho_observe::process::mapped_files(pid)?;
        let has = |name: &str| {
            mapped
                .iter()
                .filter_map(|file| file.file_name()?.to_str())
                .any(|file| file.starts_with(name))
        };
        if has("libj9vm") {
            return Ok(Self::OpenJ9);
        }
        // A file that was replaced while it runs is shown as "libjvm.so (deleted)".
        if has("libjvm.so") {
            return Ok(Self::HotSpot);
        }
        let exe = format!("/proc/{pid}/exe");
        let sections = File::open(exe)
            .ok()
            .and_then(section_names)
            .unwrap_or_default();
        let named = |wanted: &str| sections.split(|b| *b == 0).any(|s| s == wanted.as_bytes());
        Ok(if named(".svm_heap") {
            Self::NativeImage
        } else if named(".gopclntab") || named(".go.buildinfo") {
            Self::Go
        } else {
            Self::Other
        })
    }
}

/// Whether a process is linked with musl: it has mapped its loader, which is the C library as well.
pub fn is_musl(pid: u32) -> io::Result<bool> {
    let mapped = tacho_observe::process::mapped_files(pid)?;
    let mut names = mapped.iter().filter_map(|file| file.file_name()?.to_str());
    Ok(names.any(is_of_musl))
}

/// `ld-musl-x86_64.so.1` (musl's configure, `LDSO_PATHNAME`), as on Alpine, or the file that it
/// links to, as on Debian. glibc's `libc.so` is a linker script, which no process maps.
fn is_of_musl(file: &str) -> bool {
    file.starts_with("ld-musl-") || file == "libc.so"
}

/// No program has longer names of sections in all.
const LONGEST: u64 = 1 << 20;

/// The table of section names of a 64-bit little-endian ELF file (elf(5)); `None` when it is
/// something else.
#[doc(hidden)]
pub fn section_names(mut file: impl Read + Seek) -> Option<Vec<u8>> {
    let head: [u8; 64] = read_at(&mut file, 0)?;
    if !head.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let half = |at: usize| Some(u16::from_le_bytes(head.get(at..at + 2)?.try_into().ok()?));
    let sections_at = u64::from_le_bytes(head.get(0x28..0x30)?.try_into().ok()?);
    let (size, index) = (half(0x3a)?, half(0x3e)?);
    let entry = sections_at.checked_add(u64::from(size) * u64::from(index))?;
    let header: [u8; 64] = read_at(&mut file, entry)?;
    let word = |at: usize| Some(u64::from_le_bytes(header.get(at..at + 8)?.try_into().ok()?));
    let (offset, length) = (word(0x18)?, word(0x20)?);
    file.seek(SeekFrom::Start(offset)).ok()?;
    let mut names = Vec::new();
    file.take(length.min(LONGEST))
        .read_to_end(&mut names)
        .ok()?;
    Some(names)
}

fn read_at(file: &mut (impl Read + Seek), offset: u64) -> Option<[u8; 64]> {
    let mut bytes = [0; 64];
    file.seek(SeekFrom::Start(offset)).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_test_is_no_jvm_and_has_sections() {
        assert_eq!(Program::of(std::process::id()).unwrap(), Program::Other);
        let names = section_names(File::open("/proc/self/exe").unwrap()).unwrap();
        assert!(names.split(|b| *b == 0).any(|name| name == b".text"));
    }

    #[test]
    fn musl_is_told_by_its_loader() {
        for (file, is) in [
            ("ld-musl-x86_64.so.1", true),
            ("libc.so", true),
            ("libc.so.6", false),
            ("ld-linux-x86-64.so.2", false),
        ] {
            assert_eq!(is_of_musl(file), is, "{file}");
        }
        assert!(!is_musl(std::process::id()).unwrap());
    }

    #[test]
    fn what_is_no_elf_file_has_no_sections() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("script");
        std::fs::write(&path, "#!/bin/sh\n").unwrap();
        assert_eq!(section_names(File::open(&path).unwrap()), None);
        // A header that points nowhere.
        let mut bytes = b"\x7fELF\x02\x01".to_vec();
        bytes.resize(64, 0xff);
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(section_names(File::open(&path).unwrap()), None);
    }
}
