//! Descriptors, threads and files of a shop, counted by name: has it more of them than before?

use crate::support::{Shop, wake};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What a session may leave in a process and beside it, by what it is; numbers that differ from one
/// to the next are left out.
#[derive(Debug, PartialEq, Eq)]
pub struct Held {
    descriptors: BTreeMap<String, usize>,
    threads: BTreeMap<String, usize>,
    files: BTreeMap<String, usize>,
}

impl Held {
    pub fn by(shop: &Shop) -> Self {
        let pid = shop.pid().to_string();
        let links = entries(&format!("/proc/{pid}/fd"));
        let descriptors = links.iter().map(|fd| {
            let to = std::fs::read_link(fd).unwrap_or_default();
            unnumbered(&to.display().to_string())
        });
        let jvm = wake(shop.pid());
        let stacks = jvm.jcmd("Thread.print").unwrap();
        let names = stacks.lines().filter_map(|line| {
            let (name, _) = line.strip_prefix('"')?.split_once('"')?;
            // The JVM compiles and collects with as many threads as it thinks fit, whatever is done
            // to it.
            let own = ["C1 ", "C2 ", "G1 ", "GC ", "Sweeper"];
            let is_own = own.iter().any(|prefix| name.starts_with(prefix));
            (!is_own).then(|| unnumbered(name))
        });
        let temporary = entries("/tmp").into_iter().filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            has_number(&name, &pid)
        });
        // The jar and the sampler's library are one for each version, and stay; another test may
        // put one there meanwhile.
        let user = rustix::process::geteuid().as_raw();
        let agents = entries(&format!("/tmp/.tacho-agent-{user}"))
            .into_iter()
            .filter(|path| {
                path.extension()
                    .is_none_or(|end| end != "jar" && end != "so")
            });
        let files = temporary
            .chain(entries(&shop.folder().display().to_string()))
            .chain(agents)
            .map(|path| unnumbered(&path.display().to_string()));
        Self {
            descriptors: counted_by_name(descriptors),
            threads: counted_by_name(names),
            files: counted_by_name(files),
        }
    }

    /// By what `now` has more of something.
    pub fn more(&self, now: &Self) -> Vec<String> {
        let grown = |what: &str, old: &BTreeMap<String, usize>, new: &BTreeMap<String, usize>| {
            new.iter()
                .filter(|(name, count)| old.get(*name).unwrap_or(&0) < count)
                .map(|(name, count)| format!("{what} {name}: {count}"))
                .collect::<Vec<_>>()
        };
        [
            grown("descriptors", &self.descriptors, &now.descriptors),
            grown("threads", &self.threads, &now.threads),
            grown("files", &self.files, &now.files),
        ]
        .concat()
    }
}

fn entries(folder: &str) -> Vec<std::path::PathBuf> {
    std::fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default()
}

/// Whether a number is in a text, and not only in a longer number.
fn has_number(text: &str, number: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits == number)
}

fn unnumbered(text: &str) -> String {
    text.replace(|c: char| c.is_ascii_digit(), "#")
}

fn counted_by_name(names: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    names.fold(BTreeMap::new(), |mut counts, name| {
        *counts.entry(name).or_default() += 1;
        counts
    })
}

/// What is held when what goes by itself has gone; only what stays is looked for as long as this.
pub fn ended(shop: &Shop, before: &Held) -> Held {
    let begin = Instant::now();
    loop {
        let now = Held::by(shop);
        if before.more(&now).is_empty() || begin.elapsed().as_secs() > 60 {
            return now;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}
