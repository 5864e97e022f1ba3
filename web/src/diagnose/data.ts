// The block of JSON in the page of a diagnosis or a profile;
// crates/tell/diagnosis-report/src/flame.rs declares the same in Rust.
import type { Graph } from "../charts/flame";

export interface FlameData {
  compared: boolean;
  /** Costs are those of a request; else of the whole time. */
  per_request: boolean;
  graphs: Graph[];
}

/** Reads the block; null when the page has none. */
export function readFlames(from: Document): FlameData | null {
  const text = from.getElementById("flame-data")?.textContent;
  return text ? (JSON.parse(text) as FlameData) : null;
}
