//! The seeds, and what a few thousand changes make of them. Reproducible: by the seed of the random
//! numbers.
#![allow(clippy::unwrap_used)]

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use tacho_fuzz::TARGETS;

/// Changed inputs a seed.
const CHANGES: u32 = 200;

fn seeds(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("seeds")
        .join(name);
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

/// Cuts, repeats, flips and mixes, as fuzzers do.
fn changed(seed: &[u8], others: &[Vec<u8>], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..random.random_range(1..5) {
        let place = random.random_range(0..=bytes.len());
        let end = (place + random.random_range(0..20)).min(bytes.len());
        match random.random_range(0..5) {
            0 => bytes.truncate(place),
            1 => drop(bytes.drain(place..end)),
            2 => {
                let piece = bytes[place..end].to_vec();
                bytes.splice(place..place, piece);
            }
            3 => {
                let other = &others[random.random_range(0..others.len())];
                let from = random.random_range(0..=other.len());
                let to = (from + 40).min(other.len());
                bytes.splice(place..place, other[from..to].iter().copied());
            }
            _ => {
                if let Some(byte) = bytes.get_mut(place) {
                    *byte = random.random();
                }
            }
        }
    }
    bytes
}

#[test]
fn no_seed_and_nothing_made_of_one_breaks_a_reader() {
    for target in TARGETS {
        let seeds = seeds(target.name);
        assert!(!seeds.is_empty(), "{} has no seeds", target.name);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for seed in &seeds {
            (target.run)(seed);
            for _ in 0..CHANGES {
                let bytes = changed(seed, &seeds, &mut random);
                let result = std::panic::catch_unwind(|| (target.run)(&bytes));
                assert!(result.is_ok(), "{}: {}", target.name, bytes.escape_ascii());
            }
        }
    }
}
