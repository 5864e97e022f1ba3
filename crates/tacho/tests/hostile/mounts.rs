//! Who has a mount namespace of his own can lay any folder of the host's over one of his: root that
//! deletes what it finds there deletes the host's. A bind mount is no link: neither `O_NOFOLLOW`
//! nor `RESOLVE_BENEATH` stops at it.

use crate::house::{Hostile, Precious, is_root};

#[test]
fn a_folder_that_looks_left_over_may_be_one_of_the_hosts() {
    if !is_root() {
        return;
    }
    let precious = Precious::new();
    let lay = format!(
        "mkdir \"$OWN/tacho-profile-1-4000000\"; mount --rbind '{}' \"$OWN/tacho-profile-1-4000000\"",
        precious.path().display()
    );
    let hostile = Hostile::new(&lay, &[]);
    let met = hostile.met_by("profile", &["--duration", "1s", "--recorder", "--own", "x"]);
    assert!(met.is_some(), "it hangs");
    assert!(precious.is_whole(), "nobody had root delete root's folder");
}

#[test]
fn what_is_laid_into_the_folder_of_a_profile_is_not_deleted() {
    if !is_root() {
        return;
    }
    let precious = Precious::new();
    let victim = precious.path();
    let hostile = Hostile::new("", &[("VICTIM", victim.to_str().unwrap())]);
    let met = hostile.met_by("profile", &["--duration", "1s", "--recorder", "--own", "x"]);
    assert!(met.is_some(), "it hangs");
    assert!(precious.is_whole(), "nobody had root delete root's folder");
}

#[test]
fn what_is_laid_into_the_folder_of_an_agents_session_is_not_deleted() {
    if !is_root() {
        return;
    }
    let precious = Precious::new();
    let victim = precious.path();
    let hostile = Hostile::new("", &[("VICTIM", victim.to_str().unwrap())]);
    let met = hostile.met_by("classes", &["--duration", "1s", "--own", "x"]);
    assert!(met.is_some(), "it hangs");
    assert!(precious.is_whole(), "nobody had root delete root's folder");
}
