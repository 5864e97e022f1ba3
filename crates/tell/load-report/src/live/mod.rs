//! What is seen of a run while it goes on.
//!
//! A thread of its own, of low priority, looks twice a second at what the generator and the
//! recorder show anyhow, and draws. [`scene`] is a pure function from that to lines, so that it can
//! be tested without a terminal.

mod heat;
mod planned;
mod progress;
mod pushed;
pub mod scene;
mod scraped;
mod so_far;
mod surface;
mod view;

pub use planned::{Pace, PhaseView, SearchView};
pub use pushed::{Collector, NoCollector, Pushed, Pushes};
pub use scene::Scene;
pub use scraped::Scraped;
pub use surface::Surface;
pub use view::LiveView;
