// The block of JSON in the page of a rollout; the same in Rust:
// crates/tell/rollout-report/src/page.rs.

/** s, median in ms, longest in ms, lost */
export type Column = [number, number | null, number | null, number];

export interface RolloutData {
  from_s: number;
  to_s: number;
  column_s: number;
  columns: Column[];
  windows: { name: string; from_s: number; to_s: number; is_change: boolean }[];
  pods: Pod[];
}

export interface Pod {
  name: string;
  parts: { what: "starting" | "takes traffic" | "no endpoint" | "ending"; from_s: number; to_s: number }[];
  restarted_s: number[];
}

/** Reads the block; null when the page has none. */
export function readRolloutData(from: Document): RolloutData | null {
  const text = from.getElementById("rollout-data")?.textContent;
  return text ? (JSON.parse(text) as RolloutData) : null;
}
