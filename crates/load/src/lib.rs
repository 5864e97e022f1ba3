//! tacho-load
