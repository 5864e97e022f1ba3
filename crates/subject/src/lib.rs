//! tacho-subject
