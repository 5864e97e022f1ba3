//! A session of the agent in a shop: how it begins, how it ends with nothing left, and what it has
//! counted by one probe or in one method.

use crate::support::{Shop, wake};
use tacho_jvm_agent::{Agent, Calls, Snapshot};

pub fn own() -> Vec<String> {
    vec!["com.acme.".to_owned()]
}

pub fn attach(shop: &Shop) -> Agent {
    wake(shop.pid());
    Agent::attach(shop.pid(), shop.folder()).unwrap()
}

/// Ends it, and sees that nothing is left.
pub fn end(agent: Agent) {
    let removed = agent.end().unwrap();
    assert!(removed.is_clean(), "{removed:#?}");
    assert_eq!(removed.as_before, removed.classes, "{removed:#?}");
    assert!(removed.classes > 0);
}

pub fn of<'a>(snapshot: &'a Snapshot, probe: &str) -> Vec<&'a Calls> {
    snapshot
        .calls
        .iter()
        .filter(|calls| calls.probe == probe)
        .collect()
}

/// Calls whose stack ends in this method of the shop.
pub fn owned<'a>(calls: &[&'a Calls], method: &str) -> Vec<&'a Calls> {
    let name = format!("com.acme.Shop.{method}:");
    calls
        .iter()
        .copied()
        .filter(|calls| {
            calls
                .frames
                .last()
                .is_some_and(|frame| frame.starts_with(&name))
        })
        .collect()
}
