// Time in pauses by kind and cause, as bars.
import * as Plot from "@observablehq/plot";
import { base } from "../charts/style";
import { milliseconds, millisecondsTick } from "../units";
import type { GcData } from "./data";

const ROW = 46;

export function causes(data: GcData, width: number): SVGSVGElement | HTMLElement | null {
  const bars = data.causes
    .filter((bar) => bar.total_ms > 0)
    .slice(0, 8)
    .map((bar) => ({ ...bar, name: bar.cause ? `${bar.kind}: ${bar.cause}` : bar.kind }));
  const most = Math.max(0, ...bars.map((bar) => bar.total_ms));
  if (most === 0) return null;
  const isFull = (kind: string) => kind.startsWith("Full") || kind.startsWith("Degenerated");
  return Plot.plot({
    ...base(width, "Pauses by cause"),
    height: 60 + ROW * bars.length,
    marginLeft: 12,
    marginRight: 24,
    x: { domain: [0, most * 1.02] },
    y: { domain: bars.map((bar) => bar.name), axis: null, padding: 0.55 },
    marks: [
      Plot.axisX({ tickFormat: millisecondsTick, ticks: 4, tickSize: 3, label: null }),
      Plot.gridX({ stroke: "var(--line)", strokeOpacity: 1, ticks: 4 }),
      Plot.barX(bars, {
        x: "total_ms",
        y: "name",
        fill: (bar) => (isFull(bar.kind) ? "var(--bad)" : "var(--v0)"),
        fillOpacity: 0.75,
      }),
      Plot.text(bars, {
        x: 0,
        y: "name",
        text: (bar) => `${bar.name} · ${bar.count} × · ${milliseconds(bar.total_ms)}`,
        textAnchor: "start",
        dy: -18,
        dx: 2,
        fill: "var(--ink)",
      }),
    ],
  });
}
