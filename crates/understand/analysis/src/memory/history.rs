//! The course of a heap, as collections.

use tacho_run_folder::{Collection, CollectionKind as Kind, JvmSample};
use tacho_statistics::trend::Point;

/// A heap over time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Heap {
    /// In the order of time.
    pub collections: Vec<Collection>,
    /// Largest heap allowed.
    pub max_bytes: Option<f64>,
    /// When looking began and ended.
    pub from_s: f64,
    /// When it ended; see `from_s`.
    pub to_s: f64,
}

impl Heap {
    /// The floor of the heap: what was left when old garbage, too, had been collected. Between two
    /// collections that free old garbage the lowest occupancy counts, because G1 frees it in
    /// several steps after a cycle.
    #[must_use]
    pub fn floor(&self) -> Vec<Point> {
        let mut floor: Vec<Point> = Vec::new();
        for collection in &self.collections {
            let point = Point::new(collection.at_s, collection.after_bytes);
            if collection.kind != Kind::Young {
                floor.push(point);
            } else if let Some(lowest) = floor.last_mut()
                && point.value < lowest.value
            {
                *lowest = point;
            }
        }
        floor
    }

    /// The occupancy after every collection, for drawing.
    #[must_use]
    pub fn after(&self) -> Vec<Point> {
        self.collections
            .iter()
            .map(|c| Point::new(c.at_s, c.after_bytes))
            .collect()
    }

    /// The committed heap after every collection that says it, for drawing.
    #[must_use]
    pub fn committed(&self) -> Vec<Point> {
        self.collections
            .iter()
            .filter_map(|c| Some(Point::new(c.at_s, c.capacity_bytes?)))
            .collect()
    }

    /// The room that a collection had to leave free: committed heap, or where nobody says it the
    /// largest heap allowed, or the most that was ever in use.
    #[must_use]
    pub fn room(&self, collection: &Collection) -> f64 {
        let most = || self.collections.iter().map(|c| c.before_bytes);
        collection
            .capacity_bytes
            .filter(|bytes| *bytes > 0.0)
            .or(self.max_bytes)
            .unwrap_or_else(|| most().fold(0.0, f64::max))
    }

    /// The collections of some instants.
    pub fn between(&self, from_s: f64, to_s: f64) -> impl Iterator<Item = &Collection> {
        self.collections
            .iter()
            .filter(move |c| c.at_s >= from_s && c.at_s <= to_s)
    }
}

/// The collections that `jvm.csv` shows: where a counter rises between two lines, a collection was.
/// Several between two lines are one with their pauses added up; occupancy is known as often as
/// lines are written, so that a log of collections is the better source.
#[must_use]
pub fn heap_of_samples(samples: &[JvmSample], max_bytes: Option<f64>) -> Heap {
    let seconds = |sample: &JvmSample| sample.at_ms / 1e3;
    let collections = samples
        .windows(2)
        .filter_map(|pair| {
            let [last, now] = pair else { return None };
            let rose = |count: fn(&JvmSample) -> Option<u64>| count(now) > count(last);
            let kind = if rose(|s| s.full_collections) {
                Kind::Full
            } else if rose(|s| s.concurrent_pauses) {
                Kind::Old
            } else if rose(|s| s.young_collections) {
                Kind::Young
            } else {
                return None;
            };
            let paused = |of: fn(&JvmSample) -> Option<f64>| {
                (of(now).unwrap_or(0.0) - of(last).unwrap_or(0.0)).max(0.0)
            };
            Some(Collection {
                at_s: seconds(now),
                kind,
                before_bytes: last.heap_used_bytes? as f64,
                after_bytes: now.heap_used_bytes? as f64,
                capacity_bytes: now.heap_capacity_bytes.map(|bytes| bytes as f64),
                pause_s: paused(|s| s.young_s)
                    + paused(|s| s.full_s)
                    + paused(|s| s.concurrent_pause_s),
            })
        })
        .collect();
    Heap {
        collections,
        max_bytes,
        from_s: samples.first().map_or(0.0, seconds),
        to_s: samples.last().map_or(0.0, seconds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_floor_is_the_lowest_between_collections_of_old_garbage() {
        let heap = Heap {
            collections: [
                (1.0, Kind::Young, 30.0),
                (2.0, Kind::Old, 50.0),
                (3.0, Kind::Young, 20.0),
                (4.0, Kind::Young, 40.0),
                (5.0, Kind::Full, 10.0),
                (6.0, Kind::Young, 12.0),
            ]
            .map(|(at_s, kind, after_bytes)| Collection {
                at_s,
                kind,
                before_bytes: 60.0,
                after_bytes,
                capacity_bytes: Some(100.0),
                pause_s: 0.01,
            })
            .to_vec(),
            ..Heap::default()
        };
        assert_eq!(heap.floor(), [Point::new(3.0, 20.0), Point::new(5.0, 10.0)]);
    }

    #[test]
    fn a_counter_that_rises_is_a_collection() {
        let line = |at_ms, young, full, used, young_s| JvmSample {
            at_ms,
            young_collections: Some(young),
            full_collections: Some(full),
            heap_used_bytes: Some(used),
            heap_capacity_bytes: Some(100),
            young_s: Some(young_s),
            ..JvmSample::default()
        };
        let heap = heap_of_samples(
            &[
                line(0.0, 0, 0, 10, 0.0),
                line(100.0, 0, 0, 40, 0.0),
                line(200.0, 2, 0, 15, 0.25),
                line(300.0, 2, 1, 5, 0.25),
            ],
            None,
        );
        let seen: Vec<_> = heap
            .collections
            .iter()
            .map(|c| (c.at_s, c.kind, c.before_bytes, c.after_bytes, c.pause_s))
            .collect();
        assert_eq!(
            seen,
            [
                (0.2, Kind::Young, 40.0, 15.0, 0.25),
                (0.3, Kind::Full, 15.0, 5.0, 0.0)
            ]
        );
        assert_eq!((heap.from_s, heap.to_s), (0.0, 0.3));
    }
}
