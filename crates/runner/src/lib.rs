//! tacho-runner
