//! What differs between two builds, by their files alone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What differs between two builds. Lists are bounded; `more` says how much was left out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct BuildChanges {
    /// Classes of the application whose code differs, or that only one build has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<ClassChange>,
    /// Libraries that came, went, or have another version or other contents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<LibraryChange>,
    /// Keys of properties, YAML and manifests with another value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<SettingChange>,
    /// All other files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileChange>,
    /// Changes beyond what the lists hold.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: u64,
    /// What could not be compared, for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_looked: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// How something differs.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Only the newer build has it.
    Added,
    /// Only the older build has it.
    Removed,
    /// Both have it, and it differs.
    Changed,
}

/// A class whose code differs after normalising: line numbers, the order of the constant pool and
/// the numbers of synthetic names are no difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClassChange {
    /// Its name, such as `com.acme.shop.Orders`.
    pub class: String,
    /// How it differs.
    pub change: Change,
    /// Methods and fields that differ, were added or removed; empty where the whole class was added
    /// or removed. `class` stands for its annotations, superclass or interfaces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<String>,
    /// The library that it is in, where that is one of the application's own family.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
}

/// A library that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LibraryChange {
    /// Its name without the version, such as `jackson-databind`.
    pub library: String,
    /// How it differs.
    pub change: Change,
    /// Version in the older build, where it tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Version in the newer build, where it tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// A key with another value. Secrets are masked where it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SettingChange {
    /// The file that it is in.
    pub file: String,
    /// The key, such as `server.tomcat.threads.max`.
    pub key: String,
    /// In the older build; absent where it has no such key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// In the newer build; absent where it has no such key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// A file that is neither a class nor a library nor settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileChange {
    /// Path within the build.
    pub file: String,
    /// How it differs.
    pub change: Change,
}

impl BuildChanges {
    /// Nothing differs that matters at run time.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let Self {
            classes,
            libraries,
            settings,
            files,
            more,
            not_looked: _,
        } = self;
        classes.is_empty()
            && libraries.is_empty()
            && settings.is_empty()
            && files.is_empty()
            && *more == 0
    }
}

/// A change of the candidate that was undone: in its place is what the older build has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum PutBack {
    /// Classes, by their outermost names. Classes that can only be linked together are put back
    /// together.
    Classes {
        /// The classes that are put back.
        classes: Vec<String>,
        /// Others that have to go with them, because they cannot be linked otherwise, and that can
        /// be put back without them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        with: Vec<String>,
        /// New classes that nothing uses once these are put back, so that they are removed as well.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unused: Vec<String>,
    },
    /// Keys of a file of settings.
    Settings {
        /// What the keys were and are.
        settings: Vec<SettingChange>,
    },
    /// Lines of another text file, such as a script.
    Lines {
        /// Its path within the build.
        file: String,
        /// The first of them in the newer build, from 1.
        first: u64,
        /// What stands there in the older build.
        before: String,
        /// What stands there in the newer build.
        now: String,
    },
    /// A whole file.
    File {
        /// Its path within the build.
        file: String,
    },
    /// A library.
    Library {
        /// Its name without the version.
        library: String,
    },
    /// What the experiment says of its variants: a flag, a variable, an argument, the JDK.
    Launch {
        /// Such as `-XX:TieredStopAtLevel=1`.
        what: String,
    },
}
