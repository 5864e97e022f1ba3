//! The three forms of content that the kernel uses: a number, `key value` lines, and `cpu.max`.

/// A file with one number. `max` and the like give `None`.
pub(crate) fn number(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

/// The value of a key in `key value` lines.
pub(crate) fn keyed(text: &str, key: &str) -> Option<u64> {
    text.lines().find_map(|line| {
        let value = line.strip_prefix(key)?.strip_prefix(' ')?;
        number(value)
    })
}

/// A limit in bytes: absent when the file says that there is none.
///
/// v2 writes `max`; v1 writes the largest number of whole pages in a `long`.
pub(crate) fn byte_limit(text: &str) -> Option<Option<u64>> {
    match text.trim() {
        "max" => Some(None),
        digits => {
            let bytes: u64 = digits.parse().ok()?;
            Some((bytes < 1 << 62).then_some(bytes))
        }
    }
}

/// `cpu.max`: `25000 100000` or `max 100000`, as processors.
pub(crate) fn cpu_max(text: &str) -> Option<Option<f64>> {
    let mut words = text.split_whitespace();
    let quota = words.next()?;
    let period: u64 = words.next()?.parse().ok().filter(|p| *p > 0)?;
    if quota == "max" {
        return Some(None);
    }
    let quota: u64 = quota.parse().ok()?;
    Some(Some(quota as f64 / period as f64))
}

/// `cpu.cfs_quota_us` and `cpu.cfs_period_us` as processors; -1 is no limit.
pub(crate) fn cfs_quota(quota: &str, period: &str) -> Option<Option<f64>> {
    let quota: i64 = quota.trim().parse().ok()?;
    let period: u64 = number(period).filter(|p| *p > 0)?;
    Some((quota >= 0).then(|| quota as f64 / period as f64))
}

/// Process ids, one a line. Zero stands for a process of another PID namespace.
pub(crate) fn pids(text: &str) -> Vec<u32> {
    text.lines().filter_map(|l| l.trim().parse().ok()).collect()
}

/// Controllers in `cgroup.controllers` or `cgroup.subtree_control`.
pub(crate) fn has_controller(text: &str, controller: &str) -> bool {
    text.split_whitespace().any(|word| word == controller)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_key_is_found_only_as_a_whole_word() {
        let text = "cache 1\ninactive_file 7\ntotal_inactive_file 570769408\n";
        assert_eq!(keyed(text, "inactive_file"), Some(7));
        assert_eq!(keyed(text, "total_inactive_file"), Some(570_769_408));
        assert_eq!(keyed(text, "inactive"), None);
        assert_eq!(keyed("usage_usec\n", "usage_usec"), None);
    }

    #[test]
    fn no_limit_is_told_from_a_limit() {
        assert_eq!(byte_limit("max\n"), Some(None));
        assert_eq!(byte_limit("9223372036854771712\n"), Some(None));
        assert_eq!(byte_limit("268435456\n"), Some(Some(268_435_456)));
        assert_eq!(byte_limit("-1\n"), None);
        assert_eq!(cpu_max("max 100000\n"), Some(None));
        assert_eq!(cpu_max("25000 100000\n"), Some(Some(0.25)));
        assert_eq!(cpu_max("25000 0\n"), None);
        assert_eq!(cfs_quota("-1\n", "100000\n"), Some(None));
        assert_eq!(cfs_quota("25000\n", "100000\n"), Some(Some(0.25)));
        assert_eq!(cfs_quota("25000\n", "0\n"), None);
    }

    proptest! {
        #[test]
        fn no_content_makes_a_parser_panic(text in "[a-z_0-9 .\n-]{0,80}|\\PC{0,40}") {
            let _ = (number(&text), keyed(&text, "usage_usec"), byte_limit(&text), cpu_max(&text));
            let _ = (cfs_quota(&text, &text), pids(&text), has_controller(&text, "cpu"));
        }

        #[test]
        fn a_keyed_value_is_read_as_it_was_written(value: u64, before in "[a-z_]{1,12} [0-9]{1,9}\n") {
            let text = format!("{before}nr_throttled {value}\nother 1\n");
            prop_assert_eq!(keyed(&text, "nr_throttled"), Some(value));
        }
    }
}
