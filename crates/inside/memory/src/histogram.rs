//! What a class histogram says (`jcmd PID GC.class_histogram`; JDK 17 to 25).

use tacho_run_folder::{LiveClass, LiveSet};

/// Parses what the JVM prints; `None` when it is no histogram, or was cut off: the sum is its last
/// line.
#[must_use]
pub fn parse(text: &str) -> Option<LiveSet> {
    let (mut rows, mut total) = (Vec::new(), None);
    for line in text.lines() {
        if let Some(class) = row(line) {
            add(&mut rows, class);
        } else if let Some((instances, bytes)) = sum(line) {
            total = Some((instances, bytes));
        }
    }
    let (instances, bytes) = total?;
    // Adding up hidden classes may have changed the order.
    rows.sort_by_key(|class| std::cmp::Reverse(class.bytes));
    Some(LiveSet {
        instances,
        bytes,
        classes: rows,
    })
}

/// Lambdas of one class differ only in their address, so they are shown as one line.
fn add(rows: &mut Vec<LiveClass>, class: LiveClass) {
    let is_hidden = class.name.contains("$$");
    match rows
        .iter_mut()
        .find(|known| is_hidden && known.name == class.name)
    {
        Some(known) => {
            known.instances = known.instances.saturating_add(class.instances);
            known.bytes = known.bytes.saturating_add(class.bytes);
        }
        None => rows.push(class),
    }
}

//   2:          8209         197016  java.lang.String (java.base@17.0.15)
fn row(line: &str) -> Option<LiveClass> {
    let (number, rest) = line.split_once(':')?;
    number.trim().parse::<u64>().ok()?;
    let mut words = rest.split_whitespace();
    let instances = words.next()?.parse().ok()?;
    let bytes = words.next()?.parse().ok()?;
    let name = source_name(words.next()?)?;
    let module = words
        .next()
        .and_then(|word| word.strip_prefix('(')?.strip_suffix(')'))
        .map(|module| module.split('@').next().unwrap_or(module).to_owned());
    Some(LiveClass {
        name,
        module,
        instances,
        bytes,
    })
}

// Total         28213        1225136
fn sum(line: &str) -> Option<(u64, u64)> {
    let mut words = line.strip_prefix("Total")?.split_whitespace();
    let sums = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    words.next().is_none().then_some(sums)
}

/// The JVM's name of a class as a Java source writes it: `[[I` is `int[][]` (JVMS 4.3.2). A hidden
/// class has an address after its name.
fn source_name(name: &str) -> Option<String> {
    let element = name.trim_start_matches('[');
    let dimensions = name.len() - element.len();
    let element = if dimensions == 0 {
        element
    } else {
        match element {
            "B" => "byte",
            "C" => "char",
            "D" => "double",
            "F" => "float",
            "I" => "int",
            "J" => "long",
            "S" => "short",
            "Z" => "boolean",
            class => class.strip_prefix('L')?.strip_suffix(';')?,
        }
    };
    let shown = element.split("/0x").next().unwrap_or(element);
    (!shown.is_empty()).then(|| shown.to_owned() + &"[]".repeat(dimensions.min(255)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OF_17: &str = include_str!("../tests/real/jdk17-class-histogram.txt");
    const OF_25: &str = include_str!("../tests/real/jdk25-class-histogram.txt");

    fn class<'a>(live: &'a LiveSet, name: &str) -> &'a LiveClass {
        live.classes.iter().find(|c| c.name == name).unwrap()
    }

    #[test]
    fn what_jdk_17_and_25_print_is_read_to_the_last_object() {
        for text in [OF_17, OF_25] {
            let live = parse(text).unwrap();
            let sum = |of: fn(&LiveClass) -> u64| live.classes.iter().map(of).sum::<u64>();
            assert_eq!(sum(|c| c.instances), live.instances);
            assert_eq!(sum(|c| c.bytes), live.bytes);
            assert!(live.classes.windows(2).all(|w| w[0].bytes >= w[1].bytes));
            let bytes = &live.classes[0];
            assert_eq!(
                (bytes.name.as_str(), bytes.module.as_deref()),
                ("byte[]", Some("java.base"))
            );
            // Its own classes are in no named module.
            let order = class(&live, "Holds$Order");
            assert_eq!((order.module.as_ref(), order.instances), (None, 1000));
            let grid = class(&live, "int[][]");
            assert!(grid.instances >= 1 && grid.bytes >= 56, "{grid:?}");
            let lambda = live
                .classes
                .iter()
                .find(|c| c.name.contains("Holds$$Lambda"));
            assert_eq!(lambda.unwrap().instances, 1);
            assert!(live.classes.iter().all(|c| !c.name.contains("0x")));
        }
        assert_eq!(parse(OF_17).unwrap().bytes, 1_225_136);
        assert_eq!(parse(OF_25).unwrap().instances, 32_619);
    }

    #[test]
    fn lambdas_of_a_class_are_one_line() {
        let text = "1:  2  32  A$$Lambda$1/0x00007ff06c000c18\n2:  1  24  B\n3:  1  16  A$$Lambda$1/0x00007ff06c000c20\nTotal  4  72\n";
        let live = parse(text).unwrap();
        let lambda = class(&live, "A$$Lambda$1");
        assert_eq!((lambda.instances, lambda.bytes), (3, 48));
    }

    #[test]
    fn what_was_cut_off_is_no_histogram() {
        let (cut, _) = OF_17.split_at(OF_17.len() / 2);
        assert_eq!(parse(cut), None);
        assert_eq!(parse(""), None);
        assert_eq!(
            parse("4711:\njava.lang.IllegalArgumentException: Unknown diagnostic command\n"),
            None
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(
            text in "( {0,2}[0-9]{0,3}: {1,2}[0-9]{0,22} [0-9]{0,22} \\[{0,3}L?[A-Z$/0x]{0,5};?( \\([a-z@)]{0,5})?\n|Total [0-9]{0,21} [0-9]{0,21}\n|\\PC{0,20}\n){0,9}",
        ) {
            if let Some(live) = parse(&text) {
                prop_assert!(live.classes.iter().all(|c| !c.name.is_empty()));
            }
        }
    }
}
