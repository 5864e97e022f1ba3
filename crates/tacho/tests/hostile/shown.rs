//! Words of a JVM on root's terminal.

use crate::house::{Hostile, is_root};

#[test]
fn what_a_jvm_says_neither_turns_text_nor_forges_a_line() {
    if !is_root() {
        return;
    }
    let said = "evil \u{1b}]52;c;cm0gLXJmIC8=\u{7} \u{202e} \nerror: forged line\n";
    let hostile = Hostile::new("", &[("LOAD", said)]);
    let told = hostile
        .met_by("classes", &["--duration", "1s", "--own", "x"])
        .unwrap();
    let text = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(text.contains("evil"), "{text:?}");
    assert!(!text.contains('\u{202e}'), "{text:?}");
    assert!(!text.contains('\u{1b}'), "{text:?}");
    assert!(
        !text.lines().any(|line| line == "error: forged line"),
        "{text:?}"
    );
}
