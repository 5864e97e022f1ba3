//! Lines of inlined code, by the lines that call it: Kotlin numbers copied lines beyond the end of
//! the file, and nobody finds line 312 of a file with 40.

use std::collections::BTreeSet;
use std::path::Path;
use tacho_diagnosis::{Frame, Own};
use tacho_run_folder::{Dissection, PreparedVariant};
use tacho_subject::{Artifact, CallSites, call_sites};

/// Gives frames of the application's inlined code the line at which it was called. What cannot be
/// read stays as it is.
pub fn at_call_sites(seen: &mut Dissection, build: &PreparedVariant) {
    let artifact = build.artifact.as_ref();
    let Some(Ok(artifact)) = artifact.map(|artifact| Artifact::read(Path::new(&artifact.path)))
    else {
        return;
    };
    let own = Own::of(&seen.own);
    let entries = seen.ledgers.iter().flat_map(|ledger| &ledger.entries);
    let frames = entries.flat_map(|entry| &entry.frames);
    let classes: BTreeSet<&str> = frames
        .map(|frame| Frame::parse(frame).class)
        .filter(|class| own.has(class))
        .collect();
    let sites = call_sites(&artifact, &classes);
    let entries = seen.ledgers.iter_mut().flat_map(|l| &mut l.entries);
    for frame in entries.flat_map(|entry| &mut entry.frames) {
        let called = sites
            .get(Frame::parse(frame).class)
            .and_then(|sites| at_call_site(frame, sites));
        if let Some(called) = called {
            *frame = called;
        }
    }
}

/// `shop.OrdersKt.total:9` of `shop.OrdersKt.total:41`; `None` for a line that is the source's own.
fn at_call_site(frame: &str, sites: &CallSites) -> Option<String> {
    let Frame {
        class,
        method,
        line,
    } = Frame::parse(frame);
    let line = sites.line(line?)?;
    Some(format!("{class}.{method}:{line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_inlined_lines_change() {
        let sites = CallSites::parse(
            "*S KotlinDebug\n*F\n+ 1 Orders.kt\nshop/OrdersKt\n*L\n9#1:41,2\n*E\n",
        );
        let called = |frame: &str| at_call_site(frame, &sites);
        let at_nine = Some("shop.OrdersKt.total:9".to_owned());
        assert_eq!(called("shop.OrdersKt.total:42"), at_nine);
        assert_eq!(called("shop.OrdersKt.total:12"), None);
        assert_eq!(called("shop.OrdersKt.total"), None);
    }
}
