//! For `fuzz/`: artifacts and parts of them that lie in memory.

use super::archive::{Archive, ClassSource};
use super::class_file::{highest_release, refers_to};
use super::{ArtifactKind, JvmFacts, ServletLevel};
use super::{jvm, own_packages, servlet};
use std::io::Cursor;
use std::path::Path;

/// All that is told of a jar or WAR, and its own packages. Nothing lies beside it.
#[doc(hidden)]
#[must_use]
pub fn read_archive(bytes: &[u8], kind: ArtifactKind) -> Option<(JvmFacts, Vec<String>)> {
    let path = Path::new("/nonexistent/a.jar");
    let mut archive = Archive::new(path, Cursor::new(bytes)).ok()?;
    let own = own_packages::of_archive(&mut archive, kind);
    let facts = jvm::of_archive(path, kind, &mut archive).ok()?;
    Some((facts, own))
}

/// The Java release of a class file, and the servlet level of a WAR whose only class it is; then
/// the level of one whose deployment descriptor has these bytes.
#[doc(hidden)]
#[must_use]
pub fn read_class(bytes: &[u8]) -> (Option<u32>, [Option<ServletLevel>; 2]) {
    let mut one = One(bytes);
    let release = highest_release(&mut one, "", 1);
    let names = refers_to(&mut one, "", &["javax/servlet/", "jakarta/servlet/"]);
    debug_assert!(names.len() <= 2);
    let by_class = servlet::level(&[], None, &mut one);
    (
        release,
        [by_class, servlet::level(&[], Some(bytes), &mut one)],
    )
}

/// A jar with one class file.
struct One<'a>(&'a [u8]);

impl ClassSource for One<'_> {
    fn entries(&self, accept: &dyn Fn(&str) -> bool) -> Vec<usize> {
        let accepted = accept("WEB-INF/classes/A.class");
        accepted.then_some(0).into_iter().collect()
    }

    fn bytes(&mut self, _: usize, limit: u64) -> Vec<u8> {
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        self.0[..self.0.len().min(most)].to_vec()
    }
}
