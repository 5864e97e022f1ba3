//! A watch shows single calls: their arguments, their results and their exceptions.

use crate::session::{attach, end, own};
use crate::support::{Shop, each_jvm};
use tacho_jvm_agent::{MethodPattern, Watch};

#[test]
fn a_watch_shows_arguments_results_and_exceptions_without_asking_the_application() {
    each_jvm(|jdk| {
        let mut shop = Shop::start(jdk, &[]);
        let mut agent = attach(&shop);
        let watch = |methods: &[&str], at_most| Watch {
            methods: MethodPattern::of("com.acme.Shop", methods),
            at_most,
            slower_than_ns: 0,
            only_failed: false,
            depth: 2,
            length: 200,
            to_string: false,
        };
        agent.watch(&watch(&["row", "fail"], 3), &own()).unwrap();
        shop.act("render 10");
        let watched = agent.snapshot().unwrap().watched;
        assert_eq!(watched.len(), 3, "{watched:#?}");
        assert_eq!(watched[0].method, "com.acme.Shop.row");
        assert_eq!(
            watched[0].arguments,
            [r#"com.acme.Shop$Order{number=0, name="order 0"}"#, "0"]
        );
        assert_eq!(
            watched[0].result.as_deref(),
            Some(r#""             order 0""#)
        );
        assert_eq!(watched[2].result.as_deref(), Some("null"));

        let failed = Watch {
            only_failed: true,
            ..watch(&["*"], 100)
        };
        agent.watch(&failed, &own()).unwrap();
        shop.act("render 2");
        let watched = agent.snapshot().unwrap().watched;
        let said: Vec<_> = watched
            .iter()
            .map(|call| (call.method.as_str(), call.exception.as_deref()))
            .collect();
        let ink = Some("com.acme.Shop$OutOfStock: no more ink");
        assert_eq!(
            said,
            [("com.acme.Shop.fail", ink), ("com.acme.Shop.fail", ink)]
        );
        end(agent);
    });
}
