//! `crac`: restored from a checkpoint of a JVM that was running and warm (Coordinated Restore at
//! Checkpoint, the CRaC project of OpenJDK). Its JVM writes one with `-XX:CRaCCheckpointTo=DIR` and
//! `jcmd PID JDK.checkpoint`, and starts from it with `-XX:CRaCRestoreFrom=DIR`.
//!
//! Tacho makes no such variant so far. The reason given is that the JVM has no CRaC, or, where it
//! has, that Tacho does not restore. A restored launch has to be proved, found and ended (it is
//! another process with another executable); none of this was tried with a real one.

use super::maker::Maker;
use super::prepared::Finished;
use super::{Context, PrepareError, Unavailable, Variant};
use crate::Jdk;

/// What a JDK with CRaC has and no other: the module of its API, since it left `java.base` (its
/// builds of JDK 17 have no such module), and the program that talks to CRIU, of its older
/// engines. Sources: `src/jdk.crac/share/classes/module-info.java` and
/// `make/modules/java.base/Launcher.gmk` of <https://github.com/openjdk/crac>.
const MODULE: &str = "jdk.crac";
const ENGINE: &str = "lib/criuengine";

/// Why none is made.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error(
        "{jdk} has no CRaC (Coordinated Restore at Checkpoint): neither the module {MODULE} nor {ENGINE} is in it. Tacho does not restore from checkpoints yet, so another JDK does not help; {INSTEAD}"
    )]
    NoCrac { jdk: Box<Jdk> },
    #[error(
        "Tacho does not restore from checkpoints yet, although {jdk} can (CRaC, Coordinated Restore at Checkpoint); {INSTEAD}"
    )]
    NotRestored { jdk: Box<Jdk> },
}

const INSTEAD: &str = "compare `cds`, `aot` or `native` instead";

#[derive(Debug)]
pub(super) struct Crac;

impl Crac {
    fn refused(context: &Context) -> Result<Refused, Unavailable> {
        context.runnable()?;
        let jdk = Box::new(context.jdk()?);
        Ok(if has_crac(&jdk) {
            Refused::NotRestored { jdk }
        } else {
            Refused::NoCrac { jdk }
        })
    }
}

/// Seen from its files: nothing is executed for that.
fn has_crac(jdk: &Jdk) -> bool {
    jdk.modules.iter().any(|module| module == MODULE) || jdk.home.join(ENGINE).is_file()
}

impl Variant for Crac {
    fn available(&self, context: &Context) -> Result<(), Unavailable> {
        Err(Unavailable::OfKind(Box::new(Self::refused(context)?)))
    }

    fn make(&self, context: &Context, _: &mut Maker<'_>) -> Result<Finished, PrepareError> {
        Err(Unavailable::OfKind(Box::new(Self::refused(context)?)).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    /// Its `java` fails, and leaves a file that tells that it was executed.
    fn jdk(home: &Path, release: &str, engine: bool) -> Jdk {
        for folder in ["bin", "lib"] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        let java = home.join("bin/java");
        let body = format!("#!/bin/sh\ntouch {}\nexit 1\n", executed(home).display());
        fs::write(&java, body).unwrap();
        fs::set_permissions(&java, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(home.join("release"), release).unwrap();
        if engine {
            fs::write(home.join(ENGINE), "").unwrap();
        }
        Jdk::in_folder(home).unwrap()
    }

    fn executed(home: &Path) -> std::path::PathBuf {
        home.join("executed")
    }

    #[test]
    fn a_jdk_with_crac_is_known_by_its_files_alone() {
        let with_module = "JAVA_VERSION=\"25.0.1\"\nMODULES=\"java.base jdk.crac jdk.jcmd\"\n";
        let without = "JAVA_VERSION=\"25.0.1\"\nMODULES=\"java.base jdk.jcmd jdk.cracker\"\n";
        let unlisted = "JAVA_VERSION=\"17.0.6\"\n";
        for (release, engine, expected) in [
            (with_module, false, true),
            (without, true, true),
            (unlisted, true, true),
            (without, false, false),
            (unlisted, false, false),
        ] {
            let home = tempfile::tempdir().unwrap();
            let jdk = jdk(home.path(), release, engine);
            assert_eq!(has_crac(&jdk), expected, "{release} {engine}");
            assert!(!executed(home.path()).exists());
        }
    }
}
