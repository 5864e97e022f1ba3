//! The kinds of variants: all that is known of each before it is made. How it is made stands in a
//! file of its own in `tacho-subject`; `docs/variants.md` has a row of each.

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

/// Whether a kind is compared where nobody named any, as in `tacho run app.jar`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offered {
    /// Wherever it can be made; where it cannot, the reason is said.
    Usually,
    /// When it is asked for; where it can be made, that is said. It takes long to make and shows
    /// its worth in size or with a tool that few have, so that a first look does not wait for it.
    OnDemand,
    /// When it is asked for; nothing is said of it before.
    ByName,
}

/// What is known of one kind.
struct Facts {
    /// The word in files and on the command line.
    name: &'static str,
    /// Its process is a HotSpot JVM.
    hotspot: bool,
    /// It is made from what a launch of the subject did.
    trained: bool,
    offered: Offered,
}

impl VariantKind {
    /// All of them, in the order in which they are listed to people.
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
            // Few JDKs have it, and Tacho restores with none of them so far.
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

    /// Whether its process is a HotSpot JVM. That of any command may be one: nobody knows before it
    /// runs.
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
