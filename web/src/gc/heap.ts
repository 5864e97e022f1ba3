// Used before and after each collection, and what is committed.
import * as Plot from "@observablehq/plot";
import { base } from "../charts/style";
import { byteTicks, bytes, seconds } from "../units";
import type { GcData } from "./data";

export function heap(data: GcData, width: number): SVGSVGElement | HTMLElement | null {
  if (data.heap.length === 0) return null;
  const points = data.heap.map(([t, before, low, high, capacity]) => ({ t, before, low, high, capacity }));
  // A saw-tooth: up to what was used before a collection, down to what it left.
  const saw = points.flatMap((p) => [
    { t: p.t, used: p.before },
    { t: p.t, used: p.low },
  ]);
  const committed = points.filter((p) => p.capacity !== null);
  const limit = data.max_heap_bytes;
  const most = Math.max(...points.map((p) => Math.max(p.before, p.capacity ?? 0)), limit ?? 0);
  const ticks = byteTicks(most * 1.05, 6);
  return Plot.plot({
    ...base(width, "Heap over time"),
    marginLeft: 66,
    x: { domain: [0, Math.max(data.duration_s, data.bucket_s)] },
    y: { domain: [0, most * 1.05] },
    marks: [
      Plot.gridY({ stroke: "var(--line)", strokeOpacity: 1, ticks }),
      Plot.axisX({
        tickFormat: (s: number) => (s === 0 ? "0" : seconds(s)),
        ticks: Math.max(3, width / 110),
        tickSize: 3,
        label: "since the log began",
        labelArrow: "none",
      }),
      Plot.axisY({ tickFormat: bytes, tickSize: 0, label: null, ticks }),
      Plot.areaY(saw, { x: "t", y1: 0, y2: "used", fill: "var(--v0)", fillOpacity: 0.14 }),
      Plot.lineY(saw, { x: "t", y: "used", stroke: "var(--v0)", strokeWidth: 1, strokeOpacity: 0.7 }),
      Plot.dot(points, { x: "t", y: "low", r: 1.6, fill: "var(--v2)" }),
      ...(committed.length > 0
        ? [Plot.lineY(committed, { x: "t", y: "capacity", curve: "step-after", stroke: "var(--v1)", strokeWidth: 1.5 })]
        : []),
      ...(limit ? [Plot.ruleY([limit], { stroke: "var(--bad)", strokeDasharray: "4 3" })] : []),
      Plot.text([{ t: data.duration_s, y: limit ?? 0 }], {
        x: "t",
        y: "y",
        text: () => (limit ? "largest heap allowed" : ""),
        textAnchor: "end",
        dy: -7,
        fill: "var(--bad)",
      }),
      Plot.tip(
        points,
        Plot.pointerX({
          x: "t",
          y: "before",
          title: (p) =>
            `at ${seconds(p.t)}\nbefore ${bytes(p.before)}\nafter ${p.low === p.high ? bytes(p.low) : `${bytes(p.low)} to ${bytes(p.high)}`}${p.capacity === null ? "" : `\ncommitted ${bytes(p.capacity)}`}`,
        }),
      ),
    ],
  });
}
