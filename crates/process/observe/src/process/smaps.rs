//! `/proc/<pid>/smaps` (proc(5)): every mapping of a process with what of it is resident. `maps`
//! has the same lines without the sizes, `smaps_rollup` one mapping that stands for all.

use super::looking;
use std::fs::File;
use std::io::{self, Read};
use tacho_files::input;

/// One mapping. Its name borrows from the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mapping<'a> {
    /// First address of the mapping.
    pub start: u64,
    /// First address after it.
    pub end: u64,
    /// It can be read, written or executed. Without any of these it is reserved address space or a
    /// guard.
    pub accessible: bool,
    /// It can be executed.
    pub executable: bool,
    /// Others see what is written to it.
    pub shared: bool,
    /// Inode of the file; 0 when there is none.
    pub inode: u64,
    /// File, `[heap]`, `[stack]`, or empty.
    pub name: &'a str,
    /// What of it is resident.
    pub sizes: Sizes,
}

/// What of a mapping, or of several, is resident.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sizes {
    /// Resident bytes, shared pages in full.
    pub rss_bytes: u64,
    /// Resident bytes, with only its share of shared pages.
    pub pss_bytes: u64,
    /// Resident and mapped by nobody else.
    pub private_bytes: u64,
    /// Bytes that are swapped out.
    pub swap_bytes: u64,
}

impl Sizes {
    /// Adds the sizes of another mapping.
    pub fn add(&mut self, other: &Self) {
        self.rss_bytes = self.rss_bytes.saturating_add(other.rss_bytes);
        self.pss_bytes = self.pss_bytes.saturating_add(other.pss_bytes);
        self.private_bytes = self.private_bytes.saturating_add(other.private_bytes);
        self.swap_bytes = self.swap_bytes.saturating_add(other.swap_bytes);
    }
}

impl Mapping<'_> {
    /// Address space that it takes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    /// Whether it is private and anonymous: it has no name, so no file, and nobody else sees it.
    #[must_use]
    pub fn is_anonymous(&self) -> bool {
        !self.shared && self.inode == 0 && (self.name.is_empty() || self.name.starts_with("[anon"))
    }

    fn note(&mut self, key: &str, value: &str) {
        let place = match key {
            "Rss" => &mut self.sizes.rss_bytes,
            "Pss" => &mut self.sizes.pss_bytes,
            "Private_Clean" | "Private_Dirty" => &mut self.sizes.private_bytes,
            "Swap" => &mut self.sizes.swap_bytes,
            _ => return,
        };
        let Some(kib) = value
            .strip_suffix(" kB")
            .and_then(|n| n.trim().parse::<u64>().ok())
        else {
            return;
        };
        *place = place.saturating_add(kib.saturating_mul(1024));
    }
}

/// The mappings in ascending order, as the kernel lists them. What is of another form is passed
/// over.
#[must_use]
pub fn parse_smaps(text: &str) -> Vec<Mapping<'_>> {
    let mut mappings: Vec<Mapping<'_>> = Vec::new();
    for line in text.lines() {
        if let Some(mapping) = head(line) {
            mappings.push(mapping);
        } else if let (Some(mapping), Some((key, value))) =
            (mappings.last_mut(), line.split_once(':'))
        {
            mapping.note(key, value.trim_start());
        }
    }
    mappings
}

// 7f2407000000-7f2407bc7000 rw-p 00001000 fe:00 315149 /usr/lib/jvm/lib/server/classes.jsa
fn head(line: &str) -> Option<Mapping<'_>> {
    let (range, rest) = line.split_once(' ')?;
    let (start, end) = range.split_once('-')?;
    let start = u64::from_str_radix(start, 16).ok()?;
    let end = u64::from_str_radix(end, 16).ok()?;
    let (rights, rest) = rest.split_once(' ')?;
    let (_offset, rest) = rest.split_once(' ')?;
    let (_device, rest) = rest.split_once(' ')?;
    // The name may hold spaces; there is none when the inode ends the line.
    let (inode, name) = rest.split_once(' ').unwrap_or((rest, ""));
    let rights = rights.as_bytes();
    Some(Mapping {
        start,
        end: end.max(start),
        accessible: rights.iter().take(3).any(|right| *right != b'-'),
        executable: rights.get(2) == Some(&b'x'),
        shared: rights.get(3) == Some(&b's'),
        inode: inode.parse().ok()?,
        name: name.trim_start(),
        sizes: Sizes::default(),
    })
}

/// Reads the file of a process into `text`, whose room is used again. Takes the time of a walk
/// through the page tables.
///
/// # Errors
/// When the process has ended or belongs to another user.
pub fn read_smaps(pid: u32, text: &mut String) -> io::Result<()> {
    let mut bytes = std::mem::take(text).into_bytes();
    bytes.clear();
    let smaps = looking(pid, || File::open(format!("/proc/{pid}/smaps")))?;
    let bound = input::WHOLE.bytes();
    if smaps.take(bound).read_to_end(&mut bytes)? as u64 == bound {
        let why = format!("the list of its mappings is larger than {}", input::WHOLE);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    *text = String::from_utf8(bytes)
        .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned());
    Ok(())
}

/// The sums over all mappings of a process, exact, unlike those of `statm`; `None` when it has
/// ended or may not be read.
#[must_use]
pub fn rollup(pid: u32) -> Option<Sizes> {
    let rollup = format!("/proc/{pid}/smaps_rollup");
    let text = looking(pid, || std::fs::read_to_string(&rollup)).ok()?;
    Some(parse_smaps(&text).first()?.sizes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TWO: &str = "\
f0000000-f1700000 rw-p 00000000 00:00 0 
Size:              23552 kB
KernelPageSize:        4 kB
Rss:                9216 kB
Pss:                9216 kB
Pss_Dirty:          9216 kB
Shared_Clean:          0 kB
Private_Clean:        16 kB
Private_Dirty:      9200 kB
Swap:                 12 kB
SwapPss:              12 kB
THPeligible:    0
VmFlags: rd wr mr mw me ac sd 
7f2474400000-7f247beb2000 r--s 00000000 fe:00 315140                     /usr/lib/my jvm/modules
Rss:               11000 kB
Pss:                5500 kB
Private_Clean:         0 kB
";

    #[test]
    fn sizes_and_names_are_read() {
        let mappings = parse_smaps(TWO);
        assert_eq!(mappings.len(), 2);
        let heap = &mappings[0];
        assert_eq!((heap.start, heap.length()), (0xf000_0000, 23552 << 10));
        assert!(heap.is_anonymous() && heap.accessible && !heap.executable);
        assert_eq!(
            heap.sizes,
            Sizes {
                rss_bytes: 9216 << 10,
                pss_bytes: 9216 << 10,
                private_bytes: 9216 << 10,
                swap_bytes: 12 << 10,
            }
        );
        let file = &mappings[1];
        assert_eq!(
            (file.name, file.inode),
            ("/usr/lib/my jvm/modules", 315_140)
        );
        assert!(file.shared && !file.is_anonymous());
        assert_eq!(file.sizes.pss_bytes, 5500 << 10);
    }

    #[test]
    fn a_rollup_is_one_mapping() {
        let rollup = "5600-7ffc ---p 00000000 00:00 0    [rollup]\nRss:    2192 kB\nPss:     507 kB\nPss_Anon:  90 kB\n";
        let [all] = parse_smaps(rollup)[..] else {
            panic!("one mapping");
        };
        assert_eq!(all.sizes.rss_bytes, 2192 * 1024);
        assert_eq!(all.sizes.pss_bytes, 507 * 1024);
        assert_eq!(parse_smaps("Pss_Anon: 90 kB\n"), []);
    }

    #[test]
    fn our_own_add_up_to_what_the_kernel_adds_up() {
        let apart = || {
            let mut text = String::new();
            read_smaps(std::process::id(), &mut text).unwrap();
            let mut sum = Sizes::default();
            parse_smaps(&text).iter().for_each(|m| sum.add(&m.sizes));
            assert!(sum.rss_bytes >= sum.private_bytes);
            let rollup = rollup(std::process::id()).unwrap().pss_bytes;
            sum.pss_bytes.abs_diff(rollup)
        };
        // Between the two readings other tests take memory, but not each time.
        let least = (0..5).map(|_| apart()).min().unwrap();
        assert!(least <= 1 << 20, "{least}");
    }

    proptest! {
        #[test]
        fn no_content_makes_the_parser_panic(
            text in "([0-9a-f]{0,17}-[0-9a-f]{0,17} [rwxps-]{0,5} 0 0:0 [0-9]{0,22} .{0,6}\n|Rss: +[0-9]{0,22} kB\n|\\PC{0,30}\n){0,6}",
        ) {
            let mut sum = Sizes::default();
            parse_smaps(&text).iter().for_each(|m| sum.add(&m.sizes));
        }
    }
}
