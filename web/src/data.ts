// The block of JSON in the page; crates/tell/report/src/series/data.rs declares the same in Rust.

/** x, y */
export type Point = [number, number];
/** x, lowest, median, highest over the launches */
export type Band = [number, number, number, number];

export type CostKind = "cpu" | "waiting";

export interface Interval {
  value: number;
  low: number;
  high: number;
}

export interface ChartData {
  variants: string[];
  sections: Section[];
  unreadable_lines: number;
}

export interface Section {
  limits: string;
  phases: Phase[];
  cells: Cell[];
  breaks: Break[];
  memory_limit_bytes: number | null;
  evidence: Evidence[];
}

/** What to draw of one finding of memory over time. */
export interface Evidence {
  variant: string;
  title: string;
  from_s: number;
  to_s: number;
  series: { name: string; unit: string; points: Point[] }[];
}

export interface Phase {
  label: string;
  kind: "cold" | "closed" | "open";
}

export interface Cell {
  variant: string;
  startup: { estimate: Interval | null; dots: { launch: number; ms: number; counts: boolean }[] };
  time_line: { until: string; from_ms: number; to_ms: number }[];
  first: { launches: Point[][]; failed: Point[]; median: Point[] };
  latency: {
    phase: string;
    response: Point[];
    service: Point[];
    count: number;
    failed: number;
  }[];
  throughput: { phase: string; band: Band[] }[];
  /** Seconds since users came, milliseconds; empty unless the run asked about warm-ups. */
  warm_up: { p50: Band[]; p99: Band[] };
  memory: { rss: Band[]; working_set: Band[]; heap_used: Band[]; heap_committed: Band[] };
  /** Parts of the resident set and their bytes. */
  split: [string, number][];
  cost: { cost: CostKind; measured: Point[]; extrapolated: Point[] }[];
}

export interface Break {
  cost: CostKind;
  at: Interval;
  before: string;
  after: string;
}

/** Reads the block; null when the page has none. */
export function readData(from: Document): ChartData | null {
  const text = from.getElementById("chart-data")?.textContent;
  return text ? (JSON.parse(text) as ChartData) : null;
}
