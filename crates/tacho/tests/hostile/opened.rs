//! Files that a JVM names are opened by root: a FIFO, or a device, must not be.

use crate::house::{Hostile, is_root};

#[test]
fn a_fifo_on_the_class_path_does_not_hang_profile() {
    if !is_root() {
        return;
    }
    let properties = "java.class.path=/tmp/fifo.jar\nuser.dir=/\nsun.java.command=x.Main\n";
    let hostile = Hostile::new("mkfifo \"$OWN/fifo.jar\"", &[("PROPERTIES", properties)]);
    assert!(hostile.folder().join("fifo.jar").exists());
    let told = hostile.met_by("profile", &["--duration", "1s", "--recorder"]);
    assert!(told.is_some(), "it hangs in open(2) of a FIFO");
}

#[test]
fn a_fifo_laid_over_the_performance_memory_does_not_hang_memory() {
    if !is_root() {
        return;
    }
    // It is mapped first, and laid over when a session would begin.
    let hostile = Hostile::new("mkfifo \"$OWN/fifo\"", &[("FIFO", "/tmp/fifo")]);
    let told = hostile.met_by("memory", &[]);
    assert!(told.is_some(), "it hangs in open(2) of a FIFO");
}
