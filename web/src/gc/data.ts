// The block of JSON in the page of a garbage collection log, or of two; the same in Rust:
// crates/tell/gc-report/src/charts.rs.

/** s, highest before, lowest after, highest after, capacity */
export type HeapPoint = [number, number, number, number, number | null];
/** s and bytes of its begin and of its end */
export type Line = [[number, number], [number, number]];
/** s, the longest in ms, how many, full or degenerated ones among them */
export type PausePoint = [number, number, number, number];

export interface GcData {
  bucket_s: number;
  duration_s: number;
  max_heap_bytes: number | null;
  heap: HeapPoint[];
  /** The line along which the live objects grow; null when they do not grow. */
  trend: Line | null;
  pauses: PausePoint[];
  causes: { kind: string; cause: string | null; count: number; total_ms: number }[];
}

/** Reads the block: a log, or two; null when the page has none. */
export function readGcData(from: Document): GcData[] | null {
  const text = from.getElementById("gc-data")?.textContent;
  return text ? (JSON.parse(text) as { logs: GcData[] }).logs : null;
}
