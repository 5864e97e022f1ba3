//! Puts one change of the candidate back: in its place is what the older build has, and everything
//! else is as in the newer build. A launch of the result shows what the change costs, whatever it
//! is; see `docs/decisions/0021-one-change-put-back.md`.
//!
//! ```text
//! links    which classes have to be put back together
//! lines    the lines of a text file that differ, one by one
//! writing  the jar, or the folder around it, with some of its parts put back
//! ```

mod lines;
mod links;
#[cfg(test)]
mod tests;
mod writing;

use crate::artifact::{Artifact, ArtifactError, ArtifactKind};
use crate::changes::listing::Listing;
use crate::changes::settings;
use crate::changes::{CLASS_LIMIT, Container, Differing, LIBRARY_LIMIT, What, without_prefix};
use crate::changes::{Place, differing, launched, moved};
use lines::{Hunk, Unit, hunks, with};
use links::{Group, Links, Users, Versions, bound, outermost};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::PathBuf;
use tacho_run_folder::PutBack;
pub use writing::{PutBackError, with_put_back};

/// Most changes that are put back one by one.
const MOST: usize = 200;
/// Manifests name the main class and the class path. A service does not run with a part of one, so
/// they are left out.
const MANIFEST: &str = "META-INF/MANIFEST.MF";

/// A change that can be put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What it is, for people.
    pub what: PutBack,
    /// The jars that it is in, where a script launches them.
    jar: Option<(PathBuf, PathBuf)>,
    edits: Vec<Edit>,
}

/// An edit of the candidate's copy.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Edit {
    /// A whole file as in the older build. It is removed where the older build has none.
    Whole(Place),
    /// Some lines of it.
    Lines(String, Hunk),
}

/// The changes between two builds that can be put back alone. Classes that cannot be linked with
/// another version of each other count as one change.
///
/// # Errors
/// When a build cannot be read.
pub fn parts(before: &Artifact, after: &Artifact) -> Result<Vec<Part>, ArtifactError> {
    if [before, after]
        .iter()
        .any(|one| one.kind == ArtifactKind::Executable)
    {
        return of_scripts(before, after);
    }
    let Differing { places, changes: _ } = differing(before, after)?;
    let (mut older, mut newer) = (Listing::of(before)?, Listing::of(after)?);
    let mut parts = of_files(&places, &mut older, &mut newer);
    parts.extend(of_libraries(&places));
    parts.extend(of_classes(&places, &mut older, &mut newer));
    parts.truncate(MOST);
    Ok(parts)
}

type Files = Listing<BufReader<File>>;

fn of_files(places: &[Place], older: &mut Files, newer: &mut Files) -> Vec<Part> {
    let mut parts = Vec::new();
    let files = places.iter().filter(|place| place.what == What::File);
    for place in files {
        match (&place.before, &place.after) {
            (Some(was), Some(_)) if was == MANIFEST => {}
            (Some(was), Some(is)) => {
                let limit = settings::LIMIT + 1;
                let texts = (text(older.bytes(was, limit)), text(newer.bytes(is, limit)));
                match texts {
                    (Some(was), Some(now)) => {
                        let keys = |text: &str| settings::read(is, text.as_bytes());
                        parts.extend(of_text(is, (&was, &now), Unit::Line, &keys));
                    }
                    _ => parts.push(whole_file(place, is)),
                }
            }
            (Some(only), None) | (None, Some(only)) => parts.push(whole_file(place, only)),
            (None, None) => {}
        }
    }
    parts
}

fn whole_file(place: &Place, name: &str) -> Part {
    Part {
        what: PutBack::File {
            file: without_prefix(name).to_owned(),
        },
        jar: None,
        edits: vec![Edit::Whole(place.clone())],
    }
}

/// A text that is small enough to be compared line by line.
fn text(bytes: Vec<u8>) -> Option<String> {
    let is_small = bytes.len() as u64 <= settings::LIMIT;
    let text = String::from_utf8(bytes).ok().filter(|_| is_small)?;
    (!text.contains('\0')).then_some(text)
}

/// Settings of a text.
type Keys<'k> = dyn Fn(&str) -> Option<BTreeMap<String, String>> + 'k;

/// Each line, or run of lines, that can be put back. In files of settings only lines that change a
/// key count.
fn of_text(name: &str, (older, newer): (&str, &str), unit: Unit, keys: &Keys<'_>) -> Vec<Part> {
    let is = keys(newer);
    let mut parts = Vec::new();
    for hunk in hunks(older, newer, unit) {
        let file = without_prefix(name).to_owned();
        let put_back = with(newer, &[&hunk], unit);
        let what = match (&is, keys(&put_back)) {
            (Some(is), Some(was)) => {
                let settings = moved(&file, &was, is);
                // A comment.
                if settings.is_empty() {
                    continue;
                }
                PutBack::Settings { settings }
            }
            // A change that leaves invalid YAML when put back alone is only put back with others.
            (Some(_), None) => continue,
            _ => PutBack::Lines {
                first: hunk.newer.start as u64 + 1,
                now: shown(newer, &hunk, unit),
                before: hunk.older.trim().chars().take(LINE).collect(),
                file,
            },
        };
        if let PutBack::Lines { now, before, .. } = &what
            && now == before
        {
            continue;
        }
        parts.push(Part {
            what,
            jar: None,
            edits: vec![Edit::Lines(name.to_owned(), hunk)],
        });
    }
    parts
}

/// Most characters of a line that are shown.
const LINE: usize = 200;

fn shown(newer: &str, hunk: &Hunk, unit: Unit) -> String {
    let pieces = unit.split(newer);
    let lines = pieces.iter().skip(hunk.newer.start);
    let lines: Vec<&str> = lines
        .take(hunk.newer.len())
        .map(|line| line.trim())
        .collect();
    lines.join(" ").chars().take(LINE).collect()
}

fn of_libraries(places: &[Place]) -> Vec<Part> {
    let mut libraries: BTreeMap<&str, Vec<Edit>> = BTreeMap::new();
    for place in places {
        if let What::Library(name) = &place.what {
            let edits = libraries.entry(name).or_default();
            edits.push(Edit::Whole(place.clone()));
        }
    }
    libraries
        .into_iter()
        .map(|(library, edits)| Part {
            what: PutBack::Library {
                library: library.to_owned(),
            },
            jar: None,
            edits,
        })
        .collect()
}

fn of_classes(places: &[Place], older: &mut Files, newer: &mut Files) -> Vec<Part> {
    let mut jars: BTreeMap<&Container, Inner> = BTreeMap::new();
    let mut versions: BTreeMap<String, Versions> = BTreeMap::new();
    let mut found: BTreeMap<String, Vec<&Place>> = BTreeMap::new();
    let mut differ = BTreeSet::new();
    for place in places {
        let What::Class { differs, .. } = place.what else {
            continue;
        };
        let [was, is] = match &place.container {
            None => [links(older, &place.before), links(newer, &place.after)],
            Some(container) => {
                let jar = jars.entry(container).or_insert_with(|| Inner {
                    older: older.nested(&container.before, LIBRARY_LIMIT),
                    newer: newer.nested(&container.after, LIBRARY_LIMIT),
                });
                [
                    jar.older.as_mut().and_then(|jar| links(jar, &place.before)),
                    jar.newer.as_mut().and_then(|jar| links(jar, &place.after)),
                ]
            }
        };
        let Some(name) = [&was, &is].into_iter().flatten().next() else {
            continue;
        };
        let name = name.name.clone();
        let both = versions.entry(name.clone()).or_default();
        both.before = was.or(both.before.take());
        both.after = is.or(both.after.take());
        if differs {
            differ.insert(name.clone());
        }
        found.entry(name).or_default().push(place);
    }
    let named = |names: &mut dyn Iterator<Item = &String>| -> Vec<String> {
        let outer: BTreeSet<&str> = names.map(|name| outermost(name)).collect();
        outer.iter().map(|name| name.replace('/', ".")).collect()
    };
    let users = Users::of(&versions);
    bound(&versions, &differ, MOST)
        .into_iter()
        .map(|Group { of, all }| {
            let classes = named(&mut of.iter());
            let others = named(&mut all.iter().filter(|name| differ.contains(*name)));
            let unused = users.unused(&all);
            Part {
                what: PutBack::Classes {
                    with: others
                        .into_iter()
                        .filter(|o| !classes.contains(o))
                        .collect(),
                    classes,
                    unused: named(&mut unused.iter()),
                },
                jar: None,
                edits: all
                    .iter()
                    .filter_map(|name| found.get(name))
                    .flatten()
                    .map(|place| Edit::Whole((*place).clone()))
                    .collect(),
            }
        })
        .collect()
}

/// For `fuzz/`: how many names of a class were read.
#[doc(hidden)]
#[must_use]
pub fn read_links(bytes: &[u8]) -> Option<usize> {
    Links::of(bytes).map(|links| links.count())
}

/// For `fuzz/`: the newer of two scripts with all that differs put back, whatever it sets.
#[doc(hidden)]
#[must_use]
pub fn put_all_back(older: &str, newer: &str) -> String {
    let _ = settings::script(newer);
    let hunks = hunks(older, newer, Unit::Word);
    let all: Vec<&Hunk> = hunks.iter().collect();
    with(newer, &all, Unit::Word)
}

type InMemory = Option<Listing<std::io::Cursor<Vec<u8>>>>;

struct Inner {
    older: InMemory,
    newer: InMemory,
}

fn links<R: Read + Seek>(jar: &mut Listing<R>, name: &Option<String>) -> Option<Links> {
    let name = name.as_ref()?;
    Links::of(&jar.bytes(name, CLASS_LIMIT))
}

/// Lines of two scripts, and what the jars that they launch consist of.
fn of_scripts(before: &Artifact, after: &Artifact) -> Result<Vec<Part>, ArtifactError> {
    let mut parts = Vec::new();
    let name = after.file.file_name().and_then(|name| name.to_str());
    if let (Some(older), Some(newer), Some(name)) = (before.script(), after.script(), name) {
        parts.extend(of_text(name, (&older, &newer), Unit::Word, &|text| {
            Some(settings::script(text))
        }));
    }
    for (older, newer) in launched(before, after) {
        for part in self::parts(&older, &newer)? {
            parts.push(Part {
                jar: Some((older.file.clone(), newer.file.clone())),
                ..part
            });
        }
    }
    Ok(parts)
}
