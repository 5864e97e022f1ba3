// The block of JSON in the page of a diagnosis; crates/diagnosis-report/src/flame.rs declares the same in Rust.
import type { Graph } from "../charts/flame";

export interface FlameData {
  compared: boolean;
  graphs: Graph[];
}

/** Reads the block; null when the page has none. */
export function readFlames(from: Document): FlameData | null {
  const text = from.getElementById("flame-data")?.textContent;
  return text ? (JSON.parse(text) as FlameData) : null;
}
