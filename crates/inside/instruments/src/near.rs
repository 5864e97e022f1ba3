//! Suggests similar names if a pattern matches nothing.

use std::collections::BTreeSet;
use tacho_jvm_agent::{Begun, MethodPattern};
use tacho_quantity::nearest;

/// Number of suggestions for one pattern.
const SAID: usize = 3;
/// Number of methods that are listed if none is similar.
const METHODS: usize = 6;
/// How to wait for a class that is loaded later.
const WAIT: &str = "--wait waits for a class that is loaded later";

/// The name that the agent uses for a pattern.
pub(crate) fn name(pattern: &MethodPattern) -> String {
    let method = pattern.methods.first().map_or("", String::as_str);
    format!("{}.{method}", pattern.class)
}

/// A sentence for each pattern that matches nothing. Patterns whose class was refused are left out,
/// because the refusal gives its own reason.
pub(crate) fn hints(begun: &Begun, wanted: &[MethodPattern], loaded: &[String]) -> Vec<String> {
    let unmatched = wanted.iter().filter(|p| begun.unmatched.contains(&name(p)));
    let hints = unmatched.filter_map(|pattern| {
        let is_refused = |what: &str| {
            let rest = what.strip_prefix(pattern.class.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if begun
            .refused
            .iter()
            .any(|refused| is_refused(&refused.what))
        {
            return None;
        }
        let members = begun.members.get(&name(pattern));
        let is_there = loaded.contains(&pattern.class);
        Some(match members {
            Some(members) if !members.is_empty() => methods(pattern, members),
            _ if is_there => format!(
                "{} is loaded, and has no methods that could be instrumented",
                pattern.class
            ),
            _ => classes(pattern, loaded),
        })
    });
    hints.collect()
}

/// Suggests methods of the classes that match.
fn methods(pattern: &MethodPattern, members: &[String]) -> String {
    let asked = pattern.methods.first().map_or("", String::as_str);
    let (asked_name, descriptor) = split(asked);
    let of_that_name: Vec<&str> = members
        .iter()
        .filter(|member| split(member).0 == asked_name)
        .map(String::as_str)
        .collect();
    let named = match pattern.class.contains('*') || pattern.subtypes {
        true => "What it names",
        false => &pattern.class,
    };
    // The name is right, but the descriptor is not.
    if descriptor.is_some() && !of_that_name.is_empty() {
        return format!("{named} has {}", said(&of_that_name, METHODS));
    }
    let names: BTreeSet<&str> = members.iter().map(|member| split(member).0).collect();
    let alike = nearest(&asked_name.replace('*', ""), names.iter().copied());
    match alike.is_empty() {
        false => {
            let alike: Vec<&str> = alike.iter().map(String::as_str).collect();
            format!(
                "{named} is loaded; its nearest methods: {}",
                alike.join(", ")
            )
        }
        true => {
            let names: Vec<&str> = names.into_iter().collect();
            format!("{named} is loaded; its methods: {}", said(&names, METHODS))
        }
    }
}

/// Suggests similar classes. First those with the same name in another package or inside another
/// class, then those that differ by few letters.
fn classes(pattern: &MethodPattern, loaded: &[String]) -> String {
    let asked = pattern.class.replace('*', "");
    let asked = asked.trim_matches('.');
    let own = simple(asked);
    let is_alike = |class: &&String| !own.is_empty() && simple(class).eq_ignore_ascii_case(own);
    let mut same: Vec<&str> = loaded.iter().filter(is_alike).map(String::as_str).collect();
    same.sort_unstable();
    let mut near: Vec<String> = same
        .iter()
        .take(SAID)
        .map(|&class| class.to_owned())
        .collect();
    let others = loaded.iter().map(String::as_str);
    // Many classes begin alike, so their own names have to be similar as well.
    let (package, _) = asked.rsplit_once('.').unwrap_or_default();
    let beside = others.clone().filter(|class| {
        let of_class = class.rsplit_once('.').map_or("", |(package, _)| package);
        of_class == package && !nearest(own, [simple(class)]).is_empty()
    });
    near.extend(nearest(asked, beside));
    if near.is_empty() {
        let alike = others.filter(|class| !nearest(own, [simple(class)]).is_empty());
        near.extend(nearest(asked, alike));
    }
    let mut told = BTreeSet::new();
    near.retain(|class| told.insert(class.clone()));
    near.truncate(SAID);
    match near.is_empty() {
        true => format!(
            "{} is not loaded, nor is a class of a like name; {WAIT}",
            pattern.class
        ),
        false => format!(
            "{} is not loaded; the nearest that are: {}; {WAIT}",
            pattern.class,
            near.join(", ")
        ),
    }
}

/// The class name without its package and its outer classes.
fn simple(class: &str) -> &str {
    class.rsplit(['.', '$']).next().unwrap_or(class)
}

/// Name and descriptor.
fn split(method: &str) -> (&str, Option<&str>) {
    match method.find('(') {
        Some(at) => (&method[..at], Some(&method[at..])),
        None => (method, None),
    }
}

fn said(names: &[&str], most: usize) -> String {
    let more = names.len().saturating_sub(most);
    let shown: Vec<&str> = names.iter().take(most).copied().collect();
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use tacho_jvm_agent::NotProbed;

    const LOADED: [&str; 7] = [
        "com.acme.Shop",
        "com.acme.Shop$Cart",
        "com.acme.Order",
        "com.acme.order.OrderService",
        "org.other.ShopWindow",
        "java.lang.String",
        "java.util.LinkedHashMap",
    ];

    /// What is said of one pattern; the loaded class that it names has these methods.
    fn told(class: &str, method: &str, members: &[&str], refused: &[&str]) -> Vec<String> {
        let pattern = MethodPattern::of(class, &[method]);
        let members: Vec<String> = members.iter().map(|&name| name.to_owned()).collect();
        let not = |what: &&str| NotProbed {
            what: (*what).to_owned(),
            why: "it is native".to_owned(),
        };
        let begun = Begun {
            unmatched: vec![name(&pattern)],
            members: match members.is_empty() {
                true => BTreeMap::new(),
                false => BTreeMap::from([(name(&pattern), members)]),
            },
            refused: refused.iter().map(not).collect(),
            ..Begun::default()
        };
        hints(&begun, &[pattern], &LOADED.map(str::to_owned))
    }

    #[test]
    fn of_a_class_that_is_there_the_nearest_methods_are_named() {
        let members = ["find(I)V", "find(J)V", "render()V", "<init>()V", "total()I"];
        let of_shop = |method| told("com.acme.Shop", method, &members, &[]).remove(0);
        assert_eq!(
            of_shop("fnd"),
            "com.acme.Shop is loaded; its nearest methods: find"
        );
        assert_eq!(of_shop("find(D)V"), "com.acme.Shop has find(I)V, find(J)V");
        assert_eq!(
            of_shop("xyz"),
            "com.acme.Shop is loaded; its methods: <init>, find, render, total"
        );
        assert!(told("com.acme.Order", "x", &[], &[])[0].contains("has no methods"));
        // It is there, and cannot be had: that was said.
        assert!(told("com.acme.Shop", "find", &[], &["com.acme.Shop.find"]).is_empty());
    }

    #[test]
    fn of_a_class_that_is_not_there_those_of_like_names_are_named_and_how_to_wait() {
        let nearest = |class: &str| {
            let said = told(class, "run", &[], &[]).remove(0);
            assert!(
                said.starts_with(&format!("{class} is not loaded")),
                "{said}"
            );
            assert!(said.ends_with(WAIT), "{said}");
            let (_, names) = said
                .split_once("the nearest that are: ")
                .unwrap_or_default();
            names.replace(&format!("; {WAIT}"), "")
        };
        // In another package, inside of another class, in other letters, with slips: the nearest
        // first.
        for (asked, meant) in [
            ("com.acme.OrderService", "com.acme.order.OrderService"),
            ("com.acme.Cart", "com.acme.Shop$Cart"),
            ("com.acme.shop", "com.acme.Shop"),
            ("LinkedHashMap", "java.util.LinkedHashMap"),
            ("com.acme.Shp", "com.acme.Shop"),
            ("com.acme.Ordr", "com.acme.Order"),
            ("com.acme.order.OrderServce", "com.acme.order.OrderService"),
        ] {
            assert_eq!(nearest(asked).split(", ").next(), Some(meant), "{asked}");
        }
        assert_eq!(nearest("net.zero.Quux"), "");
        let of_stars = told("net.zero.*", "run", &[], &[]);
        assert!(of_stars[0].contains("nor is a class"), "{of_stars:?}");
    }
}
