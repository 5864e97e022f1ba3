//! Which classes of two builds depend on each other, so that they have to come from the same build
//! for the JVM to link them (JVMS 5.4).
//!
//! For example, a class of the newer build calls a method that only the newer `Orders` has. It
//! cannot run with the older `Orders`. So when `Orders` is put back, that class has to be put back,
//! too.

use std::collections::{BTreeMap, BTreeSet};

/// Name and descriptor of a field or method.
type Member = (String, String);

/// Most levels of superclasses and interfaces that are searched.
const DEPTH: usize = 16;

/// What a class has, and what it needs of others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Links {
    /// `com/acme/Shop`.
    pub name: String,
    members: BTreeSet<Member>,
    parents: BTreeSet<String>,
    uses: BTreeSet<(String, Member)>,
    classes: BTreeSet<String>,
    /// Texts that may be names of classes, `com/acme/Shop`. Generated code loads other generated
    /// classes by name.
    named: BTreeSet<String>,
}

impl Links {
    /// Members and classes that it names.
    pub fn count(&self) -> usize {
        self.members.len() + self.classes.len() + self.parents.len()
    }

    /// `None` where the bytes are no class that can be read.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader { bytes };
        (reader.u4()? == 0xcafe_babe).then_some(())?;
        reader.skip(4)?;
        let pool = Pool::read(&mut reader)?;
        reader.skip(2)?;
        let mut links = Self {
            name: pool.class(reader.u2()?)?,
            ..Self::default()
        };
        let parent = reader.u2()?;
        // java.lang.Object and modules have none.
        links.parents.extend(pool.class(parent));
        for _ in 0..reader.u2()? {
            links.parents.insert(pool.class(reader.u2()?)?);
        }
        for _fields_then_methods in 0..2 {
            for _ in 0..reader.u2()? {
                reader.skip(2)?;
                let member = (pool.text(reader.u2()?)?, pool.text(reader.u2()?)?);
                links.members.insert(member);
                for _ in 0..reader.u2()? {
                    reader.skip(2)?;
                    let length = reader.u4()?;
                    reader.skip(length as usize)?;
                }
            }
        }
        for entry in &pool.entries {
            match entry {
                Entry::Class(name) => links.classes.extend(pool.text(*name)),
                Entry::Text(text) if may_be_class(text) => {
                    links.named.insert(text.replace('.', "/"));
                }
                Entry::Member { class, named } => {
                    let member = pool.class(*class).zip(pool.named(*named));
                    links.uses.extend(member);
                }
                _ => {}
            }
        }
        Some(links)
    }
}

/// `com.acme.Shop$Order`.
fn may_be_class(text: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '$' | '-');
    text.len() <= LONGEST_NAME && text.contains('.') && text.chars().all(is_of_name)
}

/// Names of classes are shorter.
const LONGEST_NAME: usize = 512;

/// The entries of the constant pool that name classes and members (JVMS 4.4). We read these few
/// tags ourselves, because `cafebabe` only lends its pool for as long as the class is kept.
struct Pool {
    entries: Vec<Entry>,
}

enum Entry {
    Text(String),
    Class(u16),
    NameAndType { name: u16, descriptor: u16 },
    Member { class: u16, named: u16 },
    Other,
}

impl Pool {
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let count = reader.u2()?;
        let mut entries = vec![Entry::Other];
        while entries.len() < usize::from(count) {
            let tag = reader.u1()?;
            let entry = match tag {
                1 => {
                    let length = reader.u2()?;
                    let bytes = reader.take(usize::from(length))?;
                    Entry::Text(String::from_utf8_lossy(bytes).into_owned())
                }
                7 => Entry::Class(reader.u2()?),
                9..=11 => Entry::Member {
                    class: reader.u2()?,
                    named: reader.u2()?,
                },
                12 => Entry::NameAndType {
                    name: reader.u2()?,
                    descriptor: reader.u2()?,
                },
                8 | 16 | 19 | 20 => reader.skip(2).map(|()| Entry::Other)?,
                15 => reader.skip(3).map(|()| Entry::Other)?,
                3 | 4 | 17 | 18 => reader.skip(4).map(|()| Entry::Other)?,
                5 | 6 => reader.skip(8).map(|()| Entry::Other)?,
                _ => return None,
            };
            entries.push(entry);
            // Longs and doubles take two places.
            if matches!(tag, 5 | 6) {
                entries.push(Entry::Other);
            }
        }
        Some(Self { entries })
    }

    fn text(&self, index: u16) -> Option<String> {
        match self.entries.get(usize::from(index))? {
            Entry::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    fn class(&self, index: u16) -> Option<String> {
        match self.entries.get(usize::from(index))? {
            Entry::Class(name) => self.text(*name),
            _ => None,
        }
    }

    fn named(&self, index: u16) -> Option<Member> {
        match self.entries.get(usize::from(index))? {
            Entry::NameAndType { name, descriptor } => self.text(*name).zip(self.text(*descriptor)),
            _ => None,
        }
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.take(count).map(drop)
    }

    fn u1(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn u2(&mut self) -> Option<u16> {
        let bytes = self.take(2)?;
        Some(u16::from_be_bytes(bytes.try_into().ok()?))
    }

    fn u4(&mut self) -> Option<u32> {
        let bytes = self.take(4)?;
        Some(u32::from_be_bytes(bytes.try_into().ok()?))
    }
}

/// A class of two builds.
#[derive(Debug, Clone, Default)]
pub(super) struct Versions {
    pub before: Option<Links>,
    pub after: Option<Links>,
}

/// Classes that a build has generated outside of the packages in which code differs. They start the
/// application and exchange objects by keys that only they know, so all of them have to come from
/// the same build.
fn glue<'c>(
    classes: &'c BTreeMap<String, Versions>,
    differ: &BTreeSet<String>,
) -> BTreeSet<&'c str> {
    let packages: BTreeSet<&str> = differ.iter().map(|name| package(name)).collect();
    let names = classes.keys().map(String::as_str);
    names
        .filter(|name| !packages.contains(package(name)))
        .collect()
}

fn package(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(package, _)| package)
}

/// Classes that have to be put back together because of a change of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The classes whose code differs and for which exactly this group has to be put back.
    pub of: BTreeSet<String>,
    /// All classes of the group, including those of `of`. The code of some differs; the others are
    /// generated or recompiled.
    pub all: BTreeSet<String>,
}

/// The first groups of classes that have to be put back together, in the order of their names.
///
/// With another version of a library, a merged jar has thousands of classes that differ. So classes
/// that always go together (those of one source file, or all generated ones) share one node, and
/// names are only stored once the groups are known.
pub(super) fn bound(
    classes: &BTreeMap<String, Versions>,
    differ: &BTreeSet<String>,
    most: usize,
) -> Vec<Group> {
    let names: Vec<&str> = classes.keys().map(String::as_str).collect();
    let needs = Needs::of(classes, differ);
    let mut groups: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for (place, name) in names.iter().enumerate() {
        if differ.contains(*name) {
            groups.entry(needs.all_of(place)).or_default().push(place);
        }
    }
    let named = |places: &[usize]| -> BTreeSet<String> {
        let names = places.iter().filter_map(|place| names.get(*place));
        names.map(|name| (*name).to_owned()).collect()
    };
    groups
        .iter()
        .take(most)
        .map(|(all, of)| Group {
            of: named(of),
            all: named(all),
        })
        .collect()
}

/// A graph of what has to be put back with what. The first nodes are the classes, by their index.
/// The nodes after them are sets of classes that go together.
struct Needs {
    classes: usize,
    edges: Vec<Vec<usize>>,
}

impl Needs {
    fn of(classes: &BTreeMap<String, Versions>, differ: &BTreeSet<String>) -> Self {
        let places: BTreeMap<&str, usize> = classes.keys().map(String::as_str).zip(0..).collect();
        let mut needs = Self {
            classes: classes.len(),
            edges: vec![Vec::new(); classes.len()],
        };
        let glue = glue(classes, differ);
        needs.together(glue.iter().filter_map(|name| places.get(name).copied()));
        // Private members are shared by the classes of one source file (JEP 181).
        let mut files: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (name, place) in &places {
            files.entry(outermost(name)).or_default().push(*place);
        }
        for file in files.into_values().filter(|file| file.len() > 1) {
            needs.together(file.into_iter());
        }
        for (versions, place) in classes.values().zip(0..) {
            if let Some(after) = &versions.after {
                // When a class that this one needs from the newer build is put back, this one has
                // to be put back, too.
                for source in sources(after, classes, Side::After) {
                    if let Some(source) = places.get(source) {
                        needs.edges[*source].push(place);
                    }
                }
            }
            if let Some(before) = &versions.before {
                for source in sources(before, classes, Side::Before) {
                    needs.edges[place].extend(places.get(source));
                }
            }
        }
        needs
    }

    /// Each of them needs all the others.
    fn together(&mut self, members: impl Iterator<Item = usize>) {
        let node = self.edges.len();
        let members: Vec<usize> = members.collect();
        for member in &members {
            self.edges[*member].push(node);
        }
        self.edges.push(members);
    }

    /// Indexes of the classes that have to be put back with this one, itself included, in order.
    fn all_of(&self, place: usize) -> Vec<usize> {
        let mut is_found = vec![false; self.edges.len()];
        let mut next = vec![place];
        while let Some(node) = next.pop() {
            if !std::mem::replace(&mut is_found[node], true) {
                next.extend(self.edges[node].iter().filter(|node| !is_found[**node]));
            }
        }
        (0..self.classes).filter(|place| is_found[*place]).collect()
    }
}

/// Which classes use which class of the newer build.
pub(super) struct Users<'c> {
    classes: &'c BTreeMap<String, Versions>,
    of: BTreeMap<&'c str, Vec<&'c str>>,
}

impl<'c> Users<'c> {
    pub fn of(classes: &'c BTreeMap<String, Versions>) -> Self {
        let mut of: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (user, versions) in classes {
            let used = versions.after.iter().flat_map(|after| &after.classes);
            for name in used.filter(|name| *name != user) {
                of.entry(name).or_default().push(user);
            }
        }
        Self { classes, of }
    }

    /// New classes that are used only by classes that are put back, or by other such unused
    /// classes. Nothing uses them once those are put back.
    pub fn unused(&self, put_back: &BTreeSet<String>) -> BTreeSet<String> {
        let is_new = |versions: &Versions| versions.before.is_none() && versions.after.is_some();
        let users = |name: &String| self.of.get(name.as_str()).into_iter().flatten();
        // A class that no other class uses is found by the framework, so it stays.
        let mut unused: BTreeSet<String> = self
            .classes
            .iter()
            .filter(|(name, versions)| is_new(versions) && !put_back.contains(*name))
            .filter(|(name, _)| users(name).next().is_some())
            .map(|(name, _)| name.clone())
            .collect();
        loop {
            let is_unused = |name: &&String| {
                users(name).all(|user| put_back.contains(*user) || unused.contains(*user))
            };
            let kept: BTreeSet<String> = unused.iter().filter(is_unused).cloned().collect();
            if kept.len() == unused.len() {
                return kept;
            }
            unused = kept;
        }
    }
}

/// `com/acme/Shop` of `com/acme/Shop$Order$1`.
pub(super) fn outermost(name: &str) -> &str {
    let simple = name.rfind('/').map_or(0, |slash| slash + 1);
    match name[simple..].find('$') {
        Some(dollar) if dollar > 0 => &name[..simple + dollar],
        _ => name,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

impl Versions {
    fn of(&self, side: Side) -> Option<&Links> {
        match side {
            Side::Before => self.before.as_ref(),
            Side::After => self.after.as_ref(),
        }
    }
}

/// The classes that `user` needs and that exist, or have the needed member, only in this build.
fn sources<'c>(
    user: &Links,
    classes: &'c BTreeMap<String, Versions>,
    side: Side,
) -> BTreeSet<&'c str> {
    let other = match side {
        Side::Before => Side::After,
        Side::After => Side::Before,
    };
    let mut found = BTreeSet::new();
    for name in user.classes.iter().chain(&user.named) {
        let name = name.trim_start_matches('[');
        let name = name
            .strip_prefix('L')
            .filter(|n| n.ends_with(';'))
            .map_or(name, |n| n.trim_end_matches(';'));
        if let Some((name, versions)) = classes.get_key_value(name)
            && versions.of(other).is_none()
        {
            found.insert(name.as_str());
        }
    }
    for (class, member) in &user.uses {
        found.extend(declaring(class, member, classes, (side, other), DEPTH));
    }
    // A class is bound to a parent whose members differ.
    for parent in &user.parents {
        if let Some((name, versions)) = classes.get_key_value(parent)
            && versions.of(side).map(|links| &links.members)
                != versions.of(other).map(|links| &links.members)
        {
            found.insert(name.as_str());
        }
    }
    found.remove(user.name.as_str());
    found
}

/// The class, or its ancestor, that has a member in this build and not in the other one.
fn declaring<'c>(
    class: &str,
    member: &Member,
    classes: &'c BTreeMap<String, Versions>,
    (side, other): (Side, Side),
    depth: usize,
) -> Option<&'c str> {
    let (name, versions) = classes.get_key_value(class)?;
    let has = |side| {
        let links = versions.of(side);
        links.is_some_and(|links| links.members.contains(member))
    };
    match (has(side), has(other)) {
        (true, false) => Some(name),
        (true, true) => None,
        _ if depth == 0 => None,
        _ => {
            let parents = versions.of(side).map(|links| &links.parents);
            let mut parents = parents.into_iter().flatten();
            parents.find_map(|parent| declaring(parent, member, classes, (side, other), depth - 1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(name: &str, named: &[&str]) -> Links {
        Links {
            name: name.to_owned(),
            named: named.iter().map(|name| (*name).to_owned()).collect(),
            ..Links::default()
        }
    }

    fn both(before: Option<Links>, after: Option<Links>) -> (String, Versions) {
        let name = [&before, &after].into_iter().flatten().next().unwrap();
        (name.name.clone(), Versions { before, after })
    }

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn who_loads_by_name_what_only_one_build_has_goes_with_it_and_with_all_that_starts_it() {
        let invoker = |hash: &str| format!("shop/Fares$invoker${hash}");
        let (old, new) = (invoker("a1"), invoker("b2"));
        let starter = |invoker: &str| Some(class("runner/Setup", &[invoker]));
        let other = |text: &str| Some(class("runner/Beans", &[text]));
        let classes: BTreeMap<String, Versions> = [
            both(
                Some(class("shop/Fares", &[])),
                Some(class("shop/Fares", &[])),
            ),
            both(Some(class(&old, &[])), None),
            both(None, Some(class(&new, &[]))),
            both(starter(&old), starter(&new)),
            both(other("key/a1"), other("key/b2")),
            both(
                Some(class("shop/Clock", &[])),
                Some(class("shop/Clock", &[])),
            ),
        ]
        .into();
        let bound = bound(&classes, &names(&["shop/Fares", "shop/Clock"]), 10);
        let all = names(&["shop/Fares", &old, &new, "runner/Setup", "runner/Beans"]);
        let group = |of: &str| bound.iter().find(|group| group.of.contains(of)).unwrap();
        assert_eq!(group("shop/Fares").all, all);
        // What nothing generated names by a name of one build stays alone.
        assert_eq!(group("shop/Clock").all, names(&["shop/Clock"]));
    }

    /// A merged jar with another version of a library: every class of it differs, and what is
    /// generated beside it is one. With a set of names for each this took an hour and a gigabyte.
    #[test]
    fn thousands_of_classes_that_differ_are_put_together() {
        let name = |package: &str, i: usize| format!("{package}/Class{i}");
        let mut classes = BTreeMap::new();
        let mut differ = BTreeSet::new();
        for i in 0..3_000 {
            let library = name("library", i);
            let next = Links {
                classes: [name("library", i + 1)].into(),
                ..class(&library, &[])
            };
            classes.extend([both(None, Some(next))]);
            differ.insert(library);
            let generated = || Some(class(&name("generated", i), &[]));
            classes.extend([both(generated(), generated())]);
        }
        let groups = bound(&classes, &differ, 5);
        assert_eq!(groups.len(), 5);
        // Whoever is put back takes those with it that use it.
        assert_eq!(groups[0].all.len(), 1);
        let users = Users::of(&classes);
        assert_eq!(users.unused(&names(&["library/Class0"])).len(), 2_999);
    }

    #[test]
    fn a_text_is_the_name_of_a_class_or_something_else() {
        assert!(may_be_class("com.acme.Shop$Order"));
        for text in ["orders", "GET /a.b", "a.b(c)", &"a.".repeat(600)] {
            assert!(!may_be_class(text), "{text}");
        }
    }
}
