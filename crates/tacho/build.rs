//! How the program is linked.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A fixed address saves the 24,000 relocations (150 page faults, 0.8 ms) that a
    // position-independent program pays before `main`: a sixth of the way to the first byte
    // (`make bench-load`, start). Stack, heap and libraries stay where chance puts them.
    let is_glibc = var("CARGO_CFG_TARGET_ENV").as_deref() == Ok("gnu");
    let is_release = var("PROFILE").as_deref() == Ok("release");
    if is_glibc && is_release {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
