//! A trace is a tree of methods with exact counts, of all calls together or of each call alone.

use crate::session::{attach, end};
use crate::support::{Shop, each_jvm};
use tacho_jvm_agent::{MethodPattern, OneByOne, TracedMethod};

#[test]
fn a_trace_is_a_tree_of_methods_with_exact_counts() {
    each_jvm(|jdk| {
        let mut shop = Shop::start(jdk, &[]);
        shop.act("render 5");
        let mut agent = attach(&shop);
        let shops = |name: &str| MethodPattern::of("com.acme.Shop", &[name]);
        agent
            .trace(&[shops("render")], &[shops("row"), shops("pad")])
            .unwrap();
        agent.reset().unwrap();
        shop.act("render 100 4");
        let traced = agent.snapshot().unwrap().traced;
        let method = |name: &str| {
            traced
                .iter()
                .find(|m| m.method == format!("com.acme.Shop.{name}"))
                .unwrap()
        };
        let render = method("render");
        assert_eq!((render.count, render.parent, render.failed), (400, None, 0));
        let callee = |name: &str| {
            render
                .callees
                .iter()
                .find(|c| c.method.ends_with(name))
                .unwrap()
        };
        assert_eq!(
            (callee("Shop.row").count, callee("Shop.row").failed),
            (1200, 0)
        );
        assert_eq!(
            (callee("Shop.fail").count, callee("Shop.fail").failed),
            (400, 400)
        );
        assert!(callee("Shop.row").line.is_some());
        assert!(render.total_ns >= render.callees.iter().map(|c| c.total_ns).sum::<u64>());
        let (row, pad) = (method("row"), method("pad"));
        assert_eq!((row.count, pad.count), (1200, 1200));
        let (parent, site) = row.parent.unwrap();
        assert_eq!(
            (parent, render.callees[site as usize].method.as_str()),
            (render.node, "com.acme.Shop.row")
        );
        assert_eq!(pad.parent.unwrap().0, row.node);
        let format = pad
            .callees
            .iter()
            .find(|c| c.method == "java.lang.String.format")
            .unwrap();
        assert_eq!(format.count, 800);
        end(agent);
    });
}

#[test]
fn calls_are_kept_one_by_one_each_with_its_own_tree() {
    each_jvm(|jdk| {
        let mut shop = Shop::start(jdk, &[]);
        shop.act("render 5");
        let mut agent = attach(&shop);
        let shops = |name: &str| MethodPattern::of("com.acme.Shop", &[name]);
        let mut kept = |shop: &mut Shop, slower_than_ns| {
            let kept = OneByOne {
                slower_than_ns,
                calls: 3,
            };
            let (roots, inner) = ([shops("render")], [shops("row"), shops("pad")]);
            agent.trace_one_by_one(&roots, &inner, kept).unwrap();
            shop.act("render 10");
            let snapshot = agent.snapshot().unwrap();
            assert_eq!(snapshot.traced, []);
            snapshot.traced_calls
        };
        // No call of a shop takes an hour.
        assert_eq!(kept(&mut shop, 3_600_000_000_000), []);
        let calls = kept(&mut shop, 0);
        assert_eq!(calls.len(), 3);
        for call in &calls {
            assert!(!call.thread.is_empty() && call.took_ns() > 0, "{call:#?}");
            let of = |name: &str| {
                let name = format!("com.acme.Shop.{name}");
                let of_name = |method: &&TracedMethod| method.method == name;
                let found: Vec<_> = call.methods.iter().filter(of_name).collect();
                assert_eq!(found.len(), 1, "{call:#?}");
                (found[0].count, found[0].failed)
            };
            assert_eq!(
                (of("render"), of("row"), of("pad")),
                ((1, 0), (3, 0), (3, 0))
            );
        }
        assert!(
            calls
                .windows(2)
                .all(|two| two[0].at_ns + two[0].took_ns() <= two[1].at_ns + two[1].took_ns())
        );
        end(agent);
    });
}
