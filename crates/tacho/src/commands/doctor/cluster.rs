//! What was seen of a cluster, as findings: what works there, what does not, and who can mend it.

use tacho_cluster::Ship;
use tacho_cluster_api::{Look, Node, PodSecurity, Purpose, Reached, Right, Seen};
use tacho_figures as figures;
use tacho_quantity::Bytes;
use tacho_runner::doctor::{Finding, State};

/// All findings, in the order in which one would fix them.
pub fn findings(reached: &Reached, look: &Look, ship: Option<&Ship>) -> Vec<Finding> {
    let mut findings = vec![good(format!(
        "Kubernetes {} at {} (context {})",
        look.version, reached.server, reached.context
    ))];
    findings.push(namespace(reached, &look.namespace));
    findings.push(nodes(&look.nodes));
    findings.push(images(ship));
    let of_purpose = |purpose: &Purpose| rights(*purpose, look);
    let mut of_rights: Vec<Finding> = Purpose::ALL.iter().map(of_purpose).collect();
    // One Role has them all.
    if let Some(lacking) = of_rights.iter_mut().find(|one| one.state != State::Good) {
        lacking.remedies.push(format!(
            "whoever may give rights in {namespace}: tacho doctor --on kubernetes --namespace {namespace} --role | kubectl apply -f -",
            namespace = reached.namespace
        ));
    }
    findings.extend(of_rights);
    findings.extend(eye(&look.namespace));
    findings
}

/// How images get to the nodes, if the context tells.
fn images(ship: Option<&Ship>) -> Finding {
    good(match ship {
        Some(ship) => format!("images get to its nodes by {ship}, as the kubeconfig tells"),
        None => "how images get to its nodes is said to each command, by --image or --load-image; the kubeconfig can say it instead (docs/kubernetes.md)".to_owned(),
    })
}

fn namespace(reached: &Reached, seen: &Seen<PodSecurity>) -> Finding {
    let name = &reached.namespace;
    match seen {
        Seen::Found(PodSecurity::Privileged) => good(format!(
            "namespace {name}; it enforces no Pod Security Standard"
        )),
        Seen::Found(PodSecurity::Baseline) => {
            good(format!("namespace {name}; Pod Security: baseline"))
        }
        Seen::Found(PodSecurity::Restricted) => {
            good(format!("namespace {name}; Pod Security: restricted"))
        }
        Seen::Found(PodSecurity::Unknown) => good(format!(
            "namespace {name}; Pod Security: a level that is not known here"
        )),
        Seen::Absent => bad(
            format!("there is no namespace {name}"),
            vec![
                format!("kubectl create namespace {name}"),
                "or name another by --namespace".to_owned(),
            ],
        ),
        Seen::Forbidden => good(format!(
            "namespace {name}; whether it is there cannot be looked at (no right to get it), which is no hindrance"
        )),
    }
}

fn nodes(seen: &Seen<Vec<Node>>) -> Finding {
    match seen {
        Seen::Found(nodes) => {
            let ready: Vec<&Node> = nodes.iter().filter(|node| node.takes_pods).collect();
            match ready[..] {
                [] => bad(
                    "no node takes pods".to_owned(),
                    vec!["kubectl describe nodes".to_owned()],
                ),
                [one] => good(format!(
                    "one node takes pods, {}; load and subject share it",
                    size(one)
                )),
                [first, ..] => good(format!(
                    "{} nodes take pods; the first is {}",
                    ready.len(),
                    size(first)
                )),
            }
        }
        Seen::Absent | Seen::Forbidden => good(
            "nodes cannot be looked at (no right to list them), which is no hindrance".to_owned(),
        ),
    }
}

/// `one (2 processors, 23.4 GiB, amd64)`. What is no quantity stays as the API writes it.
fn size(node: &Node) -> String {
    let memory = node.memory.parse::<Bytes>();
    let memory = memory.map_or_else(
        |_| node.memory.clone(),
        |bytes| figures::bytes(bytes.0 as f64),
    );
    let processors = processors(&node.cpu);
    format!(
        "{} ({processors}, {memory}, {})",
        node.name, node.architecture
    )
}

/// `2 processors` of `2`, `3.92 processors` of `3920m`.
fn processors(cpu: &str) -> String {
    let thousandths = cpu
        .strip_suffix('m')
        .map(|amount| amount.parse().map(|amount: f64| amount / 1e3));
    match thousandths.unwrap_or_else(|| cpu.parse()) {
        Ok(amount) => match figures::number(amount).as_str() {
            "1" => "1 processor".to_owned(),
            amount => format!("{amount} processors"),
        },
        Err(_) => format!("{cpu} processors"),
    }
}

fn rights(purpose: Purpose, look: &Look) -> Finding {
    let missing: Vec<String> = look
        .rights
        .iter()
        .filter(|(right, verbs)| right.purpose == purpose && !verbs.is_empty())
        .map(|(right, verbs)| format!("{} {}", verbs.join(", "), of(right)))
        .collect();
    let (what, without) = match purpose {
        Purpose::Run => ("rights for `run`", None),
        Purpose::Account => (
            "rights to give the run a ServiceAccount",
            Some("not needed with --service-account NAME, of one that has those for `run`"),
        ),
        Purpose::Rollout => ("rights for `rollout`", Some("needed for it alone")),
        Purpose::Variants => (
            "rights for `rollout` of an experiment",
            Some("needed for it alone, beside those for `run` and `rollout`"),
        ),
    };
    if missing.is_empty() {
        return good(what.to_owned());
    }
    Finding {
        state: match purpose {
            Purpose::Run => State::Bad,
            Purpose::Account | Purpose::Rollout | Purpose::Variants => State::Missing,
        },
        text: format!("{what}: {}", missing.join("; ")),
        remedies: without.map(str::to_owned).into_iter().collect(),
    }
}

fn of(right: &Right) -> String {
    match right.group {
        "" => right.name(),
        group => format!("{}.{group}", right.name()),
    }
}

/// Whether memory and throttling can be read from a pod's control group.
fn eye(seen: &Seen<PodSecurity>) -> Option<Finding> {
    match seen {
        Seen::Found(security) if security.allows_the_eye() => Some(good(
            "pods may see the node's processes and control groups: a pod can carry out a run"
                .to_owned(),
        )),
        Seen::Found(_) => Some(Finding {
            state: State::Missing,
            text: "pods may not see the node's processes and control groups (privileged, hostPID): a pod can carry out a run with --unprivileged alone".to_owned(),
            remedies: vec![
                "not needed where this machine is a node and Tacho runs there as root".to_owned(),
                "for memory, processor time, throttling and proofs measure in a namespace that enforces no Pod Security Standard".to_owned(),
            ],
        }),
        // It is not known now: the first pod that needs it will tell.
        Seen::Absent | Seen::Forbidden => None,
    }
}

fn good(text: String) -> Finding {
    Finding {
        state: State::Good,
        text,
        remedies: Vec::new(),
    }
}

fn bad(text: String, remedies: Vec<String>) -> Finding {
    Finding {
        state: State::Bad,
        text,
        remedies,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use tacho_cluster_api::rights as all_rights;

    #[test]
    fn processors_are_told_in_whole_ones() {
        let told = ["2", "1", "3920m", "940m", "some"].map(processors);
        let expected = ["2", "1", "3.92", "0.94", "some"];
        for (told, amount) in told.iter().zip(expected) {
            let unit = if amount == "1" {
                "processor"
            } else {
                "processors"
            };
            assert_eq!(told, &format!("{amount} {unit}"));
        }
    }

    fn reached() -> Reached {
        Reached {
            kubeconfig: "~/.kube/config".to_owned(),
            context: "there".to_owned(),
            server: "https://10.0.0.1:6443".to_owned(),
            namespace: "team-a".parse().unwrap(),
        }
    }

    fn look() -> Look {
        Look {
            version: "v1.34.1".to_owned(),
            namespace: Seen::Found(PodSecurity::Privileged),
            nodes: Seen::Found(vec![Node {
                name: "one".to_owned(),
                cpu: "2".to_owned(),
                memory: "24Gi".to_owned(),
                architecture: "amd64".to_owned(),
                takes_pods: true,
            }]),
            rights: all_rights()
                .iter()
                .map(|right| (*right, Vec::new()))
                .collect(),
        }
    }

    fn text(look: &Look, ship: Option<&Ship>) -> String {
        findings(&reached(), look, ship)
            .iter()
            .map(|finding| {
                let remedies: String = finding
                    .remedies
                    .iter()
                    .map(|remedy| format!("  -> {remedy}\n"))
                    .collect();
                format!("{:?} {}\n{remedies}", finding.state, finding.text)
            })
            .collect()
    }

    #[test]
    fn a_cluster_that_lacks_nothing() {
        let ship = Ship::of("kind load image-archive --name=dev");
        insta::assert_snapshot!(text(&look(), ship.as_ref()));
    }

    #[test]
    fn a_cluster_that_lacks_all() {
        let mut look = look();
        look.namespace = Seen::Found(PodSecurity::Restricted);
        look.nodes = Seen::Found(Vec::new());
        for (right, missing) in &mut look.rights {
            *missing = right.verbs.to_vec();
        }
        insta::assert_snapshot!(text(&look, None));
    }

    #[test]
    fn what_cannot_be_looked_at_is_no_hindrance() {
        let mut look = look();
        look.namespace = Seen::Forbidden;
        look.nodes = Seen::Forbidden;
        insta::assert_snapshot!(text(&look, None));
    }
}
