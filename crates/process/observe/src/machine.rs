//! The machine that we run on.

use std::fs;
use tacho_cgroup::Hierarchy;
use tacho_run_folder::Machine;

/// The file in which the system names itself.
const OS: &str = "/etc/os-release";
/// The `os-release` of the node, for a pod that sees the node's processes and whose image has no
/// such file.
const OS_OF_THE_FIRST: &str = "/proc/1/root/etc/os-release";

/// Describes this machine. What cannot be found out is `unknown`, or 0.
#[must_use]
pub fn machine() -> Machine {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let unknown = || "unknown".to_owned();
    let uname = rustix::system::uname();
    let architecture = uname.machine().to_string_lossy().into_owned();
    Machine {
        cpus: processors(),
        cpu_model: cpu_model(&read("/proc/cpuinfo")).unwrap_or(architecture),
        memory_bytes: memory_bytes().unwrap_or(0),
        kernel: uname.release().to_string_lossy().into_owned(),
        os: pretty_name(&read(OS))
            .or_else(|| pretty_name(&read(OS_OF_THE_FIRST)))
            .unwrap_or_else(unknown),
        cgroup: Hierarchy::detect().map_or_else(|_| "none".to_owned(), |h| h.version().to_string()),
    }
}

/// Processors that the kernel has online; where it does not say, those that this process may use.
#[must_use]
pub fn processors() -> u32 {
    let online = fs::read_to_string("/sys/devices/system/cpu/online").unwrap_or_default();
    online_processors(&online).unwrap_or_else(processors_for_us)
}

/// The machine's memory; `None` when the kernel does not say.
#[must_use]
pub fn memory_bytes() -> Option<u64> {
    total_memory(&fs::read_to_string("/proc/meminfo").ok()?)
}

/// Processor time that the hypervisor gave to others since boot, over all processors, in
/// seconds; `None` when the kernel does not say. The difference of two readings counts.
#[must_use]
pub fn steal_s() -> Option<f64> {
    steal_ticks(&fs::read_to_string("/proc/stat").ok()?)
        .map(|ticks| ticks as f64 / rustix::param::clock_ticks_per_second().max(1) as f64)
}

fn processors_for_us() -> u32 {
    std::thread::available_parallelism()
        .ok()
        .and_then(|n| u32::try_from(n.get()).ok())
        .unwrap_or(1)
}

/// `0-3,8`: a list of ranges.
fn online_processors(list: &str) -> Option<u32> {
    let mut count: u32 = 0;
    for range in list.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        count = count.checked_add(last.checked_sub(first)?.checked_add(1)?)?;
    }
    Some(count)
}

fn cpu_model(cpuinfo: &str) -> Option<String> {
    // `model name` on x86, `cpu` on POWER, `Model` on some ARM boards.
    ["model name", "cpu", "Model"]
        .into_iter()
        .find_map(|key| value_of(cpuinfo, key, ':'))
}

fn total_memory(meminfo: &str) -> Option<u64> {
    let value = value_of(meminfo, "MemTotal", ':')?;
    let kib: u64 = value.strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

fn pretty_name(os_release: &str) -> Option<String> {
    let value = value_of(os_release, "PRETTY_NAME", '=')?;
    Some(value.trim_matches(['"', '\'']).to_owned())
}

fn value_of(text: &str, key: &str, separator: char) -> Option<String> {
    text.lines()
        .filter_map(|line| line.split_once(separator))
        .find(|(k, _)| k.trim() == key)
        .map(|(_, value)| value.trim().to_owned())
}

// cpu  user nice system idle iowait irq softirq steal guest guest_nice
fn steal_ticks(stat: &str) -> Option<u64> {
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    line.split_ascii_whitespace().nth(7)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn this_machine_is_described() {
        let machine = machine();
        assert!(machine.cpus >= 1);
        assert!(machine.memory_bytes > 64 << 20);
        assert!(!machine.cpu_model.is_empty() && !machine.os.is_empty());
        assert!(machine.kernel.contains('.'), "{}", machine.kernel);
        assert!(["v1", "v2", "none"].contains(&machine.cgroup.as_str()));
        let first = steal_s().unwrap();
        assert!(steal_s().unwrap() >= first);
    }

    #[test]
    fn each_file_is_understood() {
        assert_eq!(online_processors("0-3,8\n"), Some(5));
        assert_eq!(online_processors("0\n"), Some(1));
        assert_eq!(online_processors("3-0\n"), None);
        assert_eq!(
            cpu_model("processor\t: 0\nmodel\t\t: 85\nmodel name\t: Fast @ 3 GHz\n").as_deref(),
            Some("Fast @ 3 GHz")
        );
        assert_eq!(
            total_memory("MemTotal:       24681472 kB\n"),
            Some(24_681_472 << 10)
        );
        assert_eq!(
            pretty_name("NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n").as_deref(),
            Some("Debian GNU/Linux 12")
        );
        assert_eq!(
            steal_ticks("cpu  1 2 3 4 5 6 7 88 9 10\ncpu0 1 2\n"),
            Some(88)
        );
    }

    proptest! {
        #[test]
        fn no_content_makes_a_parser_panic(text in "[0-9,-]{0,30}|cpu [0-9 ]{0,40}|MemTotal: [0-9]{0,22} kB|\\PC{0,60}") {
            let _ = (online_processors(&text), cpu_model(&text), total_memory(&text));
            let _ = (pretty_name(&text), steal_ticks(&text));
        }
    }
}
