//! What was seen of a launch that is a Deployment, beside its requests: for whoever tells what
//! users felt. A pod that carries out launches hands it over as a file beside their records.

use crate::conntrack::LedTo;
use serde::{Deserialize, Serialize};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tacho_clock::Anchor;
use tacho_cluster_api::DeploymentState;
use tacho_rollout::{Told, Window};

/// Beside `launch.json`, on its way from a pod.
const NAME: &str = "seen.json";

/// What was seen of a launch beside its requests.
#[derive(Debug, Serialize, Deserialize)]
pub struct Seen {
    /// Its folder; another one on another machine.
    #[serde(skip)]
    pub folder: PathBuf,
    /// What its instants count from.
    #[serde(with = "OfAnchor")]
    pub anchor: Anchor,
    /// The Deployment, as it was when users came.
    pub deployment: DeploymentState,
    /// Where it was.
    pub namespace: String,
    /// Where they came in.
    pub address: SocketAddr,
    /// What the API told.
    pub told: Vec<Told>,
    /// The phases.
    pub windows: Vec<Window>,
    /// Where connections led to.
    pub led_to: LedTo,
}

/// All launches of a run that came to users.
pub type AllSeen = Arc<Mutex<Vec<Seen>>>;

#[derive(Serialize, Deserialize)]
#[serde(remote = "Anchor")]
struct OfAnchor {
    monotonic_ns: u64,
    realtime_ns: u64,
}

impl Seen {
    /// Into its folder. Gives the path.
    ///
    /// # Errors
    /// When it cannot be written there.
    pub fn write(&self) -> io::Result<PathBuf> {
        let path = self.folder.join(NAME);
        tacho_files::replace(&path, &serde_json::to_vec(self)?)?;
        Ok(path)
    }

    /// Out of the folder of a launch, where it is no longer then: a run folder has no such file.
    /// `None`: users never came to it.
    ///
    /// # Errors
    /// When it cannot be read, or is no such thing.
    pub fn take_from(folder: &Path) -> io::Result<Option<Self>> {
        let path = folder.join(NAME);
        let bytes = match tacho_files::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        std::fs::remove_file(&path)?;
        let seen: Self = serde_json::from_slice(&bytes)?;
        Ok(Some(Self {
            folder: folder.to_owned(),
            ..seen
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use tacho_rollout::{PodNews, What};

    fn seen(folder: &Path) -> Seen {
        Seen {
            folder: folder.to_owned(),
            anchor: Anchor {
                monotonic_ns: 5,
                realtime_ns: 7,
            },
            deployment: DeploymentState {
                name: "jar".to_owned(),
                replicas: 2,
                selector: "app=jar".to_owned(),
                labels: BTreeMap::new(),
                container: "app".to_owned(),
                has_readiness_probe: true,
                has_pre_stop: false,
                grace_s: 30,
                pre_stops: [("app".to_owned(), serde_json::Value::Null)].into(),
                is_settled: true,
                stuck: None,
                refused: None,
                is_paused: false,
                put_back: None,
            },
            namespace: "shop".to_owned(),
            address: ([10, 96, 0, 7], 80).into(),
            told: vec![
                Told {
                    at_ns: 9,
                    what: What::Pod("jar-1".to_owned(), PodNews::default()),
                },
                Told {
                    at_ns: 10,
                    what: What::Endpoints("jar-x".to_owned(), ["jar-1".to_owned()].into()),
                },
            ],
            windows: vec![Window {
                name: "fresh".to_owned(),
                from_ns: 11,
                to_ns: 12,
                is_change: false,
            }],
            led_to: LedTo::default(),
        }
    }

    #[test]
    fn it_is_read_as_it_was_written_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let before = seen(folder.path());
        let path = before.write().unwrap();
        let after = Seen::take_from(folder.path()).unwrap().unwrap();
        assert!(!path.exists());
        assert_eq!(after.folder, folder.path());
        assert_eq!(after.anchor, before.anchor);
        assert_eq!(after.deployment, before.deployment);
        assert_eq!(
            (&after.told, &after.windows),
            (&before.told, &before.windows)
        );
        assert!(Seen::take_from(folder.path()).unwrap().is_none());
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join(NAME), bytes).unwrap();
            prop_assert!(Seen::take_from(folder.path()).is_err());
        }
    }

    #[test]
    fn what_is_no_such_thing_is_said() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(NAME), "{\"anchor\": 1}").unwrap();
        assert!(Seen::take_from(folder.path()).is_err());
    }
}
