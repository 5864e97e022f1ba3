//! Frames by names that survive a rebuild.
//!
//! Compilers and frameworks number what they generate: lambdas, proxies, accessors. The numbers
//! change with any change of the source, so two builds would seem to have nothing in common. Agents
//! rename methods that they wrap: users know the old name.

use std::borrow::Cow;

/// A frame as instruments write it: `package.Class.method:line`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// With its package.
    pub class: &'a str,
    /// `<init>` for a constructor.
    pub method: &'a str,
    /// Where it is known.
    pub line: Option<u32>,
}

impl<'a> Frame<'a> {
    /// Any text is a frame; one without a dot has no class.
    #[must_use]
    pub fn parse(text: &'a str) -> Self {
        let (name, line) = match text.rsplit_once(':') {
            // Instruments write -1 for code that has no lines.
            Some((name, line)) => match line.parse::<i64>() {
                Ok(line) => (name, u32::try_from(line).ok().filter(|line| *line > 0)),
                Err(_) => (text, None),
            },
            None => (text, None),
        };
        let (class, method) = name.rsplit_once('.').unwrap_or(("", name));
        Self {
            class,
            method,
            line,
        }
    }

    /// `package.Class.method` without what a rebuild changes.
    #[must_use]
    pub fn aligned(&self) -> String {
        let class = aligned_class(self.class);
        if class.is_empty() {
            aligned_method(self.method).into_owned()
        } else {
            format!("{class}.{}", aligned_method(self.method))
        }
    }
}

/// The frame as [`Frame::aligned`] has it.
#[must_use]
pub fn aligned(frame: &str) -> String {
    Frame::parse(frame).aligned()
}

/// After these a generated class has numbers or a hash of its bytes, and nothing else that matters.
const GENERATED: [&str; 10] = [
    "$$Lambda",
    "$Proxy",
    "GeneratedMethodAccessor",
    "GeneratedConstructorAccessor",
    "GeneratedSerializationConstructorAccessor",
    "$$EnhancerBySpringCGLIB",
    "$$FastClassBySpringCGLIB",
    "$$SpringCGLIB",
    "$HibernateProxy",
    "$ByteBuddy",
];

/// A class without what a rebuild changes: `jdk.proxy2.$Proxy9` is `jdk.proxy.$Proxy`.
#[must_use]
pub fn aligned_class(class: &str) -> String {
    for marker in GENERATED {
        if let Some(place) = class.find(marker) {
            let name = &class[..place + marker.len()];
            // Proxies of interfaces that everybody may use are in com.sun.proxy (to JDK 15) or
            // jdk.proxy1, jdk.proxy2, ... (JDK-8159746).
            return match marker {
                "$Proxy" => "jdk.proxy.$Proxy".to_owned(),
                _ => name.to_owned(),
            };
        }
    }
    without_number_of_closures(class)
}

/// `Orders$_total_closure` of `Orders$_total_closure3`: what Groovy makes of the third closure of a
/// class.
fn without_number_of_closures(class: &str) -> String {
    let mut parts = class.split(CLOSURE);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| {
        name + CLOSURE + part.trim_start_matches(|c: char| c.is_ascii_digit())
    })
}

const CLOSURE: &str = "_closure";

/// What follows two dollars in names of classes whose code stands in a source, although they look
/// generated: Scala's anonymous classes and functions (`Routes$$anon$1`), and what Kotlin makes of
/// inlined functions (`Orders$total$$inlined$map$1`).
const WRITTEN: [&str; 3] = ["anon", "inlined", "special"];

/// A class was made while the program was built or ran, and only passes calls on: a proxy, a
/// lambda. (The agent asks the same of its owners, `TachoConfig.passesCallsOn`.)
pub fn passes_calls_on(class: &str) -> bool {
    let is_written = |after: &str| WRITTEN.iter().any(|mark| after.starts_with(mark));
    let mut marks = class.match_indices("$$");
    let is_generated = marks.any(|(place, mark)| !is_written(&class[place + mark.len()..]));
    is_generated || class.contains("$Proxy")
}

/// `lambda$name$7` is what javac makes of the eighth lambda of a class, and other compilers'
/// lambdas are aligned to that; `name$original$x8Yq` is what Byte Buddy, and agents on top of it,
/// make of a method that they wrap; `$sw$original$name$hash` is SkyWalking's spelling since 9.0.
/// Either may be reached through an accessor, `$sw$original$name$hash$accessor$$sw$hash`.
fn aligned_method(method: &str) -> Cow<'_, str> {
    if let Some(place) = method.find("$original$") {
        let (before, after) = (&method[..place], &method[place + "$original$".len()..]);
        if !matches!(before, "" | "sw" | "$sw") {
            return aligned_method(before);
        }
        let hashed = after.split("$accessor$").next().unwrap_or(after);
        // The name may have a dollar of its own, the hash has none.
        return aligned_method(hashed.rsplit_once('$').map_or(hashed, |(name, _)| name));
    }
    if let Some(rest) = method.strip_prefix("lambda$")
        && let Some((name, number)) = rest.rsplit_once('$')
        && is_number(number)
    {
        return Cow::Borrowed(&method[.."lambda$".len() + name.len()]);
    }
    if let Some(name) = name_around_lambda(method) {
        return format!("lambda${name}").into();
    }
    if let Some(number) = method.strip_prefix("access$")
        && is_number(number)
    {
        return "access$".into();
    }
    method.into()
}

/// The method in which a lambda of Kotlin or Scala stands: `total` of `total$lambda$3` and
/// `total$lambda$3$lambda$0` (Kotlin 2), of `$anonfun$total$3` (Scala 2), and of
/// `total$$anonfun$3` (Scala 3).
fn name_around_lambda(method: &str) -> Option<&str> {
    if let Some(rest) = method.strip_prefix("$anonfun$") {
        let rest = rest.strip_suffix("$adapted").unwrap_or(rest);
        let (name, number) = rest.rsplit_once('$')?;
        return is_number(number).then_some(name);
    }
    let (name, rest) = ["$lambda$", "$$anonfun$"]
        .iter()
        .find_map(|mark| method.split_once(*mark))?;
    let is_numbering = |part: &str| matches!(part, "" | "lambda" | "anonfun" | "adapted");
    let is_lambda = rest
        .split('$')
        .all(|part| is_number(part) || is_numbering(part));
    match name {
        _ if !is_lambda || name.is_empty() => None,
        // Initialisers, as Kotlin and Scala name them.
        "_init_" | "$init$" => Some("new"),
        name => Some(name),
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

/// The method that a member belongs to which differs between builds: the numbers of lambdas are
/// left out there, but not the dollar before them.
pub fn of_member(member: &str) -> String {
    let numbered = match member.ends_with('$') {
        true => format!("{member}0"),
        false => member.to_owned(),
    };
    of_its_method(&format!(".{}", aligned_method(&numbered)))
        .trim_start_matches('.')
        .to_owned()
}

/// The class and the method of an owner as it is shown.
pub fn of_shown(owner: &str) -> (&str, &str) {
    if let Some(class) = owner.strip_suffix(OF_STATIC_PART) {
        return (class, "<clinit>");
    }
    let frame = Frame::parse(owner.strip_suffix(IN_IT).unwrap_or(owner));
    (frame.class, frame.method)
}

/// Behind a class whose static part has the lambda.
const OF_STATIC_PART: &str = " (a lambda of its static part)";
/// Behind the method in which a lambda stands.
const IN_IT: &str = " (a lambda in it)";

/// An aligned name is of a class that was made while the program ran.
pub fn is_generated(aligned: &str) -> bool {
    let class = Frame::parse(aligned).class;
    GENERATED.iter().any(|marker| class.ends_with(marker))
}

/// An aligned name without the lambda: the method that it stands in.
pub fn of_its_method(aligned: &str) -> String {
    match aligned.rsplit_once(".lambda$") {
        Some((class, "new")) => format!("{class}.<init>"),
        Some((class, "static")) => format!("{class}.<clinit>"),
        Some((class, method)) => format!("{class}.{method}"),
        None => aligned.to_owned(),
    }
}

/// An aligned name for people: a lambda by the method that it stands in.
#[must_use]
pub fn shown(aligned: &str) -> String {
    match aligned.rsplit_once('.') {
        Some((class, method)) => match method.strip_prefix("lambda$") {
            Some("static") => format!("{class}{OF_STATIC_PART}"),
            Some("new") => format!("{class}.<init>{IN_IT}"),
            Some(name) => format!("{class}.{name}{IN_IT}"),
            None => aligned.to_owned(),
        },
        None => aligned.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_generated_has_one_name_in_every_build() {
        for (frame, name) in [
            ("shop.Orders.total:17", "shop.Orders.total"),
            ("shop.Orders.<init>", "shop.Orders.<init>"),
            ("shop.Orders.lambda$total$3:9", "shop.Orders.lambda$total"),
            ("shop.Orders$$Lambda$812.apply", "shop.Orders$$Lambda.apply"),
            (
                "shop.Orders$$Lambda.0x1f.apply:-1",
                "shop.Orders$$Lambda.apply",
            ),
            ("com.sun.proxy.$Proxy71.find", "jdk.proxy.$Proxy.find"),
            ("jdk.proxy2.$Proxy9.find:-1", "jdk.proxy.$Proxy.find"),
            (
                "shop.Web$$EnhancerBySpringCGLIB$$1f2e.get:1",
                "shop.Web$$EnhancerBySpringCGLIB.get",
            ),
            (
                "shop.Web$$SpringCGLIB$$0.get:1",
                "shop.Web$$SpringCGLIB.get",
            ),
            (
                "jdk.internal.reflect.GeneratedMethodAccessor41.invoke",
                "jdk.internal.reflect.GeneratedMethodAccessor.invoke",
            ),
            ("shop.Web.access$300:5", "shop.Web.access$"),
            ("shop.Web.get$original$Ab3k:12", "shop.Web.get"),
            ("shop.Web.sw$original$get$7fb2c:12", "shop.Web.get"),
            ("shop.Web.$sw$original$get$c8tpsq2:84", "shop.Web.get"),
            (
                "shop.Web.$sw$original$get$c8tpsq2$accessor$$sw$p2boiv3",
                "shop.Web.get",
            ),
            (
                "shop.Web.get$original$Ab3k$accessor$x8Yq:-1",
                "shop.Web.get",
            ),
            ("shop.Web.$sw$original$get$all$c8tpsq2", "shop.Web.get$all"),
            (
                "shop.Web.$sw$original$lambda$get$3$c8tpsq2",
                "shop.Web.lambda$get",
            ),
            ("start_thread", "start_thread"),
            (
                "shop.OrdersKt.total$lambda$3:9",
                "shop.OrdersKt.lambda$total",
            ),
            (
                "shop.OrdersKt.total$lambda$3$lambda$0:9",
                "shop.OrdersKt.lambda$total",
            ),
            ("shop.Orders._init_$lambda$0:9", "shop.Orders.lambda$new"),
            (
                "shop.Orders$.$anonfun$total$2:9",
                "shop.Orders$.lambda$total",
            ),
            (
                "shop.Orders$.$anonfun$total$2$adapted:9",
                "shop.Orders$.lambda$total",
            ),
            ("shop.Orders.total$$anonfun$2:9", "shop.Orders.lambda$total"),
            (
                "shop.Orders.total$$anonfun$adapted$1:9",
                "shop.Orders.lambda$total",
            ),
            ("shop.Orders.$init$$$anonfun$1:9", "shop.Orders.lambda$new"),
            (
                "shop.Orders$_total_closure3$_closure4.doCall:9",
                "shop.Orders$_total_closure$_closure.doCall",
            ),
            (
                "shop.Orders.total$lambda$of:9",
                "shop.Orders.total$lambda$of",
            ),
        ] {
            assert_eq!(aligned(frame), name, "{frame}");
        }
        assert_eq!(
            shown("shop.Web.lambda$decoder"),
            "shop.Web.decoder (a lambda in it)"
        );
    }

    #[test]
    fn a_member_that_differs_and_an_owner_that_is_shown_are_of_one_method() {
        for (owner, member) in [
            ("shop.Web.get", "get"),
            ("shop.Web.lambda$get", "lambda$get$"),
            ("shop.Web.lambda$get", "get"),
            ("shop.Web.lambda$get", "$anonfun$get$"),
            ("shop.Web.lambda$get", "get$lambda$"),
            ("shop.Web.lambda$new", "<init>"),
            ("shop.Web.lambda$static", "lambda$static$"),
            ("shop.Web.<clinit>", "<clinit>"),
        ] {
            let shown = shown(owner);
            let (class, method) = of_shown(&shown);
            assert_eq!((class, method), ("shop.Web", of_member(member).as_str()));
        }
    }

    #[test]
    fn scala_and_kotlin_write_code_into_classes_whose_names_look_generated() {
        for written in [
            "shop.Routes$$anon$1",
            "shop.Routes$$anonfun$total$1",
            "shop.Orders$total$$inlined$map$1",
            "shop.Routes$",
        ] {
            assert!(!passes_calls_on(written), "{written}");
        }
        for generated in [
            "shop.Routes$$anon$1$$Lambda$7",
            "shop.Web$$SpringCGLIB$$0",
            "shop.Web$$Lambda",
            "jdk.proxy2.$Proxy9",
        ] {
            assert!(passes_calls_on(generated), "{generated}");
        }
    }

    proptest! {
        #[test]
        fn aligning_twice_changes_nothing_more(frame in "[a-z.$A-Z0-9:<>]{0,60}") {
            let once = aligned(&frame);
            let again = aligned(&once);
            prop_assert!(again.len() <= once.len() + "jdk.proxy.".len());
        }
    }
}
