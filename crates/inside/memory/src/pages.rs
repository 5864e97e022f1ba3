//! Which pages of a mapping are resident (`/proc/PID/pagemap`,
//! Documentation/admin-guide/mm/pagemap.rst).

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use tacho_observe::process::looking;

/// Bit 63 of an entry: the page is present in memory.
const PRESENT: u64 = 1 << 63;

/// The pages of a process.
#[derive(Debug)]
pub struct Pages {
    file: File,
    page: u64,
}

impl Pages {
    /// Opens the file; needs the rights of a debugger.
    pub fn open(pid: u32) -> io::Result<Self> {
        Ok(Self {
            file: looking(pid, || File::open(format!("/proc/{pid}/pagemap")))?,
            page: rustix::param::page_size() as u64,
        })
    }

    /// Resident bytes of a range of addresses.
    pub fn resident(&self, start: u64, end: u64) -> io::Result<u64> {
        if start >= end {
            return Ok(0);
        }
        let mut pages = 0_u64;
        let mut room = [0_u8; 8 * 1024];
        let last = end.div_ceil(self.page);
        let mut next = start / self.page;
        while next < last {
            let wanted = usize::try_from((last - next).min(1024)).unwrap_or(1024) * 8;
            let read = self
                .file
                .read_at(room.get_mut(..wanted).unwrap_or_default(), next * 8)?;
            let entries = room.get(..read - read % 8).unwrap_or_default();
            if entries.is_empty() {
                break;
            }
            for entry in entries.chunks_exact(8) {
                let raw: [u8; 8] = entry.try_into().unwrap_or_default();
                pages += u64::from(u64::from_ne_bytes(raw) & PRESENT != 0);
            }
            next += (entries.len() / 8) as u64;
        }
        Ok(pages * self.page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_were_touched_are_resident() {
        let held = vec![1_u8; 4 << 20];
        let start = held.as_ptr() as u64;
        let pages = Pages::open(std::process::id()).unwrap();
        let resident = pages.resident(start, start + held.len() as u64).unwrap();
        assert!(resident >= 4 << 20, "{resident}");
        assert!(resident <= (4 << 20) + 2 * pages.page, "{resident}");
        assert_eq!(pages.resident(start, start).unwrap(), 0);
    }
}
