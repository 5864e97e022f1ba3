//! tacho-report
