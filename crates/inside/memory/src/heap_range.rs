//! Where the heap of a JVM lies.

/// Where the heap lies, from `GC.heap_info`: the lowest and the highest of all ranges. ZGC prints
/// none, and needs none.
pub fn heap_range(info: &str) -> Option<std::ops::Range<u64>> {
    let mut ends: Option<(u64, u64)> = None;
    let heap = info.split("Metaspace").next().unwrap_or(info);
    for piece in heap.split('[').skip(1) {
        let inside = piece.split([')', ']']).next().unwrap_or_default();
        let addresses: Vec<u64> = inside
            .split(',')
            .filter_map(|word| u64::from_str_radix(word.trim().strip_prefix("0x")?, 16).ok())
            .collect();
        if let (Some(first), Some(last)) = (addresses.first(), addresses.last()) {
            let (low, high) = ends.unwrap_or((*first, *last));
            ends = Some((low.min(*first), high.max(*last)));
        }
    }
    ends.filter(|(low, high)| low < high)
        .map(|(low, high)| low..high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heap_lies_between_the_lowest_and_the_highest_address() {
        let serial = " def new generation   total 78656K, used 2784K [0x00000000f0000000, 0x00000000f5550000, 0x00000000f5550000)\n  eden space 69952K,   3% used [0x00000000f0000000, 0x00000000f02b8338, 0x00000000f4450000)\n tenured generation   total 174784K, used 6702K [0x00000000f5550000, 0x0000000100000000, 0x0000000100000000)\n Metaspace       used 141K [0x1, 0x2)\n";
        assert_eq!(heap_range(serial), Some(0xf000_0000..0x1_0000_0000));
        assert_eq!(
            heap_range(" ZHeap           used 10M, capacity 256M\n"),
            None
        );
        assert_eq!(heap_range("[0xzz, [0x5)"), None);
    }
}
