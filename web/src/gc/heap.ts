// Used before and after each collection, and what is committed.
import * as Plot from "@observablehq/plot";
import { withKeys } from "../charts/keys";
import { base } from "../charts/style";
import { byteTicks, bytes, clockTick, clockTicks, seconds } from "../units";
import type { GcData } from "./data";
import { heapIn, lineIn, type View } from "./view";

const [USED, LEFT, COMMITTED, LIMIT] = ["var(--v0)", "var(--v2)", "var(--v1)", "var(--bad)"];
const TREND = "var(--ink)";

export function heap(data: GcData, width: number, view: View): HTMLElement | null {
  if (data.heap.length === 0) return null;
  const points = heapIn(data.heap, view, width).map(([t, before, low, high, capacity]) => ({
    t,
    before,
    low,
    high,
    capacity,
  }));
  // A saw-tooth: up to what was used before a collection, down to what it left.
  const saw = points.flatMap((p) => [
    { t: p.t, used: p.before },
    { t: p.t, used: p.low },
  ]);
  const committed = points.filter((p) => p.capacity !== null);
  const limit = view.maximum ? data.max_heap_bytes : null;
  // The axis fits the used heap, so its curve can be seen even in a heap that is far too large.
  const used = Math.max(1, ...points.map((p) => p.before));
  const most = limit ?? used;
  const ticks = byteTicks(most * 1.05, 6);
  const inside = committed.filter((p) => (p.capacity ?? 0) <= most * 1.08);
  const trend = data.trend ? lineIn(data.trend, view) : null;
  const plot = Plot.plot({
    ...base(width, "Heap over time"),
    marginLeft: 66,
    x: { domain: [view.from, view.to] },
    y: { domain: [0, most * 1.08] },
    marks: [
      Plot.gridY({ stroke: "var(--line)", strokeOpacity: 1, ticks }),
      Plot.axisX({
        tickFormat: clockTick,
        ticks: clockTicks(view.from, view.to, Math.max(3, width / 90)),
        tickSize: 3,
        label: "since the log began",
        labelArrow: "none",
      }),
      Plot.axisY({ tickFormat: bytes, tickSize: 0, label: null, ticks }),
      Plot.areaY(saw, { x: "t", y1: 0, y2: "used", fill: USED, fillOpacity: 0.14 }),
      Plot.lineY(saw, { x: "t", y: "used", stroke: USED, strokeWidth: 1, strokeOpacity: 0.7 }),
      Plot.dot(points, { x: "t", y: "low", r: 1.6, fill: LEFT }),
      ...(inside.length > 0
        ? [Plot.lineY(inside, { x: "t", y: "capacity", curve: "step-after", stroke: COMMITTED, strokeWidth: 1.5 })]
        : []),
      ...(trend ? [Plot.line(trend, { stroke: TREND, strokeWidth: 1.5, strokeDasharray: "6 4" })] : []),
      ...(limit === null ? [] : [Plot.ruleY([limit], { stroke: LIMIT, strokeDasharray: "4 3" })]),
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
  const keys = [
    { name: "in use", colour: USED },
    { name: "left by a collection", colour: LEFT },
    ...(inside.length > 0 ? [{ name: "committed", colour: COMMITTED }] : []),
    ...(trend ? [{ name: "what is alive grows so", colour: TREND, dashed: true }] : []),
    ...(limit === null ? [] : [{ name: "largest heap allowed", colour: LIMIT, dashed: true }]),
  ];
  return withKeys(keys, plot);
}
