//! tacho-observe
