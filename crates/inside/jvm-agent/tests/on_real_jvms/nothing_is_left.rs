//! One session opens no port, and leaves no thread.

use crate::session::{attach, end, own};
use crate::support::starting::until;
use crate::support::{Shop, each_jvm};
use tacho_jvm_agent::Probe;

#[test]
fn no_port_is_opened_and_no_thread_is_left() {
    each_jvm(|jdk| {
        let mut shop = Shop::start(jdk, &[]);
        let listening = || {
            let tables = ["tcp", "tcp6", "udp", "udp6"].map(|name| {
                std::fs::read_to_string(format!("/proc/{}/net/{name}", shop.pid()))
                    .unwrap_or_default()
            });
            let own = std::fs::read_dir(format!("/proc/{}/fd", shop.pid()))
                .unwrap()
                .flatten()
                .filter_map(|fd| {
                    let link = std::fs::read_link(fd.path()).ok()?;
                    Some(
                        link.to_str()?
                            .strip_prefix("socket:[")?
                            .strip_suffix(']')?
                            .to_owned(),
                    )
                });
            own.filter(|inode| {
                tables.iter().any(|table| {
                    table
                        .lines()
                        .any(|line| line.split_whitespace().nth(9) == Some(inode))
                })
            })
            .count()
        };
        let before = listening();
        let mut agent = attach(&shop);
        agent
            .begin(&[Probe::class_look_ups("classes")], &own())
            .unwrap();
        assert_eq!(listening(), before);
        let threads = |jvm: &tacho_attach::Jvm| {
            jvm.jcmd("Thread.print")
                .unwrap()
                .contains("\"tacho-agent\"")
        };
        assert!(threads(agent.jvm()));
        let jvm = agent.jvm().clone();
        end(agent);
        until("the end of its thread", || (!threads(&jvm)).then_some(()));
        shop.act("absent 1");
    });
}
