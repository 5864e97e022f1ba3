//! What differs between the files of two builds: evidence before anything is launched.
//!
//! ```text
//! listing      the files of a build, each with its sum: what is the same is not read
//! class_print  what a class does, whoever compiled it when
//! settings     keys of properties, YAML and manifests
//! library      names and versions
//! ```
//! Builds come from outside: all that is read is bounded, and nothing of it is run.

mod class_print;
mod library;
pub(crate) mod listing;
pub(crate) mod settings;

use crate::artifact::{Artifact, ArtifactError, ArtifactKind, own_packages};
use class_print::ClassPrint;
use listing::Listing;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek};
use tacho_run_folder::{
    BuildChanges, Change, ClassChange, FileChange, LibraryChange, SettingChange,
};

/// Prefix of the names of jars beside the artifact.
pub(crate) const SAME_FOLDER: &str = "beside/";
/// Most bytes of one class that are read; the largest that compilers write are a fourth of this.
pub(crate) const CLASS_LIMIT: u64 = 4 << 20;
/// Most bytes of a library that is looked into.
pub(crate) const LIBRARY_LIMIT: u64 = 32 << 20;
/// Most entries of each list; further ones are only counted.
const MOST: usize = 1_000;
/// Most classes that are read, all together. Another version of a framework changes tens of
/// thousands, and nobody looks at those one by one.
const MOST_READ: usize = 20_000;
/// Folders of classes that are the application's.
pub(crate) const PREFIXES: [&str; 2] = ["BOOT-INF/classes/", "WEB-INF/classes/"];

/// What differs between two builds of one service.
///
/// # Errors
/// When one of them cannot be read.
pub fn changes(before: &Artifact, after: &Artifact) -> Result<BuildChanges, ArtifactError> {
    differing(before, after).map(|found| found.changes)
}

/// The same, with the place of each difference.
pub(crate) fn differing(before: &Artifact, after: &Artifact) -> Result<Differing, ArtifactError> {
    if [before, after]
        .iter()
        .any(|one| one.kind == ArtifactKind::Executable)
    {
        return Ok(of_programs(before, after));
    }
    let mut found = Found::default();
    let packages = [before, after].map(|one| own_packages(&one.file, one.kind));
    let families = packages.iter().flatten().map(|package| family(package));
    found.own = families.map(str::to_owned).collect();
    let (mut before, mut after) = (Listing::of(before)?, Listing::of(after)?);
    found.applications = library::applications(&mut after);
    found
        .applications
        .extend(library::applications(&mut before));
    let groups = found.applications.iter();
    let families: Vec<String> = groups.map(|(group, _)| family(group).to_owned()).collect();
    found.own.extend(families);
    found.compare(&mut before, &mut after, None);
    Ok(found.concluded())
}

/// Differences between two start scripts, and between the jars that they launch.
fn of_programs(before: &Artifact, after: &Artifact) -> Differing {
    let mut all = Differing::default();
    let file = after.file.file_name().unwrap_or_default();
    let file = file.to_string_lossy().into_owned();
    match (before.script(), after.script()) {
        (Some(was), Some(is)) => {
            let (was_set, is_set) = (settings::script(&was), settings::script(&is));
            all.changes.settings = moved(&file, &was_set, &is_set);
            if was != is && all.changes.settings.is_empty() {
                let change = Change::Changed;
                all.changes.files.push(FileChange { file, change });
            }
        }
        _ => {
            let what = "a program tells nothing of its classes and libraries";
            all.changes.not_looked.push(what.to_owned());
        }
    }
    for (before, after) in launched(before, after) {
        let within = differing(&before, &after);
        match within {
            Ok(within) => {
                let BuildChanges {
                    classes,
                    libraries,
                    settings,
                    files,
                    more,
                    not_looked,
                } = within.changes;
                all.changes.classes.extend(classes);
                all.changes.libraries.extend(libraries);
                all.changes.settings.extend(settings);
                all.changes.files.extend(files);
                all.changes.more += more;
                all.changes.not_looked.extend(not_looked);
            }
            Err(why) => all.changes.not_looked.push(why.to_string()),
        }
    }
    all
}

/// The jars that two scripts launch, paired by name.
pub(crate) fn launched(before: &Artifact, after: &Artifact) -> Vec<(Artifact, Artifact)> {
    let older = before.jars();
    let newer = after.jars();
    let alone = older.len() == 1 && newer.len() == 1;
    let pairs = newer.iter().filter_map(|is| {
        let mut older = older.iter();
        let was = older.find(|was| alone || was.file_name() == is.file_name())?;
        Artifact::read(was).ok().zip(Artifact::read(is).ok())
    });
    pairs
        .filter(|(was, is)| was.jvm.is_some() && is.jvm.is_some())
        .collect()
}

/// Keys whose values differ.
pub(crate) fn moved(
    file: &str,
    was: &BTreeMap<String, String>,
    is: &BTreeMap<String, String>,
) -> Vec<SettingChange> {
    let both: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    both.into_iter()
        .filter(|key| was.get(*key) != is.get(*key))
        .map(|key| SettingChange {
            file: file.to_owned(),
            key: key.clone(),
            before: was.get(key).cloned(),
            after: is.get(key).cloned(),
        })
        .collect()
}

/// `com.acme` of `com.acme.shop.`: the first two parts.
fn family(package: &str) -> &str {
    let package = package.trim_end_matches('.');
    let mut dots = package.match_indices('.').map(|(place, _)| place);
    dots.nth(1).map_or(package, |place| &package[..place])
}

/// What differs, and where.
#[derive(Debug, Default)]
pub(crate) struct Differing {
    pub changes: BuildChanges,
    pub places: Vec<Place>,
}

/// A jar of the builds that is looked into: its names in either.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Container {
    pub library: String,
    pub before: String,
    pub after: String,
}

/// Where something differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub what: What,
    /// The jar within the builds, or beside them, that it is in.
    pub container: Option<Container>,
    /// Its names in the older and the newer build, where they have it.
    pub before: Option<String>,
    pub after: Option<String>,
}

/// What differs at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    /// A class by its name. Where `differs` is false, only the compiler or a generator has changed
    /// it, and it is only put back together with others.
    Class { name: String, differs: bool },
    /// A jar by its name without the version.
    Library(String),
    /// Anything else.
    File,
}

/// A file by its names in the older and the newer build. At least one of them is there.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    before: Option<String>,
    after: Option<String>,
}

impl Entry {
    /// Its name in the newer build, or else in the older one.
    fn name(&self) -> &str {
        let name = self.after.as_deref().or(self.before.as_deref());
        name.unwrap_or_default()
    }

    /// Its name in the older build, or else in the newer one.
    fn older(&self) -> &str {
        self.before.as_deref().unwrap_or_else(|| self.name())
    }
}

/// Pairs the files of both builds. A fat jar keeps the application's classes in another folder than
/// a WAR or a plain jar. So a file that is missing in one build is looked for in the other possible
/// folders.
fn entries<B: Read + Seek, A: Read + Seek>(
    before: &Listing<B>,
    after: &Listing<A>,
    names: &BTreeSet<String>,
) -> Vec<Entry> {
    let moved = |name: &str| -> Option<String> {
        let within = without_prefix(name);
        let places = PREFIXES.iter().map(|prefix| format!("{prefix}{within}"));
        places
            .chain([within.to_owned()])
            .find(|place| after.has(place) && !before.has(place))
    };
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut entries = Vec::new();
    for name in names.iter().filter(|name| before.has(name)) {
        let newer = match after.has(name) {
            true => Some(name.clone()),
            false => moved(name).filter(|place| !taken.contains(place)),
        };
        taken.extend(newer.clone());
        entries.push(Entry {
            before: Some(name.clone()),
            after: newer,
        });
    }
    let left = names.iter().filter(|name| !taken.contains(*name));
    entries.extend(left.filter(|name| !before.has(name)).map(|name| Entry {
        before: None,
        after: Some(name.clone()),
    }));
    entries.sort_by(|a, b| a.name().cmp(b.name()));
    entries
}

#[derive(Debug, Default)]
struct Found {
    changes: BuildChanges,
    places: Vec<Place>,
    /// The first two parts of the application's packages.
    own: BTreeSet<String>,
    /// Groups and names of merged artifacts that are the application itself.
    applications: BTreeSet<(String, String)>,
    /// Families of artifacts that were merged into the jar and have another version.
    other_versions: BTreeSet<String>,
    classes_read: usize,
}

impl Found {
    fn compare<B: Read + Seek, A: Read + Seek>(
        &mut self,
        before: &mut Listing<B>,
        after: &mut Listing<A>,
        container: Option<&Container>,
    ) {
        let library = container.map(|container| container.library.as_str());
        let names: BTreeSet<String> = before
            .names()
            .chain(after.names())
            .map(str::to_owned)
            .collect();
        for entry in &entries(before, after, &names) {
            let change = match (&entry.before, &entry.after) {
                (Some(was), Some(is)) if before.is_same(was, after, is) => continue,
                (Some(_), Some(_)) => Change::Changed,
                (Some(_), None) => Change::Removed,
                _ => Change::Added,
            };
            let name = entry.name();
            if name.ends_with(".class") {
                self.class(before, after, (entry, change), container);
            } else if let Some((group, artifact)) = library::merged(name) {
                let named = (group.to_owned(), artifact.to_owned());
                if self.applications.contains(&named) {
                    continue;
                }
                self.merged(before, after, entry, (group, artifact));
            } else if library.is_none() && !name.ends_with(".jar") && !follows(name) {
                self.file(before, after, entry, change);
                self.place(What::File, None, entry);
            }
        }
        if library.is_none() {
            self.libraries(before, after, &names);
        }
    }

    fn class<B: Read + Seek, A: Read + Seek>(
        &mut self,
        before: &mut Listing<B>,
        after: &mut Listing<A>,
        (entry, change): (&Entry, Change),
        container: Option<&Container>,
    ) {
        let name = entry.name();
        self.classes_read += 1;
        if self.classes_read > MOST_READ {
            self.changes.more += 1;
            return;
        }
        let prints = [
            before.bytes(entry.older(), CLASS_LIMIT),
            after.bytes(name, CLASS_LIMIT),
        ]
        .map(|bytes| ClassPrint::of(&bytes));
        let is_generated = prints.iter().flatten().any(|print| print.is_generated);
        let members = match &prints {
            [Some(before), Some(after)] => before.differing(after),
            _ => Vec::new(),
        };
        // Not a change: recompiled from the same source, or generated from classes that are listed
        // themselves.
        let is_same = change == Change::Changed && members.is_empty();
        let differs = !(is_generated || is_same && prints.iter().all(Option::is_some));
        let of = What::Class {
            name: class_name(name),
            differs,
        };
        self.place(of, container, entry);
        if !differs {
            return;
        }
        self.changes.classes.push(ClassChange {
            class: class_name(name),
            change,
            members,
            library: container.map(|container| container.library.clone()),
        });
    }

    fn place(&mut self, what: What, container: Option<&Container>, entry: &Entry) {
        self.places.push(Place {
            what,
            container: container.cloned(),
            before: entry.before.clone(),
            after: entry.after.clone(),
        });
    }

    /// An artifact that was merged into the jar.
    fn merged<B: Read + Seek, A: Read + Seek>(
        &mut self,
        before: &mut Listing<B>,
        after: &mut Listing<A>,
        entry: &Entry,
        (group, artifact): (&str, &str),
    ) {
        let name = entry.name();
        let version = |bytes: Vec<u8>| settings::read(name, &bytes)?.remove("version");
        let before = version(before.bytes(entry.older(), settings::LIMIT));
        let after = version(after.bytes(name, settings::LIMIT));
        let change = match (&before, &after) {
            (before, after) if before == after => return,
            (Some(_), Some(_)) => Change::Changed,
            (Some(_), None) => Change::Removed,
            _ => Change::Added,
        };
        self.other_versions.insert(family(group).to_owned());
        self.changes.libraries.push(LibraryChange {
            library: artifact.to_owned(),
            change,
            before,
            after,
        });
    }

    fn file<B: Read + Seek, A: Read + Seek>(
        &mut self,
        before: &mut Listing<B>,
        after: &mut Listing<A>,
        entry: &Entry,
        change: Change,
    ) {
        let name = entry.name();
        let keys = |bytes: Vec<u8>, is_there: bool| match is_there {
            true if bytes.len() as u64 > settings::LIMIT => None,
            true => settings::read(name, &bytes),
            false => Some(BTreeMap::new()),
        };
        let limit = settings::LIMIT + 1;
        let (was, is) = (before.bytes(entry.older(), limit), after.bytes(name, limit));
        let was = keys(was, entry.before.is_some());
        let is = keys(is, entry.after.is_some());
        let named = name
            .rsplit_once('.')
            .is_some_and(|(_, e)| ["properties", "yaml", "yml", "MF"].contains(&e));
        let (true, Some(was), Some(is)) = (named, was, is) else {
            self.changes.files.push(FileChange {
                file: without_prefix(name).to_owned(),
                change,
            });
            return;
        };
        let mut settings = moved(without_prefix(name), &was, &is);
        // This key only repeats which libraries there are.
        settings.retain(|setting| setting.key != "Class-Path");
        self.changes.settings.extend(settings);
    }

    /// Jars within the build and beside it, paired by their names without versions.
    fn libraries<B: Read + Seek, A: Read + Seek>(
        &mut self,
        before: &mut Listing<B>,
        after: &mut Listing<A>,
        names: &BTreeSet<String>,
    ) {
        type Sides = (Option<String>, Option<String>);
        let mut libraries: BTreeMap<String, Sides> = BTreeMap::new();
        for name in names.iter().filter(|name| name.ends_with(".jar")) {
            let sides = libraries.entry(library::named(name).0).or_default();
            if before.has(name) {
                sides.0 = Some(name.clone());
            }
            if after.has(name) {
                sides.1 = Some(name.clone());
            }
        }
        for (library, sides) in libraries {
            let version = |name: &Option<String>| library::named(name.as_deref()?).1;
            let versions = (version(&sides.0), version(&sides.1));
            let mut looked_into = false;
            let change = match &sides {
                (Some(was), Some(is)) if before.is_same(was, after, is) => continue,
                (Some(was), Some(is)) => {
                    let nested = (
                        before.nested(was, LIBRARY_LIMIT),
                        after.nested(is, LIBRARY_LIMIT),
                    );
                    if let (Some(mut old), Some(mut new)) = nested {
                        let is_own = new.names().any(|name| self.owns(name));
                        if is_own || versions.0 == versions.1 {
                            let known = self.changes.classes.len();
                            let placed = self.places.len();
                            let container = Container {
                                library: library.clone(),
                                before: was.clone(),
                                after: is.clone(),
                            };
                            self.compare(&mut old, &mut new, Some(&container));
                            let has_changes = self.changes.classes.len() > known;
                            if !is_own {
                                self.changes.classes.truncate(known);
                                self.places.truncate(placed);
                            }
                            if is_own {
                                // Its classes are put back one by one, not the whole jar.
                                looked_into = true;
                            }
                            if !has_changes && versions.0 == versions.1 {
                                continue;
                            }
                        }
                    }
                    Change::Changed
                }
                (Some(_), None) => Change::Removed,
                _ => Change::Added,
            };
            if !looked_into {
                self.places.push(Place {
                    what: What::Library(library.clone()),
                    container: None,
                    before: sides.0,
                    after: sides.1,
                });
            }
            self.changes.libraries.push(LibraryChange {
                library,
                change,
                before: versions.0,
                after: versions.1,
            });
        }
    }

    /// A class file of the application's family.
    fn owns(&self, name: &str) -> bool {
        name.ends_with(".class") && self.own.contains(family(package_of(&class_name(name))))
    }

    fn concluded(mut self) -> Differing {
        // In a jar that libraries were merged into, changed classes of a library are not listed one
        // by one when its version changed: the change of version says it.
        let (own, others) = (&self.own, &self.other_versions);
        self.changes.classes.retain(|class| {
            let family = family(package_of(&class.class));
            own.contains(family) || !others.contains(family)
        });
        for place in &mut self.places {
            if let What::Class { name, .. } = &place.what {
                let family = family(package_of(name));
                if !own.contains(family) && others.contains(family) {
                    place.what = What::Library(family.to_owned());
                }
            }
        }
        let changes = &mut self.changes;
        // A jar beside the artifact may already have shown what its `pom.properties` says.
        let mut known = Vec::new();
        changes.libraries.retain(|library| {
            let is_new = !known.contains(library);
            known.push(library.clone());
            is_new
        });
        changes.more += cut(&mut changes.classes)
            + cut(&mut changes.libraries)
            + cut(&mut changes.settings)
            + cut(&mut changes.files);
        Differing {
            changes: self.changes,
            places: self.places,
        }
    }
}

/// Cuts the list at [`MOST`] entries, and returns how many were cut off.
fn cut<T>(list: &mut Vec<T>) -> u64 {
    let more = list.len().saturating_sub(MOST);
    list.truncate(MOST);
    more as u64
}

/// Whether a file only follows from other differences, or says nothing about what the service does.
fn follows(name: &str) -> bool {
    let is_signature = |end| name.starts_with("META-INF/") && name.ends_with(end);
    name.starts_with("META-INF/maven/")
        || name.starts_with("META-INF/sbom/")
        || [
            "BOOT-INF/classpath.idx",
            "BOOT-INF/layers.idx",
            "META-INF/INDEX.LIST",
        ]
        .contains(&name)
        || [".SF", ".RSA", ".DSA", ".EC"].into_iter().any(is_signature)
}

pub(crate) fn without_prefix(name: &str) -> &str {
    let within = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix));
    within.unwrap_or(name)
}

/// `com.acme.Shop` of `BOOT-INF/classes/com/acme/Shop.class`, and of its variant for a newer Java.
fn class_name(entry: &str) -> String {
    let name = without_prefix(entry);
    let versioned = name.strip_prefix("META-INF/versions/");
    let name = versioned
        .and_then(|name| name.split_once('/'))
        .map_or(name, |(_, name)| name);
    name.trim_end_matches(".class").replace('/', ".")
}

fn package_of(class: &str) -> &str {
    class.rsplit_once('.').map_or("", |(package, _)| package)
}

#[cfg(test)]
pub(crate) mod testkit;
#[cfg(test)]
mod tests;
