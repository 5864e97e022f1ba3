//! What cannot be done is refused, and it is said why.

use crate::session::{attach, end, of, own, owned};
use crate::support::{Shop, each_jvm};
use tacho_jvm_agent::{Agent, MethodPattern, Probe};

#[test]
fn what_cannot_be_instrumented_is_said_with_the_reason() {
    each_jvm(|jdk| {
        let mut shop = Shop::start(jdk, &[]);
        shop.act("render 1");
        let mut agent = attach(&shop);
        let probes = [
            Probe::new("native", MethodPattern::of("java.lang.Thread", &["*"])),
            // Arguments are made objects by it.
            Probe::new("box", MethodPattern::of("java.lang.Boolean", &["*"])),
            Probe::new(
                "natives",
                MethodPattern::of("java.lang.Class", &["forName0", "isInstance"]),
            ),
            Probe::new(
                "abstract",
                MethodPattern::of("java.lang.Runnable", &["run"]),
            ),
            Probe::new(
                "lambdas",
                MethodPattern::of("com.acme.Shop$$Lambda*", &["get"]),
            ),
            Probe::new("none", MethodPattern::of("com.acme.None", &["get"])),
        ];
        let begun = agent.begin(&probes, &own()).unwrap();
        let why = |what: &str| {
            begun
                .refused
                .iter()
                .find(|r| r.what.contains(what))
                .unwrap_or_else(|| panic!("{what}: {begun:#?}"))
                .why
                .as_str()
        };
        assert!(why("java.lang.Thread").contains("stands on it"));
        assert!(why("java.lang.Boolean").contains("stands on it"));
        assert!(why("Class.forName0").contains("native"));
        assert!(why("Runnable.run").contains("abstract"));
        assert!(why("Lambda").contains("hidden class"));
        assert!(begun.unmatched.contains(&"none".to_owned()));
        let removed = agent.end().unwrap();
        assert_eq!((removed.classes, removed.is_clean()), (0, true));
    });
}

#[test]
fn what_matches_nothing_is_told_with_what_there_is() {
    each_jvm(|jdk| {
        let shop = Shop::start(jdk, &[]);
        let mut agent = attach(&shop);
        let probes = [
            Probe::new("method", MethodPattern::of("com.acme.Shop", &["mian"])),
            Probe::new("class", MethodPattern::of("com.acme.Shopp", &["main"])),
            Probe::new("there", MethodPattern::of("com.acme.Shop", &["main"])),
        ];
        let begun = agent.begin(&probes, &own()).unwrap();
        assert_eq!(begun.unmatched, ["method", "class"]);
        assert_eq!(begun.awaited, ["class"]);
        let members: Vec<&String> = begun.members.keys().collect();
        assert_eq!(members, ["method"], "{begun:#?}");
        let main = "main([Ljava/lang/String;)V".to_owned();
        assert!(begun.members["method"].contains(&main), "{begun:#?}");
        let classes = agent.classes().unwrap();
        for class in ["com.acme.Shop", "java.lang.String"] {
            assert!(classes.contains(&class.to_owned()), "{class}");
        }
        let is_odd = |name: &&String| name.starts_with('[') || name.starts_with("dev.tacho.");
        assert_eq!(classes.iter().find(is_odd), None);
        end(agent);
    });
}

#[test]
fn two_at_once_are_refused_and_one_after_another_are_not() {
    each_jvm(|jdk| {
        let mut shop = Shop::start(jdk, &[]);
        let mut first = attach(&shop);
        let error = Agent::attach(shop.pid(), shop.folder()).unwrap_err();
        assert!(error.to_string().contains("another Tacho"), "{error}");
        // The first goes on.
        first.begin(&[Probe::exceptions("thrown")], &own()).unwrap();
        shop.act("swallow 5");
        assert_eq!(
            owned(&of(&first.snapshot().unwrap(), "thrown"), "swallow")[0].count,
            5
        );
        drop(first);
        let mut second = attach(&shop);
        second
            .begin(&[Probe::exceptions("thrown")], &own())
            .unwrap();
        shop.act("swallow 7");
        assert_eq!(
            owned(&of(&second.snapshot().unwrap(), "thrown"), "swallow")[0].count,
            7
        );
        end(second);
        assert_eq!(
            std::fs::read_dir(shop.folder()).unwrap().count(),
            0,
            "folders of sessions are left"
        );
    });
}
