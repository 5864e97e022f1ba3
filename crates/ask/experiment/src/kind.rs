//! The kinds of variants: everything that is known of a kind before a variant is made. How it is
//! made is in a file of its own in `tacho-subject`; `docs/variants.md` has a row for each.

/// How a variant is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VariantKind {
    /// The jar as it was built, by `java -jar`.
    Jar,
    /// Boot's `-Djarmode=tools extract`.
    Extracted,
    /// In Apache Tomcat.
    War,
    /// The jar with an AppCDS archive, made by a training launch.
    Cds,
    /// AOT cache of JDK 25.
    Aot,
    /// Restored from a checkpoint of a running JVM. Refused so far.
    Crac,
    /// A trimmed runtime.
    Jlink,
    /// GraalVM native image.
    Native,
    /// Any command of the user's own; nothing is built.
    Exec,
}

/// Whether a kind is compared when the user names no variants, as in `tacho run app.jar`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offered {
    /// Compared wherever it can be made. Where it cannot, the user is told the reason.
    Usually,
    /// Compared only when asked for. Where it can be made, a note says so. It takes long to make,
    /// and its advantage shows in size or with a tool that few have, so a first look does not wait
    /// for it.
    OnDemand,
    /// Compared only when asked for, and not mentioned otherwise.
    ByName,
}

/// What is known of one kind.
struct Facts {
    /// The word in files and on the command line.
    name: &'static str,
    /// Its process is a HotSpot JVM.
    hotspot: bool,
    /// It is made from what a training launch of the subject recorded.
    trained: bool,
    offered: Offered,
}

impl VariantKind {
    /// All kinds, in the order in which people see them.
    pub const ALL: [Self; 9] = [
        Self::Jar,
        Self::Extracted,
        Self::War,
        Self::Cds,
        Self::Aot,
        Self::Crac,
        Self::Jlink,
        Self::Native,
        Self::Exec,
    ];

    fn facts(self) -> Facts {
        let jvm = |name, trained, offered| Facts {
            name,
            hotspot: true,
            trained,
            offered,
        };
        let program = |name, offered| Facts {
            name,
            hotspot: false,
            trained: false,
            offered,
        };
        match self {
            Self::Jar => jvm("jar", false, Offered::Usually),
            Self::Extracted => jvm("extracted", false, Offered::Usually),
            Self::War => jvm("war", false, Offered::Usually),
            Self::Cds => jvm("cds", true, Offered::Usually),
            Self::Aot => jvm("aot", true, Offered::Usually),
            // Few JDKs have it, and Tacho cannot restore with any of them yet.
            Self::Crac => jvm("crac", false, Offered::ByName),
            Self::Jlink => jvm("jlink", false, Offered::OnDemand),
            Self::Native => program("native", Offered::OnDemand),
            Self::Exec => program("exec", Offered::Usually),
        }
    }

    /// The word in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// The kind of this name.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == word)
    }

    /// The names of all, in the order in which they are listed to people.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        Self::ALL.map(Self::name).to_vec()
    }

    /// Whether its process is always a HotSpot JVM. The command of an `exec` variant may be one,
    /// too, but this is not known before it runs.
    #[must_use]
    pub fn is_hotspot(self) -> bool {
        self.facts().hotspot
    }

    /// Whether it is made from what a launch of the subject did, so that `training` has a meaning.
    #[must_use]
    pub fn is_trained(self) -> bool {
        self.facts().trained
    }

    /// Whether it is compared where nobody named any.
    #[must_use]
    pub fn offered(self) -> Offered {
        self.facts().offered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_its_name_and_listed_in_its_order() {
        for kind in VariantKind::ALL {
            assert_eq!(VariantKind::named(kind.name()), Some(kind));
        }
        assert!(VariantKind::ALL.is_sorted());
        assert_eq!(VariantKind::named("criu"), None);
    }
}
