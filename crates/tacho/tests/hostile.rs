//! What a hostile neighbour does to a Tacho that root runs. Each test says what must hold.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "hostile/house.rs"]
mod house;
#[path = "hostile/mounts.rs"]
mod mounts;
#[path = "hostile/opened.rs"]
mod opened;
#[path = "hostile/shown.rs"]
mod shown;
