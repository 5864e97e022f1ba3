//! Lines of inlined code.
//!
//! Kotlin's compiler copies an inline function (`map`, `let`, `use`, and those of the application)
//! into its caller, and gives each copied line a number beyond the end of the caller's file. The
//! class says where each copy was called: in its `SourceDebugExtension`, the source map of JSR 45,
//! in the stratum `KotlinDebug`.

use crate::artifact::Artifact;
use crate::changes::listing::Listing;
use crate::changes::{CLASS_LIMIT, LIBRARY_LIMIT, PREFIXES};
use cafebabe::attributes::AttributeData;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek};
use std::panic;

/// Most lines of a source map that are read: a class has at most 65,535 lines.
const MOST_RANGES: usize = 65_536;
/// Most jars of a build that are looked into.
const MOST_JARS: usize = 1_000;

/// Where the inlined lines of a class were called, by lines of its own source.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallSites {
    ranges: Vec<Range>,
}

/// Lines of the class that stand for one line of its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Range {
    first: u32,
    last: u32,
    called_at: u32,
}

impl CallSites {
    /// Reads a source map. What is no map, or one of another language, says nothing.
    #[must_use]
    pub fn parse(source_map: &str) -> Self {
        let lines = source_map.lines().map(str::trim);
        let lines = lines
            .skip_while(|line| *line != "*S KotlinDebug")
            .skip(1)
            .take_while(|line| !line.starts_with("*S ") && *line != "*E")
            .skip_while(|line| *line != "*L")
            .skip(1)
            .take_while(|line| !line.starts_with('*'));
        let ranges = lines.take(MOST_RANGES).filter_map(ranges_of).flatten();
        Self {
            ranges: ranges.take(MOST_RANGES).collect(),
        }
    }

    /// The line at which the code of an inlined line was called; `None` where it is no inlined one.
    #[must_use]
    pub fn line(&self, of_class: u32) -> Option<u32> {
        let mut ranges = self.ranges.iter();
        ranges
            .find(|range| (range.first..=range.last).contains(&of_class))
            .map(|range| range.called_at)
    }

    /// Of a class file; `None` where no line of it is inlined, or it cannot be read.
    fn of_class(bytes: &[u8]) -> Option<Self> {
        // The library forbids unsafe code, but adds up what a hostile class may make overflow.
        let read = panic::catch_unwind(|| {
            let class = cafebabe::parse_class(bytes).ok()?;
            let mut attributes = class.attributes.iter();
            attributes.find_map(|attribute| match &attribute.data {
                AttributeData::SourceDebugExtension(map) => Some(Self::parse(map)),
                _ => None,
            })
        });
        let sites = read.ok().flatten()?;
        (!sites.ranges.is_empty()).then_some(sites)
    }
}

/// `9#1:21,3`: line 9 of the source stands for three lines of the class from line 21 on.
/// `9,2:21,3`: that, and line 10 for the three behind them.
fn ranges_of(line: &str) -> Option<impl Iterator<Item = Range>> {
    let (source, class) = line.split_once(':')?;
    let (source, repeated) = source.split_once(',').unwrap_or((source, "1"));
    let source = source.split('#').next().unwrap_or_default();
    let (first, each) = class.split_once(',').unwrap_or((class, "1"));
    let [source, repeated, first, each]: [u32; 4] = [
        source.parse().ok()?,
        repeated.parse().ok()?,
        first.parse().ok()?,
        each.parse().ok()?,
    ];
    Some((0..repeated).map_while(move |n| {
        let first = first.checked_add(n.checked_mul(each)?)?;
        Some(Range {
            first,
            last: first.checked_add(each.checked_sub(1)?)?,
            called_at: source.checked_add(n)?,
        })
    }))
}

/// Where the inlined lines of these classes (`shop.OrdersKt`) were called. Classes without one, and
/// those that are nowhere in the build, are left out; builds without Kotlin are not read.
#[must_use]
pub fn call_sites(build: &Artifact, classes: &BTreeSet<&str>) -> BTreeMap<String, CallSites> {
    let mut left: BTreeSet<&str> = classes.clone();
    let mut found = BTreeMap::new();
    for jar in build.jars() {
        let listing = Artifact::read(&jar).and_then(|jar| Listing::of(&jar));
        if let Ok(mut listing) = listing
            && has_kotlin(&listing)
        {
            look(&mut listing, &mut left, &mut found);
            look_in_jars(&mut listing, &mut left, &mut found);
        }
    }
    found
}

fn has_kotlin<R: Read + Seek>(listing: &Listing<R>) -> bool {
    let mut names = listing.names();
    names.any(|name| name.starts_with("kotlin/") || name.contains("kotlin-stdlib"))
}

/// Looks among the classes of an archive.
fn look<R: Read + Seek>(
    listing: &mut Listing<R>,
    left: &mut BTreeSet<&str>,
    found: &mut BTreeMap<String, CallSites>,
) {
    left.retain(|class| {
        let name = format!("{}.class", class.replace('.', "/"));
        let places = PREFIXES.into_iter().chain([""]);
        let mut places = places.map(|prefix| format!("{prefix}{name}"));
        let Some(place) = places.find(|place| listing.has(place)) else {
            return true;
        };
        if let Some(sites) = CallSites::of_class(&listing.bytes(&place, CLASS_LIMIT)) {
            found.insert((*class).to_owned(), sites);
        }
        false
    });
}

/// Looks in its jars, and those beside it, until no class is left.
fn look_in_jars<R: Read + Seek>(
    listing: &mut Listing<R>,
    left: &mut BTreeSet<&str>,
    found: &mut BTreeMap<String, CallSites>,
) {
    let jars = listing.names().filter(|name| name.ends_with(".jar"));
    let jars: Vec<String> = jars.take(MOST_JARS).map(str::to_owned).collect();
    for jar in jars {
        if left.is_empty() {
            return;
        }
        if let Some(mut library) = listing.nested(&jar, LIBRARY_LIMIT) {
            look(&mut library, left, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changes::testkit::{artifact, entry};
    use proptest::prelude::*;

    /// As Kotlin 2.2 writes it.
    const MAP: &str = "SMAP
Orders.kt
Kotlin
*S Kotlin
*F
+ 1 Orders.kt
shop/OrdersKt
+ 2 _Collections.kt
kotlin/collections/CollectionsKt___CollectionsKt
*L
1#1,40:1
1563#2:41
1634#2,3:42
1869#2,2:45
*S KotlinDebug
*F
+ 1 Orders.kt
shop/OrdersKt
*L
9#1:41
9#1:42,3
17#1:45,2
*E
";

    #[test]
    fn an_inlined_line_is_that_of_its_call() {
        let sites = CallSites::parse(MAP);
        for (line, called_at) in [(41, 9), (42, 9), (44, 9), (45, 17), (46, 17)] {
            assert_eq!(sites.line(line), Some(called_at), "{line}");
        }
        for own in [1, 9, 40, 47] {
            assert_eq!(sites.line(own), None, "{own}");
        }
    }

    #[test]
    fn repeated_lines_follow_each_other() {
        let map = "*S KotlinDebug\n*F\n+ 1 A.kt\nA\n*L\n9,2:21,3\n*E\n";
        let sites = CallSites::parse(map);
        let called_at: Vec<_> = (20..28).map(|line| sites.line(line)).collect();
        let [nine, ten] = [Some(9), Some(10)];
        assert_eq!(called_at, [None, nine, nine, nine, ten, ten, ten, None]);
    }

    #[test]
    fn maps_of_other_languages_say_nothing() {
        for map in [
            "",
            "SMAP\na.jsp\nJSP\n*S JSP\n*F\n+ 0 a.jsp\na.jsp\n*L\n1,5:10\n*E\n",
            "*S KotlinDebug\n*E\n",
            "*S KotlinDebug\n*L\n9#1:4294967295,4294967295\nx:1\n9:\n",
        ] {
            assert_eq!(CallSites::parse(map), CallSites::default(), "{map}");
        }
    }

    /// A class file with a name and a source map, and nothing else.
    fn class(name: &str, map: &str) -> Vec<u8> {
        let utf8 = |text: &str| {
            let mut bytes = vec![1];
            bytes.extend(u16::try_from(text.len()).unwrap().to_be_bytes());
            bytes.extend(text.as_bytes());
            bytes
        };
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0, 6];
        bytes.extend(utf8(name));
        bytes.extend([7, 0, 1]);
        bytes.extend(utf8("java/lang/Object"));
        bytes.extend([7, 0, 3]);
        bytes.extend(utf8("SourceDebugExtension"));
        // Public, this, super; no interfaces, fields, methods; one attribute.
        bytes.extend([0, 0x21, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 5]);
        bytes.extend(u32::try_from(map.len()).unwrap().to_be_bytes());
        bytes.extend(map.as_bytes());
        bytes
    }

    #[test]
    fn classes_are_found_in_the_archive_and_in_its_jars() {
        let folder = tempfile::tempdir().unwrap();
        let orders = entry(
            "BOOT-INF/classes/shop/OrdersKt.class",
            class("shop/OrdersKt", MAP),
        );
        let stocks = entry("shop/Stocks.class", class("shop/Stocks", MAP));
        let module = entry(
            "BOOT-INF/lib/a.jar",
            crate::changes::testkit::zip(&[stocks]),
        );
        let plain = entry("BOOT-INF/classes/shop/Plain.class", class("shop/Plain", ""));
        let kotlin = entry("BOOT-INF/lib/kotlin-stdlib-2.2.jar", *b"");
        let asked = BTreeSet::from(["shop.OrdersKt", "shop.Stocks", "shop.Plain", "shop.Gone"]);
        let parts = [orders, module, plain];
        let without = artifact(folder.path(), "java.jar", &parts);
        assert_eq!(call_sites(&without, &asked), BTreeMap::new());
        let with = [&parts[..], &[kotlin][..]].concat();
        let found = call_sites(&artifact(folder.path(), "kotlin.jar", &with), &asked);
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(names, ["shop.OrdersKt", "shop.Stocks"]);
        assert_eq!(found["shop.Stocks"].line(42), Some(9));
    }

    proptest! {
        #[test]
        fn whatever_a_map_holds_it_is_bounded(map in "(\\*[SLE] ?(KotlinDebug)?\n|[0-9]{1,10}(#[0-9])?(,[0-9]{1,10})?:[0-9]{1,10}(,[0-9]{1,10})?\n){0,12}") {
            let sites = CallSites::parse(&map);
            prop_assert!(sites.ranges.len() <= MOST_RANGES);
            prop_assert!(sites.ranges.iter().all(|range| range.first <= range.last));
        }
    }
}
