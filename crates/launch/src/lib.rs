//! tacho-launch
