//! Whose cost it is.

use crate::frame::{Frame, passes_calls_on};
use tacho_run_folder::Dissection;

/// The application's own packages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Own {
    prefixes: Vec<String>,
}

/// Prefixes of the platform's classes. They own a cost only where no other class is on the stack.
const PLATFORM: [&str; 7] = [
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "jakarta.",
    "one.profiler.",
];

/// A class or a method of a class of the platform.
pub fn is_of_platform(name: &str) -> bool {
    PLATFORM.iter().any(|prefix| name.starts_with(prefix))
}

impl Own {
    /// Of prefixes such as `com.acme.shop.`.
    #[must_use]
    pub fn of(prefixes: &[String]) -> Self {
        Self {
            prefixes: prefixes.to_vec(),
        }
    }

    /// Of both builds: a package that one of them calls its own is nobody else's in the other.
    #[must_use]
    pub fn of_both(baseline: Option<&Dissection>, candidate: &Dissection) -> Self {
        let builds = baseline.into_iter().chain([candidate]);
        let mut prefixes: Vec<String> = builds.flat_map(|seen| seen.own.clone()).collect();
        prefixes.sort();
        prefixes.dedup();
        Self { prefixes }
    }

    /// `com.acme.` of `com.acme`, `com.acme.` and `com.acme.*`; nothing is the default package.
    #[must_use]
    pub fn prefix(package: &str) -> String {
        match package.trim_end_matches(['.', '*']) {
            "" => String::new(),
            package => format!("{package}."),
        }
    }

    /// A class is of one of the packages.
    #[must_use]
    pub fn has(&self, class: &str) -> bool {
        self.prefixes.iter().any(|prefix| match prefix.as_str() {
            // The default package.
            "" => !class.contains('.') && !class.is_empty(),
            prefix => class.starts_with(prefix),
        })
    }

    /// The place of the nearest frame of the application; innermost first.
    #[must_use]
    pub fn nearest(&self, frames: &[String]) -> Option<usize> {
        frames.iter().position(|frame| {
            let class = Frame::parse(frame).class;
            self.has(class) && !passes_calls_on(class)
        })
    }

    /// The nearest frame that is at least not of the platform: a library that works without being
    /// called by the application.
    #[must_use]
    pub fn nearest_library(frames: &[String]) -> Option<usize> {
        frames.iter().position(|frame| {
            let class = Frame::parse(frame).class;
            // A native library is called by whoever declares its methods; its file may have another
            // name in each launch.
            !class.is_empty() && !class.contains('/') && !is_of_platform(class)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_nearest_own_frame_owns_it() {
        let own = Own::of(&["shop.".to_owned()]);
        let stack = frames(
            "java.util.HashMap.get:5 org.lib.Cache.get:9 shop.Orders$$Lambda$4.apply shop.Orders.lambda$find$1:12 shop.Web.get:3",
        );
        assert_eq!(own.nearest(&stack), Some(3));
        assert_eq!(Own::nearest_library(&stack), Some(1));
        let native = frames("./tmp/libnetty_epoll_4711.so io.netty.channel.epoll.Native.write:9");
        assert_eq!(Own::nearest_library(&native), Some(1));
        assert_eq!(own.nearest(&frames("shopping.Basket.add:1")), None);
        assert_eq!(own.nearest(&[]), None);
    }

    #[test]
    fn an_anonymous_class_of_scala_owns_what_it_does() {
        let own = Own::of(&["shop.".to_owned()]);
        let stack = frames("java.util.HashMap.get:5 shop.Main$$anon$1.handle:12 lib.Server.run:3");
        assert_eq!(own.nearest(&stack), Some(1));
    }

    #[test]
    fn a_package_is_named_in_any_way() {
        for named in ["com.acme", "com.acme.", "com.acme.*"] {
            assert_eq!(Own::prefix(named), "com.acme.");
        }
        assert_eq!(Own::prefix(""), "");
    }

    #[test]
    fn classes_without_a_package_can_be_owners() {
        let own = Own::of(&[String::new()]);
        assert_eq!(
            own.nearest(&frames("java.lang.Thread.run:1 Shop.main:3")),
            Some(1)
        );
    }
}
