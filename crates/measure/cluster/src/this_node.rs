//! Which node of a cluster this machine is.

use crate::carried_out::boot;
use tacho_cluster_api::Cluster;

/// Its name; `None` where that is not known, as where we may not list nodes, and where this machine
/// is several nodes.
pub fn this_node(cluster: &Cluster) -> Option<String> {
    let nodes = cluster.boots().ok()?;
    only_one_of(&boot(), &nodes).map(str::to_owned)
}

/// The name of the only node whose machine has this boot. Several nodes on one machine, such as
/// those of kind, have one kernel: the pods of all of them are seen from it.
fn only_one_of<'n>(boot: &str, nodes: &'n [(String, String)]) -> Option<&'n str> {
    let mut ours = nodes
        .iter()
        .filter(|(_, of_node)| !boot.is_empty() && of_node == boot);
    let (name, _) = ours.next()?;
    ours.next().is_none().then_some(name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(all: &[(&str, &str)]) -> Vec<(String, String)> {
        let of = |(name, boot): &(&str, &str)| ((*name).to_owned(), (*boot).to_owned());
        all.iter().map(of).collect()
    }

    #[test]
    fn a_machine_that_is_one_node_is_known_by_its_boot() {
        let nodes = nodes(&[("one", "a"), ("two", "b"), ("three", "c")]);
        assert_eq!(only_one_of("b", &nodes), Some("two"));
        assert_eq!(only_one_of("d", &nodes), None);
        assert_eq!(only_one_of("b", &[]), None);
    }

    #[test]
    fn a_machine_that_is_several_nodes_is_none_of_them() {
        let nodes = nodes(&[("one", "a"), ("two", "b"), ("three", "b")]);
        assert_eq!(only_one_of("b", &nodes), None);
        assert_eq!(only_one_of("a", &nodes), Some("one"));
    }

    /// Neither a kernel nor a node that says nothing is like another one.
    #[test]
    fn a_boot_that_nobody_tells_is_no_boot() {
        let nodes = nodes(&[("one", ""), ("two", "b")]);
        assert_eq!(only_one_of("", &nodes), None);
    }
}
