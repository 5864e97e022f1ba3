//! What this process knows to be secret.

use crate::Masking;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

static KNOWN: LazyLock<RwLock<Arc<Masking>>> = LazyLock::new(RwLock::default);

/// What is known so far.
#[must_use]
pub fn current() -> Arc<Masking> {
    Arc::clone(&KNOWN.read().unwrap_or_else(PoisonError::into_inner))
}

/// Adds to what is known; nothing is ever forgotten.
pub fn teach(add: impl FnOnce(&mut Masking)) {
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    add(Arc::make_mut(&mut known));
}
