//! tacho-cgroup
