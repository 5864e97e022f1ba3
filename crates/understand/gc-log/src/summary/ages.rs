//! Ages of living objects, over all tables of a log.

use super::{AgeBytes, Ages};

/// Ages that are told apart: the JVM's header of an object has room for 15.
const MOST: usize = 32;

/// The tables so far.
#[derive(Debug, Default)]
pub struct AgesFold {
    tables: u64,
    /// Tables after which objects move to the old generation before the oldest age allowed.
    early: u64,
    desired: u64,
    most: u64,
    /// Bytes by age, added up.
    bytes: Vec<u64>,
}

impl AgesFold {
    pub fn tenuring(&mut self, desired: u64, threshold: u64, most: u64) {
        self.tables += 1;
        self.early += u64::from(threshold < most);
        self.desired = desired;
        self.most = most;
    }

    pub fn age(&mut self, age: u64, bytes: u64) {
        let Ok(place) = usize::try_from(age) else {
            return;
        };
        if place >= MOST {
            return;
        }
        if place >= self.bytes.len() {
            self.bytes.resize(place + 1, 0);
        }
        self.bytes[place] = self.bytes[place].saturating_add(bytes);
    }

    pub fn finish(&self) -> Option<Ages> {
        let by_age = self.bytes.iter().zip(0_u64..).filter(|(sum, _)| **sum > 0);
        (self.tables > 0).then(|| Ages {
            tables: self.tables,
            early: self.early,
            desired_survivor_bytes: self.desired,
            max_threshold: self.most,
            by_age: by_age
                .map(|(sum, age)| AgeBytes {
                    age,
                    mean_bytes: sum / self.tables,
                })
                .collect(),
        })
    }
}
