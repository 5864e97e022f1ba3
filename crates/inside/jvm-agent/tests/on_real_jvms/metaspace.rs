//! The metaspace of a shop's JVM, as the JVM itself tells of it.

use crate::support::{Shop, wake};

/// What the JVM says of its metaspace when the loaders of sessions have gone with a collection.
pub fn metaspace(shop: &mut Shop) -> String {
    for _ in 0..3 {
        shop.act("gc 1");
    }
    let jvm = wake(shop.pid());
    jvm.jcmd("VM.metaspace show-loaders show-classes").unwrap()
}

/// Of all loaders together, in KiB: "Both: 68 chunks, 11.36 MB capacity, ... 11.04 MB ( 97%) used,
/// ...". What the old version of a class no longer needs is given out again, and counts as used
/// meanwhile.
pub fn used_kib(metaspace: &str) -> f64 {
    let total = metaspace.split("Total Usage").nth(1).unwrap();
    let both = total
        .lines()
        .find(|line| line.trim_start().starts_with("Both:"))
        .unwrap();
    let used = both.split(',').find(|part| part.contains("used")).unwrap();
    let mut words = used.split_whitespace();
    let number: f64 = words.next().unwrap().parse().unwrap();
    number
        * match words.next().unwrap() {
            "KB" => 1.0,
            "MB" => 1024.0,
            unit => panic!("{unit}: {used}"),
        }
}

/// Versions of `java.lang.ClassLoader` that the JVM holds.
pub fn versions(metaspace: &str) -> usize {
    let is_one = |line: &&str| line.trim_end().ends_with(" java.lang.ClassLoader");
    metaspace.lines().filter(is_one).count()
}
