//! tacho-analysis
