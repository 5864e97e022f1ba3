//! What a run has written.

use std::path::Path;

/// Whatever a log says, its memory is bounded by its layout, and the sums of its lines do not
/// overflow.
pub fn hlog(bytes: &[u8]) {
    use tacho_histogram_log::LogLine;
    let mut answers: u64 = 0;
    for line in tacho_histogram_log::intervals(bytes) {
        let (histogram, start_s, duration_s) = match &line {
            LogLine::Interval(line) => (&line.histogram, line.start_s, line.duration_s),
            LogLine::Overall(line) => (&line.histogram, line.start_s, line.duration_s),
            LogLine::Unreadable => continue,
        };
        assert!(histogram.distinct_values() <= 1 << 16);
        assert!((start_s + duration_s).is_finite());
        answers += histogram.len();
        assert!(
            answers <= bytes.len() as u64 * (1 << 40),
            "more than a second holds"
        );
        assert!(histogram.max() >= histogram.value_at_quantile(0.5));
    }
}

/// The seconds of a log of load, bounded as its lines are.
pub fn hlog_seconds(bytes: &[u8]) {
    let mut seconds = tacho_load_report::records::Seconds::new(bytes, Path::new("phases.hlog"));
    let mut count = 0;
    while let Ok(Some(second)) = seconds.next_second() {
        count += 1;
        assert!(second.end_s().is_finite());
    }
    assert!(count <= bytes.len(), "each second has a line");
}

/// Everything that a run folder holds as JSON; what is understood can be written again.
pub fn run_folder_json(bytes: &[u8]) {
    use serde_json::{from_slice, to_vec};
    macro_rules! read {
        ($($kind:ident),*) => {
            $(
                if let Ok(read) = from_slice::<tacho_run_folder::$kind>(bytes) {
                    let _ = to_vec(&read);
                }
            )*
        };
    }
    read!(RunHeader, Plan, LaunchRecord, PreparedVariant, Results);
    if let Ok(fit) = from_slice::<tacho_fit::Fit>(bytes) {
        let _ = to_vec(&fit);
    }
}
