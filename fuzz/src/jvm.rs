//! What a JVM writes and tells of itself.

use crate::with_text;

/// The first byte says how the rest is split; however it is split, the same is told, and every line
/// is counted once.
pub fn gc_log(bytes: &[u8]) {
    let Some((&how, log)) = bytes.split_first() else {
        return;
    };
    let read = |piece: usize| {
        let mut reader = tacho_gc_log::Reader::default();
        let mut collections = tacho_gc_log::Collections::on(tacho_gc_log::Axis::Log);
        let mut take = |event: &tacho_gc_log::Event<'_>| collections.take(event);
        for part in log.chunks(piece.max(1)) {
            reader.feed(part, &mut take);
        }
        let lines = reader.end(&mut take);
        collections.finish(Vec::new(), lines).0
    };
    let whole = read(log.len());
    assert_eq!(whole, read(usize::from(how)), "the split must not matter");
    none_passed_over(&whole.lines);
    assert!(whole.over_time.len() <= 4096, "memory grows with the log");
}

/// The readers of lines alone, of every format, without what is added up of them.
pub fn gc_lines(bytes: &[u8]) {
    let mut reader = tacho_gc_log::Reader::default();
    reader.feed(bytes, &mut |_| ());
    none_passed_over(&reader.end(&mut |_| ()));
}

/// Compressed or not, in whatever letters: a file is read to its end, or refused.
pub fn gc_file(bytes: &[u8]) {
    let mut log = tacho_gc_log::Log::default();
    drop(log.read(bytes, &mut |_| ()));
    none_passed_over(&log.end(&mut |_| ()));
}

pub fn none_passed_over(lines: &tacho_gc_log::Lines) {
    let counted = lines.events + lines.details + lines.unknown + lines.other_tags + lines.no_log;
    assert_eq!(lines.all, counted, "a line was passed over");
}

/// Whether a memory is one, and all that is taken from it, must not depend on which of the two
/// readers asks.
pub fn hsperfdata(bytes: &[u8]) {
    let counters = tacho_observe::hsperfdata::Counters::parse(bytes);
    let sample = tacho_observe::hsperfdata::sample(bytes, 0.0);
    if let Some(sample) = sample {
        assert!(counters.is_ok(), "a row from what is no performance memory");
        assert!(sample.young_s.is_none_or(f64::is_finite));
    }
    if let Ok(counters) = counters {
        assert!(
            counters.len() <= bytes.len() / 20 + 1,
            "more entries than bytes"
        );
    }
}

/// Ranges come out in order and without overlaps, whatever the report says.
pub fn native_memory(bytes: &[u8]) {
    with_text(bytes, |text| {
        if let Some(memory) = tacho_memory::parse_native_memory(text) {
            let ranges = &memory.ranges;
            assert!(ranges.iter().all(|range| range.start < range.end));
            assert!(ranges.windows(2).all(|pair| pair[0].end <= pair[1].start));
            let _ = memory.malloc_bytes();
        }
    });
}

/// Whatever the lines say: classes with names, the largest first.
pub fn class_histogram(bytes: &[u8]) {
    with_text(bytes, |text| {
        if let Some(live) = tacho_memory::parse_class_histogram(text) {
            assert!(live.classes.iter().all(|class| !class.name.is_empty()));
            let sizes = live.classes.windows(2);
            assert!(sizes.into_iter().all(|pair| pair[0].bytes >= pair[1].bytes));
        }
    });
}

/// Shares are shares, whatever the events say.
pub fn jfr_lines(bytes: &[u8]) {
    with_text(bytes, |text| {
        let mut summary = tacho_jfr::Summary::default();
        for line in text.lines() {
            summary.add(tacho_jfr::Event::parse(line).as_ref());
        }
        let said = summary.finish();
        assert!(said.duration_s >= 0.0);
        for site in said.allocation.iter().flat_map(|a| &a.sites) {
            assert!((0.0..=1.0).contains(&site.share), "{site:?}");
        }
    });
}
