//! Collections that waited for processors: by the clock they took much longer than they worked.

use crate::{Conclusion, Name, figure};
use tacho_figures as figures;
use tacho_gc_log::GcSummary;

/// Looks at them.
pub fn look(summary: &GcSummary, found: &mut Vec<Conclusion>) {
    let Some(cpu) = &summary.cpu else { return };
    if cpu.starved > 0 {
        found.push(Conclusion {
            name: Name::StarvedOfProcessors,
            summary: starved(cpu.starved, &figures::seconds(cpu.longest_starved_s)),
            advice: Some("look at the throttling of the control group and its quota of processors, at neighbours, and at swap; -XX:ParallelGCThreads above the quota makes it worse".to_owned()),
            figures: vec![
                figure("collections", cpu.starved as f64),
                figure("longest_s", cpu.longest_starved_s),
            ],
        });
    }
    if cpu.in_kernel > 0 {
        found.push(Conclusion {
            name: Name::TimeInKernel,
            summary: format!(
                "{} spent more time in the kernel than in the collector's code.",
                figures::counted(cpu.in_kernel, "1 long collection", "long collections")
            ),
            advice: Some("transparent huge pages, swap, or memory that is touched for the first time (-XX:+AlwaysPreTouch) do it".to_owned()),
            figures: vec![figure("collections", cpu.in_kernel as f64)],
        });
    }
}

fn starved(collections: u64, longest: &str) -> String {
    let waited = "waited for a processor, or for memory that had been swapped out.";
    match collections {
        1 => format!(
            "1 long collection worked for less than half of the {longest} that it took: it {waited}"
        ),
        n => format!(
            "{} long collections worked for less than half of the time that they took (the longest took {longest}): they {waited}",
            figures::count(n)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::starved;

    #[test]
    fn one_collection_is_one() {
        assert_eq!(
            starved(1, "1.20 s"),
            "1 long collection worked for less than half of the 1.20 s that it took: it waited for a processor, or for memory that had been swapped out."
        );
        let several = starved(1_200, "1.20 s");
        assert!(
            several.starts_with("1,200 long collections worked"),
            "{several}"
        );
    }
}
