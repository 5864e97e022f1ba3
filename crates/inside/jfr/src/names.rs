//! Names of classes and methods, as they are shown to people.

/// A class as a recording names it, as a Java source writes it: `[B` is `byte[]`,
/// `[Ljava.lang.String;` is `java.lang.String[]` (JVMS 4.3.2). The address after the name of a
/// hidden class is left out.
#[must_use]
pub fn class(name: &str) -> String {
    let element = name.trim_start_matches('[');
    let dimensions = (name.len() - element.len()).min(255);
    let element = match (dimensions, element) {
        (0, class) => class,
        (_, "B") => "byte",
        (_, "C") => "char",
        (_, "D") => "double",
        (_, "F") => "float",
        (_, "I") => "int",
        (_, "J") => "long",
        (_, "S") => "short",
        (_, "Z") => "boolean",
        (_, class) => class
            .strip_prefix('L')
            .and_then(|class| class.strip_suffix(';'))
            .unwrap_or(class),
    };
    without_address(element) + &"[]".repeat(dimensions)
}

/// A frame without what tells nothing: the address of a hidden class, which differs from launch to
/// launch (`app.Handler$$Lambda.0x00007f01.run:7`), and the line of code that has none.
#[must_use]
pub fn frame(name: &str) -> String {
    let name = without_address(name);
    name.strip_suffix(":-1").unwrap_or(&name).to_owned()
}

/// No name in Java begins with a digit. JDK 17 writes `+0x00007f01.2028555727` where it names a
/// method that is compiled: address and hash.
fn without_address(name: &str) -> String {
    let Some(place) = ["/0x", ".0x", "+0x"]
        .iter()
        .find_map(|mark| name.find(mark))
    else {
        return name.to_owned();
    };
    let (before, rest) = name.split_at(place);
    let rest = rest.get(3..).unwrap_or_default();
    let after = rest.trim_start_matches(|c: char| c.is_ascii_hexdigit() || c == '+' || c == 'x');
    let hash = after.strip_prefix('.');
    let behind = hash.map(|hash| hash.trim_start_matches(|c: char| c.is_ascii_digit()));
    match (hash, behind) {
        (Some(hash), Some(behind)) if behind.len() < hash.len() => format!("{before}{behind}"),
        _ => format!("{before}{after}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_named_as_in_a_source() {
        for (recorded, shown) in [
            ("[B", "byte[]"),
            ("[[I", "int[][]"),
            ("[Ljava.lang.Object;", "java.lang.Object[]"),
            ("java.lang.String", "java.lang.String"),
            ("app.A$$Lambda/0x00007f0123abcdef", "app.A$$Lambda"),
            ("app.A$$Lambda.0x00007f0123abcdef", "app.A$$Lambda"),
            ("byte[]", "byte[]"),
        ] {
            assert_eq!(class(recorded), shown);
        }
        assert_eq!(
            frame("app.A$$Lambda$7/0x0000000800c03000.run:7"),
            "app.A$$Lambda$7.run:7"
        );
        assert_eq!(
            frame("app.A$$Lambda.0x000000003f045428.handle:-1"),
            "app.A$$Lambda.handle"
        );
        assert_eq!(
            frame("app.Rule+0x00007f8eb8009800.2028555727.price"),
            "app.Rule.price"
        );
        assert_eq!(frame("app.A.run:12"), "app.A.run:12");
    }
}
